/* desk.js: a lab's kernel.cu, or the reader's copy of a file that the book quotes, in an editor. What is written is saved when writing pauses, unless the file is another by then; what the grading
 * says comes as events. What the file on the disk does not have yet is in this browser, too, so that nothing is lost with the page or the server. */
"use strict";

const SAVE_MS = 500, AGAIN_MS = 3000;
const $ = (id) => document.getElementById(id);
const made = (kind, name, text) => {
  const element = document.createElement(kind);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
};

const editor = CodeMirror($("editor"), {
  mode: "text/x-c++src", theme: "desk", lineNumbers: true, lineWrapping: true, indentUnit: 4, matchBrackets: true, autoCloseBrackets: true,
  extraKeys: {
    "Ctrl-S": () => save(), "Cmd-S": () => save(), "Ctrl-/": "toggleComment", "Cmd-/": "toggleComment", "Ctrl-Enter": () => command("grade"),
    Tab: (cm) => (cm.somethingSelected() ? cm.indentSelection("add") : cm.replaceSelection(" ".repeat(4 - (cm.getCursor().ch % 4)))),
    "Shift-Tab": "indentLess", Esc: (cm) => cm.getInputField().blur(),
  },
});
editor.getInputField().setAttribute("aria-label", "The kernel; Escape leaves the editor");

/* A lab: {number, folder: "" of a listing, known: the file as we know it, {version, text, locked}; missed: what was said of it during a save; doc: what is written, the
 * editor's}. Only the lab in the editor changes. */
let lab = null;
let stream = null, timer = 0, saving = false, marks = [];

/* --- said above and below ------------------------------------------------------------------------------------------------- */

const say = (text) => { $("state").textContent = text; };

function banner(text, buttons) {
  $("banner").hidden = !text;
  delete $("banner").dataset.fails;
  $("banner").replaceChildren(text || "");
  for (const [name, act] of buttons || []) {
    const button = made("button", "", name);
    button.onclick = act;
    $("banner").append(button);
  }
}

/* What must not be saved before somebody has decided. */
const is_asked = () => !$("banner").hidden && !$("banner").dataset.fails;

/* Something that nobody is asked about: it goes when the server answers again. */
function fails(text) {
  banner(text);
  $("banner").dataset.fails = "yes";
}

function below(...what) {
  const close = made("button", "close", "Close");
  close.onclick = () => show(shown);
  $("below").replaceChildren(close, ...what);
}

async function ask(method, path, body, version) {
  const answer = await fetch(path, { method, body, headers: version === undefined ? {} : { "X-Version": version } });
  const data = await answer.json().catch(() => ({ error: "the server's answer is cut off" }));
  if (!answer.ok && answer.status !== 409) throw new Error(data.error);
  return { changed: answer.status === 409, data };
}

/* What could not be asked, since nobody answered, is asked again. */
function fails_for_now(error, again) {
  fails(error.message);
  if (error instanceof TypeError) setTimeout(again, AGAIN_MS);
}

/* --- the text ------------------------------------------------------------------------------------------------------------- */

