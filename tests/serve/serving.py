"""A server of the course for a suite: begun, asked, ended."""

import atexit
import http.client
import json
import re
import signal
import subprocess

LIMIT_S = 1800  # ends what hangs


class Served:
    """port 0: one that is free."""

    def __init__(self, warpscope, port=0):
        self.process = subprocess.Popen([warpscope, "serve", "--port", str(port), "--no-sandbox"], stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # where a check ends the suite
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address).groups()
        self.port = int(self.port)
        self.home = f"http://127.0.0.1:{self.port}"
        self.base = self.send("GET", f"/?token={self.token}").getheader("Location").rstrip("/")  # all that is served lies beneath it

    def end(self, with_signal=signal.SIGTERM):
        self.process.send_signal(with_signal)
        return self.process.wait(LIMIT_S)

    def send(self, method, path, body=None, headers=()):
        """As it is given, with nothing added but the host."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        headers = dict(headers)
        connection.putrequest(method, path, skip_host="Host" in headers)
        if body is not None:
            headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        return connection.getresponse()

    def ours(self, **more):
        """The headers of one of our own pages."""
        return {"Cookie": f"thirty-two-{self.port}={self.token}", "Origin": self.home, **more}

    def get(self, path):
        return self.send("GET", self.base + path, headers=self.ours())

    def ask(self, method, path, body=None, **more):
        """Status and JSON."""
        answer = self.send(method, self.base + path, body, self.ours(**more))
        return answer.status, json.loads(answer.read())

    def events(self, lab):
        """Yields (event, data) as they come."""
        answer = self.get(f"/api/lab/{lab}/events")
        name = ""
        for line in answer:
            line = line.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                yield name, json.loads(line[6:])

    def wait_for(self, events, name, holds=lambda data: True):
        """The data of the next such event."""
        for event, data in events:
            if event == name and holds(data):
                return data
        raise EOFError(f"the stream ended before {name}")
