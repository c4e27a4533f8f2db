"""serve.py WARPSCOPE TREE: what warpscope serve answers over HTTP."""

import contextlib
import fcntl
import http.client
import http.cookiejar
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from serving import LIMIT_S, Served
from suite import expect, finish

warpscope, tree = sys.argv[1:]
kernel = os.path.join(tree, "exercises/00-start/kernel.cu")


def read():
    with open(kernel, encoding="utf-8") as file:
        return file.read()


def write(text):
    """As an editor does it: another file in its place."""
    with open(kernel + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(kernel + ".tmp", kernel)


def admission(served):
    cookie = {"Cookie": f"thirty-two-{served.port}={served.token}"}
    wrong = {"Cookie": f"thirty-two-{served.port}={'0' * 32}"}
    before = read()
    base = served.base
    refused = [
        ("nobody", "GET", f"{base}/", {}),
        ("a wrong cookie", "GET", f"{base}/api/labs", wrong),
        ("a short cookie", "GET", f"{base}/api/labs", {"Cookie": f"thirty-two-{served.port}={served.token[:-1]}"}),
        ("another port's cookie", "GET", f"{base}/api/labs", {"Cookie": f"thirty-two-1={served.token}"}),
        ("a cookie elsewhere", "GET", "/api/labs", cookie),
        ("a cookie in another folder", "GET", f"/{'0' * 16}/api/labs", cookie),
        ("a wrong token", "GET", f"/?token={'0' * 32}", {}),
        ("a name that was bound to our address", "GET", f"{base}/", {**cookie, "Host": f"evil.example:{served.port}"}),
        ("no port", "GET", f"{base}/", {**cookie, "Host": "127.0.0.1"}),
        ("another page that reads", "GET", f"{base}/api/lab/00", {**cookie, "Origin": "http://evil.example"}),
        ("another page", "PUT", f"{base}/api/lab/00", {**cookie, "Origin": "http://evil.example"}),
        ("another port's page", "PUT", f"{base}/api/lab/00", {**cookie, "Origin": f"http://127.0.0.1:{served.port + 1}"}),
        ("a page of nobody", "PUT", f"{base}/api/lab/00", {**cookie, "Origin": "null"}),
        ("another page that keeps", "POST", f"{base}/api/lab/00/keep", {**cookie, "Origin": "http://evil.example"}),
        ("a form", "POST", f"{base}/api/lab/00/reset", cookie),
        ("a token in place of a cookie", "POST", f"{base}/api/lab/00/reset?token={served.token}", {"Origin": served.home}),
    ]
    for who, method, path, headers in refused:
        answer = served.send(method, path, b"x" if method == "PUT" else None, headers)
        expect(answer.status == 403, f"{who} is refused", answer.status)
    expect(read() == before, "what is refused changes nothing")
    answer = served.send("GET", f"/?token={served.token}")
    expect(answer.status == 303 and re.fullmatch(r"/[0-9a-f]{16}/", answer.getheader("Location")), "the token is not kept in the address", answer.status)
    for word in ("HttpOnly", "SameSite=Strict"):
        expect(word in answer.getheader("Set-Cookie"), f"the cookie is {word}")
    for path in ("//evil.example/", "/%5cevil.example/", "/%09/evil.example/"):  # browsers take all of them for //
        answer = served.send("GET", f"{path}?token={served.token}")
        expect(answer.getheader("Location") == f"{base}/", f"nobody is sent elsewhere by {path}", answer.getheader("Location"))
    mode = os.stat(os.path.join(os.environ["BUILD"], "serve.token")).st_mode & 0o777
    expect(mode == 0o600, "the token is its owner's alone", oct(mode))


def cookies(served):
    """A browser that was let in asks another server of this computer, which may be another user's: it does not say the token."""
    jar = http.cookiejar.CookieJar()
    urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar)).open(served.address)
    for port, wanted in ((served.port + 1, False), (served.port, True)):
        for path in ("/", "/favicon.ico", f"{served.base}/api/labs") if wanted else ("/", "/favicon.ico"):
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
            jar.add_cookie_header(request)
            told = wanted and path.startswith(served.base)
            expect(request.has_header("Cookie") == told, f"port {port} is {'' if told else 'not '}told at {path}")


