"""The book's pages in a real browser (headless Chromium through Selenium): no error, no request outside the folder, no sideways scroll on a
phone, a search that finds, legible in light and dark, keyboard, figures that are to be seen, what is printed; with a second argument, axe-core's
script, what that finds of barriers. Prints what is wrong, then "N passed". Status 77: the browser does not start."""

import glob
import os
import sys

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path += [os.path.join(os.path.dirname(__file__), folder) for folder in ("..", "../explore")]
import browsers
from suite import expect, finish

PATIENCE_S = browsers.LIMIT_S
site = sys.argv[1]
AXE = open(sys.argv[2], encoding="utf-8").read() if len(sys.argv) > 2 else None


# Contrast as WCAG 2 defines it, of every element that has text of its own, against the nearest ground that is not transparent.
CONTRAST = """
function lum(c) { return c.slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0); }
function rgb(s) { const n = s.match(/[\\d.]+/g).map(Number); return n.length > 3 && n[3] === 0 ? null : n; }
let worst = 99, where = "";
for (const e of document.querySelectorAll("main *:not(svg *), nav *, header *")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.offsetParent) continue;
    let g = e, ground = null;
    while (g && !(ground = rgb(getComputedStyle(g).backgroundColor))) g = g.parentElement;
    const style = getComputedStyle(e);
    if (style.opacity === "0") continue;
    const a = lum(rgb(style.color)), b = lum(ground || [255, 255, 255]);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst) { worst = ratio; where = e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 40); }
}
return [worst, where];
"""


# The smallest words of figures as they are seen, in pixels; what the figures stand on, where that is not the page's ground; code of explorers and
# listings of up to 105 columns that is cut, where the window has room for it.
DRAWN = """
document.querySelectorAll("details").forEach(d => { d.open = true; });
let least = [99, ""], cut = [];
document.querySelectorAll("main svg text").forEach(text => {
    const to = text.getScreenCTM(), px = to && text.getBoundingClientRect().width ? parseFloat(getComputedStyle(text).fontSize) * to.a : 99;
    if (px < least[0]) least = [px, text.textContent];
});
const ground = getComputedStyle(document.body).backgroundColor;
const grounds = [...document.querySelectorAll(".wp-paper:first-of-type, .ws-paper:first-of-type")].map(p => getComputedStyle(p).fill).filter(f => f !== ground);
document.querySelectorAll(".explorer .source").forEach(pane => { if (pane.scrollWidth > pane.clientWidth + 1) cut.push(pane.textContent.slice(0, 40)); });
document.querySelectorAll(".listing pre").forEach(pre => {
    if (innerWidth > 1248 && pre.scrollWidth > pre.clientWidth + 1 && pre.textContent.split("\\n").every(line => line.length < 106)) cut.push(pre.textContent.slice(0, 40));
});
return [least, grounds.slice(0, 2), cut];
"""


def drawn(name):
    least, grounds, cut = browser.execute_script(DRAWN)
    expect(least[0] >= 9.9, f"{name}: words of {least[0]:.1f} pixels in a figure: {least[1]}")
    expect(not grounds, f"{name}: figures stand on {grounds}")
    expect(not cut, f"{name}: code is cut: {cut}")


# Charts that pan, or that have words outside the window; words of code that a line ends within; choices of explorers that are longer than their field.
FITS = """
const charts = [...document.querySelectorAll(".chart")].filter(c => c.scrollWidth > c.clientWidth ||
    [...c.querySelectorAll("text")].some(t => { const r = t.getBoundingClientRect(); return r.width && (r.left < 0 || r.right > innerWidth); }));
const torn = [], range = document.createRange();
document.querySelectorAll("main :not(pre, .explorer *) > code").forEach(code => {
    const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());)
        for (const word of node.data.matchAll(/\\S+/g)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (word[0].length < 28 && new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) torn.push(word[0]);
        }
});
const paint = document.createElement("canvas").getContext("2d"), cut = [];
document.querySelectorAll(".explorer select").forEach(select => {
    if (!select.offsetParent || select.matches("select.value:focus")) return;
    const style = getComputedStyle(select);
    paint.font = style.font;
    const needed = paint.measureText(select.selectedOptions[0].textContent).width + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + 20;
    if (needed > select.offsetWidth) cut.push(select.selectedOptions[0].textContent);
});
return [document.querySelectorAll(".chart").length, charts.map(c => c.id), torn.slice(0, 3), cut.slice(0, 3)];
"""


