// The search: over the words of all pages (search.js, which is fetched at the first use), with synonyms, best sections first. Where nothing is found, for
// words of the pages that differ by a letter or two.
(function () {
  "use strict";
  var input = document.getElementById("search"), found = document.getElementById("found"), asked = false;

  function load() {
    if (asked) return;
    asked = true;
    var script = document.createElement("script");
    script.src = "search.js";
    script.onload = function () { prepare(); show(); };
    document.head.appendChild(script);
  }

  // A section as the pages have it: [link, page, heading, words, what is in bold between bars].
  function prepare() {
    window.SEARCH.forEach(function (s) {
      s.heading = (s[1] + " " + s[2]).toLowerCase();
      s.text = s[3].toLowerCase();
    });
  }

  // Short words must be whole, longer ones may go on: "sm" is not in "small", "coalesc" is in "coalesced".
  function pattern(words) {
    var text = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
    return new RegExp("(^|[^a-z0-9_])(" + text + (words.length < 4 ? "s?(?![a-z0-9_])" : "") + ")", "g");
  }

  function count(text, re) { return (text.match(re) || []).length; }

  // What is asked for, as groups of which each must be found: a word or a known name of several, with the names that mean the same.
  function groups(query) {
    var rest = " " + query.toLowerCase().replace(/\s+/g, " ").trim() + " ", list = [];
    (window.SYNONYMS || []).forEach(function (names) {
      names.forEach(function (name) {
        var at = rest.search(pattern(name));
        if (at < 0 || (name.length >= 4 && rest.charAt(rest.indexOf(name, at) + name.length).match(/[a-z0-9_]/) && !rest.match(name + "s "))) return;
        rest = rest.replace(rest.indexOf(name + "s ") >= 0 ? name + "s" : name, " ");
        list.push([name].concat(names.filter(function (other) { return other !== name; })));
      });
    });
    return list.concat(rest.split(/\s+/).filter(function (word) { return /[a-z0-9]/.test(word); }).map(function (word) { return [word]; }));
  }

  // The asked word itself counts in full, its synonyms for less; headings and definitions before mere mentions, and of these the denser section.
  function worth(section, names) {
    return names.reduce(function (best, name, i) {
      var re = pattern(name), times = count(section.text, re);
      var score = (section[4].indexOf("|" + name.replace(/s$/, "") + "|") >= 0 ? 60 : 0) + (count(section.heading, re) ? 40 : 0) +
        (times ? 4 + 200 * times / (200 + section.text.length / 6) : 0);
      return Math.max(best, i ? 0.7 * score : score);
    }, 0);
  }

  function look(query) {
    var wanted = groups(query);
    if (!wanted.length) return [];
    return (window.SEARCH || []).map(function (section) {
      var scores = wanted.map(function (names) { return worth(section, names); });
      // What a chapter explains the glossary says in a line, and an appendix for who looks it up: the chapter first.
      var share = /^glossary/.test(section[0]) ? 0.6 : /^appendix/.test(section[0]) ? 0.8 : 1;
      scores = scores.map(function (score) { return share * score; });
      return { section: section, names: [].concat.apply([], wanted), score: scores.indexOf(0) >= 0 ? 0 : scores.reduce(function (a, b) { return a + b; }) };
    }).filter(function (hit) { return hit.score > 0; }).sort(function (a, b) { return b.score - a.score; }).slice(0, 12);
  }

  // How many letters are to be changed, put in, left out or swapped with the next to make one word of another.
  function slips(a, b) {
    var before = [], last = [], now = [];
    for (var j = 0; j <= b.length; j++) now[j] = j;
    for (var i = 1; i <= a.length; i++) {
      before = last;
      last = now;
      now = [i];
      for (j = 1; j <= b.length; j++) {
        now[j] = Math.min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) now[j] = Math.min(now[j], before[j - 2] + 1);
      }
    }
    return now[b.length];
  }

  // The query with each word that no page has as the nearest that one has, the commonest of equals.
  function corrected(query) {
    var times = new Map();
    window.SEARCH.forEach(function (s) { (s.heading + " " + s.text).split(/[^a-z]+/).forEach(function (word) { times.set(word, (times.get(word) || 0) + 1); }); });
    return query.toLowerCase().replace(/[a-z]{4,}/g, function (word) {
      var best = word, least = word.length < 7 ? 1.5 : 2.5;
      if (window.SEARCH.some(function (s) { return count(s.text, pattern(word)); })) return word;
      times.forEach(function (often, other) {
        var far = Math.abs(other.length - word.length) > 2 ? 9 : slips(word, other) + 0.5 / (1 + often);
        if (far < least) { least = far; best = other; }
      });
      return best;
    });
  }

  // Some words around the first place, the asked ones marked.
  function excerpt(hit) {
    var small = document.createElement("small"), re = new RegExp(hit.names.map(function (n) { return pattern(n).source; }).join("|"), "g");
    var first = hit.section.text.search(re), from = first > 40 ? hit.section.text.indexOf(" ", first - 40) + 1 : 0;
    var text = hit.section[3].slice(from, from + 130), last = 0;
    small.append(from ? "… " : "");
    text.toLowerCase().replace(re, function (match) {
      var at = arguments[arguments.length - 2], end = at + match.length;
      if (/^[^a-z0-9_]/.test(match)) at++; // what stands before the word
      small.append(text.slice(last, at));
      small.appendChild(document.createElement("mark")).textContent = text.slice(at, end);
      last = end;
    });
    small.append(text.slice(last) + " …");
    return small;
  }

  function show() {
    found.textContent = "";
    var asking = input.value.trim(), hits = asking && window.SEARCH ? look(asking) : [], instead = "";
    if (asking && window.SEARCH && !hits.length) hits = look(instead = corrected(asking));
    if (hits.length && instead) found.appendChild(document.createElement("li")).textContent = "Found for “" + instead + "”:";
    hits.forEach(function (hit) {
      var item = found.appendChild(document.createElement("li")), link = item.appendChild(document.createElement("a"));
      link.href = hit.section[0];
      link.textContent = hit.section[1] + (hit.section[2] ? ": " + hit.section[2] : "");
      link.appendChild(excerpt(hit));
    });
    if (asking && window.SEARCH && !hits.length) found.appendChild(document.createElement("li")).textContent = "Nothing found.";
    found.hidden = !asking;
    document.getElementById("count").textContent = asking && window.SEARCH ? (hits.length || "No") + " sections found" + (hits.length && instead ? " for “" + instead + "”" : "") : "";
  }

  function step(by) {
    var links = Array.prototype.slice.call(found.querySelectorAll("a"));
    var next = links[links.indexOf(document.activeElement) + by];
    (next || (by < 0 ? input : links[0]) || input).focus();
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", function () { load(); show(); });
  document.querySelector(".search").addEventListener("keydown", function (event) {
    if (found.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); step(event.key === "ArrowDown" ? 1 : -1); }
    else if (event.key === "Enter" && event.target === input) { var first = found.querySelector("a"); if (first) first.click(); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/^(input|textarea|select)$/i.test(event.target.tagName)) { event.preventDefault(); input.focus({ preventScroll: true }); } // the bar is always in sight
    else if (event.key === "Escape") found.hidden = true;
  });
  document.addEventListener("click", function (event) { if (!event.target.closest(".search")) found.hidden = true; });
})();
