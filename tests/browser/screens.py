"""screens.py SITE: what is promised of a whole window and of a sheet of paper: the front page shows all that it has to in one window, and the cheat
sheet is printed on one page. Prints what is wrong, then "N passed"; 77: Chromium does not start."""
import base64
import os
import re
import sys

sys.path += [os.path.join(os.path.dirname(__file__), folder) for folder in ("..", "../explore")]
import browsers
from suite import expect, finish

site = os.path.abspath(sys.argv[1])
WINDOW = (1366, 768)
PAPERS = {"A4": (8.27, 11.69), "letter": (8.5, 11)}  # inches

# Where each ends, once the explorer has drawn its launch, or stands still.
ENDS = """const [selectors, engine, done] = arguments, explorer = document.querySelector("warp-explorer");
(function look() {
  if (engine && !(explorer.shell && explorer.trace)) return setTimeout(look, 20);
  done(selectors.map(s => [s, Math.max(...[...document.querySelectorAll(s)].map(e => e.getBoundingClientRect().bottom))]));
})();"""
SHOWN = [".lead", "warp-explorer .controls", "warp-explorer .picture", ".beside .listing", ".beside .sourceCode", ".beside > p"]


def front(page):
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": WINDOW[0], "height": WINDOW[1], "deviceScaleFactor": 1, "mobile": False})
    page.open("file://" + os.path.join(site, "index.html"))
    engine = os.path.exists(os.path.join(site, "engine.wasm.js"))
    for selector, bottom in page.script(ENDS, SHOWN if engine else [s for s in SHOWN if "explorer" not in s], engine):
        expect(bottom is not None and bottom <= WINDOW[1], f"front page: {selector} ends at {bottom} of {WINDOW[1]}")
    clipped = page.script("arguments[0]([...document.querySelectorAll('.beside pre')].filter(p => p.scrollWidth > p.clientWidth + 1).length)")
    expect(clipped == 0, "front page: code is cut")


def sheet(page):
    page.open("file://" + os.path.join(site, "cheat-sheet.html"))
    for paper, (width, height) in PAPERS.items():
        printed = base64.b64decode(page.driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": False})["data"])
        pages = len(re.findall(rb"/Type\s*/Page\b", printed))
        expect(pages == 1, f"cheat sheet: {pages} pages of {paper}")


def main(page):
    front(page)
    sheet(page)


browsers.in_browser("chromium", main)
finish()