def files(served):
    for path, kind in (("/", "text/html; charset=utf-8"), ("/desk/desk.js", "text/javascript"), ("/desk/desk.css", "text/css")):
        answer = served.get(path)
        expect(answer.status == 200 and answer.getheader("Content-Type") == kind, f"{path} is there", answer.getheader("Content-Type"))
        expect(answer.getheader("X-Content-Type-Options") == "nosniff", f"{path} is what it says")
    hostile = ["../http.c", "%2e%2e/http.c", "..%2fhttp.c", "..", ".", "", "/etc/passwd", "%2fetc%2fpasswd", "desk.html/", "a//b", ".hidden", "x" * 5000]
    for name in hostile:
        answer = served.get(f"/desk/{name}")
        expect(answer.status in (404, 400, 414), f"{name[:40]!r} is no file of the desk's", answer.status)
    token = served.get("/explored/serve.token")
    expect(token.status == 404, "a page cannot read the token", token.status)
    os.mkfifo(os.path.join(os.environ["TMPDIR"], "pipe"))
    expect(served.ask("GET", "/api/lab/77")[0] == 404, "there is no lab 77")
    expect(served.ask("POST", "/api/lab/00/verify")[0] == 404, "no command but the desk's")
    expect(served.ask("POST", "/api/lab/00/--help")[0] == 404, "no option is a command")
    expect(served.ask("DELETE", "/api/lab/00")[0] == 405, "no lab is removed")


def saving(served):
    events = served.events("00")
    hello = served.wait_for(events, "hello")
    expect(hello["text"] == read(), "the stream begins with the file")
    remarks = hello.get("remarks") or served.wait_for(events, "remarks")
    expect(any(goal["points"] > 0 and not goal["met"] for goal in remarks["goals"]), "goals of an untouched lab are missed")

    # Saved where nobody else wrote meanwhile, and graded again.
    text = hello["text"].replace("// END YOUR CODE", "int broken = ;\n// END YOUR CODE", 1)
    expect(text != hello["text"], "the exercise has its marks")
    status, state = served.ask("PUT", "/api/lab/00", text.encode(), **{"X-Version": hello["version"]})
    expect(status == 200 and read() == text and state["version"] != hello["version"], "what is written is saved", status)
    remarks = served.wait_for(events, "remarks")
    expect(any(found["severity"] == 1 for found in remarks["diagnostics"]), "and graded: it does not compile", remarks["diagnostics"])

    # Written elsewhere: told, and not overwritten.
    write(hello["text"])
    told = served.wait_for(events, "text", lambda data: data["version"] == hello["version"])
    expect(told["text"] == hello["text"], "a change outside is told")
    status, state = served.ask("PUT", "/api/lab/00", b"mine", **{"X-Version": hello["version"] + "0"})
    expect(status == 409 and state["text"] == hello["text"] and read() == hello["text"], "what others wrote is not overwritten", status)
    expect(served.ask("PUT", "/api/lab/00", b"mine")[0] == 409, "nor without a version")
    status, _ = served.ask("PUT", "/api/lab/00", b"x" * (1 << 21), **{"X-Version": hello["version"]})
    expect(status == 413 and read() == hello["text"], "no file of two megabytes", status)

    # Removed, and laid there again.
    os.remove(kernel)
    gone = served.wait_for(events, "text", lambda data: data["version"] == "")
    expect(gone["text"] == "", "a file that was removed is told")
    status, _ = served.ask("PUT", "/api/lab/00", hello["text"].encode(), **{"X-Version": ""})
    expect(status == 200 and read() == hello["text"], "and can be written again", status)

    # Kept beside it, under names that are free: a link that leads nowhere has one.
    os.symlink("nowhere", f"{kernel}.1")
    os.chmod(kernel, 0o600)
    for number, words in ((2, b"two"), (3, b"three")):
        status, said = served.ask("POST", "/api/lab/00/keep", words)
        expect(status == 200 and said["said"] == f"kernel.cu.{number}", "a text that gives way is kept", said)
        with open(f"{kernel}.{number}", "rb") as file:
            expect(file.read() == words and os.fstat(file.fileno()).st_mode & 0o777 == 0o600, "whole, and as private as the file")
    expect(read() == hello["text"], "and the file stays")

    # The learner's commands.
    status, said = served.ask("POST", "/api/lab/00/hint")
    expect(status == 200 and said["said"], "a hint is given")
    write("// mine\n")
    status, said = served.ask("POST", "/api/lab/00/reset")
    expect(status == 200 and said["status"] == 0 and read() == hello["text"], "a lab is begun anew", said)
    with open(f"{kernel}.4", encoding="utf-8") as file:
        expect(file.read() == "// mine\n" and os.path.islink(f"{kernel}.1"), "what stood there is kept where nothing was")
    os.remove(f"{kernel}.1")


