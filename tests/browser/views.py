"""views.py PAGE BROWSER: what the explorer says and draws of views.ptx, whose 32 lanes were followed by hand, in a page that `warpscope explore`
wrote. Prints what is wrong, then "N passed"; 77: the browser does not start."""
import os
import sys

sys.path += [os.path.join(os.path.dirname(__file__), folder) for folder in ("..", "../explore")]
import browsers
from suite import check, finish

# Goes to the first step whose PTX begins so. What is said of it, its boxes by class and row, and the cells of the lanes.
LOOK = """const [ptx, done] = arguments, element = document.querySelector("warp-explorer");
(function wait() {
  if (!element.trace) return setTimeout(wait, 20);
  const trace = element.trace;
  element.go(trace.steps.findIndex((step, at) => trace.ptx(trace.insn(at)).startsWith(ptx)));
  const boxes = Array.from(element.querySelectorAll(".drawn .word[data-lanes]"), box => [Math.round(box.getBoundingClientRect().top), box.classList.contains("late")]);
  const rows = {};
  boxes.forEach(([y, late]) => { rows[y] = (rows[y] || 0) + (late ? -1 : 1); });
  const text = selector => element.querySelector(selector).textContent;
  done({now: text(".now"), said: text(".said"), number: text(".number"), key: Array.from(element.querySelectorAll(".drawn .key span"), s => s.textContent.trim()), rows: Object.keys(rows).map(Number).sort((a, b) => a - b).map(y => rows[y]),
    slider: element.querySelector(".steps").getAttribute("aria-valuetext"), marks: (element.querySelector(".marks .access").getAttribute("d").match(/M/g) || []).length,
    costliest: element.querySelectorAll(".marks .costliest").length, track: text(".track small"),
    lanes: Array.from(element.querySelectorAll(".values li"), cell => cell.className + " " + cell.querySelector("span").textContent)});
})();"""


DRAWN = """const box = document.createElement("div"), global = {space: "global", op: "load", bytes: 4, active: 31, at: [0, 64, 68, 256, 64].concat(Array(27).fill(null)), sectors: 3,
  ideal_sectors: 1, l1_hit_sectors: 1, lines: [[0, 5, 4], [256, 1, 0]]};
const rows = {space: "shared", bytes: 16, active: 255, at: Array.from({length: 32}, (_, l) => l < 8 ? 16 * l : null), served: Array(32).fill(0), wavefronts: 1};
const step = {lanes: -1, active: -1, live: -1, begun: -1, waits: [], ways: []}, texts = what => Array.from(box.querySelectorAll(what), e => e.textContent.trim());
box.innerHTML = WarpViews.request(global);
const apart = texts(".apart small span:first-child"), key = texts(".key span");
box.innerHTML = WarpViews.warp(step, null, [], null, "x", rows)[0];
arguments[0]({apart: apart, key: key, place: WarpViews.place(global, null, 1), silent: WarpViews.lane(step, rows, null, null, [], 9), banks: WarpViews.place(rows, null, 6),
  classes: [box.children[7].className, box.children[8].className]});"""
COSTS = """const cost = (sectors, ideal, hits) => TracedWarp.prototype.cost.call({accesses: () => [{space: "global", sectors: sectors, ideal_sectors: ideal, l1_hit_sectors: hits}]}, 0);
arguments[0]([cost(4, 4, 0), cost(5, 4, 4), cost(5, 4, 0)]);"""
FAULT = """const element = document.querySelector("warp-explorer"), launch = element.trace.launch, at = element.at, arrays = element.spec.arrays, said = [];
launch.faults.push({message: "lane 0 reads at '" + launch.trace.arrays[0].name + "'+4", thread: [0, 0, 0], block: [0, 0, 0]});
element.spec.arrays = [{label: "weights", size: 4, columns: 0}];
element.take(launch, "");
for (const step of [element.trace.steps.length - 1, 0]) {
  element.go(step);
  said.push(...(step ? [".number", ".nothing", ".said"] : [".said", ".totals .fault"]).map(what => element.querySelector(what).textContent));
}
for (const faults of [launch.faults, [], launch.faults]) {
  element.at = 0;
  element.find_fault(Object.assign({}, launch, {faults: faults}));
  said.push(String(element.at));
}
launch.faults.pop();
element.spec.arrays = arrays;
element.take(launch, "");
element.go(at);
arguments[0](said);"""

