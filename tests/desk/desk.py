"""desk.py WARPSCOPE TREE SOLUTIONS BROWSER: a learner at the desk."""

import glob
import json
import os
import signal
import sys
import time

here = os.path.dirname(__file__)
sys.path[:0] = [os.path.join(here, ".."), os.path.join(here, "../explore"), os.path.join(here, "../serve")]
from browsers import Left, in_browser, open_page
from serving import LIMIT_S, Served
from suite import expect, finish

warpscope, tree, solutions, browser = sys.argv[1:]

# A script of the page's own: tests of Firefox do not see what its scripts have.
EVALUATE = """const [text, done] = arguments, script = document.createElement("script");
if (!document.body) return done("");
script.textContent = "document.body.dataset.said = JSON.stringify((() => { try { return " + text + "; } catch { return null; } })() ?? null);";
document.body.append(script);
script.remove();
done(document.body.dataset.said);"""


def kernel(lab):
    return os.path.join(tree, "exercises", lab, "kernel.cu")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def ask(page, text):
    """Its value; None where it has none, as while a page is being loaded."""
    try:
        said = page.script(EVALUATE, text)
    except Left:
        said = None
    return json.loads(said) if said else None


def until(what, holds):
    """Waits for what is to come, and then stays. Where it does not, nothing that follows would: the first ends the suite."""
    end = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: it did not come")
        time.sleep(0.05)
    expect(True, what)


def type_all(page, text):
    """In place of what is in the editor, as if it were typed."""
    ask(page, f"void editor.replaceRange({json.dumps(text)}, {{line: 0, ch: 0}}, {{line: editor.lineCount(), ch: 0}}, '+input')")


def text_in(page):
    return ask(page, "text_of(lab)")


def is_open(page, number):
    return ask(page, f"Boolean(lab) && lab.number === '{number}' && document.querySelectorAll('.goal').length > 0")


def click_in_banner(page, which):
    ask(page, f"void document.querySelectorAll('#banner button')[{which}].click()")


def is_kept(path, text):
    """In a file beside it."""
    return any(read(kept) == text for kept in glob.glob(path + ".*"))


def write_first(page, text):
    ask(page, f"void editor.replaceRange({json.dumps(text)}, {{line: 0, ch: 0}}, undefined, '+input')")


def in_tab(text):
    """Of the other tab's page; see other_tab."""
    return f"window.tab.contentWindow.eval({json.dumps(text)})"


def other_tab(page, start):
    """Another tab of the lab: a frame, which has the same storage. What the first cannot save outlives the other's leaving, and comes up there."""
    given = read(start)
    ask(page, "void (window.tab = document.body.appendChild(document.createElement('iframe')), tab.src = location.pathname + '#00')")
    until("another tab has the lab", lambda: ask(page, in_tab("Boolean(lab) && text_of(lab)")) == given)
    ask(page, in_tab("localStorage.setItem('theme', 'dark')"))
    until("one theme is all pages'", lambda: ask(page, "document.documentElement.dataset.theme") == "dark")
    ask(page, "void (window.real = fetch, window.fetch = () => Promise.reject(new TypeError('nobody')), stream.close())")
    write_first(page, "// first\n")
    until("what cannot be saved is called so", lambda: ask(page, "$('saved').textContent") == "not saved")
    ask(page, "void tab.contentWindow.location.reload()")
    until("the other tab takes it over and saves it", lambda: read(start) == "// first\n" + given)
    until("and the first knows", lambda: "another tab" in (ask(page, "$('banner').textContent") or "") and ask(page, "$('saved').textContent") == "saved")

    # Two that were never saved, of a file that is another by now.
    ask(page, "void localStorage.setItem('draft 00 gone', JSON.stringify({version: '1', text: '// left\\n', time: 1, after: []}))")
    write_first(page, "// more\n")
    theirs = "// elsewhere\n" + given
    write(start, theirs)
    ask(page, "void tab.contentWindow.location.reload()")
    until("the other tab is asked", lambda: ask(page, in_tab("Boolean(lab) && is_asked() && text_of(lab)")) == "// more\n// first\n" + given)
    until("a second one is kept beside the file", lambda: is_kept(start, "// left\n"))
    expect(read(start) == theirs, "nobody decides by himself")
    ask(page, in_tab("void document.querySelectorAll('#banner button')[0].click()"))
    until("what is not taken is kept as well", lambda: is_kept(start, "// more\n// first\n" + given) and ask(page, in_tab("text_of(lab)")) == theirs)
    expect(not ask(page, "Object.keys(localStorage).some((key) => key.startsWith('draft 00'))"), "and all drafts are in files")
    ask(page, "void (tab.remove(), window.fetch = real, listen(lab))")
    until("the first tab has the file", lambda: text_in(page) == theirs)