def is_kept(served, what, written=None):
    """What is at kernel.cu's place stays, whatever a page believes to know of it."""
    if written is not None:
        with open(kernel, "wb") as file:
            file.write(written)
    with open(kernel, "rb") as file:
        before = file.read()
    for _ in range(2):  # the second time with the version of what is there now
        version = served.ask("GET", "/api/lab/00")[1]["version"]
        status, said = served.ask("PUT", "/api/lab/00", b"mine", **{"X-Version": version})
    locked_by = served.ask("GET", "/api/lab/00")[1].get("locked", "")
    with open(kernel, "rb") as file:
        expect(status == 500 and what in locked_by and what in said.get("error", "") and file.read() == before, f"{what}: kept", status)


def locked(served):
    """Files that a page cannot have as they are, or that are not there to be written."""
    given = read()
    is_kept(served, "UTF-8", "// caf\xe9\n".encode("latin-1"))
    is_kept(served, "1 MiB", b"// many\n" * (1 << 18))
    write(given)
    os.chmod(kernel, 0o444)
    is_kept(served, "read-only")
    os.rename(kernel, kernel + ".far")
    os.symlink(kernel + ".far", kernel)
    is_kept(served, "link")
    expect(os.path.islink(kernel), "a link stays one")
    os.remove(kernel)
    write("// a\0b\n")
    served.ask("PUT", "/api/lab/00", b"mine", **{"X-Version": "0"})
    state = served.ask("GET", "/api/lab/00")[1]
    expect(state["text"] == "// a\0b\n", "all bytes of a text arrive", state["text"])
    write(given)