/* The editor has lines; a file whose lines all end in CR LF is written with them. Others' single CRs become LF where something else is changed. */
const lines_of = (text) => text.replace(/\r\n?/g, "\n");
const ends_of = (text) => (/\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n");
const text_of = (of) => of.doc.getValue(ends_of(of.known.text));
const is_clean = (of) => of.doc.getValue() === lines_of(of.known.text);
const name_of = (of) => (of.folder ? "kernel.cu" : of.number);
const draft = (number) => `draft ${number}`;

function keep_draft(of) {
  try {
    if (is_clean(of)) localStorage.removeItem(draft(of.number));
    else localStorage.setItem(draft(of.number), JSON.stringify({ version: of.known.version, text: text_of(of) }));
  } catch { /* private windows */ }
}

function read_draft(number) {
  try { return JSON.parse(localStorage.getItem(draft(number))); } catch { return null; }
}

/* From first to last line, only what differs: cursor, marks and undoing stay. */
function set_text(of, file) {
  const old = of.doc.getValue(), text = lines_of(file);
  let begin = 0, end = 0;
  while (begin < old.length && begin < text.length && old[begin] === text[begin]) begin++;
  while (end < old.length - begin && end < text.length - begin && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  of.doc.replaceRange(text.slice(begin, text.length - end), of.doc.posFromIndex(begin), of.doc.posFromIndex(old.length - end), "file");
}

/* The file as it is now; mine: what is in the editor stays. */
function take(of, state, mine) {
  of.known = state;
  if (!mine) set_text(of, state.text);
  if (is_asked()) banner("");
  lock(of);
  keep_draft(of);
}

/* What cannot be saved as it was is only shown. */
function lock(of) {
  editor.setOption("readOnly", Boolean(of.known.locked));
  if (of.known.locked) banner(`${name_of(of)} is only shown here: ${of.known.locked}.`);
}

function clash(of, state) {
  clearTimeout(timer);
  say("not saved");
  banner(`${name_of(of)} was changed elsewhere while you wrote here.`, [
    ["Take the file", () => take(of, state)],
    ["Keep what is here", () => { take(of, state, true); save(); }],
  ]);
}

async function save() {
  const of = lab;
  clearTimeout(timer);
  if (saving || !of || is_clean(of)) return;
  const text = text_of(of);
  saving = true;
  try {
    const { changed, data } = await ask("PUT", `api/lab/${of.number}`, text, of.known.version);
    if (changed) return data.text === text ? take(of, data, true) : clash(of, data);
    of.known = { ...data, text };
    keep_draft(of);
    banner("");
    say("saved");
  } catch (error) {
    fails(`Not saved: ${error.message}. What you write stays in this page, which tries again.`);
    timer = setTimeout(save, AGAIN_MS);
  } finally {
    saving = false;
    if (lab.missed) outside(lab, lab.missed);
    if (of === lab && !is_clean(of) && $("banner").hidden) later();
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(save, SAVE_MS);
}

editor.on("change", (cm, change) => {
  if (!lab || change.origin === "file" || change.origin === "setValue") return;
  keep_draft(lab);
  say("writing");
  if (!is_asked()) later();
});

/* A change outside: taken where nothing of ours would be lost. */
function outside(of, state) {
  of.missed = saving ? state : null;
  if (saving || (state.version === of.known.version && state.locked === of.known.locked)) return;
  if (state.text === text_of(of)) take(of, state, true);
  else if (is_clean(of)) take(of, state);
  else clash(of, state);
}

/* --- what the grading says ------------------------------------------------------------------------------------------------ */

let shown = {};

function unmark() {
  for (const mark of marks) mark.clear();
  marks = [];
  editor.eachLine((line) => { editor.removeLineClass(line, "background"); });
}

/* A figure is shown as an image: nothing within it is run. */
function picture(map) {
  const image = made("img");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(map.svg)}`;
  image.alt = map.title;
  return image;
}

/* The Markdown of a line's counts: paragraphs, **strong** words, fences. is_drawn: the fences' maps are shown as figures instead. */
function explained(markdown, is_drawn) {
  return markdown.split(/^```.*\n/m).flatMap((text, i) => {
    if (i % 2) return is_drawn ? [] : [made("pre", "", text)];
    return text.split(/\n{2,}/).filter((words) => words.trim()).map((words) => {
      const paragraph = made("p");
      paragraph.append(...words.split("**").map((part, j) => (j % 2 ? made("b", "", part) : part)));
      return paragraph;
    });
  });
}

function add_count(line) {
  const count = made("button", "count", line.label);
  count.onclick = () => {
    const maps = (line.maps || []).map(picture);
    below(...explained(line.hover, maps.length > 0), ...maps);
    $("below").focus();
  };
  const end = { line: line.line, ch: editor.getLine(line.line).length };
  marks.push(editor.setBookmark(end, { widget: count, insertLeft: true }));
}

function finding(diagnostic) {
  const line = diagnostic.range.start.line;
  const wrong = diagnostic.severity === 1;
  const button = made("button", wrong ? "finding wrong" : "finding");
  button.append(made("b", "", `line ${line + 1}`), diagnostic.message);
  button.onclick = () => { editor.focus(); editor.setCursor({ line, ch: diagnostic.range.start.character }); };
  if (line < editor.lineCount()) editor.addLineClass(line, "background", wrong ? "wrong-line" : "missed-line");
  return button;
}

function goal(of) {
  const row = made("button", of.met ? "goal met" : "goal");
  const fill = made("span", "fill"), track = made("span", "track");
  fill.style.width = `${Math.round(100 * of.score / of.points)}%`;
  track.append(fill);
  row.append(made("span", "name", of.name.replaceAll("_", " ")), made("span", "points", `${+of.score.toFixed(1)} / ${of.points}`), track);
  row.title = of.advice || "";
  row.onclick = () => below(made("pre", "", `${of.name}: ${of.advice || "correct results"}`));
  return row;
}

function show(remarks) {
  shown = remarks;
  unmark();
  editor.operation(() => {
    for (const line of remarks.lines || []) if (line.line > 0 && line.line < editor.lineCount()) add_count(line);
    $("below").replaceChildren(...(remarks.diagnostics || []).map(finding));
  });
  const goals = remarks.goals || [];
  $("score").replaceChildren(...(goals.length ? [made("h2", "", remarks.said)] : []), ...goals.map(goal));
  say(remarks.unsandboxed ? `not graded: ${remarks.unsandboxed}` : goals.length ? "graded" : remarks.said || "");
}

/* --- labs ----------------------------------------------------------------------------------------------------------------- */

function listen(of) {
  stream = new EventSource(`api/lab/${of.number}/events`);
  const on = (name, act) => stream.addEventListener(name, (event) => { if (of === lab) act(JSON.parse(event.data)); });
  on("hello", (state) => {
    if ($("banner").dataset.fails) banner("");
    outside(of, state);
    if (!is_clean(of) && !is_asked()) later();
    if (state.remarks) show(state.remarks);
  });
  on("text", (state) => outside(of, state));
  on("grading", () => say("grading…"));
  on("remarks", (remarks) => { if (is_clean(of)) show(remarks); });
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { if (of === lab) listen(of); }, AGAIN_MS); /* as Firefox leaves it after a reset */
    if (is_asked()) return;
    fails("The server does not answer: make serve starts it again, and prints its address. What you write stays in this page.");
  };
}