# Once the launch that was asked for last is shown, and the address written, which is a moment later.
SETTLED = """const settled = then => (function look() {
  const element = document.querySelector("warp-explorer"), running = element.running;
  running.then(() => element.running !== running || element.writing ? setTimeout(look, 20) : then());
})();
"""
# What is said and marked of the lane that is followed.
LANE = SETTLED + """const element = document.querySelector("warp-explorer"), done = arguments[0];
settled(() => done({said: element.querySelector("p.lane").textContent, cell: Array.from(element.querySelectorAll(".warp32 [aria-selected=true]"), b => b.textContent),
  words: element.querySelectorAll(".drawn .word.chosen").length, hash: location.hash,
  active: element.querySelector(".warp32").getAttribute("aria-activedescendant")}));"""
OPEN = "arguments[0](document.querySelector('.stepping').open)"
READY = """const done = arguments[0];
(function wait() { document.querySelector("warp-explorer").trace ? done() : setTimeout(wait, 20); })();"""
# How tall the picture is at each step.
HEIGHTS = """const done = arguments[0], element = document.querySelector("warp-explorer"), heights = [];
(function wait() {
  if (!element.trace) return setTimeout(wait, 20);
  for (let at = 0; at < element.trace.steps.length; at++) {
    element.go(at);
    heights.push(Math.round(element.querySelector(".picture").getBoundingClientRect().height));
  }
  done(heights);
})();"""
CHOOSE = SETTLED + """const field = document.querySelector(arguments[0]);
field.focus();
field.value = arguments[1];
field.dispatchEvent(new Event("input", {bubbles: true}));
const done = arguments[2];
settled(() => done());"""
SOURCE = """const lines = {}, texts = (element, what) => Array.from(element.querySelectorAll(what), e => e.textContent);
document.querySelectorAll(".source li").forEach(line => { lines[line.value] = texts(line, ".runs"); });
const done = arguments[0], found = {lines: lines, heads: texts(document, ".heads .runs"), most: Array.from(document.querySelectorAll(".source .most"), e => e.value)};
requestAnimationFrame(() => requestAnimationFrame(() => done(found))); // the line of the step has been scrolled to"""


# Of each value in a cell of its own, of the width that cells have: whether its sign stands on a line without a digit, and whether it runs out.
CELLS = """const [values, done] = arguments, list = document.querySelector(".values"), step = {lanes: -1, active: -1, live: -1, begun: -1, waits: [], ways: []};
list.innerHTML = WarpViews.warp(step, [0, -1, values], [], null, "test")[1];
done(Array.from(list.querySelectorAll("span")).slice(0, values.length).map(span => {
  const lines = {}, walk = document.createTreeWalker(span, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; (node = walk.nextNode());)
    for (let i = 0; i < node.data.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines[top] = (lines[top] || "") + node.data[i];
    }
  return [Object.values(lines), span.scrollWidth <= span.clientWidth];
}));"""
# The options of the lanes' values; what was kept, and where the page stands.
COPIED = """const done = arguments[0], said = document.querySelector(".copied");
(function wait() { said.textContent ? done(said.textContent) : setTimeout(wait, 20); })();"""
OPTIONS = """const select = document.querySelector("select.value");
select.focus();
arguments[0](Array.from(select.options, o => o.textContent));"""
KEPT = SETTLED + """const done = arguments[0], kept = document.querySelector(".kept");
(function wait() {
  if (!kept.querySelector("b")) return setTimeout(wait, 20);
  settled(() => done([kept.querySelector("b") && kept.querySelector("b").textContent, kept.querySelectorAll(".word[data-lanes]").length,
    document.querySelector("select[data-control=l1]").value, location.hash]));
})();"""

