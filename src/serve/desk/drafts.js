/* drafts.js: what the file on the disk does not have yet, in this browser: of each lab a draft for each page that writes it, {version: of the file that it began with, text, time, sent: what
 * a save was about to write, after: [{key, time}] of the drafts that it goes on from}. A page changes no draft but its own; others' go only when a file has what they have. */
"use strict";

const drafts = (() => {
  const page = Math.random().toString(36).slice(2);
  const own = (number) => `draft ${number} ${page}`;

  function read(key) {
    try {
      const draft = JSON.parse(localStorage.getItem(key));
      return draft && typeof draft.text === "string" ? { time: 0, after: [], ...draft, key } : null;
    } catch { return null; }
  }

  const is_same = (one, other) => Boolean(one) && one.key === other.key && one.time === other.time;

  /* Those that no other goes on from: this page's first, then the newest. */
  function find(number) {
    let keys = [];
    try { keys = Object.keys(localStorage).filter((key) => key === `draft ${number}` || key.startsWith(`draft ${number} `)); } catch { /* private windows */ }
    const all = keys.map(read).filter(Boolean), is_own = (draft) => draft.key === own(number);
    return all.filter((draft) => !all.some((other) => other.key !== draft.key && other.after.some((earlier) => is_same(draft, earlier))))
      .sort((one, other) => is_own(other) - is_own(one) || other.time - one.time);
  }

  /* False: the browser keeps nothing. */
  function keep(number, written) {
    const key = own(number), draft = read(key);
    if (draft && draft.text === written.text && draft.version === written.version && draft.sent === written.sent) return true;
    try { localStorage.setItem(key, JSON.stringify({ ...written, time: Date.now() })); } catch { return false; }
    return true;
  }

  function remove(key) {
    try { localStorage.removeItem(key); } catch { /* private windows */ }
  }

  return {
    own, find, keep,
    drop: (number) => remove(own(number)),
    /* A file has them: they go, unless their pages have written on. */
    saved: (list) => { for (const draft of list) if (is_same(read(draft.key), draft)) remove(draft.key); },
    is_there: (draft) => is_same(read(draft.key), draft),
  };
})();