def explore(page):
    """The page that the button's command makes, at a link, since a browser may keep windows from opening."""
    ask(page, "void (window.opened = '', window.open = (at) => { window.opened = at; return null; })")
    page.click("#explore")

    def leads_on():
        if "was ended" in (ask(page, "$('below').textContent") or ""):
            page.click("#explore")  # a busy computer
        return ask(page, "document.querySelectorAll('#below a').length === 1")

    until("exploring leads to a page", leads_on)
    expect("explored/explore-00-start.html" in (ask(page, "document.querySelector('#below a') ? document.querySelector('#below a').href : ''") or ""), "the launch's")
    expect(ask(page, "window.opened") == "explored/explore-00-start.html", "which is opened", ask(page, "window.opened"))


def strange_files(page, start, given):
    """What a page does not show as it is stays as it is."""
    ends = given.replace("\n", "\r\n")
    with open(start, "w", encoding="utf-8", newline="") as file:
        file.write(ends)
    until("a file of another system is taken in", lambda: ask(page, "lab.known.text.includes('\\r\\n')"))
    expect(ask(page, "is_clean(lab) && text_of(lab) === lab.known.text"), "reading its line ends is no change")
    ask(page, "void editor.replaceRange('// one\\n', {line: 0, ch: 0}, undefined, '+input')")
    until("and a line that is added ends as they do", lambda: bytes_of(start) == b"// one\r\n" + ends.encode())
    with open(start, "wb") as file:
        file.write(b"// caf\xe9\n")
    until("other bytes than a text's are told", lambda: "UTF-8" in (ask(page, "document.getElementById('banner').textContent") or ""))
    expect(ask(page, "editor.getOption('readOnly')"), "and only shown")
    write(start, given)
    until("a text is the writer's again", lambda: ask(page, "!editor.getOption('readOnly') && document.getElementById('banner').hidden") and text_in(page) == given)


def changed_during_a_save(page, start, given):
    """The server has saved, and its answer is still under way when the file is another."""
    ask(page, """void (window.real = fetch, window.fetch = async (path, how) => {
        const answer = await real(path, how);
        if (how.method === 'PUT') await new Promise((go) => { window.release = go; });
        return answer;
    }, stream.addEventListener('text', (event) => { window.came = JSON.parse(event.data).text; }))""")
    ask(page, "void editor.replaceRange('// kept\\n', {line: 0, ch: 0}, undefined, '+input')")
    until("a text is saved", lambda: read(start).startswith("// kept\n") and ask(page, "Boolean(window.release)"))
    write(start, "// behind it\n" + given)
    until("the page hears of another", lambda: (ask(page, "window.came") or "").startswith("// behind it"))
    ask(page, "void (window.fetch = real, release())")
    until("a change during a save is taken in", lambda: text_in(page) == "// behind it\n" + given)
    # What another has saved already is no quarrel, also where the page hears of it by the refusal alone.
    ask(page, "void (stream.close(), editor.replaceRange('// same\\n', {line: 0, ch: 0}, undefined, '+input'), clearTimeout(timer))")
    write(start, "// same\n// behind it\n" + given)
    ask(page, "void save()")
    until("the same text is no other", lambda: ask(page, "!saving && is_clean(lab) && !is_asked()"))
    ask(page, "void listen(lab)")


def load_again(page, *left):
    """With drafts that other pages left: (name, draft)."""
    kept = "".join(f"localStorage.setItem('draft 00 {name}', {json.dumps(json.dumps(draft))}); " for name, draft in left)
    ask(page, f"void (() => {{ {kept}window.earlier = true; location.reload(); }})()")


