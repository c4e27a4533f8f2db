"""The engine in a page against the native one: engine.py BROWSER WARPSCOPE ENGINE RUNS [--speed]. BROWSER: chromium or firefox. ENGINE: the
folder with engine.js, RUNS: that of the book's launches, with their PTX and JSON. Prints what is wrong, then "N passed". Status 77: the browser
does not start. With --speed nothing is compared: it prints how the page's engine fares beside the native one."""

import base64
import glob
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

import browsers

sys.path.append(os.path.join(os.path.dirname(__file__), ".."))
from suite import expect, finish

name, warpscope, engine, runs = sys.argv[1:5]
engine = os.path.abspath(engine)

RUN = """const [ptx, words, done] = arguments;
engine.text(ptx, words).then(done, error => done("refused: " + error.message));"""


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


PATIENT = read("tests/explore/patient.js")


def native(path, words, ptx=None):
    """Of compiled PTX, beside a source without a line: pictures name the source's lines, and a page has none."""
    command = [os.path.abspath(warpscope), "launch", path] + (["--ptx", os.path.abspath(ptx)] if ptx else []) + ["--json", "--threads", "1"] + words
    with tempfile.TemporaryDirectory() as folder:
        if ptx:
            os.makedirs(os.path.join(folder, os.path.dirname(path)))
            with open(os.path.join(folder, path), "w", encoding="utf-8"):
                pass
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, cwd=folder if ptx else None)


def bare(text):
    """Without what the host took."""
    return re.sub(r',\n  "host": \{[^}]*\}', "", text)


def in_page(page, ptx, words):
    return page.script(RUN, ptx, words)


def same_launch(page, what, ptx, words, wanted):
    got = bare(in_page(page, ptx, words))
    expect(got.startswith('{"launch":' + bare(wanted) + ',"output": "'), f"{what}: in the page {got[:300]!r}, natively {wanted[:300]!r}")


def compare(page, what, path, words, ptx=None):
    """A launch that may also be refused, by the same words."""
    here = native(path, words, ptx).stdout
    refused = json.loads(here).get("error")
    if not refused:
        same_launch(page, what, read(ptx or path), [path] + words, here)
        return
    got = json.loads(in_page(page, read(ptx or path), [path] + words)).get("error", {})
    for key in ("message", "hint"):
        expect(got.get(key) == refused.get(key), f"{what}: {key} {got}, natively {refused}")


