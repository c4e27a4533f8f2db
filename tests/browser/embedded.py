"""embedded.py FOLDER BROWSER: two launches that `warpscope explore` wrote as scripts, FOLDER/stride.js and FOLDER/banks.js, in a page of somebody else's,
whose style they neither take nor change. Prints what is wrong, then "N passed"; 77: the browser does not start."""
import os
import sys

sys.path += [os.path.join(os.path.dirname(__file__), folder) for folder in ("..", "../explore")]
import browsers
from suite import check, finish

folder, name = os.path.abspath(sys.argv[1]), sys.argv[2]
# One script before its element, the other behind it, as who places scripts at a page's end has it.
PAGE = """<!doctype html><meta charset="utf-8"><title>An article</title>
<style>:root { --text: lime } button, select, li { background: rgb(255, 255, 0) !important } i { display: none !important }</style>
<p id="theirs">An article of <i>theirs</i>.</p>
<script src="stride.js"></script>
<warp-explorer launch="stride"></warp-explorer>
<warp-explorer launch="banks">What is seen until then.</warp-explorer>
<button id="last">theirs</button>
<script src="banks.js"></script>
"""

# What the element `launch` shows, once it has run.
SHOWN = """const [launch, done] = arguments, element = document.querySelector(`[launch=${launch}]`);
element.scrollIntoView({behavior: "instant"});
(function look() {
  const tree = element.shadowRoot, number = tree && tree.querySelector(".number b");
  if (!number || !tree.querySelector(".drawn .word")) return setTimeout(look, 20);
  const seen = what => getComputedStyle(tree.querySelector(what));
  done([number.textContent, tree.querySelectorAll(".sector.moved").length, seen("select").backgroundColor !== "rgb(255, 255, 0)", seen(".word").display !== "none", seen("select").color !== "rgb(0, 255, 0)"]);
})();"""
FOLLOWED = """const done = arguments[0], tree = document.querySelector("[launch=stride]").shadowRoot; done(tree.querySelector("p.lane").textContent);"""

POINTED = """const word = document.querySelector("[launch=stride]").shadowRoot.querySelectorAll(".drawn .word")[2];
word.scrollIntoView({block: "center", behavior: "instant"});
const box = word.getBoundingClientRect();
arguments[0]([box.left + 3, box.top + 3]);"""


def main(page):
    with open(os.path.join(folder, "article.html"), "w", encoding="utf-8") as file:
        file.write(PAGE)
    page.open("file://" + os.path.join(folder, "article.html"))
    # Floats 8 apart lie in a sector each; words 4 apart are of 8 banks, each of which has 4 of them.
    for launch, number, sectors in (("stride", "32", 32), ("banks", "4", 0)):
        shown = page.script(SHOWN, launch)
        check(f"{launch} is drawn, in its own style", shown == [number, sectors, True, True, True], shown)
    theirs = page.script("arguments[0]([getComputedStyle(document.getElementById('last')).backgroundColor, getComputedStyle(document.getElementById('theirs')).fontFamily])")
    check("the page keeps its own", theirs[0] == "rgb(255, 255, 0)" and "Charter" not in theirs[1], theirs)
    # A lane by its key, in the tree that has the focus, and one below the pointer.
    page.script("document.querySelector('[launch=stride]').shadowRoot.querySelector('.warp32').focus({preventScroll: true}); arguments[0]();")
    page.actions([{"type": "key", "id": "keys", "actions": [{"type": what, "value": browsers.END} for what in ("keyDown", "keyUp")]}])
    said = page.script(FOLLOWED)
    check("a key follows a lane", said.startswith("Lane 31:"), said)
    left, top = page.script(POINTED)
    page.mouse([{"type": "pointerMove", "x": int(left), "y": int(top)}])
    said = page.script(FOLLOWED)
    check("and the pointer", said.startswith("Lane 2:"), said)
    check("no error is told", not [said for said in page.complaints() if "favicon" not in said])


browsers.in_browser(name, main)
finish()