def undecided(page, start, given):
    """A draft of an older file comes up: what is in the file stays until somebody decides, whatever else is asked for."""
    asked = "!window.earlier && Boolean(lab) && is_asked() && text_of(lab)"
    theirs, draft = "// theirs\n" + given, "// draft\n"
    write(start, theirs)
    until("the page has what others wrote", lambda: text_in(page) == theirs)
    load_again(page, ("gone", {"version": "1", "text": draft, "time": 2, "after": []}), ("large", {"version": "1", "text": "x" * 1100000, "time": 1, "after": []}))
    until("an old draft is asked about", lambda: ask(page, asked) == draft)
    until("one that is too large is not kept", lambda: ask(page, "performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('/keep'))"))
    ask(page, """void (async () => {
        await save();
        await command("grade");
        $("reset").onclick();
        document.querySelectorAll("#banner button")[1].click();
        await save();
        editor.replaceRange("// more\\n", {line: 0, ch: 0}, undefined, "+input");
        await save();
        note("something");
        window.tried = true;
    })()""")
    until("all is tried", lambda: ask(page, "window.tried"))
    expect(ask(page, asked) == "// more\n" + draft and read(start) == theirs, "neither a save nor a command decides", read(start)[:20])
    expect(ask(page, "localStorage.getItem('draft 00 large') !== null"), "what cannot be kept stays in the browser")
    ask(page, "void localStorage.removeItem('draft 00 large')")
    load_again(page)
    until("the page asks again when it is loaded anew", lambda: ask(page, asked) == "// more\n" + draft)
    expect(read(start) == theirs, "and nothing was written over", read(start)[:20])
    click_in_banner(page, 0)
    until("the file is taken", lambda: text_in(page) == theirs and is_kept(start, "// more\n" + draft))

    # The other editor undoes what it wrote: there is nothing to be asked.
    ask(page, "void (editor.replaceRange('// mine\\n', {line: 0, ch: 0}, undefined, '+input'), clearTimeout(timer))")
    write(start, "// passing\n" + theirs)
    until("it is asked", lambda: ask(page, "is_asked()"))
    write(start, theirs)
    until("a question goes with its reason", lambda: not ask(page, "is_asked()") and read(start) == "// mine\n" + theirs)

    # What another page had saved is in the file no longer: it counts as unsaved again.
    ask(page, "void (editor.replaceRange('// handed\\n', {line: 0, ch: 0}, undefined, '+input'), clearTimeout(timer), lab.handed = text_of(lab))")
    write(start, given)
    until("the file is taken for it", lambda: text_in(page) == given)
    expect(ask(page, "(editor.undo(), clearTimeout(timer), drafts.find('00').length === 1 && $('saved').textContent !== 'saved')"), "what is undone is kept as any other text")
    ask(page, "void editor.redo()")

    # The file has a draft, and with it what that goes on from.
    until("all is saved", lambda: ask(page, "$('saved').textContent") == "saved")
    load_again(page, ("one", {"version": "1", "text": "// one\n", "time": 1, "after": []}), ("two", {"version": "1", "text": given, "time": 2, "after": [{"key": "draft 00 one", "time": 1}]}))
    until("the page is there", lambda: ask(page, "!window.earlier") and is_open(page, "00"))
    expect(not ask(page, "Object.keys(localStorage).some((key) => key.startsWith('draft 00'))"), "earlier ones do not come up again")


