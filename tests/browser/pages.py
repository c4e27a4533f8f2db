"""The book's pages in a real browser (headless Chromium through Selenium): no error, no request outside the folder, no sideways scroll on a
phone, a search that finds, legible in light and dark, keyboard, figures that are to be seen. Prints what is wrong, then "N passed". Status 77: the browser does not start."""

import glob
import os
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

site, chromium, driver_path = sys.argv[1:4]
passed, failed = 0, 0


def expect(good, what):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(what)


def open_browser():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.binary_location = chromium
    return webdriver.Chrome(service=Service(driver_path), options=options)


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

try:
    browser = open_browser()
except WebDriverException as error:
    print("Chromium does not start here: " + str(error.msg).splitlines()[0])
    sys.exit(77)
try:
    pages = sorted(glob.glob(os.path.join(site, "*.html")))
    for path in pages:
        name = os.path.basename(path)
        browser.set_window_size(1280, 900)
        browser.get("file://" + path)
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        expect(not errors, f"{name}: {errors}")
        asked = [entry["message"] for entry in browser.get_log("performance") if '"Network.requestWillBeSent"' in entry["message"]]
        outside = [a for a in asked if '"url":"http' in a]
        expect(not outside, f"{name}: asks for {outside[:1]}")
        for theme in ("light", "dark"):
            browser.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
            worst, where = browser.execute_script(CONTRAST)
            expect(worst >= 4.5, f"{name}, {theme}: contrast {worst:.2f} of {where}")
        for figure in browser.find_elements(By.CSS_SELECTOR, ".figure svg"):
            expect(figure.size["width"] > 200 and figure.size["height"] > 60, f"{name}: a figure of {figure.size}")
        # 360 pixels, as a phone has; the window itself cannot be made as narrow as that.
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        expect(wide <= 360, f"{name}: {wide} pixels wide on a screen of 360")
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    # Keyboard and search, on the first chapter.
    browser.set_window_size(1280, 900)
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys("/")
    expect(browser.switch_to.active_element.get_attribute("id") == "search", "the key / does not lead to the search")
    browser.switch_to.active_element.send_keys("degree of coalescing")
    hits = browser.find_elements(By.CSS_SELECTOR, "#found a")
    expect(hits and "01-transactions" in hits[0].get_attribute("href"), "the search does not find the degree of coalescing")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    expect("01-transactions.html#" in browser.current_url, "Enter does not open what was found")
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    browser.find_element(By.ID, "search").send_keys("xyzzy")
    expect("Nothing found" in browser.find_element(By.ID, "found").text, "the search says nothing when it finds nothing")
    browser.get("file://" + os.path.join(site, "01-transactions.html"))
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
    expect("02-" in browser.current_url, "the right arrow does not turn the page")
    browser.find_element(By.ID, "theme").click()
    first = browser.execute_script("return document.documentElement.dataset.theme")
    browser.find_element(By.ID, "theme").click()
    second = browser.execute_script("return document.documentElement.dataset.theme")
    expect({first, second} == {"light", "dark"}, f"the theme switch gives {first}, then {second}")
finally:
    browser.quit()

if not failed:
    print(f"{passed} passed")
sys.exit(1 if failed else 0)