# A launch of two warps of which the second has no steps, as behind a fault: asked for by a link, then by its number.
WITHOUT_STEPS = """const element = document.querySelector("warp-explorer"), launch = element.trace.launch, said = [];
element.warp = 1;
element.take(Object.assign({}, launch, {trace: Object.assign({}, launch.trace, {warps: 2})}), "");
said.push(element.querySelector(".oops").textContent, element.warp);
element.complain("");
element.go_warp(1);
arguments[0](said.concat(element.querySelector(".oops").textContent, element.warp, element.part(".now").textContent.slice(0, 4)));"""


def main(page):
    page.open("file://" + os.path.abspath(sys.argv[1]))
    # It is stepped through where the reader says so, and then so when the page is opened again.
    page.script(READY)
    check("what is behind the picture", page.script(OPEN) is False, "")
    page.click(".stepping > summary")
    check("opened", page.script(OPEN) is True, "")
    page.open("about:blank")
    page.open("file://" + os.path.abspath(sys.argv[1]))
    page.script(READY)
    check("it stays open", page.script(OPEN) is True, "")
    # Nothing below the picture moves, whatever is drawn.
    heights = page.script(HEIGHTS)
    check("the room of all pictures", heights[0] > 100 and len(set(heights)) == 1, heights)
    # Lanes 30 and 31 have left. One path of the branch runs before the other, which is the machine's to choose: even lanes wait at line 23, or odd
    # ones at line 20, for their own; those that have run wait to reconverge at line 25.
    odd = page.script(LOOK, "add.u32 %r3, %r1, 1")
    even = page.script(LOOK, "add.u32 %r3, %r1, 2")
    first, second, later = (odd, even, 23) if "another path" in odd["now"] else (even, odd, 20)
    check("lanes whose path is run later", f"15 lanes have taken another path, to be run from line {later}." in first["now"], first["now"])
    check("lanes that wait", "15 lanes wait to reconverge at line 25." in second["now"], second["now"])
    check("lanes that have left", "Lanes 30–31 have left the kernel." in second["now"], second["now"])
    check("their cells", sum(cell.startswith("reconvergence →") for cell in second["lanes"]) == 15 and sum(cell.startswith("active") for cell in second["lanes"]) == 15, second["lanes"])
    # Where the branch at line 19 leads: @%p2 sends even lanes to line 23, odd ones to the line below it.
    branch = page.script(LOOK, "@%p2 bra EVEN")
    check("a branch", "30 lanes. The lanes part: " in branch["now"] and "15 lanes go on to line 20" in branch["now"] and "15 lanes go on to line 23" in branch["now"], branch["now"])
    check("its cells", branch["lanes"][:3] == ["branch →23", "branch →20", "branch →23"] and branch["lanes"][30] == "gone ", branch["lanes"])
    whole = 0xFFFFFFFF
    step = {"lanes": whole, "active": 0, "live": whole, "begun": whole, "waits": [], "ways": [{"line": "line 9", "lanes": -1}]}  # as JavaScript has a mask that it made
    said = page.script("arguments[1](WarpViews.waiting(arguments[0]))", step)
    check("a branch of one way", said == "All go on to line 9.", said)
    # setp.ge 30 at line 15: the ret at line 16 is lanes' 30 and 31 alone.
    ret = page.script(LOOK, "@%p1 ret")
    check("a predicate", "2 lanes. Lanes 0–29 skip it: predicate false." in ret["now"], ret["now"])
    # Lane l reads float l / 2: 15 words, each for two lanes.
    constant = page.script(LOOK, "ld.const")
    check("constant memory", constant["number"].startswith("15 different words") and constant["said"].startswith("30 lanes ask to load 4 bytes each of weights."), constant)
    check("its words", constant["rows"] == [1 - 14], constant["rows"])
    # Doubles 16 bytes apart: of each half-warp lanes l and l + 8 share two banks. Eight in a wavefront; in the last, of lanes 24 to 29, six.
    shared = page.script(LOOK, "st.shared")
    check("shared memory", shared["number"] == "4 wavefronts 2 bank conflicts · 2 would do" and shared["said"].startswith("30 lanes ask to store 8 bytes each to shared memory."), shared)
    check("its wavefronts", shared["rows"] == [8, -8, 8, -6], shared["rows"])
    # Words side by side, 120 bytes from a buffer's begin on, which is a multiple of 256: sectors 0 to 3.
    stored = page.script(LOOK, "st.global")
    check("why so many sectors", stored["said"].endswith("The lanes lie side by side and span 120 bytes, so 4 sectors.") and stored["number"] == "4 sectors written the fewest possible · 120 of 128 bytes stored", stored)
    for field, value, said in (("warp", "40", "There is no warp 40: the only one is 0."), ("block", "2", "There is no block 2: blocks are 0 to 1."), ("block", "0", "")):
        page.script(CHOOSE, "input." + field, value)
        oops = page.script("arguments[0](document.querySelector('.oops').textContent)")
        check(f"{field} {value}", oops == said, oops)
    # As many lines as lanes: the sectors that are touched alone, each with its lane.
    drawn = page.script("""const box = document.createElement("div");
        box.innerHTML = WarpViews.request({space: "global", op: "store", bytes: 4, active: -1, at: Array.from({length: 32}, (_, l) => 128 * l), sectors: 32, ideal_sectors: 4,
            lines: Array.from({length: 32}, (_, l) => [128 * l, 1, 0])});
        arguments[0]([box.querySelectorAll(".sector.moved").length, box.querySelectorAll(".sector").length, box.querySelectorAll(".word[data-lanes]").length])""")
    check("a scattered store", drawn == [32, 32, 32], drawn)
    # Sectors 0, 2 and 3, and the next line but one; of 8 lanes that give an address, lane 6 spans four banks, and lane 9 gives none. Lanes 1 and 4 want the same.
    drawn = page.script(DRAWN)
    check("where bytes are left out", drawn["apart"] == ["⋯ byte 256"] and drawn["key"] == ["asked for, by lane", "fetched, not used", "in L1, darker: asked for", "not touched", "bytes left out"], drawn)
    check("lanes of the same bytes", drawn["place"] == "bytes 64–67, as lane 4, in the sector of bytes 64–95, with lane 2", drawn)
    check("a lane without an address", drawn["silent"] == "Lane 9: runs this instruction, and no address of its own is used." and drawn["classes"] == ["active", "silent"], drawn)
    check("the banks of a lane", drawn["banks"] == "bytes 96–111, banks 24–27, served in wavefront 1", drawn)
    # A first load of four sectors, of which none is in L1, costs what it must, and a second of five, of which L1 has four, one sector: neither is the costliest. A
    # launch that faults at its last step.
    check("what L1 has costs nothing", page.script(COSTS) == [0, 0, 1], page.script(COSTS))
    fault = page.script(FAULT)
    check("a fault", fault == ["fault the launch ends here", "lane 0 reads at 'weights'+4", ""] + ["lane 0 reads at 'weights'+4"] * 2 + ["Infinity", "0", "Infinity"], fault)
    # 31 * 12 + 4 bytes, of which a sector holds 32; 128 bytes from byte 4 to byte 131; 31 * 64 bytes between the first and the last. Two neighbours
    # swapped are not even. Words 32 apart are all of bank 0; of words 2 apart, lanes 0 and 16 meet.
    swapped = [4 * (lane ^ 1) for lane in range(32)]
    # Packs of 16 bytes, of eight lanes at a time: in rows of 128 bytes all eight lie in banks 4 to 7, 80 bytes apart in banks of their own. Eight rows 64 bytes
    # apart are four and four in the same banks. Doubles 16 bytes apart: of sixteen lanes, two and two meet.
    for words, space, at, counted, *width in (
        ("They are served 8 lanes at a time: lanes 0–7 ask banks 4–7 for 8 different packs, so 8 wavefronts, 32 with the others.", "shared", [16 + 128 * lane for lane in range(32)], 32, 16),
        ("They are served 8 lanes at a time, of which no two want different bytes of one bank: 4 wavefronts.", "shared", [80 * lane for lane in range(32)], 4, 16),
        ("They are served 8 lanes at a time: lanes 0–7 ask banks 0–3 for 4 different packs, so 4 wavefronts.", "shared", [64 * lane for lane in range(8)] + [None] * 24, 4, 16),
        ("They are served 16 lanes at a time: lanes 0–15 ask banks 0–1 for 2 different packs, so 2 wavefronts, 4 with the others.", "shared", [16 * lane for lane in range(32)], 4, 8),
        ("", "shared", [16 * lane for lane in range(32)], 5, 8),
        ("The lanes are 12 bytes apart and span 376 bytes, so 12 sectors.", "global", [12 * lane for lane in range(32)], 12),
        ("The lanes lie side by side and span 128 bytes, beginning 4 bytes into a sector, so 5 sectors.", "global", [4 + 4 * lane for lane in range(32)], 5),
        ("The lanes are 64 bytes apart, more than a sector, and no two share one, so 32 sectors.", "global", [64 * lane for lane in range(32)], 32),
        ("The lanes lie side by side and span 128 bytes, so 4 sectors.", "global", [124 - 4 * lane for lane in range(32)], 4),
        ("All want the same 4 bytes, so 1 sector.", "global", [8] * 32, 1),
        ("The lanes are 32 bytes apart, as many as a sector, and no two share one, so 32 sectors.", "global", [32 * lane for lane in range(32)], 32),
        ("The lanes’ bytes lie in 4 sectors, each for 8 lanes.", "global", swapped, 4),
        ("The lanes’ bytes lie in 3 sectors, each for 1 to 30 lanes.", "global", [0] * 30 + [32, 64], 3),
        ("", "global", [12 * lane for lane in range(32)], 13),
        ("Bank 0 is asked for 32 different words, so it takes 32 wavefronts.", "shared", [128 * lane for lane in range(32)], 32),
        ("Bank 0 is asked for 2 different words, so it takes 2 wavefronts.", "shared", [8 * lane for lane in range(32)], 2),
        ("No bank is asked for two different words.", "shared", swapped, 1),
    ):
        access = {"space": space, "op": "load", "bytes": width[0] if width else 4, "active": sum(1 << lane for lane in range(32) if at[lane] is not None), "at": at, "wavefronts" if space == "shared" else "sectors": counted,
                  "lines": [[128 * line, 0, 0] for line in range(16)]}
        why = page.script("arguments[1](WarpViews.why(arguments[0]))", access)
        check("why", why == words, [why, words])
    # 14 words more than one cost most; beside that access there are the two stores.
    check("the marks", [constant["marks"], constant["costliest"], odd["track"].split(" in ")[0]] == [2, 1, "3 accesses"], [constant, odd])
    check("which access it is", shared["track"].startswith("access 2 of 3 in "), shared["track"])
    # Lanes 30 and 31 have left; of the fourth sector 24 bytes are stored, none is left out, and no sector is in L1.
    check("a legend has what is drawn", stored["key"] == ["asked for, by lane", "of the same sector, not stored", "a lane: has left"] and shared["key"][-1] == "a lane: has left" and odd["key"] == ["a lane: waits", "a lane: has left"],
           [stored["key"], shared["key"], odd["key"]])
    check("the slider's words", constant["slider"].endswith(", the costliest access") and shared["slider"].endswith(", an access") and odd["slider"].endswith("line 20"),
           [constant["slider"], shared["slider"], odd["slider"]])
    # What a line cost the block: 30 doubles 16 bytes apart take 4 wavefronts, 30 words in a row 4 sectors; both are the most. Lines and marks lead to their steps.
    page.script(LOOK, "ld.const")
    source = page.script(SOURCE)
    check("runs, sectors, wavefronts", source["lines"]["34"] == ["1×", "", "4"] and source["lines"]["37"] == ["1×", "4", ""] and source["lines"]["17"] == ["1×", "", ""], source)
    check("their heads", source["heads"] == ["runs", "sectors", "wavefr."] and source["most"] == [34, 37], source)
    for what, act, now in (("a line that was clicked", lambda: page.click('.source li[value="34"]'), "line 34:"),
                           ("the next line by keys", lambda: page.keys(".source", browsers.DOWN), "line 35:"),
                           ("the line before by keys", lambda: page.keys(".source", browsers.UP * 2), "line 33:"),
                           ("the nearest mark", lambda: page.drag(".marks svg", True), "line 37:")):
        act()
        now_at = page.script("arguments[0](document.querySelector('.now').textContent)")
        check(what, now in now_at, now_at)
    # Lane 13 stores bytes 208 to 215: bank 52 - 32, behind lane 5. Its float of weights is the sixth, shared with lane 12; in global memory bytes 52 to 55.
    shared = page.script(LOOK, "st.shared")
    page.click(".warp32 li:nth-child(14)")
    lane = page.script(LANE)
    check("a lane that was clicked", lane["said"] == "Lane 13: runs this instruction; bytes 208–215, banks 20–21, served in wavefront 2; value 1." and lane["cell"] == ["13"], lane)
    check("its marks", lane["words"] == 1 and lane["active"] == "launch-lane-13" and "lane=13" in lane["hash"], lane)
    page.script(LOOK, "st.global")
    lane = page.script(LANE)
    check("it stays through steps", "bytes 52–55 of argument 0, in the sector of bytes 32–63, with lanes 8–12, 14–15; value 0." in lane["said"] and lane["words"] == 1, lane)
    page.keys(".warp32", browsers.RIGHT * 2)
    check("a lane by keys", "lane=15" in page.script(LANE)["hash"], page.script(LANE))
    page.click('.drawn [data-lanes="15"]')
    page.click('.drawn [data-lanes="7"]')
    check("a lane of the picture", page.script(LANE)["cell"] == ["7"], page.script(LANE))
    page.keys(".steps", "l" * 8)
    check("the next lane by its key, also on the slider", page.script(LANE)["cell"] == ["15"], page.script(LANE))
    page.script("const done = arguments[0]; addEventListener('hashchange', () => done(), {once: true}); location.hash = location.hash.replace('lane=15', 'lane=31');")
    lane = page.script(LANE)
    check("a lane of a link, which has left", lane["said"] == "Lane 31: has left the kernel." and lane["words"] == 0, lane)
    page.script(CHOOSE, "select.value", "%r1")
    check("the register looked at is in the link", "show=%25r1" in page.script(LANE)["hash"], page.script(LANE))
    page.click(".warp32 li:nth-child(32)")
    lane = page.script(LANE)
    check("none again", lane["cell"] == [] and "lane=" not in lane["hash"], lane)
    # What is below the pointer is followed while it is there, and in no link.
    page.script(LOOK, "st.global")
    page.point('.drawn [data-lanes="9"]')
    lane = page.script(LANE)
    check("a lane below the pointer", lane["said"].startswith("Lane 9: ") and lane["words"] == 1 and "lane=" not in lane["hash"], lane)
    page.point(".stepping > summary")
    check("and no longer", page.script(LANE)["said"] == "Choose a lane to follow it.", page.script(LANE))
    page.swipe('.warp32 [data-lanes="3"]', '.warp32 [data-lanes="10"]')
    lane = page.script(LANE)
    check("a lane to which a finger has moved", lane["said"].startswith("Lane 10: ") and "lane=10" in lane["hash"], lane)
    page.click('.warp32 [data-lanes="10"]')
    # Of two blocks the second alone is asked for.
    page.script(CHOOSE, "select[data-control=l1]", "off")
    page.click('[data-do="link"]')
    copied = page.script(COPIED)
    check("the link is copied, or said", copied == "Copied." or "#launch?device=h200&l1=off&" in copied, copied)
    page.script("history.replaceState(null, '', '#'); arguments[0]()")
    page.script(CHOOSE, "input.block", "1")
    check("a block is in the link", "block=1&" in page.script(LANE)["hash"], page.script(LANE))
    # A branch leads to the next: lanes' 30 and 31 leave at line 16 by a predicate without a branch, so that there is one, at line 19.
    page.keys(".stage", browsers.HOME + "b")
    check("the next branch by its key", "bra" in page.script("arguments[0](document.querySelector('.now').textContent)"), "")
    # A minus stays with its digits; what is too long breaks between groups of three digits and before an exponent.
    values = [-3, -12.5, -0.123456, -1234567, -1073741824, -1.5e-7, -2.5e30, "-9007199254740993", "-inf", 4294967295, 0.123456, -99999]
    cells = page.script(CELLS, values)
    check("values in cells", all(fits and not any(line in ("\u2212", "-") or line.endswith(("\u2212", "-", "e")) for line in lines) for lines, fits in cells), cells)
    check("groups of digits", cells[4][0] == ["\u22121073", "741", "824"] or cells[4][0][0].startswith("\u22121") and cells[4][0][-1].endswith("824"), cells[4])
    # What a value is called in the source stands before its register.
    page.script(LOOK, "st.global")
    options = page.script(OPTIONS)
    check("what can be chosen", len(options) > 3 and all(" \u2014 %" in option for option in options[1:]), options)
    # What was kept goes with the link: one launch with L1, one without.
    page.script(CHOOSE, "select[data-control=l1]", "on")
    page.script(LOOK, "st.global")
    page.click('[data-do="keep"]')
    page.script(CHOOSE, "select[data-control=l1]", "off")
    kept = page.script(KEPT)
    check("what was kept", "L1" in kept[0] and kept[0].endswith(": on") and kept[1] == 30 and kept[2] == "off" and "kept=" in kept[3], kept)
    page.open("about:blank")
    page.open("file://" + os.path.abspath(sys.argv[1]) + kept[3])
    page.script(LOOK, "st.global")
    again = page.script(KEPT)
    check("what was kept, by its link", again[:3] == kept[:3], [kept, again])
    page.click('[data-do="reset"]')
    check("nothing is kept any more", page.script(SETTLED + "const done = arguments[0]; settled(() => done(document.querySelector('.kept').innerHTML))") == "", "")
    # An address may be anybody's: what says nothing is passed over, wherever it stands.
    for link in ("#%", "#%E0%A4%A", "#%ED%A0%80?step=2", "#launch?%", "#launch?step=1e999&block=1e999&warp=%ff&kept=%", "#launch?show=%ED%A0%80&lane=" + "9" * 100000, "#" + "%41" * 100000):
        page.open("about:blank")
        page.open("file://" + os.path.abspath(sys.argv[1]) + link)
        check(f"a link that ends on {link[:20]}", "Step" in page.script(LOOK, "st.global")["now"], link[:40])
        page.script("const done = arguments[0]; addEventListener('hashchange', () => done(), {once: true}); location.hash = '#%!';")
    gone = page.script(WITHOUT_STEPS)
    check("a warp without steps", gone == ["No step of warp 1 was traced: this is warp 0.", 0] * 2 + ["Step"], gone)
    check("no error", not page.complaints(), "")


browsers.in_browser(sys.argv[2], main)
finish()