def listing(page):
    """A listing of the chapter beside the editor: edited, run and put back."""
    copy = os.path.join(tree, "exercises/listings/tiles.cu")
    ask(page, "void (location.hash = '05')")
    until("lab 05 is there", lambda: is_open(page, "05"))
    buttons = "[...$('chapter').contentDocument.querySelectorAll('.listing .try')]"
    until("listings have a button", lambda: (ask(page, f"{buttons}.length") or 0) > 0)
    ask(page, f"void {buttons}[0].click()")
    until("it opens the file that is quoted", lambda: ask(page, "Boolean(lab) && lab.number === 'tiles.cu'") and os.path.exists(copy) and text_in(page) == read(copy))
    quoted = "$('chapter').contentDocument.querySelector('.listing [data-startfrom] code').textContent.split('\\n')[0]"
    expect(ask(page, f"editor.getLine(editor.getCursor().line) === {quoted}"), "at the lines that are quoted")
    expect(ask(page, "$('chapter').src.endsWith('05-transpose.html') && $('grade').hidden && $('reset').textContent"), "beside its chapter; there are no points")
    until("its lines have their counts", lambda: ask(page, "marks.length > 0"))
    given = read(copy)
    ask(page, "void editor.replaceRange('// mine\\n', {line: 0, ch: 0}, undefined, '+input')")
    until("it is saved", lambda: read(copy) == "// mine\n" + given)
    ask(page, "void (window.earlier = true, location.reload())")
    until("a page that is loaded anew has it", lambda: ask(page, "!window.earlier && Boolean(lab) && lab.number === 'tiles.cu' && text_of(lab).startsWith('// mine')") and ask(page, "$('chapter').src.endsWith('05-transpose.html')"))
    ask(page, "void $('reset').click()")
    until("it is put back", lambda: read(copy) == given and text_in(page) == given)
    expect(read(copy + ".before") == "// mine\n" + given, "and what stood there is kept")
    ask(page, "void (location.hash = '00')")
    until("from a listing to a lab", lambda: is_open(page, "00"))
    expect(ask(page, "!$('grade').hidden"), "which is graded")


def learn(page, served):
    start = kernel("00-start")
    for lab in ("00-start", "05-transpose"):
        write(kernel(lab), read(os.path.join(tree, f"exercises/untouched/{lab}.cu")))
    for old in glob.glob(os.path.join(tree, ".progress*")):
        os.remove(old)
    given, solved = read(start), read(os.path.join(solutions, "00-start/kernel.cu"))
    page.open(served.address)
    until("lab 00 opens and is graded", lambda: is_open(page, "00"))
    expect(text_in(page) == given, "the editor has the file")
    expect(ask(page, "document.querySelectorAll('h1').length") == 1, "the page has one heading of the first level, by which screen readers name it")
    expect("token" not in page.script("arguments[0](location.href)"), "the address does not keep the token")

    # A wrong kernel, a right one.
    type_all(page, solved.replace("{", "{ int *nowhere = nullptr; *nowhere = 1;", 1))
    until("a fault is shown", lambda: ask(page, "document.querySelectorAll('.finding.wrong').length > 0"))
    type_all(page, solved)
    until("what is written is saved", lambda: read(start) == solved)
    until("and graded", lambda: ask(page, "document.querySelectorAll('.goal').length && document.querySelectorAll('.goal:not(.met)').length === 0"))
    expect("not recorded yet: Grade" in (ask(page, "$('score').textContent") or ""), "points of a grading as one writes are not recorded, and it is said")
    expect(ask(page, "document.querySelector('#score a').getAttribute('href')") == "#05", "at all points the next lab is a link")
    until("lines have their counts", lambda: ask(page, "marks.length > 0"))
    ask(page, "void ($('score').replaceChildren(), $('below').replaceChildren(), editor.refresh(), editor.setCursor({line: editor.lineCount() - 1, ch: 0}), show(shown))")
    expect(ask(page, "editor.cursorCoords(true, 'window').bottom <= $('editor').getBoundingClientRect().bottom + 1"), "what is shown around the text leaves the caret in view")
    ask(page, "void editor.scrollIntoView(marks[0].find(), 100)")
    ask(page, "void document.querySelector('button.count').click()")
    expect(ask(page, "document.querySelectorAll('#below b').length && !document.getElementById('below').textContent.includes('**')"), "a count is explained")
    explore(page)
    ask(page, "void document.getElementById('grade').click()")
    until("grading remembers points", lambda: "100" in (ask(page, "document.querySelector('#below pre') ? document.querySelector('#below pre').textContent : ''") or ""))

    expect("recorded: 100" in (ask(page, "$('score').textContent") or ""), "and it is said")
    ask(page, "void show(shown)")
    expect("100" in (ask(page, "document.querySelector('#below pre').textContent") or ""), "the report stays when a grading ends behind it")

    # Keys; a page that is left before anything was saved.
    page.click(".CodeMirror-lines")
    page.keys("#editor textarea", "// typed")
    until("keys arrive", lambda: "// typed" in read(start))
    # What is written while a save's answer is awaited, too.
    ask(page, "void (window.real = fetch, window.fetch = async (path, how) => { const answer = await real(path, how); return how.method === 'PUT' ? new Promise(() => {}) : answer; })")
    write_first(page, "// sent\n")
    until("a save has reached the server", lambda: read(start).startswith("// sent\n"))
    ask(page, "void (window.earlier = true, editor.replaceRange('// last words\\n', {line: 0, ch: 0}, undefined, '+input'), location.reload())")
    until("the page is there again", lambda: ask(page, "!window.earlier") and is_open(page, "00"))
    until("nothing is lost when the page is loaded anew", lambda: read(start).startswith("// last words\n// sent\n"))

    strange_files(page, start, given)
    undecided(page, start, given)

    # Another editor, while one is written in here: the pause in which it would be saved does not come.
    write(start, given)
    until("a change outside is taken in", lambda: text_in(page) == given)
    ask(page, "void (editor.replaceRange('// mine\\n', {line: 0, ch: 0}, undefined, '+input'), clearTimeout(timer))")
    write(start, "// theirs\n" + given)
    until("two who wrote are told", lambda: ask(page, "is_asked()"))
    expect(read(start) == "// theirs\n" + given, "what others wrote stays")
    expect(ask(page, "[...document.querySelectorAll('#banner pre')].map((lines) => lines.textContent)") == ["// mine", "// theirs"], "they see what differs")
    expect(ask(page, "$('saved').textContent") == "not saved", "and what is not saved")
    click_in_banner(page, 1)
    until("what is here is kept where it is asked for", lambda: read(start) == "// mine\n" + given)
    expect(is_kept(start, "// theirs\n" + given), "and the other's beside it")
    until("all is saved", lambda: ask(page, "$('saved').textContent") == "saved")

    changed_during_a_save(page, start, given)

    # Another window.
    second = open_page(browser)
    try:
        second.open(served.address)
        until("a second window", lambda: is_open(second, "00"))
        now = read(start)
        type_all(second, now + "// from the second\n")
        until("what one writes the other has", lambda: text_in(page) == now + "// from the second\n")
    finally:
        second.quit()

    # Another lab, and back: each keeps its own.
    ask(page, "void (location.hash = '05')")
    until("lab 05 opens", lambda: is_open(page, "05"))
    expect(text_in(page) == read(kernel("05-transpose")), "with its own file")
    kept = read(start)
    ask(page, "void editor.replaceRange('// five\\n', {line: 0, ch: 0}, undefined, '+input')")
    until("lab 05 is saved", lambda: read(kernel("05-transpose")).startswith("// five"))
    expect(read(start) == kept, "lab 00 stays what it was")
    ask(page, "void (location.hash = '00')")
    until("back again", lambda: is_open(page, "00"))
    expect(text_in(page) == kept, "with what was there")
    listing(page)
    return start