def phone(on):
    """360 pixels, as a phone has; the window itself cannot be made as narrow as that."""
    if on:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
    else:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def open_explorers():
    """Each of the page is brought near the window, and shows its launch."""
    if os.path.exists(os.path.join(site, "engine.wasm.js")):
        browser.execute_async_script("""const done = arguments[0], left = [...document.querySelectorAll('warp-explorer')];
            (function look() {
                while (left.length && left[0].trace) left.shift();
                if (!left.length) return scrollTo(0, 0), done();
                for (let above = left[0]; above; above = above.parentElement) if (above.tagName === 'DETAILS') above.open = true;
                left[0].scrollIntoView();
                setTimeout(look, 20);
            })();""")


def barriers(name):
    """What axe-core finds in the page as it stands."""
    if not AXE:
        return
    browser.execute_script(AXE)
    found = browser.execute_async_script("""const done = arguments[arguments.length - 1];
        axe.run(document, {resultTypes: ['violations'], preload: false}).then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.length + ' x ' + v.nodes[0].html.slice(0, 120))),
            e => done(['axe-core fails: ' + e]));""")
    expect(not found, f"{name}: {found}")


def hits(query):
    """What the search finds, best first."""
    field = browser.find_element(By.ID, "search")
    field.clear()
    field.send_keys(query)
    WebDriverWait(browser, PATIENCE_S).until(lambda b: b.execute_script("return !!window.SEARCH && !document.getElementById('found').hidden"))
    return [a.get_attribute("href").rsplit("/", 1)[1] for a in browser.find_elements(By.CSS_SELECTOR, "#found a")]


try:
    browser = browsers.chromium(1280, 900, {"browser": "ALL", "performance": "ALL"})
except WebDriverException as error:
    print("Chromium does not start here: " + str(error.msg).splitlines()[0])
    sys.exit(77)
