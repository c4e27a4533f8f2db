"""explorers.py SITE WARPSCOPE BROWSER [PAGE...]: every explorer of the pages in chromium or firefox, opened from files: each control moved to both
ends, the warp stepped to its end and back by keys and by mouse; nothing may go wrong, and what the page's engine counts is what warpscope counts."""
import functools
import json
import os
import subprocess
import sys
import tempfile

sys.path += [os.path.join(os.path.dirname(__file__), folder) for folder in ("..", "../explore")]
import browsers
from suite import check, finish

site, warpscope, name = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]


# Until the launch that was asked for last has been shown: its words, and what it counted or said.
SETTLED = """
const element = document.getElementById(arguments[0]), done = arguments[arguments.length - 1];
for (let above = element; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
element.scrollIntoView({behavior: "instant"});
(function look(tries) {
  if (!element.running || !element.shell) return tries ? setTimeout(look, 20, tries - 1) : done(null);
  if (element.shell.classList.contains("covered")) element.shell.querySelector(".cover button").click();
  if (!element.shell.querySelector(".stepping").open) element.shell.querySelector(".stepping > summary").click();
  const running = element.running;
  running.then(() => element.running !== running ? look(tries) :
    done({words: element.words(), program: element.spec.program, result: element.trace ? element.trace.launch : null, text: element.shell.querySelector(".number").textContent}));
})(30000);
"""
STATE = """const element = document.getElementById(arguments[0]);
arguments[1]({controls: element.controls, values: element.values, at: element.at, last: element.trace ? element.trace.steps.length - 1 : -1,
  access: !!element.trace && element.trace.accesses(element.at).length > 0,
  hidden: element.trace ? Object.keys(element.trace.counts).filter(line => !element.shell.querySelector(`.source li[value="${line}"] code`)) : [], now: element.shell.querySelector(".now").textContent});"""
CHOOSE = """const field = document.querySelector(arguments[0]);
field.value = arguments[1];
field.dispatchEvent(new Event("input", {bubbles: true}));
arguments[2]();"""


@functools.lru_cache(maxsize=None)
def native(program, ptx, words):
    """What warpscope says of the same words."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        run = subprocess.run([warpscope, "launch", program, "--ptx", file.name, "--json", "--threads", "1", *words], capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.stdout else None, run.stderr


def counted(launch):
    """All but how long it took here, and the trace, which was not asked of warpscope."""
    return {key: value for key, value in launch.items() if key not in ("host", "trace")} if launch else None


class Explorer:
    def __init__(self, page, where, element, programs):
        self.page, self.id, self.name, self.programs = page, element, f"{where} {element}", programs

    def state(self):
        return self.page.script(STATE, self.id)

    def part(self, selector):
        return f"#{self.id} {selector}"

    def compare(self, what=""):
        state = self.page.script(SETTLED, self.id)
        if not state:
            check(f"{self.name}{what}: it opens", False)
            return False
        program = self.programs[state["program"]]
        launch, said = native(program["path"], program["ptx"], tuple(state["words"]))
        check(f"{self.name}{what}: {' '.join(state['words'])} counts as warpscope does", counted(state["result"]) == counted(launch), state["text"][:200] + said[:200])
        return True

    def move(self, control):
        """To both ends and back: a slider by its keys, a list by each choice."""
        field, first = self.part(f'[data-control="{control["name"]}"]'), self.state()["values"][control["name"]]
        if "of" in control:
            for choice in control["of"]:
                self.page.script(CHOOSE, field, choice)
                self.compare(f", {control['name']}={choice}")
        else:
            for key, end in ((browsers.END, control["to"]), (browsers.HOME, control["from"])):
                self.page.keys(field, key)
                check(f"{self.name}: {control['name']} by its keys", self.state()["values"][control["name"]] == end)
                self.compare(f", {control['name']}={end}")
        self.page.script(CHOOSE, field, str(first))
        self.page.script(SETTLED, self.id)

    def at(self, what, wanted):
        at = self.state()["at"]
        check(f"{self.name}: {what}", at == wanted, f"at {at}, not {wanted}")

    def step_through(self):
        page, stage, last = self.page, self.part(".stage"), self.state()["last"]
        most = min(last, 100)  # steps one by one; a longer warp has more of the same
        for what, act, wanted in (
            ("Home", lambda: page.keys(stage, browsers.HOME), 0),
            ("steps by keys", lambda: page.keys(stage, browsers.RIGHT * most), most),
            ("End", lambda: page.keys(stage, browsers.END), last),
            ("and back by keys", lambda: page.keys(stage, browsers.LEFT * most), last - most),
            ("the button first", lambda: page.click(self.part('[data-do="first"]')), 0),
            ("the button step", lambda: page.click(self.part('[data-do="step"]'), most), most),
            ("the button back", lambda: page.click(self.part('[data-do="back"]'), most), 0),
            ("the slider to its end by mouse", lambda: page.drag(self.part(".steps"), True), last),
            ("the slider back by mouse", lambda: page.drag(self.part(".steps"), False), 0),
        ):
            act()
            self.at(what, wanted)
        page.click(self.part('[data-do="access"]'))
        state = self.state()
        check(f"{self.name}: the next access", state["access"], state["at"])
        check(f"{self.name}: it says what it shows", len(state["now"]) > 10, state["now"])

    def explore(self):
        if not self.compare():
            return
        for control in self.state()["controls"]:
            self.move(control)
        check(f"{self.name}: lines that ran are shown", not self.state()["hidden"], self.state()["hidden"])
        if self.state()["last"] >= 0:
            self.step_through()


def main(page):
    of_site = sorted(file for file in os.listdir(site) if file.endswith(".html") and "<warp-explorer" in open(os.path.join(site, file), encoding="utf-8").read())
    found = 0
    for where in sys.argv[4:] or of_site:
        page.open("file://" + os.path.join(site, where))
        programs = page.script("arguments[0](window.PROGRAMS)")
        for element in page.script("arguments[0](Array.from(document.querySelectorAll('warp-explorer'), e => e.id))"):
            found += 1
            Explorer(page, where, element, programs).explore()
        errors = page.complaints()
        check(f"{where}: no error", not errors, errors[:3])
    check("there are explorers", found > 0)
    print(f"{found} explorers")


browsers.in_browser(name, main)
finish()
