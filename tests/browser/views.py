"""views.py PAGE BROWSER: what the explorer says and draws of views.ptx, whose 32 lanes were followed by hand, in a page that `warpscope explore`
wrote. Prints what is wrong, then "N passed"; 77: the browser does not start."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "explore"))
import browsers

passed, failed = 0, 0

# Goes to the first step whose PTX begins so. What is said of it, its boxes by class and row, and the cells of the lanes.
LOOK = """const [ptx, done] = arguments, element = document.querySelector("warp-explorer");
(function wait() {
  if (!element.trace) return setTimeout(wait, 20);
  const insn = step => element.trace.insns[element.trace.steps[step][1]];
  element.go(element.steps.findIndex(step => element.ptx_text(insn(step)).startsWith(ptx)));
  const boxes = Array.from(element.querySelectorAll(".picture rect.word"), box => [Number(box.getAttribute("y")), box.classList.contains("late")]).filter(box => box[0] > 20);
  const rows = {};
  boxes.forEach(([y, late]) => { rows[y] = (rows[y] || 0) + (late ? -1 : 1); });
  const text = selector => element.querySelector(selector).textContent;
  done({now: text(".now"), rows: Object.keys(rows).map(Number).sort((a, b) => a - b).map(y => rows[y]),
    slider: element.querySelector(".steps").getAttribute("aria-valuetext"), marks: (element.querySelector(".marks .access").getAttribute("d").match(/M/g) || []).length,
    costliest: element.querySelectorAll(".marks .costliest").length, track: text(".track small"),
    lanes: Array.from(element.querySelectorAll(".warp32 li"), cell => cell.className + " " + cell.querySelector("span").textContent)});
})();"""


def expect(what, good, saw):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"{what}: {saw}")


def main(page):
    page.open("file://" + os.path.abspath(sys.argv[1]))
    # Lanes 30 and 31 have left. One path of the branch runs before the other, which is the machine's to choose: even lanes wait at line 23, or odd
    # ones at line 20, for their own; those that have run wait to reconverge at line 25.
    odd = page.script(LOOK, "add.u32 %r3, %r1, 1")
    even = page.script(LOOK, "add.u32 %r3, %r1, 2")
    first, second, later = (odd, even, 23) if "another path" in odd["now"] else (even, odd, 20)
    expect("lanes whose path is run later", f"15 lanes have taken another path, to be run from line {later}." in first["now"], first["now"])
    expect("lanes that wait", "15 lanes wait to reconverge at line 25." in second["now"], second["now"])
    expect("lanes that have left", "Lanes 30–31 have left the kernel." in second["now"], second["now"])
    expect("their cells", sum(cell.startswith("reconvergence →") for cell in second["lanes"]) == 15 and sum(cell.startswith("active") for cell in second["lanes"]) == 15, second["lanes"])
    # Lane l reads float l / 2: 15 words, each for two lanes.
    constant = page.script(LOOK, "ld.const")
    expect("constant memory", "30 lanes ask for 15 different words of weights: the constant cache is asked 15 times" in constant["now"], constant["now"])
    expect("its words", constant["rows"] == [1 - 14], constant["rows"])
    # Doubles 16 bytes apart: of each half-warp lanes l and l + 8 share two banks. Eight in a wavefront; in the last, of lanes 24 to 29, six.
    shared = page.script(LOOK, "st.shared")
    expect("shared memory", "30 lanes: 4 wavefronts, 2 bank conflicts" in shared["now"], shared["now"])
    expect("its wavefronts", shared["rows"] == [8, -8, 8, -6], shared["rows"])
    # 14 words more than one cost most; beside that access there are the two stores.
    expect("the marks", [constant["marks"], constant["costliest"], constant["track"].split(" in ")[0]] == [2, 1, "3 accesses"], constant)
    expect("the slider's words", constant["slider"].endswith(", the costliest access") and shared["slider"].endswith(", an access") and odd["slider"].endswith("line 20"),
           [constant["slider"], shared["slider"], odd["slider"]])
    expect("no error", not page.complaints(), "")


try:
    window = browsers.open_page(sys.argv[2])
except Exception as wrong:  # whatever the browser says
    print(f"{sys.argv[2]} does not start here: {str(wrong).splitlines()[0]}")
    sys.exit(77)
try:
    main(window)
finally:
    window.quit()
print(f"{passed} passed")
sys.exit(failed > 0)