try:
    pages, charts_seen = sorted(glob.glob(os.path.join(site, "*.html"))), 0
    for path in pages:
        name = os.path.basename(path)
        browser.set_window_size(1280, 900)
        browser.get("file://" + path)
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        expect(not errors, f"{name}: {errors}")
        asked = [entry["message"] for entry in browser.get_log("performance") if '"Network.requestWillBeSent"' in entry["message"]]
        outside = [a for a in asked if '"url":"http' in a]
        expect(not outside, f"{name}: asks for {outside[:1]}")
        open_explorers()
        for theme in ("light", "dark"):
            browser.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
            worst, where = browser.execute_script(CONTRAST)
            expect(worst >= 4.5, f"{name}, {theme}: contrast {worst:.2f} of {where}")
            barriers(f"{name}, {theme}")
            drawn(f"{name}, {theme}")
        widths = browser.execute_script("return [...new Set([...document.querySelectorAll('main > .listing pre, main > .sourceCode pre, main > .copied pre')].map(p => Math.round(p.getBoundingClientRect().width)))]")
        expect(len(widths) < 2, f"{name}: code of different widths: {widths}")
        for figure in browser.find_elements(By.CSS_SELECTOR, ".figure svg:not(warp-explorer .figure svg, .chart svg + svg)"):
            expect(figure.size["width"] > 200 and figure.size["height"] > 60, f"{name}: a figure of {figure.size}")
        phone(True)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        expect(wide <= 360, f"{name}: {wide} pixels wide on a screen of 360")
        browser.refresh()
        open_explorers()
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        expect(wide <= 360, f"{name}: {wide} pixels wide on a screen of 360, with what moves")
        count, charts, torn, cut = browser.execute_script(FITS)
        charts_seen += count
        expect(not charts, f"{name}: charts that do not fit on a phone: {charts}")
        expect(not torn, f"{name}: lines that end within {torn}")
        expect(not cut, f"{name}: choices that are cut on a phone: {cut}")
        browser.execute_script("document.documentElement.dataset.theme = 'dark'")
        barriers(f"{name}, on a phone")
        drawn(f"{name}, on a phone")
        phone(False)
        weight = sum(os.path.getsize(os.path.join(site, f)) for f in (name, "style.css", "book.js", "find.js"))
        expect(weight < 300000, f"{name}: {weight} bytes with its style and scripts")

    expect(charts_seen > 8, f"{charts_seen} charts for phones")

    # The head of a long table stays in sight while the reader goes down, in a window that shows all columns and on a phone.
    for on in (False, True):
        browser.set_window_size(1280, 900)
        browser.get("file://" + os.path.join(site, "appendix-e-evidence.html"))
        phone(on)
        browser.refresh()
        head = browser.execute_async_script("""const [done] = arguments, table = document.querySelector('.evidence table'), box = table.parentElement, row = table.rows[30];
            row.scrollIntoView({block: 'center', behavior: 'instant'});
            requestAnimationFrame(() => requestAnimationFrame(() => {
                const head = table.tHead.rows[0].cells[0].getBoundingClientRect(), at = row.getBoundingClientRect();
                const seen = document.elementFromPoint(head.left + 5, head.top + head.height / 2), bar = document.querySelector('.bar').getBoundingClientRect();
                done([seen && seen.closest('th') === table.tHead.rows[0].cells[0], head.top <= Math.max(bar.bottom, box.getBoundingClientRect().top) + 1 && head.bottom < at.top, at.bottom < innerHeight]);
            }));""")
        expect(head == [True, True, True], f"the head of a long table{' on a phone' if on else ''}: {head}")
        phone(False)

    # What an address names is where it was opened, also once figures above it have grown: in browsers, too, that see to nothing of the kind.
    if os.path.exists(os.path.join(site, "engine.wasm.js")):
        for anchor in ("when-the-lanes-diverge", "the-line-that-most-people-write"):
            browser.get("about:blank")
            browser.get("file://" + os.path.join(site, "01-transactions.html#" + anchor))
            top = browser.execute_async_script("""const done = arguments[0], explorers = [...document.querySelectorAll('warp-explorer')];
                document.documentElement.style.overflowAnchor = 'none';
                // Whichever are near the window have begun by the second frame behind the last that became ready.
                const begun = () => explorers.filter(e => e.running).length, ready = () => explorers.filter(e => e.trace).length;
                (function look() {
                    const before = ready();
                    if (!before || begun() !== before) return setTimeout(look, 20);
                    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => begun() !== before ? look() :
                        done(document.getElementById(location.hash.slice(1)).getBoundingClientRect().top))));
                })();""")
            expect(60 <= top <= 68, f"#{anchor} is {top} pixels from the top")
            # A figure that grows before the browser tells of the last scrolling.
            top = browser.execute_async_script("""const [done] = arguments, more = document.createElement('div');
                more.style.height = '500px';
                document.querySelector('#text p').before(more);
                dispatchEvent(new Event('scroll'));
                requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById(location.hash.slice(1)).getBoundingClientRect().top)));""")
            expect(60 <= top <= 68, f"#{anchor} is {top} pixels from the top after a late word of scrolling")

    # Keyboard and search, on the first chapter.
    browser.set_window_size(1280, 900)
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    body = browser.find_element(By.TAG_NAME, "body")
    browser.execute_script("scrollTo({top: 1000, behavior: 'instant'})")
    body.send_keys("/")
    expect(browser.execute_script("return scrollY") == 1000, "the key / scrolls the page")
    expect(browser.switch_to.active_element.get_attribute("id") == "search", "the key / does not lead to the search")
    found = hits("degree of coalescing")
    expect(found and found[0].startswith("01-transactions"), f"the search for the degree of coalescing finds {found[:3]}")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    expect("01-transactions.html#" in browser.current_url, "Enter does not open what was found")
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    expect(not hits("xyzzy"), "the search finds xyzzy")
    expect("Nothing found" in browser.find_element(By.ID, "found").text, "the search says nothing when it finds nothing")
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    # What readers call things elsewhere; numbers as they are read, which the chapters' sources do not have.
    for query, wanted in (("global load efficiency", "01-transactions"), ("gld_efficiency", "01-transactions"), ("ncu", "appendix-c"), ("SM", "00-start"),
                          ("AoS", "04-layout"), ("bank conflicts", "06-banks"), ("535", "09-capstone"), ("little's law", "09-capstone"),
                          ("transpose_tiled", "05-transpose")):
        found = hits(query)
        expect(any(f.startswith(wanted) for f in found[:4]), f"the search for {query} finds {found[:4]}, not {wanted}")
    # A slip is forgiven, and said.
    for query, instead, wanted in (("coalesing", "coalescing", "01-transactions"), ("bank conflcits", "bank conflicts", "06-banks")):
        found = hits(query)
        expect(any(f.startswith(wanted) for f in found[:4]) and f"“{instead}”" in browser.find_element(By.ID, "found").text, f"the search for {query} finds {found[:4]}")
    hits("sm")
    expect(not any("small" in e.text.lower() and "multiprocessor" not in e.text.lower() for e in browser.find_elements(By.CSS_SELECTOR, "#found mark")), "SM is found in small")

    # The arrow keys turn the page, but not where they scroll what has the focus.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    phone(True)
    browser.refresh()
    listing = browser.find_element(By.CSS_SELECTOR, "main pre[tabindex]")
    listing.send_keys(Keys.ARROW_RIGHT)
    expect("01-" in browser.current_url, "the right arrow in a listing that scrolls turns the page")
    # A figure that is wider than the phone is drawn as large as it is, and says so; no other does.
    for page in sorted(glob.glob(os.path.join(site, "[01]*.html"))) + [os.path.join(site, "01-transactions.html")]:
        browser.get("file://" + page)
        for wide, said, width in browser.execute_script("""return [...document.querySelectorAll('.figure')].filter(box => box.querySelector('svg')).map(box =>
            [box.scrollWidth > box.clientWidth, getComputedStyle(box, '::before').content.includes('sideways'), box.querySelector('svg').getBoundingClientRect().width]);"""):
            expect(wide == said and (width >= 600 or not wide), f"{os.path.basename(page)}, a figure on a phone: wider {wide}, says so {said}, {width} pixels")
    if os.path.exists(os.path.join(site, "engine.wasm.js")):
        # The buttons stay where the finger is, whether a step has an access or none.
        for page, name in (("04-layout", "fig-point-x"), ("02-granularity", "fig-blur"), ("05-transpose", "fig-tile-small")):
            browser.get("file://" + os.path.join(site, page + ".html"))
            tops = browser.execute_async_script("""const [name, done] = arguments, explorer = document.getElementById(name);
                explorer.scrollIntoView();
                (function look() {
                    if (!explorer.trace) return setTimeout(look, 20);
                    explorer.uncover();
                    explorer.querySelector('.stepping').open = true;
                    done(explorer.trace.steps.map((step, at) => {
                        explorer.go(at);
                        return Math.round(explorer.querySelector('.transport').getBoundingClientRect().top - explorer.getBoundingClientRect().top);
                    }));
                })();""", name)
            expect(tops[0] > 200 and len(set(tops)) == 1, f"{page} #{name} on a phone: the buttons move, {sorted(set(tops))}")
        browser.get("file://" + os.path.join(site, "01-transactions.html"))
        room = browser.execute_async_script("""const done = arguments[0], explorer = document.querySelector('warp-explorer');
            explorer.scrollIntoView();
            (function look() {
                if (!explorer.trace) return setTimeout(look, 20);
                explorer.querySelector('.stepping').open = true;
                const drawn = [...explorer.querySelectorAll('.picture *')], small = drawn.filter(e => e.textContent && !e.children.length && parseFloat(getComputedStyle(e).fontSize) < 9.9);
                done([document.documentElement.scrollWidth, drawn.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).length, small.length,
                    [...explorer.querySelectorAll('.picture, .totals table, .track, .warp32, .key span')].filter(e => e.getBoundingClientRect().right > innerWidth - 16).length]);
            })();""")
        expect(room == [360, 0, 0, 0], f"an explorer on a phone: {room}")
        # The source begins and ends with whole lines, though one may go on from above.
        ends = browser.execute_async_script("""const done = arguments[0], explorer = document.querySelector('#fig-first-lanes');
            explorer.scrollIntoView();
            (function look() {
                if (!explorer.trace) return setTimeout(look, 20);
                explorer.go(Infinity);
                requestAnimationFrame(() => requestAnimationFrame(() => {
                    const source = explorer.querySelector('.source'), row = parseFloat(getComputedStyle(source).lineHeight);
                    done([source.scrollTop > 0, source.scrollTop % row, source.clientHeight % row]);
                }));
            })();""")
        expect(ends == [True, 0, 0], f"the source of an explorer: {ends}")
        # The `if` of first_lanes: 18 lanes go to the load on the line below it, the others to the store behind its brace.
        parted = browser.execute_async_script("""const done = arguments[0], explorer = document.querySelector('#fig-first-lanes');
            explorer.scrollIntoView();
            (function look() {
                if (!explorer.trace) return setTimeout(look, 20);
                const trace = explorer.trace;
                explorer.go(trace.steps.findIndex((step, at) => trace.ptx(trace.insn(at)).startsWith('@')));
                done(explorer.querySelector('.now').textContent);
            })();""")
        # first_lanes(in, out, first) begins with blockIdx.x * blockDim.x + threadIdx.x.
        names = browser.execute_script("""const explorer = document.querySelector('#fig-first-lanes'), select = explorer.querySelector('select.value');
            explorer.go(Infinity);
            select.focus();
            return [...select.options].map(o => o.textContent.split(' \u2014 %')[0])""")
        expect({"in", "out", "first", "blockIdx.x", "blockDim.x", "threadIdx.x"} <= set(names) and not any("__global__" in n for n in names), f"what a lane's values are called: {names}")
        expect("32 lanes. The lanes part: lanes 0–17 go on to line 31; lanes 18–31 go on to line 33." in parted, f"where lanes part: {parted}")
    phone(False)
    browser.refresh()
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
    expect("02-" in browser.current_url, "the right arrow does not turn the page")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_LEFT)
    expect("01-" in browser.current_url, "the left arrow does not turn the page back")

    # An explorer becomes ready, and grows, once it is near the window: what has the focus below it stays where it was. It grows most where it was
    # stepped through before.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    browser.execute_script("localStorage['stepping fig-unit'] = 'yes'")
    browser.refresh()
    if os.path.exists(os.path.join(site, "engine.wasm.js")):
        moved = browser.execute_async_script("""const done = arguments[0], explorer = document.querySelector('warp-explorer');
            const field = [...document.querySelectorAll('.ask')].find(f => explorer.compareDocumentPosition(f) & 4);
            const small = explorer.offsetHeight;
            field.focus();
            const top = field.getBoundingClientRect().top;
            (function look() {
                if (!explorer.trace) return setTimeout(look, 20);
                requestAnimationFrame(() => requestAnimationFrame(() => done([field.getBoundingClientRect().top - top, explorer.offsetHeight - small])));
            })();""")
        expect(abs(moved[0]) <= 2 and moved[1] > 100, f"an explorer that grows by {moved[1]} pixels moves the focus by {moved[0]}")
    browser.execute_script("localStorage.clear()")

    # Tab goes through the page in the order in which it is read: each focus is to be seen, and none is lost.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    open_explorers()
    tops, seen = [], []
    for _ in range(400):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        at = browser.execute_script("""const e = document.activeElement; if (e === document.body) return null;
            const r = e.getBoundingClientRect(); return [e.tagName + ' ' + (e.id || e.textContent.trim().slice(0, 30)), !!e.closest('main'), r.top + scrollY, r.width, r.height, r.top >= 0 && r.bottom <= innerHeight + 2 || r.height > innerHeight - 60];""")
        if at is None or (seen and at[0] == seen[0]):
            break
        seen.append(at[0])
        if at[1]:
            tops.append(at[2])
            expect(at[5], f"the focus on {at[0]} cannot be seen")
    back = [i for i in range(1, len(tops)) if tops[i] < tops[i - 1] - 60]
    expect(len(tops) > 20 and not back, f"the order of Tab goes back: {[seen[i] for i in back][:3]} of {len(tops)}")
    expect(seen[0].startswith("A To the text"), f"Tab begins at {seen[0]}")

    # A listing copied is the listing; a path leads to the file.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    code = browser.find_element(By.CSS_SELECTOR, ".listing .copied")
    ActionChains(browser).move_to_element(code).perform()
    # What the button says, it says for a moment.
    browser.execute_script("window.said = []; new MutationObserver(() => said.push(arguments[0].textContent)).observe(arguments[0], {childList: true});", code.find_element(By.TAG_NAME, "button"))
    code.find_element(By.TAG_NAME, "button").click()
    WebDriverWait(browser, PATIENCE_S).until(lambda b: b.execute_script("return said.length"))
    expect(browser.execute_script("return said[0]") == "Copied", "a listing cannot be copied")
    browser.find_element(By.CSS_SELECTOR, "a.path").click()
    expect("files/book/examples/add.cu.txt" in browser.current_url and "__global__" in browser.page_source, f"a path leads to {browser.current_url}")

    # On paper every answer stands at the end, and nowhere before; on the screen again folded.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    count = len(browser.find_elements(By.CSS_SELECTOR, "details.answer"))
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    answers = browser.execute_script("return [...document.querySelectorAll('section.key > div')].map(d => d.textContent.trim())")
    expect(count > 2 and len(answers) == count and all(len(a) > 20 for a in answers), f"{len(answers)} of {count} answers are printed at the end")
    expect(browser.execute_script("return document.querySelector('section.key').compareDocumentPosition(document.querySelector('main > p:last-of-type')) & 2"), "the key is not the end")
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    expect(not browser.find_elements(By.CSS_SELECTOR, "section.key, p.see, .elsewhere"), "what was there for the printer stays")

    # What an explorer right behind a question would give away is covered until the prediction is made, or the reader asks for it.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    if os.path.exists(os.path.join(site, "engine.wasm.js")):
        for how in ("check", "uncover"):
            browser.execute_script("localStorage.clear()")
            browser.refresh()
            covered = browser.execute_async_script("""const [how, done] = arguments, explorer = document.querySelector('#fig-offset');
                const seen = () => explorer.querySelector('.number').checkVisibility() || explorer.nextElementSibling.checkVisibility();
                explorer.scrollIntoView();
                (function look() {
                    if (!explorer.trace) return setTimeout(look, 20);
                    const before = seen(), question = [...document.querySelectorAll('.predict')].filter(q => q.compareDocumentPosition(explorer) & 4).pop();
                    question.querySelector('.ask').value = '5';
                    (how === 'check' ? question.querySelector('.check button') : explorer.querySelector('.cover button')).click();
                    (function uncovered() {
                        if (explorer.querySelector('.cover').checkVisibility()) return setTimeout(uncovered, 20);
                        done([before, seen()]);
                    })();
                })();""", how)
            expect(covered == [False, True], f"an explorer behind a question, {how}: {covered}")

    # Predictions, by keys alone. The second question of chapter 01: the same bytes in another order are 4 sectors; 32 floats over 256 bytes are 8, used to a half.
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    asked = len(browser.find_elements(By.CSS_SELECTOR, ".predict, .asked"))

    def question(index):
        here = browser.find_elements(By.CSS_SELECTOR, ".predict, .asked")[index]
        fields = here.find_elements(By.CSS_SELECTOR, ".ask")
        return (here, fields, lambda: here.find_element(By.CSS_SELECTOR, ".told").text, lambda: here.find_element(By.CSS_SELECTOR, "details.answer").get_attribute("open") is not None)

    def badge():
        return browser.execute_script("const b = document.querySelector('#contents a[href=\"01-transactions.html\"] .predicted'); return b && b.textContent.trim()")

    def marks(fields):
        return [("right" if "right" in f.get_attribute("class") else "wrong" if "wrong" in f.get_attribute("class") else "") for f in fields]

    here, fields, told, opened = question(1)
    expect(len(fields) == 3 and not opened() and badge() is None, "a question is not as it is before anything was predicted")
    fields[0].send_keys("4", Keys.ENTER)
    expect(not opened() and told() == "Right. And this one?" and marks(fields) == ["right", "", ""] and browser.switch_to.active_element == fields[1], f"one of three: {told()}")
    fields[1].send_keys(Keys.ENTER)
    expect(not opened() and "Predict first" in told() and browser.switch_to.active_element == fields[1], f"an empty field: {told()}")
    fields[1].send_keys("lots")
    fields[2].send_keys("50 %", Keys.ENTER)
    expect(not opened() and "number" in told() and browser.switch_to.active_element == fields[1], f"a word where a number is asked for: {told()}")
    fields[1].send_keys(Keys.CONTROL, "a", Keys.NULL, "7", Keys.TAB, Keys.TAB)
    expect(browser.switch_to.active_element.text == "Check", "behind the fields Tab does not lead to Check")
    browser.switch_to.active_element.send_keys(Keys.SPACE)
    # The second field is judged, and told why; it has another try, which is no try if it is the same again.
    expect(not opened() and "Not so. " in told() and "Try once more" in told() and marks(fields) == ["right", "wrong", "right"] and browser.switch_to.active_element == fields[1], f"a wrong prediction: {told()}")
    fields[1].send_keys(Keys.ENTER)
    expect(not opened(), f"the same again: {told()}")
    fields[1].send_keys(Keys.CONTROL, "a", Keys.NULL, "9", Keys.ENTER)
    expect(opened() and told() == "2 of 3 right." and marks(fields) == ["right", "wrong", "right"] and fields[1].get_attribute("aria-invalid") == "true", f"a wrong prediction: {told()} {marks(fields)}")
    expect(badge() == f"1/{asked}", f"the contents show {badge()} after the first of {asked}")
    browser.refresh()
    here, fields, told, opened = question(1)
    expect(opened() and [f.get_attribute("value") for f in fields] == ["4", "9", "50 %"] and marks(fields) == ["right", "wrong", "right"], "what was predicted is not kept")
    fields[1].send_keys(Keys.BACKSPACE, "8")
    expect(marks(fields)[1] == "" and told() == "", "a field that is changed keeps its verdict")
    fields[1].send_keys(Keys.ENTER)
    expect(told() == "Right." and marks(fields) == ["right"] * 3 and "How many sectors" in fields[0].get_attribute("aria-label"), f"a right prediction: {told()} {marks(fields)}")
    question(2)[1][0].send_keys("5", Keys.ENTER)
    expect(question(2)[2]() == "Right." and badge() == f"2/{asked}", f"shifted by one: {question(2)[2]()}, {badge()}")
    browser.get("file://" + os.path.join(site, "08-matmul.html"))
    expect(badge() == f"2/{asked}", f"the contents of another page show {badge()}")
    here, fields, told, opened = question(0)
    browser.find_element(By.CSS_SELECTOR, ".predict .check button").click()
    expect(not opened() and "Predict first" in told(), f"no choice: {told()}")
    fields[0].send_keys("it")
    fields[0].send_keys(Keys.ENTER)
    expect(opened() and told() == "Right.", f"a choice by keys: {told()}")
    # Every field of the book can be answered as its run says.
    for path in pages:
        browser.get("file://" + path)
        if not browser.find_elements(By.CSS_SELECTOR, ".ask"):
            continue
        said = browser.execute_script("""document.querySelectorAll('.ask').forEach(f => { f.value = f.dataset.want; });
            document.querySelectorAll('.check button').forEach(b => b.click()); return [...document.querySelectorAll('.told')].map(t => t.textContent);""")
        expect(said and all(s == "Right." for s in said), f"{os.path.basename(path)}: what the runs say is held for {said}")
    browser.execute_script("localStorage.clear()")

    browser.find_element(By.ID, "theme").click()
    first = browser.execute_script("return document.documentElement.dataset.theme")
    browser.find_element(By.ID, "theme").click()
    second = browser.execute_script("return document.documentElement.dataset.theme")
    expect({first, second} == {"light", "dark"}, f"the theme switch gives {first}, then {second}")
finally:
    browser.quit()

finish()
