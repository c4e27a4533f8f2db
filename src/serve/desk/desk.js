/* desk.js: a lab's kernel.cu, or the reader's copy of a file that the book quotes, in an editor. What is written is saved when writing pauses, unless the file is another by then; what the grading
 * says comes as events. What the file on the disk does not have yet is in this browser, too (drafts.js), so that nothing is lost with the page or the server. */
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

/* A lab: {number, folder: "" of a listing, known: the file as we know it, {version, text, locked, recorded: points at best}; missed: what was said of it during a save; doc: what
 * is written, the editor's; from: the drafts that it goes on from; is_kept: this browser has what the file does not; sent: what a save is about to write; other: the file that is asked about, which nothing is saved over meanwhile; handed: a text of ours that another page's save has}. Only the
 * lab in the editor changes. */
let lab = null;
let stream = null, timer = 0, saving = null, marks = [];

/* --- said above and below ------------------------------------------------------------------------------------------------- */

let graded = "", doing = ""; /* what the grading does, and what a button's command does */

function say(text) {
  graded = text;
  $("state").textContent = doing || graded;
}

function say_doing(text) {
  doing = text;
  say(graded);
}

/* Whether the file has what stands here, in a word. */
function tell_saved() {
  const waits = ["asks", "fails"].includes($("banner").dataset.kind);
  $("saved").textContent = !lab ? "" : lab.known.locked ? "only shown" : (is_clean(lab) && !lab.other) || text_of(lab) === lab.handed ? "saved" : waits ? "not saved" : "saving…";
}

/* kind: "asks": nothing is saved before somebody has decided; "fails": it goes when the server answers again; "notes"; "": nothing is to be said. */
function banner(kind, text, buttons, ...more) {
  if (lab && lab.other && is_asked() && ["fails", "notes"].includes(kind)) return tell_saved(); /* what is asked stays until it is decided */
  if (kind === "fails" && $("banner").dataset.kind === kind && $("banner").textContent === text) return tell_saved(); /* readers of screens say it once */
  $("banner").hidden = !kind;
  $("banner").dataset.kind = kind;
  $("banner").replaceChildren(text || "", ...more);
  for (const [name, act] of buttons || []) {
    const button = made("button", "", name);
    button.onclick = act;
    $("banner").append(button);
  }
  tell_saved();
}

const is_asked = () => $("banner").dataset.kind === "asks";
const quiet = (kind) => { if ($("banner").dataset.kind === kind) banner(""); };
const note = (text) => banner("notes", text, [["Close", () => banner("")]]);

/* Why nothing reaches the file, where what was written is, and what to do. */
function fails(error) {
  const moved = error.status === 403, nobody = error instanceof TypeError;
  const why = moved ? "The server was started anew, and its address has changed: open the one that make serve printed last. This page can save nothing."
    : nobody ? "The server does not answer: make serve starts it again, and prints its address." : `${error.message}.`;
  const is_new = lab && !is_clean(lab), handed = is_new && lab.handed === text_of(lab);
  const where = handed ? " What was written here is saved, by another tab."
    : !is_new ? "" : !lab.is_kept ? " This browser keeps nothing: copy what you wrote before you close the page."
    : ` What you write stays in this browser, ${moved ? "and the new address shows it" : "which tries again"}.`;
  banner("fails", `${is_new && !handed ? "Not saved. " : ""}${why}${where}`);
}

let is_asked_for = false; /* what stands below stays until something else is asked for, or written */

function below(...what) {
  const close = made("button", "close", "Close");
  close.onclick = () => { is_asked_for = false; show(shown); };
  is_asked_for = true;
  $("below").replaceChildren(close, ...what);
}

async function ask(method, path, body, version) {
  const answer = await fetch(path, { method, body, headers: version === undefined ? {} : { "X-Version": version } });
  const data = await answer.json().catch(() => ({ error: "the server's answer is cut off" }));
  if (!answer.ok && answer.status !== 409) throw Object.assign(new Error(data.error), { status: answer.status });
  return { changed: answer.status === 409, data };
}

/* What could not be asked, since nobody answered, is asked again. */
function fails_for_now(error, again) {
  fails(error);
  if (error instanceof TypeError) setTimeout(again, AGAIN_MS);
}

/* --- the text ------------------------------------------------------------------------------------------------------------- */