async function open_lab(number, folder) {
  if (lab && !is_clean(lab)) await save();
  clearTimeout(timer);
  if (stream) stream.close();
  const { data } = await ask("GET", `api/lab/${number}`);
  if (number !== $("labs").value) return; /* another was chosen since */
  const of = { number, folder, known: data, doc: CodeMirror.Doc(data.text, "text/x-c++src") };
  const kept = read_draft(number);
  banner("");
  lab = null;
  editor.swapDoc(of.doc);
  lab = of;
  show({});
  lock(of);
  document.title = `${data.title}: Thirty-Two`;
  if (kept && kept.text !== data.text) {
    set_text(of, kept.text);
    if (kept.version === data.version) later();
    else clash(of, data);
  }
  if (folder || !$("chapter").getAttribute("src")) $("chapter").src = `book/${folder || read_chapter(number)}.html`;
  for (const word of ["grade", "hint", "explore"]) $(word).hidden = !folder;
  $("reset").textContent = folder ? "Reset" : "Put back";
  $("reset").title = folder ? "Begins the lab anew; your file is kept beside it" : "The book's text again; yours is kept beside it";
  go_to_listing(of);
  listen(of);
}

/* --- listings: what the chapter quotes has a button that opens a copy of its file ------------------------------------------- */

let wanted = null; /* {number, line}: the one that was clicked */

const chapter_key = (number) => `chapter ${number}`;

/* Where a listing was opened last. */
function read_chapter(number) {
  try { return localStorage.getItem(chapter_key(number)) || "index"; } catch { return "index"; }
}

function go_to_listing(of) {
  if (!wanted || wanted.number !== of.number) return;
  const line = Math.min(wanted.line, editor.lineCount()) - 1;
  wanted = null;
  editor.setCursor({ line, ch: 0 });
  editor.scrollTo(null, editor.heightAtLine(line, "local"));
  editor.focus();
}

function open_listing(number, line, page) {
  wanted = { number, line };
  try { localStorage.setItem(chapter_key(number), page.replace(/^.*\/|\.html$/g, "")); } catch { /* private windows */ }
  if (lab && lab.number === number) return go_to_listing(lab);
  location.hash = number;
}

$("chapter").addEventListener("load", () => {
  const page = $("chapter").contentDocument;
  for (const listing of page.querySelectorAll(".listing")) {
    const code = listing.querySelector("[data-startfrom]"), file = /files\/book\/examples\/([\w.]+)\.txt$/.exec((listing.querySelector(".caption a.path") || {}).href);
    if (!code || !file || ![...$("labs").options].some((option) => option.value === file[1])) continue;
    const button = page.createElement("button");
    button.className = "try";
    button.textContent = "Edit and run";
    button.onclick = () => open_listing(file[1], Number(code.dataset.startfrom), page.location.pathname);
    listing.querySelector(".caption").append(" ", button);
  }
});

/* A page of its own: at a link, too, since browsers may keep windows from opening. */
function explored(at) {
  const link = made("a", "", "A launch of this kernel, step by step");
  link.href = at;
  link.target = "_blank";
  below(link);
  window.open(at, "_blank");
}

async function command(word) {
  await save();
  say(`${word}…`);
  try {
    const { data } = await ask("POST", `api/lab/${lab.number}/${word}`);
    if (word === "explore" && data.status === 0) explored(`explored/explore-${lab.folder}.html`);
    else below(made("pre", word === "hint" ? "prose" : "", data.said));
    say("");
  } catch (error) { say(error.message); }
}

$("skip").onclick = () => editor.focus();
for (const word of ["grade", "hint", "explore"]) $(word).onclick = () => command(word);
$("reset").onclick = () => {
  if (!lab.folder) return command("reset");
  return banner("Begin this lab anew? Your kernel.cu is kept beside it; its points and hints begin anew, too.", [
    ["Begin anew", () => { banner(""); command("reset"); }],
    ["Leave it", () => { banner(""); later(); }],
  ]);
};

window.addEventListener("beforeunload", () => { if (lab) keep_draft(lab); });

(async () => {
  const theme = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  if (theme) document.documentElement.dataset.theme = theme;
  const { data } = await ask("GET", "api/labs");
  for (const of of data) {
    const option = made("option", "", of.folder ? `${of.lab} ${of.title}` : of.title);
    option.value = of.lab;
    option.dataset.folder = of.folder || "";
    if (of.folder) $("listings").before(option);
    else $("listings").append(option);
  }
  const go = () => {
    const option = [...$("labs").options].find((of) => of.value === location.hash.slice(1)) || $("labs").options[0];
    $("labs").value = option.value;
    open_lab(option.value, option.dataset.folder).catch((error) => fails_for_now(error, go));
  };
  $("labs").onchange = () => { location.hash = $("labs").value; };
  window.addEventListener("hashchange", go);
  go();
})().catch((error) => fails_for_now(error, () => location.reload()));
