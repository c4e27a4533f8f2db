"""A page in a headless browser, with its keys and its mouse: Chromium through Selenium, Firefox through the protocol that it speaks itself,
Marionette (Debian has no geckodriver). Both are asked for the same things, in WebDriver's own words."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

LIMIT_S = 1800  # ends what hangs
LEFT, UP, RIGHT, DOWN, HOME, END = "\ue012", "\ue013", "\ue014", "\ue015", "\ue011", "\ue010"  # keys, as WebDriver names them
WINDOW = (1280, 1000)
GONE = re.compile("unloaded|script timeout")  # what browsers say of a script whose page went; Chromium, that it took too long

# Where something is to be pointed at: its box, in the middle of the window, once that is painted: a busy computer's browser may take the place
# before for what is pointed at.
POINT = """const [selector, done] = arguments, element = document.querySelector(selector);
element.scrollIntoView({block: "center", behavior: "instant"});
requestAnimationFrame(() => requestAnimationFrame(() => {
  const box = element.getBoundingClientRect();
  done([box.left, box.top, box.width, box.height]);
}));"""


class Left(Exception):
    """A page that was left, or loaded anew, while it was asked."""


def chromium(width, height, logs):
    """A Chromium of Selenium's, which is waited for until it is there, or has ended: Selenium gives it half a minute, its driver a whole one."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.remote.remote_connection import RemoteConnection

    class Driver(Service):
        def is_connectable(self):
            while self.process.poll() is None and not super().is_connectable():
                time.sleep(0.1)
            return self.process.poll() is None

    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.add_experimental_option("browserStartupTimeout", LIMIT_S * 1000)
    options.set_capability("goog:loggingPrefs", logs)
    options.binary_location = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    RemoteConnection.set_timeout(LIMIT_S)
    driver = webdriver.Chrome(service=Driver(shutil.which("chromedriver")), options=options)
    driver.set_script_timeout(LIMIT_S)
    driver.set_page_load_timeout(LIMIT_S)
    return driver


def open_page(name):
    """chromium or firefox; whatever the browser says, where it does not start."""
    return {"chromium": Chromium, "firefox": Firefox}[name]()


def in_browser(name, work):
    """Calls work with a page of that browser; status 77 where it does not start."""
    try:
        page = open_page(name)
    except Exception as wrong:  # whatever the browser says
        print(f"{name} does not start here: {str(wrong).splitlines()[0]}")
        sys.exit(77)
    try:
        work(page)
    finally:
        page.quit()


class Page:
    """What both can do; script, open, complaints, actions and quit are each browser's own."""

    def keys(self, selector, keys):
        """Pressed one after the other by what then has the focus."""
        self.script("document.querySelector(arguments[0]).focus({preventScroll: true}); arguments[1]();", selector)
        pressed = [{"type": what, "value": key} for key in keys for what in ("keyDown", "keyUp")]
        self.actions([{"type": "key", "id": "keys", "actions": pressed}])

    def mouse(self, moves):
        self.actions([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}])

    def click(self, selector, times=1):
        left, top, width, height = self.script(POINT, selector)
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.mouse([{"type": "pointerMove", "x": int(left + width / 2), "y": int(top + height / 2)}] + press * times)

    def point(self, selector):
        left, top, width, height = self.script(POINT, selector)
        self.mouse([{"type": "pointerMove", "x": int(left + width / 2), "y": int(top + height / 2)}])

    def swipe(self, begin, end):
        """A finger from one place to another."""
        places = [self.script(POINT, selector) for selector in (begin, end)]
        moves = [{"type": "pointerMove", "x": int(left + width / 2), "y": int(top + height / 2), "duration": 50} for left, top, width, height in places]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, moves[1], {"type": "pointerUp", "button": 0}]
        self.actions([{"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": actions}])

    def drag(self, selector, to_right):
        """A slider's thumb from one end past the other."""
        inside, (left, top, width, height) = 6, self.script(POINT, selector)
        ends = (left + inside, left + width + inside) if to_right else (left + width - inside, left - inside)
        start, end = ({"type": "pointerMove", "x": int(x), "y": int(top + height / 2), "duration": 50} for x in ends)
        self.mouse([start, {"type": "pointerDown", "button": 0}, end, {"type": "pointerUp", "button": 0}])


class Chromium(Page):
    def __init__(self):
        self.driver = chromium(*WINDOW, {"browser": "ALL"})

    def open(self, url):
        self.driver.get(url)

    def script(self, text, *arguments):
        """The script's last argument is the function that takes its result."""
        from selenium.common.exceptions import WebDriverException

        try:
            return self.driver.execute_async_script(text, *arguments)
        except WebDriverException as wrong:
            raise (Left if GONE.search(wrong.msg or "") else RuntimeError)(wrong.msg) from wrong

    def actions(self, actions):
        self.driver.execute("actions", {"actions": actions})

    def complaints(self):
        """Errors and warnings since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def quit(self):
        self.driver.quit()


# Errors of pages, which only Firefox's own scripts may ask for.
COMPLAINTS = """const said = Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError && !(m.flags & m.warningFlag) &&
    m.sourceName.startsWith("file:")).map(m => m.errorMessage + " (" + m.sourceName + ":" + m.lineNumber + ")");
Services.console.reset();
arguments[0](said);"""


class Firefox(Page):
    def __init__(self):
        self.profile = tempfile.mkdtemp()
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            file.write('user_pref("marionette.port", 0);\n')
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            shutil.rmtree(self.profile)
            raise RuntimeError("not installed")
        command = [program, "--headless", "--no-remote", "--profile", self.profile, "--marionette", "--remote-allow-system-access"]
        environment = dict(os.environ, HOME=self.profile, MOZ_HEADLESS="1")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket, self.number, self.read = None, 0, b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.port()), LIMIT_S)
            self.message()
            self.ask("WebDriver:NewSession", {})
            self.ask("WebDriver:SetTimeouts", {"script": LIMIT_S * 1000, "pageLoad": LIMIT_S * 1000})
            self.ask("WebDriver:SetWindowRect", {"width": WINDOW[0], "height": WINDOW[1]})
        except BaseException:
            self.quit()
            raise

    def port(self):
        while self.process.poll() is None:
            try:
                with open(os.path.join(self.profile, "MarionetteActivePort")) as file:
                    return int(file.read())
            except (OSError, ValueError):
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
            raise (Left if GONE.search(error["message"]) else RuntimeError)(f"{command}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def open(self, url):
        self.ask("WebDriver:Navigate", {"url": url})

    def script(self, text, *arguments):
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": text, "args": list(arguments), "scriptTimeout": LIMIT_S * 1000})

    def actions(self, actions):
        self.ask("WebDriver:PerformActions", {"actions": actions})

    def complaints(self):
        self.ask("Marionette:SetContext", {"value": "chrome"})
        said = self.script(COMPLAINTS)
        self.ask("Marionette:SetContext", {"value": "content"})
        return said

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
