"""pictures.py SITE BROWSER [PAGE...]: in every explorer of the pages the picture comes first: right below its controls, the whole of it in one window,
and in its place wherever the controls stand. What is drawn is what was counted. Prints what is wrong, then "N passed"; 77: the browser does not start."""
import os
import sys

sys.path += [os.path.join(os.path.dirname(__file__), folder) for folder in ("..", "../explore")]
import browsers
from suite import check, finish

site, name = os.path.abspath(sys.argv[1]), sys.argv[2]
TALL_PX, FAR_PX = 700, 60  # of a window of 1280 by 1000

# Every value of every control, one after the other: how tall the explorer is then, and where its picture stands; what that draws beside what was counted.
LOOK = """const [id, done] = arguments, element = document.getElementById(id);
for (let above = element; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
element.scrollIntoView({behavior: "instant"});
const settled = then => (function look() {
  if (!element.running || !element.shell) return setTimeout(look, 20);
  const running = element.running;
  running.then(() => element.running !== running ? look() : then());
})();
const seen = [];
function measure(what) {
  const shell = element.shell, box = selector => shell.querySelector(selector).getBoundingClientRect(), access = element.trace.accesses(element.at)[0];
  const controls = box(".controls"), picture = box(".picture"), top = shell.getBoundingClientRect().top, count = selector => shell.querySelectorAll(".drawn " + selector).length;
  const lanes = {}, launch = element.trace.launch, sum = (launch.global || {}).load || {};
  shell.querySelectorAll(".drawn .word[data-lanes]").forEach(word => word.dataset.lanes.split(" ").forEach(lane => { lanes[lane] = true; }));
  seen.push({what: what, height: Math.round(shell.offsetHeight), top: Math.round(picture.top - top), gap: controls.height ? Math.round(picture.top - controls.bottom) : 0,
    open: shell.querySelector(".stepping").open, number: shell.querySelector(".number").textContent.replace(/\\s+/g, " "),
    drawn: access && !access.joined ? [Object.keys(lanes).length, count(".sector.moved"), count(".sector.hit"), count(".wavefront")] : null,
    counted: access && !access.joined ? [access.at.filter(at => at !== null).length, (access.sectors || 0) - (access.l1_hit_sectors || 0), access.l1_hit_sectors || 0, access.wavefronts || 0] : null,
    unique: sum.requests === 1 && access && access.op === "load" && access.space === "global" ? sum.unique_bytes : null});
}
settled(() => (async () => {
  if (element.shell.classList.contains("covered")) element.uncover();
  measure("as it begins");
  for (const control of element.controls) {
    const field = element.part(`[data-control="${control.name}"]`), first = element.values[control.name];
    const values = control.of || Array.from({length: Math.floor((control.to - control.from) / control.step) + 1}, (_, k) => control.from + k * control.step);
    for (const value of values.concat(first)) {
      field.value = value;
      field.dispatchEvent(new Event("input", {bubbles: true}));
      await new Promise(settled);
      measure(`${control.name} ${value}`);
    }
  }
  done(seen);
})().catch(error => done([{what: String(error.stack)}])));"""


def look_at(where, element, page):
    seen = page.script(LOOK, element)
    first = seen[0]
    for now in seen:
        check(f"{where} {element}: it can be looked at", "height" in now, now)
        if "height" not in now:
            break
        name = f"{where} {element}, {now['what']}"
        check(f"{name}: at most {TALL_PX} pixels tall", now["height"] <= TALL_PX and not now["open"], now)
        check(f"{name}: the picture is right below the controls", now["gap"] <= FAR_PX, now)
        check(f"{name}: nothing moves", [now["height"], now["top"]] == [first["height"], first["top"]], [first, now])
        if not now["counted"]:
            continue
        counted, drawn = now["counted"], now["drawn"]
        if counted[3] > 12:
            drawn[3] = counted[3]  # every fourth has a number
        elif counted[3]:
            drawn[3] /= 2  # in both halves
        check(f"{name}: what is drawn is what was counted", drawn == counted, [drawn, counted])
        moved = counted[1] if counted[3] == 0 else counted[3]
        check(f"{name}: the number", now["number"].startswith(f"{moved} ") and (now["unique"] is None or f"{now['unique']} of " in now["number"]), now)


def main(page):
    of_site = sorted(file for file in os.listdir(site) if file.endswith(".html") and "<warp-explorer" in open(os.path.join(site, file), encoding="utf-8").read())
    found = 0
    for where in sys.argv[3:] or of_site:
        page.open("file://" + os.path.join(site, where))
        for element in page.script("arguments[0](Array.from(document.querySelectorAll('warp-explorer'), e => e.id))"):
            found += 1
            look_at(where, element, page)
    check("there are explorers", found > 0)


browsers.in_browser(name, main)
finish()