def listings(served):
    """What the book quotes: a copy, launched as the book does, edited, put back; the book's own file stays as it is."""
    copy, book = os.path.join(tree, "exercises/listings/patterns.cu"), os.path.join(tree, "book/examples/patterns.cu")
    with open(book, encoding="utf-8") as file:
        text = file.read()

    def copied():
        with open(copy, encoding="utf-8") as file:
            return file.read()

    named = [lab["lab"] for lab in served.ask("GET", "/api/labs")[1] if "folder" not in lab]
    expect(named == sorted(name for name in os.listdir(os.path.dirname(book)) if name.endswith(".cu")), "listings are named", named)
    expect(not os.path.exists(copy), "and none is copied before it is asked for")
    status, state = served.ask("GET", "/api/lab/patterns.cu")
    expect(status == 200 and state["text"].startswith(text) and copied() == state["text"], "a listing's copy is the book's file", state)
    # Of the runs of the kernel `stride` the one with stride 2 has the fewest elements, 64 and 32.
    asked = [line for line in state["text"][len(text):].split("\n") if line.startswith("// warpscope: --kernel stride ")]
    expect(asked == ["// warpscope: --kernel stride --grid 1 --block 32 --arg buf:f32:64:iota --arg buf:f32:32 --arg i32:2"], "with the book's smallest launch", asked)
    # Whatever a save would wait long for is named, and not launched: of `turns.cu` some have 4 million elements each.
    turns = served.ask("GET", "/api/lab/turns.cu")[1]["text"].split("\n")
    launched, later = ([line for line in turns if line.startswith(mark)] for mark in ("// warpscope: --kernel ", "// not warpscope: --kernel "))
    kernels = {re.search(r"turns\.cu --kernel (\w+)", line).group(1) for line in open(os.path.join(tree, "book/runs.launches"), encoding="utf-8") if "turns.cu --kernel" in line}
    expect(launched and later and len(launched) + len(later) == len(kernels), "each kernel of a file has a launch", [launched, later, kernels])
    stream = served.events("patterns.cu")
    served.wait_for(stream, "hello")
    line = next(i for i, words in enumerate(text.split("\n")) if "* step]" in words)

    def sectors(remarks):
        return [row["label"] for row in remarks.get("lines", []) if row["line"] == line]

    # 32 floats of which every second is loaded lie in 8 sectors; every fourth in 16.
    remarks = served.wait_for(stream, "remarks")
    expect(any("8 sectors" in label for label in sectors(remarks)), "its counts stand at the line", sectors(remarks) or remarks)
    edited = state["text"].replace("buf:f32:64:iota --arg buf:f32:32 --arg i32:2", "buf:f32:128:iota --arg buf:f32:32 --arg i32:4")
    expect(served.send("PUT", f"{served.base}/api/lab/patterns.cu", edited.encode(), {**served.ours(**{"X-Version": state["version"]}), "Origin": "http://elsewhere"}).status == 403 and
           copied() == state["text"], "a page of another server writes none")
    expect(served.ask("PUT", "/api/lab/patterns.cu", edited.encode(), **{"X-Version": state["version"]})[0] == 200 and copied() == edited, "it is edited")
    expect(served.ask("PUT", "/api/lab/patterns.cu", b"//", **{"X-Version": state["version"]})[0] == 409 and copied() == edited, "what is older is not written over it")
    remarks = served.wait_for(stream, "remarks", lambda data: any("16 sectors" in label for label in sectors(data)))
    expect(served.ask("POST", "/api/lab/patterns.cu/grade")[0] == 404, "it is not graded")
    status, said = served.ask("POST", "/api/lab/patterns.cu/reset")
    expect(status == 200 and copied() == state["text"] and "patterns.cu.before" in said["said"], "it is put back", said)
    status, said = served.ask("POST", "/api/lab/patterns.cu/reset")
    expect(status == 200 and "already" in said["said"] and not os.path.exists(copy + ".before.2"), "a second time nothing is, and what was kept stays", said)
    with open(copy + ".before", encoding="utf-8") as file:
        expect(file.read() == edited, "and what stood there is kept")
    for name in ("../patterns.cu", "..%2Fpatterns.cu", "nothing.cu", "patterns.cu.before", "a" * 300):
        expect(served.ask("GET", f"/api/lab/{name}")[0] == 404, f"no listing: {name}")
    with open(book, encoding="utf-8") as file:
        expect(file.read() == text, "the book's file is as it was")


def crowd(served):
    """Connections that say nothing, of somebody who has no token, more than there is room for."""
    idle = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(600)]
    begin = time.monotonic()
    answer = served.get("/")
    took = time.monotonic() - begin
    expect(answer.status == 200 and took < 30, "a crowd that says nothing keeps nobody out for long", took)
    for connection in idle:
        connection.close()


def late(served):
    """A browser opens connections ahead of use."""
    early = http.client.HTTPConnection("127.0.0.1", served.port)
    early.connect()
    time.sleep(6)  # a time, since that is what is asked: longer than a crowd has, and a tenth of what a few have
    early.request("GET", f"/?token={served.token}")
    expect(early.getresponse().status == 303, "a connection of few may wait for its first request")


def slow_crowd(served):
    """Connections that go on saying something, byte by byte, until one who has the token is answered."""
    slow = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(600)]  # some of them wait for their turn
    answered = threading.Event()

    def speak():
        for begin in slow:
            begin.setblocking(False)
        for byte in itertools.chain(b"GET / HTTP/1.1\r\nHost: x\r\nX-More: ", itertools.repeat(ord("x"))):
            for connection in slow:
                with contextlib.suppress(OSError):
                    connection.send(bytes([byte]))
            if answered.wait(0.5):
                break
        for connection in slow:
            connection.close()

    speaker = threading.Thread(target=speak, daemon=True)
    speaker.start()
    answer = served.get("/")
    answered.set()
    speaker.join()
    expect(answer.status == 200, "a crowd that speaks slowly keeps nobody out", answer.status)


