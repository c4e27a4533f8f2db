// The pages work without this: it adds anchors, search, the theme switch and the menu of narrow screens.
(function () {
  "use strict";
  var root = document.documentElement;

  document.querySelectorAll("main h2[id], main h3[id]").forEach(function (heading) {
    var link = document.createElement("a");
    link.className = "anchor";
    link.href = "#" + heading.id;
    link.textContent = "#";
    link.setAttribute("aria-label", "Link to this section");
    heading.appendChild(link);
  });

  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.theme = root.dataset.theme; } catch (e) { /* pages opened from a file may not store */ }
  });

  var menu = document.getElementById("menu");
  function open(yes) {
    document.body.classList.toggle("open", yes);
    menu.setAttribute("aria-expanded", String(yes));
  }
  menu.addEventListener("click", function () { open(!document.body.classList.contains("open")); });
  document.getElementById("contents").addEventListener("click", function (event) { if (event.target.closest("a")) open(false); });

  var input = document.getElementById("search"), found = document.getElementById("found");

  // Sections that hold every word: first where the words are in bold, as they are defined there, then those with more of them in the title.
  function look(query) {
    var words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    return (window.SEARCH || []).map(function (s) {
      var title = (s[1] + " " + s[2]).toLowerCase(), text = s[3].toLowerCase(), score = s[4].indexOf("|" + words.join(" ") + "|") >= 0 ? 100 : 0;
      for (var i = 0; i < words.length; i++) {
        if (title.indexOf(words[i]) >= 0) score += 10;
        else if (text.indexOf(words[i]) >= 0) score += 1;
        else return null;
      }
      return { section: s, score: score, at: text.indexOf(words[0]) };
    }).filter(Boolean).sort(function (a, b) { return b.score - a.score; }).slice(0, 12);
  }

  function show() {
    found.textContent = "";
    var hits = look(input.value);
    hits.forEach(function (hit) {
      var item = document.createElement("li"), link = document.createElement("a"), words = document.createElement("small");
      link.href = hit.section[0];
      link.textContent = hit.section[1] + (hit.section[2] ? ": " + hit.section[2] : "");
      words.textContent = "… " + hit.section[3].substr(Math.max(0, hit.at - 40), 120) + " …";
      link.appendChild(words);
      item.appendChild(link);
      found.appendChild(item);
    });
    if (input.value.trim() && !hits.length) {
      var none = document.createElement("li");
      none.textContent = "Nothing found.";
      found.appendChild(none);
    }
    found.hidden = !input.value.trim();
  }

  function step(by) {
    var links = Array.prototype.slice.call(found.querySelectorAll("a"));
    var next = links[links.indexOf(document.activeElement) + by];
    (next || (by < 0 ? input : links[0]) || input).focus();
  }

  input.addEventListener("input", show);
  document.addEventListener("keydown", function (event) {
    var typing = /^(input|textarea|select)$/i.test(event.target.tagName);
    if (event.key === "/" && !typing) { event.preventDefault(); input.focus(); }
    else if (event.key === "Escape") { found.hidden = true; open(false); }
    else if (!found.hidden && event.key === "ArrowDown") { event.preventDefault(); step(1); }
    else if (!found.hidden && event.key === "ArrowUp") { event.preventDefault(); step(-1); }
    else if (!found.hidden && event.key === "Enter" && event.target === input) { var first = found.querySelector("a"); if (first) first.click(); }
    else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      var turn = document.querySelector(event.key === "ArrowLeft" ? "a[rel=prev]" : "a[rel=next]");
      if (turn && found.hidden) turn.click();
    }
  });
  document.addEventListener("click", function (event) { if (!event.target.closest(".search")) found.hidden = true; });
})();
