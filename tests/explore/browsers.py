"""A page in a headless browser that runs scripts: Chromium through Selenium, Firefox through the protocol that it speaks itself, Marionette
(Debian has no geckodriver)."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

SCRIPT_S = 300


class Chromium:
    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.binary_location = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(SCRIPT_S)

    def open(self, url):
        self.driver.get(url)

    def script(self, text, *arguments):
        """The script's last argument is the function that takes its result."""
        return self.driver.execute_async_script(text, *arguments)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def quit(self):
        self.driver.quit()


class Firefox:
    def __init__(self):
        self.profile = tempfile.mkdtemp()
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            file.write('user_pref("marionette.port", 0);\n')
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            shutil.rmtree(self.profile)
            raise RuntimeError("not installed")
        command = [program, "--headless", "--no-remote", "--profile", self.profile, "--marionette"]
        environment = dict(os.environ, HOME=self.profile, MOZ_HEADLESS="1")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket, self.number, self.read = None, 0, b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.port()), SCRIPT_S)
            self.message()
            self.ask("WebDriver:NewSession", {})
            self.ask("WebDriver:SetTimeouts", {"script": SCRIPT_S * 1000})
        except BaseException:
            self.quit()
            raise

    def port(self):
        for _ in range(600):
            try:
                with open(os.path.join(self.profile, "MarionetteActivePort")) as file:
                    return int(file.read())
            except (OSError, ValueError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError("Firefox does not start here")

    def message(self):
        """One message: its length in bytes, a colon, JSON."""
        while b":" not in self.read:
            self.receive()
        length, self.read = self.read.split(b":", 1)
        while len(self.read) < int(length):
            self.receive()
        text, self.read = self.read[: int(length)], self.read[int(length) :]
        return json.loads(text)

    def receive(self):
        got = self.socket.recv(1 << 16)
        if not got:
            raise RuntimeError("Firefox has gone")
        self.read += got

    def ask(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.message()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def open(self, url):
        self.ask("WebDriver:Navigate", {"url": url})

    def script(self, text, *arguments):
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": text, "args": list(arguments), "scriptTimeout": SCRIPT_S * 1000})

    def complaints(self):
        return []

    def quit(self):
        if self.socket:
            self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