def left_behind():
    """The folders that are there once a server has begun and ended after all that worked for the killed one did: each holds its folder's lock."""
    temporary = os.environ["TMPDIR"]
    for name in os.listdir(temporary):
        if name.startswith("warpscope"):
            try:
                folder = os.open(os.path.join(temporary, name), os.O_RDONLY)
            except FileNotFoundError:
                continue
            fcntl.flock(folder, fcntl.LOCK_EX)
            os.close(folder)
    Served(warpscope).end(signal.SIGINT)
    return [name for name in os.listdir(temporary) if name.startswith("warpscope")]


def second(served):
    """Another server of the same build folder is not begun: it would have the same token, until one of the two ends."""
    with subprocess.Popen([warpscope, "serve", "--port", "0", "--no-sandbox"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as other:
        address = other.stdout.readline()
        other.kill()
        said = other.stderr.read()
    expect(not address and f"another server has this course: process {served.process.pid}." in said, "a second server is refused", address + said)
    expect(served.ask("GET", "/api/labs")[0] == 200, "the first goes on")


def child_of(process):
    """Of the server; its state, Z where it has ended, and whether it waits for room in a pipe."""
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
        child = (file.read().split() or [None])[0]
    if not child:
        return None, "", False
    try:
        with open(f"/proc/{child}/stat", encoding="utf-8") as stat, open(f"/proc/{child}/wchan", encoding="utf-8") as waits:
            return child, stat.read().rsplit(")", 1)[1].split()[0], "pipe" in waits.read()
    except (FileNotFoundError, ProcessLookupError):  # it ended before the server stopped
        return None, "", False


def killed_while_a_grading_speaks(served):
    """What a grading has to say is more than a pipe takes: it waits for the server, and ends with it."""
    stream = served.events("05")
    state = served.wait_for(stream, "hello")
    head, end, tail = state["text"].rpartition("    // END YOUR CODE")  # in a kernel that is right, with a remark for each access
    waits = False
    for attempt in range(100):  # one whose grading was quicker than the signal shows nothing
        talkative = head + "    (void)*(volatile const float *)m;\n" * 40 + f"// {attempt}\n" + end + tail
        version = served.ask("PUT", "/api/lab/05", talkative.encode(), **{"X-Version": state["version"]})[1]["version"]
        served.wait_for(stream, "grading")
        served.process.send_signal(signal.SIGSTOP)
        child, what, waits = child_of(served.process.pid)
        while child and what != "Z" and not waits:
            time.sleep(0.01)
            child, what, waits = child_of(served.process.pid)
        if waits:
            break
        served.process.send_signal(signal.SIGCONT)
        state["version"] = version
    expect(waits, "a grading waits for a server that has stopped")
    served.end(signal.SIGKILL)
    try:
        for _ in stream:
            pass
        gone = True
    except TimeoutError:
        gone = False
    expect(gone, "pages see that a killed server has gone")
    limit = time.monotonic() + LIMIT_S
    while waits and os.path.exists(f"/proc/{child}") and time.monotonic() < limit:
        time.sleep(0.01)
    expect(not waits or not os.path.exists(f"/proc/{child}"), "its grading ends with it")
    again = Served(warpscope, served.port)
    again.ask("PUT", "/api/lab/05", state["text"].encode(), **{"X-Version": again.wait_for(again.events("05"), "hello")["version"]})
    return again


def main():
    served = Served(warpscope)
    second(served)
    admission(served)
    cookies(served)
    files(served)
    saving(served)
    locked(served)
    listings(served)
    late(served)
    crowd(served)
    slow_crowd(served)
    served = killed_while_a_grading_speaks(served)
    token, port, base = served.token, served.port, served.base
    stream = served.events("00")
    served.wait_for(stream, "hello")
    served.end(signal.SIGKILL)
    served = Served(warpscope, port)
    expect(served.token == token, "pages stay admitted when the server is killed and begun again")
    stream = served.events("00")
    served.wait_for(stream, "hello")
    status = served.end(signal.SIGINT)
    expect(status == -signal.SIGINT, "Ctrl-C ends it, streams and all", status)
    served = Served(warpscope, port)
    expect(served.token != token and served.base != base, "whoever had its port meanwhile, and was asked by its pages, has learnt nothing")
    served.end(signal.SIGTERM)
    left = left_behind()
    expect(not left, "nothing is left behind", left)
    finish()


main()