class Launch:
    """One of book/runs.launches."""

    def __init__(self, args):
        self.name = os.path.basename(args)[: -len(".args")]
        words = [word for word in read(args).split() if word != "fault"]
        self.path = words[0]
        if not self.path.endswith(".cu"):  # a mutant, as book/run writes it
            self.path = os.path.join(runs, self.name + ".cu")
        self.words = words[1:]
        self.ptx = os.path.join(runs, self.path.replace("/", "_") + ".ptx")


    def bytes(self):
        return sum(int(bits) // 8 * int(count) for bits, count in re.findall(r"^buf:[a-z]+(\d+):(\d+)", "\n".join(self.words), re.M))


PAGE_BYTES = 128 << 20  # that all buffers of a launch may take in a page


def launches():
    wanted = set(re.findall(r"^([a-z][a-z0-9-]*):", read("book/runs.launches"), re.M))
    made = [launch for launch in map(Launch, sorted(glob.glob(runs + "/*.args"))) if launch.name in wanted]
    return [launch for launch in made if launch.words]  # others were run elsewhere (make release)


def book(page, every):
    chosen = launches()[::every]
    expect(chosen, "no launches of the book")
    for launch in chosen:
        if launch.bytes() <= PAGE_BYTES:  # --max-steps: as long as it takes, where a page has a reader wait for seconds only
            compare(page, launch.name, launch.path, launch.words + ["--max-steps", str(1 << 40)], launch.ptx)
        else:
            got = in_page(page, read(launch.ptx), [launch.path] + launch.words)
            expect("all buffers together may take 128 MiB here" in got, f"{launch.name}: is refused in the page", got[:300])


def devices():
    return re.findall(r'\.name = "([^"]*)"', read("src/device/profiles.def"))


def options(page, every):
    """All devices, and what else changes counts and faults."""
    named = {launch.name: launch for launch in launches()}
    sample = [named[n] for n in ("stride-two", "blur-l1-off", "first-long", "tile-plain", "rows-no-gaps") if n in named]
    expect(len(sample) >= 3, "launches that options are tried on are missing in book/runs.launches")
    expect(len(devices()) >= 5, f"devices: {devices()}")
    for launch in sample[: -1 if every > 1 else None]:
        more = [["--device", device] for device in devices()] + [["--l1", "off"], ["--l1", "on"], ["--check", "none"]]
        more += [["--on-fault", "report"], ["--max-steps", "20"], ["--shared", "300000"], ["--cooperative"]]
        more += [["--device", "nothing"], ["--arg", "i32:1"], ["--kernel", "none"], ["--block", "2000"], ["--grid", "0"], ["--l2"], ["--arg"]]
        for words in more[::every]:
            compare(page, f"{launch.name} {' '.join(words)}", launch.path, launch.words + words, launch.ptx)


def machine(page, every):
    """Every instruction, fault and refusal that tests/ptx has, as test_machine.c launches them."""
    for path in sorted(glob.glob("tests/ptx/*.ptx"))[::every]:
        text, words = read(path), []
        said = dict(re.findall(r"^//! (grid|block|shared|steps) +(\S+)", text, re.M))
        for word in ("grid", "block"):
            words += ["--" + word, said.get(word, "1")]
        words += ["--shared", said["shared"]] if "shared" in said else []
        words += ["--max-steps", said["steps"]] if "steps" in said else []
        words += ["--check", "none"] if re.search(r"^//! checks off", text, re.M) else []
        words += ["--cooperative"] if re.search(r"^//! cooperative", text, re.M) else []
        for argument in re.findall(r"^//! arg +(\S+)", text, re.M):
            words += ["--arg", argument]
        kernels = re.findall(r"\.entry\s+([\w$]+)", text)
        words += ["--kernel", kernels[0]] if len(kernels) > 1 else []
        compare(page, path, path, words)


def hostile(page, rounds):
    """PTX that means harm: an answer comes, and the page goes on."""
    good = read("tests/fuzz/corpus/hand_arith.ptx")
    draw = random.Random(32)
    texts = [(path, read(path)) for path in sorted(glob.glob("tests/fuzz/corpus/*") + glob.glob("tests/fuzz/crashes/*.ptx"))]
    for number in range(rounds):
        text = list(draw.choice(texts[:30])[1])
        for _ in range(draw.randint(1, 12)):
            at = draw.randrange(len(text) + 1)
            text[at : at + draw.choice((0, 1, 1, 9))] = draw.choice(("", ";", "{", "}", "9", ".b8 x[2147483647];", "\0", "-", "%r1", "ü"))
        texts.append((f"mutation {number}", "".join(text)))
    head = ".version 7.0\n.target sm_80\n.address_size 64\n"
    body = ".visible .entry k() {\n"
    texts += [
        ("a loop without end", head + body + "L: bra L;\n}"),
        ("2 GB of variables", head + ".global .b8 a[2147483647];\n" + body + "ret;\n}"),
        ("deep calls", head + ".func f() {\ncall f;\nret;\n}\n" + body + "call f;\nret;\n}"),
        ("braces", head + body + "{" * 200000),
        ("200,000 registers", head + body + ".reg .b64 %r<200000>;\nret;\n}"),
        ("much local memory", head + body + ".local .b8 a[500000000];\nret;\n}"),
        ("10 MB of one word", "x" * 10000000),
    ]
    for what, text in texts:
        kernel = re.search(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?", text)
        words = ["x.ptx", "--grid", "5", "--block", "24,2", "--shared", "256", "--on-fault", "report"]
        for kind in re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)", kernel.group(2) or "") if kernel else []:
            words += ["--arg", "buf:u8:4096:zero" if kind.endswith("64") else "u32:17"]
        words += ["--kernel", kernel.group(1)] if kernel else []
        got = in_page(page, text, words)
        try:
            answer = json.loads(got)
        except ValueError:
            answer = {}
        expect("launch" in answer or answer.get("error", {}).get("message"), f"{what}: {got[:300]!r}")
    for what, argument in (("the most", "buf:u8:134217728:zero"), ("too much", "buf:u8:134217729:zero")):
        got = in_page(page, head + ".visible .entry k(.param .u64 a) {\nret;\n}", ["x.ptx", "--grid", "1", "--block", "1", "--arg", argument])
        expect(("all buffers together may take 128 MiB here" in got) == (what == "too much"), f"a buffer of {what}: {got[:300]!r}")
    got = in_page(page, texts[-7][1], ["x.ptx", "--grid", "2147483647", "--block", "1024"])
    expect('"effort_limit"' in got or '"step_limit"' in got, f"a loop without end: {got[:300]!r}")
    got = in_page(page, head + body + "ret;\n}", ["x.ptx", "--grid", "2147483647,65535", "--block", "1024"])
    expect('"effort_limit"' in got, f"blocks without end: {got[:300]!r}")
    got = in_page(page, head + body + "ret;\n}", ["x.ptx", "--grid", "1", "--block", "1"])
    expect('"instructions": 1' in got and '"faults": []' in got, f"after all that: {got[:300]!r}")


# A program that prints and ends; it has no files, and its environment is empty.
PROGRAM = """const [text, done] = arguments; let instance, said = "";
const memory = () => new DataView(instance.exports.memory.buffer);
const own = {
  fd_write(file, parts, count, at) {
    let written = 0;
    for (let i = 0; i < count; i++) {
      const from = memory().getUint32(parts + 8 * i, true), bytes = memory().getUint32(parts + 8 * i + 4, true);
      said += new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, from, bytes));
      written += bytes;
    }
    memory().setUint32(at, written, true);
    return 0;
  },
  environ_sizes_get(count, bytes) { memory().setUint32(count, 0, true); memory().setUint32(bytes, 0, true); return 0; },
  environ_get() { return 0; },
  proc_exit(status) { throw new Error("exit " + status); }
};
WebAssembly.compile(Uint8Array.from(atob(text), c => c.charCodeAt(0))).then(module => {
  const imports = {};
  for (const {module: of, name} of WebAssembly.Module.imports(module)) (imports[of] = imports[of] || {})[name] = own[name] || (() => 8);
  return WebAssembly.instantiate(module, imports);
}).then(made => { instance = made; instance.exports._start(); done(said); }).catch(error => done(said + error.message));"""


def values(page):
    """What instructions compute: the suites of the ALU, run in the page."""
    suites = sorted(glob.glob(engine + "/test_alu_*.wasm"))
    expect(len(suites) >= 3, f"suites of the ALU: {suites}")
    for suite in suites:
        with open(suite, "rb") as file:
            said = page.script(PROGRAM, base64.b64encode(file.read()).decode())
        expect(re.fullmatch(r"[1-9]\d* passed\n", said), f"{os.path.basename(suite)}: {said[-600:]}")


OVERTAKEN = """const [slow, slowWords, ptx, words, done] = arguments, owner = {};
const first = engine.run(slow, slowWords, owner), other = engine.run(ptx, words, {});
setTimeout(() => {
  const second = engine.run(ptx, words, owner), third = engine.run(ptx, words, owner);
  Promise.all([first, second, third, other]).then(all =>
    done(all.map(one => one && one.launch ? one.launch.instructions : one)), error => done(String(error)));
}, 50);"""
# The page goes on while a launch without an end runs, which a later one then overtakes.
BEATS = """const [slow, slowWords, ptx, words, done] = arguments, owner = {};
let beats = 0;
engine.run(slow, slowWords, owner);
const timer = setInterval(() => {
  if (++beats < 4) return;
  clearInterval(timer);
  engine.run(ptx, words, owner).then(result => done(result.launch.instructions));
}, 10);"""


def manners(page, site):
    """Runs that are overtaken; a page without Workers; a browser that is too old; a module that is not there."""
    head = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n"
    loop, words = head + "L: bra L;\n}", ["x.ptx", "--grid", "1", "--block", "1"]
    endless, one = (loop, words + ["--max-steps", "100000000000"]), (head + "ret;\n}", words)
    got = page.script(OVERTAKEN, *endless, *one)
    expect(got == [None, None, 1, 1], f"overtaken: {got}")
    expect(page.script(BEATS, *endless, *one) == 1, "the page stood still while the engine ran")
    for what, before, wanted in (
        ("no Worker", "window.Worker = undefined", '"instructions": 1'),
        ("a Worker that is refused", "window.Worker = function () { throw new Error('no') }", '"instructions": 1'),
        ("an old browser", "window.DecompressionStream = undefined", "refused: this browser is too old"),
        # 30 s, after a hundredth of them: nothing of the page's is waited for otherwise
        ("a launch without an end", "const later = setTimeout; window.setTimeout = (act, ms) => later(act, ms >= 10000 ? ms / 100 : ms)",
            "the launch was given up after 30 s"),
        ("no module", "Object.defineProperty(window, 'warpscopeEngine', {set() {}, get() { return ''; }})", "refused: "),
    ):
        path = os.path.join(site, "before.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<!doctype html><title>engine</title><script>{PATIENT}{before}</script><script src="file://{engine}/engine.js"></script>')
        page.open("file://" + path)
        got = page.script(RUN, *(endless if what == "a launch without an end" else one))
        expect(wanted in got, f"{what}: {got[:300]!r}")


TIMES = """const [ptx, words, rounds, done] = arguments, kernel = [], whole = [];
(function round() {
  const began = performance.now();
  engine.run(ptx, words).then(result => {
    whole.push(performance.now() - began);
    kernel.push(1000 * result.launch.host.seconds);
    if (whole.length < rounds) round(); else done([kernel, whole]);
  });
})();"""


def speed(page):
    """Medians; the ratio is that of the kernels' shortest times, of one host thread each, in turns."""
    ratios = []
    named = {launch.name: launch for launch in launches()}
    for wanted in ("scale-small-chunks", "scale-strided", "rows-no-gaps", "turn-tile", "tile-swizzled-rows", "staged-28", "large-tiled"):
        launch, here, there = named[wanted], [], []
        for _ in range(3):
            here += page.script(TIMES, read(launch.ptx), [launch.path] + launch.words, 3)[0]
            for _ in range(3):
                there.append(1000 * json.loads(native(launch.path, launch.words, launch.ptx).stdout)["host"]["seconds"])
        ratios.append(min(there) / min(here))
        print(f"  {wanted:20} native {min(there):8.2f} ms, in the page {min(here):8.2f} ms: {ratios[-1]:.2f} of the native speed")
    print(f"  geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")
    for what, wanted, more in (("one warp", "stride-two", []), ("64 K threads", "loads-by-one", [])):
        launch = named[wanted]
        whole = page.script(TIMES, read(launch.ptx), [launch.path] + launch.words + more, 30)[1]
        print(f"  {what} ({wanted}), call to object: median {statistics.median(whole):.1f} ms")


def look(page):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "page.html"), "w", encoding="utf-8") as page_file:
            page_file.write(f'<!doctype html><title>engine</title><script>{PATIENT}</script><script src="file://{engine}/engine.js"></script>')
        page.open("file://" + os.path.join(folder, "page.html"))
        if "--speed" in sys.argv:
            speed(page)
            sys.exit(0)
        step = 1 if name == "chromium" else 7
        book(page, step)
        options(page, step)
        machine(page, step)
        values(page)
        hostile(page, 300 // step)
        manners(page, folder)
        expect(not page.complaints(), f"the browser complains: {page.complaints()[:3]}")


browsers.in_browser(name, look)
finish()