/* The editor has lines; a file whose lines all end in CR LF is written with them. Others' single CRs become LF where something else is changed. */
const lines_of = (text) => text.replace(/\r\n?/g, "\n");
const ends_of = (text) => (/\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n");
const text_of = (of) => of.doc.getValue(ends_of(of.known.text));
const is_clean = (of) => of.doc.getValue() === lines_of(of.known.text);
const name_of = (of) => (of.folder ? "kernel.cu" : of.number);

function keep_draft(of) {
  const text = text_of(of);
  if (text !== of.handed) of.handed = undefined;
  if (is_clean(of)) drafts.drop(of.number);
  else if (of.handed === undefined) of.is_kept = drafts.keep(of.number, { version: of.known.version, text, sent: of.sent, after: of.from.map(({ key, time }) => ({ key, time })) });
  tell_saved();
}

/* A file has what we wrote, and what that goes on from. */
function is_saved(of) {
  drafts.saved(of.from);
  of.from = [];
  keep_draft(of);
}

/* Another page's save has what we wrote. */
window.addEventListener("storage", (event) => {
  if (event.key === "theme") return set_theme(event.newValue);
  if (!lab || event.key !== drafts.own(lab.number) || event.newValue !== null || JSON.parse(event.oldValue).text !== text_of(lab)) return;
  lab.handed = text_of(lab);
  if ($("banner").dataset.kind === "fails") save();
});

/* What gives way to another text is kept in a file beside it, whose name is returned. */
async function put_aside(of, text) {
  return text ? (await ask("POST", `api/lab/${of.number}/keep`, text)).data.said : "";
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
  of.other = null;
  of.handed = undefined; /* the file may have another by now */
  if (!mine) set_text(of, state.text);
  if (of === lab) {
    quiet("asks");
    lock(of);
  }
  if (mine && is_clean(of)) is_saved(of);
  else keep_draft(of);
}

/* What cannot be saved as it was is only shown. */
function lock(of) {
  editor.setOption("readOnly", Boolean(of.known.locked));
  if (of.known.locked) banner("asks", `${name_of(of)} is only shown here: ${of.known.locked}.`);
}

/* Where two texts differ: its first line, from 0, and the lines of both from the first to the last that differs. */
function difference(here, there) {
  const a = here.split("\n"), b = there.split("\n");
  let line = 0, end = 0;
  while (line < a.length && line < b.length && a[line] === b[line]) line++;
  while (end < a.length - line && end < b.length - line && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { line, here: a.slice(line, a.length - end), there: b.slice(line, b.length - end) };
}

/* The one that is chosen stands; the other is kept. */
async function decide(of, state, mine) {
  const text = text_of(of);
  for (const button of $("banner").querySelectorAll("button")) button.disabled = true;
  try {
    const name = await put_aside(of, mine ? state.text : text);
    if (of !== lab || of.other !== state) return;
    if (text_of(of) !== text) return clash(of, state);
    if (!mine) drafts.saved(of.from.splice(0));
    take(of, state, mine);
    if (mine) await save();
    if (name && !$("banner").dataset.kind) note(`The other text is kept: ${name}.`);
  } catch (error) {
    if (of === lab && of.other === state) clash(of, state, ` Nothing was changed: ${error.message}.`);
  }
}

function clash(of, state, wrong) {
  const text = text_of(of), [draft] = of.from;
  /* What another page has saved, or has in hand, is no quarrel of ours. */
  if (text === of.handed || (draft && text === draft.text && !drafts.is_there(draft))) return take(of, state);
  clearTimeout(timer);
  of.other = state;
  const { line, here, there } = difference(of.doc.getValue(), lines_of(state.text));
  const shown_as = (name, lines) => [made("b", "", name), made("pre", "", lines.join("\n") || "(no such line)")];
  banner("asks", `${name_of(of)} was changed elsewhere while you wrote here. They differ from line ${line + 1} on; the one that you do not take is kept beside it.${wrong || ""}`, [
    ["Take the file", () => decide(of, state)],
    ["Keep what is here", () => decide(of, state, true)],
    [`Show line ${line + 1}`, () => { editor.focus(); editor.setCursor({ line, ch: 0 }); }],
  ], ...shown_as("Here:", here), ...shown_as("In the file:", there));
}

/* Where one is under way: when that has ended. Nothing is sent while it is asked which text stands. */
function save() {
  clearTimeout(timer);
  if (lab && lab.other) return void (is_asked() || clash(lab, lab.other));
  if (!saving && lab && !is_clean(lab)) saving = save_text(lab).finally(() => after_save(lab));
  return saving;
}

async function save_text(of) {
  const text = text_of(of);
  try {
    of.sent = text;
    const { changed, data } = await ask("PUT", `api/lab/${of.number}`, text, of.known.version);
    of.sent = undefined;
    if (changed) return data.text === text ? take(of, data, true) : of === lab && clash(of, data);
    of.known = { ...data, text };
    is_saved(of);
    if (of === lab) quiet("fails");
  } catch (error) {
    fails(error);
    timer = setTimeout(save, AGAIN_MS);
  }
}

function after_save(of) {
  saving = null;
  if (of.missed) outside(of, of.missed);
  if (!is_clean(of) && !is_asked() && $("banner").dataset.kind !== "fails") later();
}

/* What is written is on the disk before something is done to it. False: it is not, and the banner says why. */
async function is_written() {
  await saving;
  await save();
  return !lab.other && (is_clean(lab) || !["asks", "fails"].includes($("banner").dataset.kind));
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(save, SAVE_MS);
}

editor.on("change", (cm, change) => {
  if (!lab || change.origin === "file" || change.origin === "setValue") return;
  is_asked_for = false;
  $("bench").classList.add("stale");
  say("");
  keep_draft(lab);
  if (!is_asked()) later();
});

/* A change outside: taken where nothing of ours would be lost. */
function outside(of, state) {
  const is_same = (file) => state.version === file.version && state.locked === file.locked;
  of.missed = saving ? state : null;
  if (saving || is_same(of.other || of.known)) return;
  if (state.text === text_of(of)) take(of, state, true);
  else if (of.other && is_same(of.known)) { /* what we began with, again */
    take(of, state, true);
    later();
  }
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

const total = (goals, of) => goals.reduce((sum, goal) => sum + goal[of], 0);

/* Points of a grading as one writes are remembered by Grade alone. */
function points(remarks) {
  const goals = remarks.goals || [], best = lab && lab.known.recorded, got = total(goals, "score");
  if (!goals.length) return [];
  const solved = got >= total(goals, "points"), labs = [...$("labs").options].filter((option) => option.dataset.folder);
  const next = labs[labs.findIndex((option) => option.value === lab.number) + 1];
  const head = made("h2", "", `${solved ? "Solved: " : ""}${remarks.said}, `);
  head.append(best !== undefined && best > got - 0.05 ? `recorded: ${+best.toFixed(1)}` : made("b", "", "not recorded yet: Grade records them"));
  if (solved && next) {
    const link = made("a", "", `Next: ${next.textContent}`);
    link.href = `#${next.value}`;
    head.append(". ", link);
  }
  return [head, ...goals.map(goal)];
}

function show(remarks) {
  const caret = editor.cursorCoords(true, "local"), view = editor.getScrollInfo(), is_seen = caret.bottom > view.top && caret.top < view.top + view.clientHeight;
  shown = remarks;
  unmark();
  $("bench").classList.remove("stale");
  editor.operation(() => {
    const findings = (remarks.diagnostics || []).map(finding);
    for (const line of remarks.lines || []) if (line.line > 0 && line.line < editor.lineCount()) add_count(line);
    if (!is_asked_for) $("below").replaceChildren(...findings);
  });
  $("score").replaceChildren(...points(remarks));
  editor.refresh(); /* what stands above and below takes room */
  if (is_seen) editor.scrollIntoView(null, editor.defaultTextHeight());
  say(remarks.unsandboxed ? `not graded: ${remarks.unsandboxed}` : (remarks.goals || []).length ? "graded" : remarks.said || "");
}

/* --- labs ----------------------------------------------------------------------------------------------------------------- */

function listen(of) {
  const grading = () => {
    $("bench").classList.add("stale");
    say(of.folder ? "grading as you write…" : "launching…");
  };
  stream = new EventSource(`api/lab/${of.number}/events`);
  const on = (name, act) => stream.addEventListener(name, (event) => { if (of === lab) act(JSON.parse(event.data)); });
  on("hello", (state) => {
    quiet("fails");
    of.known.recorded = state.recorded;
    outside(of, state);
    if (!is_clean(of) && !is_asked()) later();
    if (state.remarks) show(state.remarks);
    else if (state.version) grading();
  });
  on("text", (state) => outside(of, state));
  on("grading", grading);
  on("remarks", (remarks) => (is_clean(of) ? show(remarks) : say("")));
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { if (of === lab) listen(of); }, AGAIN_MS); /* as Firefox leaves it after a reset */
    if (is_asked() || of !== lab) return;
    ask("GET", "api/labs").catch((error) => { if (of === lab && !is_asked()) fails(error); }); /* streams do not say why */
  };
}

/* A draft and those that it goes on from: when it is in a file, none of them comes up again. */
const and_earlier = (draft) => [draft, ...draft.after];

async function open_lab(number, folder) {
  if (lab) await is_written();
  if (lab && !is_clean(lab) && !lab.is_kept) return void (location.hash = lab.number); /* it would be lost; the banner says so */
  clearTimeout(timer);
  if (stream) stream.close();
  const { data } = await ask("GET", `api/lab/${number}`);
  if (number !== $("labs").value) return; /* another was chosen since */
  const of = { number, folder, known: data, doc: CodeMirror.Doc(data.text, "text/x-c++src"), from: [], is_kept: true };
  const found = drafts.find(number), [kept, ...others] = found.filter((draft) => draft.text !== data.text);
  drafts.saved(found.filter((draft) => draft.text === data.text).flatMap(and_earlier));
  banner("");
  is_asked_for = false;
  lab = null;
  editor.swapDoc(of.doc);
  lab = of;
  show({});
  lock(of);
  document.title = `${data.title}: Thirty-Two`;
  if (kept) {
    of.from = kept.key === drafts.own(number) ? kept.after : [kept, ...kept.after];
    set_text(of, kept.text);
    if (kept.version === data.version || kept.sent === data.text) later();
    else {
      of.known = { ...data, version: kept.version }; /* of a text that is not decided about */
      clash(of, data);
    }
  }
  tell_saved();
  if (folder || !$("chapter").getAttribute("src")) $("chapter").src = `book/${folder || read_chapter(number)}.html`;
  for (const word of ["grade", "hint", "explore"]) $(word).hidden = !folder;
  $("reset").textContent = folder ? "Reset" : "Put back";
  $("reset").title = folder ? "Begins the lab anew; your file is kept beside it" : "The book's text again; yours is kept beside it";
  go_to_listing(of);
  listen(of);
  await keep_others(of, others);
}

/* Several tabs were left before their text was saved: one is in the editor, the others are kept beside the file. */
async function keep_others(of, others) {
  const names = [], said = [];
  for (const draft of others) {
    try {
      names.push(await put_aside(of, draft.text));
      drafts.saved(and_earlier(draft));
    } catch (error) { said[1] = `Some stays in this browser alone: ${error.message}.`; }
  }
  if (names.some(Boolean)) said[0] = `It is kept: ${names.filter(Boolean).join(", ")}.`;
  if (said.length && of === lab && !$("banner").dataset.kind) note(["Other tabs had text of this lab that was not saved.", ...said.filter(Boolean)].join(" "));
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
  try { localStorage["stepping launch"] = "yes"; } catch { /* private windows */ } /* what the button promised is open there */
  const link = made("a", "", "A launch of this kernel, step by step");
  link.href = at;
  link.target = "_blank";
  below(link);
  window.open(at, "_blank");
}

const DOING = { grade: "Grade runs…", hint: "looking for a hint…", explore: "exploring…", reset: "resetting…" };

async function command(word) {
  const of = lab;
  if (!of || !(await is_written())) return;
  say_doing(DOING[word]);
  try {
    const { data } = await ask("POST", `api/lab/${of.number}/${word}`);
    of.known.recorded = data.recorded;
    if (word === "explore" && data.status === 0) explored(`explored/explore-${of.folder}.html`);
    else below(...(of === lab ? [] : [made("b", "", `Lab ${of.number}:`)]), made("pre", word === "hint" ? "prose" : "", data.said));
    if (of === lab) $("score").replaceChildren(...points(shown));
  } catch (error) {
    if (error.status && error.status !== 403) note(`${error.message}.`);
    else fails(error);
  }
  say_doing("");
}

$("skip").onclick = () => editor.focus();
for (const word of ["grade", "hint", "explore"]) $(word).onclick = () => command(word);
$("reset").onclick = () => {
  if (!lab.folder) return command("reset");
  return banner("asks", "Begin this lab anew? Your kernel.cu is kept beside it; its points and hints begin anew, too.", [
    ["Begin anew", () => { banner(""); command("reset"); }],
    ["Leave it", () => { banner(""); save(); }],
  ]);
};

window.addEventListener("beforeunload", (event) => {
  if (!lab) return;
  keep_draft(lab);
  if (!is_clean(lab) && !lab.is_kept) event.preventDefault(); /* the browser asks */
});

/* A line that is broken goes on below its own first column. */
editor.on("renderLine", (cm, line, element) => {
  const indent = (CodeMirror.countColumn(line.text, null, cm.getOption("tabSize")) + 2) * cm.defaultCharWidth();
  element.style.textIndent = `-${indent}px`;
  element.style.paddingLeft = `${indent + 4}px`; /* CodeMirror's own are 4 */
});

function set_theme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

(async () => {
  const theme = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  set_theme(theme);
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