def main(page):
    served = Served(warpscope)
    start = learn(page, served)
    # The banner says the one and the other, by turns: all that it has said counts.
    ask(page, "void (window.told = '', new MutationObserver(() => { told += $('banner').textContent; }).observe($('banner'), {childList: true}))")
    served.end(signal.SIGKILL)
    until("the server's end is told", lambda: "make serve" in (ask(page, "told") or ""))
    ask(page, "void editor.replaceRange('// alone\\n', {line: 0, ch: 0}, undefined, '+input')")
    written = text_in(page)
    until("it cannot be saved yet", lambda: "Not saved" in (ask(page, "told") or ""))
    again = Served(warpscope, served.port)
    until("what was written meanwhile is saved", lambda: read(start) == written)
    until("and the page is well", lambda: ask(page, "document.getElementById('banner').hidden"))
    other_tab(page, start)

    # Ended in order and begun again, it has another address.
    again.end()
    write_first(page, "// moved\n")
    written = text_in(page)
    anew = Served(warpscope, served.port)
    until("an address that has changed is told", lambda: "address has changed" in (ask(page, "$('banner').textContent") or ""))
    expect(text_in(page) == written and read(start) != written, "what was written is there, and not saved")
    page.open(anew.address)
    until("the new address has it, and saves it", lambda: read(start) == written)
    anew.end()


in_browser(browser, main)
finish()
