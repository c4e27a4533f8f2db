"""explorers.py SITE CHROMIUM DRIVER WARPSCOPE [PAGE...]: every explorer of the pages in a browser, opened from files: each control moved to both ends, the
warp stepped to its end and back by keys and by mouse; nothing may go wrong, and what the page's engine counts is what warpscope counts."""
import json
import os
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

site, chromium, driver, warpscope = sys.argv[1:5]
passed, failed = 0, []


def check(what, good, saw=""):
    global passed
    if good:
        passed += 1
    else:
        failed.append(what)
        print("FAIL", what, saw, file=sys.stderr)


def browser():
    if "firefox" in os.path.basename(chromium):
        options = webdriver.FirefoxOptions()
        options.add_argument("-headless")
        options.binary_location = chromium
        return webdriver.Firefox(options=options, service=webdriver.firefox.service.Service(driver))
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--window-size=1280,1000", "--disable-gpu"):
        options.add_argument(word)
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.chrome.service.Service(driver))


# Until the launch that was asked for last has been shown. Its totals, and a fault's or an error's message.
SETTLED = """
var element = arguments[0], done = arguments[arguments.length - 1];
for (var above = element; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
element.scrollIntoView();
(function look(tries) {
  if (!element.running || !element.shell) return tries ? setTimeout(look, 20, tries - 1) : done(null);
  var running = element.running;
  running.then(function () {
    if (element.running !== running) return look(tries);
    done({ words: element.words(), program: element.spec.program, result: element.trace ? element.result : null, text: element.shell.querySelector(".totals").textContent });
  });
})(500);
"""
SET = """
var field = arguments[0].querySelector('[data-control="' + arguments[1] + '"]');
field.value = arguments[2];
field.dispatchEvent(new Event("input", { bubbles: true }));
"""


def native(page, state, programs):
    """What warpscope says of the same words."""
    program = programs[state["program"]]
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as ptx:
        ptx.write(program["ptx"])
    run = subprocess.run([warpscope, "launch", program["path"], "--ptx", ptx.name, "--json", "--threads", "1"] + state["words"], capture_output=True, text=True)
    os.unlink(ptx.name)
    return json.loads(run.stdout) if run.stdout else None, run.stderr


def counted(launch):
    """All but how long it took here, and the trace, which was not asked of warpscope."""
    return {key: value for key, value in launch.items() if key not in ("host", "trace")} if launch else None


def compare(page, name, state, programs):
    launch, said = native(page, state, programs)
    check(f"{page} {name}: {' '.join(state['words'])} counts as warpscope does", counted(state["result"]) == counted(launch), state["text"][:200] + said[:200])


def explore(window, page, element, programs):
    name = element.get_attribute("id")

    def settled():
        return window.execute_async_script(SETTLED, element)

    state = settled()
    if not state:
        check(f"{page} {name}: it opens", False)
        return
    compare(page, name, state, programs)
    first = dict(window.execute_script("return arguments[0].values", element))
    for control in window.execute_script("return arguments[0].controls", element):
        ends = control["of"] if "of" in control else [control["from"], control["to"]]
        for end in ends:
            window.execute_script(SET, element, control["name"], str(end))
            compare(page, f"{name}, {control['name']}={end}", settled(), programs)
        window.execute_script(SET, element, control["name"], str(first[control["name"]]))
        settled()
    where = "return [arguments[0].at, arguments[0].steps.length - 1]"
    if not window.execute_script("return !!arguments[0].trace", element):
        return
    stage = element.find_element(By.CSS_SELECTOR, ".stage")
    stage.send_keys(Keys.HOME)
    check(f"{page} {name}: Home", window.execute_script(where, element)[0] == 0)
    last = window.execute_script(where, element)[1]
    stage.send_keys(Keys.ARROW_RIGHT * min(last, 100))
    check(f"{page} {name}: steps by keys", window.execute_script(where, element)[0] == min(last, 100))
    stage.send_keys(Keys.ARROW_LEFT * min(last, 100))
    check(f"{page} {name}: back by keys", window.execute_script(where, element)[0] == 0)
    stage.send_keys(Keys.END)
    check(f"{page} {name}: End", window.execute_script(where, element)[0] == last)
    for what, want in (("first", 0), ("step", min(1, last)), ("back", 0), ("access", None)):
        window.execute_script("arguments[0].click()", element.find_element(By.CSS_SELECTOR, f'[data-do="{what}"]'))
        at = window.execute_script(where, element)[0]
        check(f"{page} {name}: the button {what}", at == want if want is not None else window.execute_script("return arguments[0].accesses_at(arguments[0].at).length > 0", element), at)
    check(f"{page} {name}: it says what it shows", len(element.find_element(By.CSS_SELECTOR, ".now").text) > 10)


def main():
    window = browser()
    window.set_script_timeout(60)
    pages = sys.argv[5:] or sorted(name for name in os.listdir(site) if name.endswith(".html") and "<warp-explorer" in open(os.path.join(site, name), encoding="utf-8").read())
    found = 0
    for page in pages:
        window.get("file://" + os.path.abspath(os.path.join(site, page)))
        programs = window.execute_script("return window.PROGRAMS")
        for element in window.find_elements(By.TAG_NAME, "warp-explorer"):
            found += 1
            try:
                explore(window, page, element, programs)
            except (WebDriverException, TimeoutException) as wrong:
                check(f"{page} {element.get_attribute('id')}", False, str(wrong)[:400])
        if "firefox" not in os.path.basename(chromium):
            errors = [entry["message"] for entry in window.get_log("browser") if entry["level"] == "SEVERE"]
            check(f"{page}: no error", not errors, errors[:3])
    window.quit()
    check("there are explorers", found > 0)
    print(f"{found} explorers")
    print(f"{passed} passed")
    sys.exit(1 if failed else 0)


try:
    main()
except WebDriverException as wrong:
    print("the browser does not start:", str(wrong).splitlines()[0])
    sys.exit(77)
