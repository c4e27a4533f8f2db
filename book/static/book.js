// The pages work without this: it adds anchors, buttons that copy, the theme switch, the menu of narrow screens, keys, and answers at the end of
// what is printed. find.js is the search.
(function () {
  "use strict";
  var root = document.documentElement, all = function (selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); };

  function button(label, text) {
    var made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    return made;
  }

  all("main h2[id], main h3[id]").forEach(function (heading) {
    var link = document.createElement("a");
    link.className = "anchor";
    link.href = "#" + heading.id;
    link.textContent = "#";
    link.setAttribute("aria-label", "Link to “" + heading.textContent + "”");
    heading.setAttribute("aria-label", heading.textContent); // else the link's words would be read as the heading's
    heading.appendChild(link);
  });

  // Pages opened from a file may lack the clipboard's own interface.
  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    var area = document.body.appendChild(document.createElement("textarea"));
    area.value = text;
    area.select();
    var done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject();
  }
  all("main pre").forEach(function (pre) {
    var frame = document.createElement("div"), make = button("Copy this listing", "Copy");
    frame.className = "copied";
    pre.parentNode.insertBefore(frame, pre);
    frame.appendChild(pre);
    frame.appendChild(make);
    make.addEventListener("click", function () {
      copy(pre.textContent.replace(/\n$/, "") + "\n").then(function () { make.textContent = "Copied"; }, function () { make.textContent = "Not allowed"; })
        .then(function () { setTimeout(function () { make.textContent = "Copy"; }, 1500); });
    });
  });

  // What is wider than its place can be scrolled by the keyboard: it takes the focus.
  var wide = "main pre, main .wide, main .goals, main .figure, main .devices, main .evidence > *";
  function focusable() {
    all(wide).forEach(function (box) {
      var clips = getComputedStyle(box).overflowX !== "visible", scrolls = clips && box.scrollWidth > box.clientWidth + 1, deep = clips && box.scrollHeight > box.clientHeight + 1;
      box.classList.toggle("scrolls", scrolls);
      box.classList.toggle("deep", deep);
      if (!scrolls && !deep) box.removeAttribute("tabindex");
      else {
        box.tabIndex = 0;
        if (!box.getAttribute("role")) box.setAttribute("role", "group");
        if (!box.getAttribute("aria-label")) box.setAttribute("aria-label", box.tagName === "PRE" ? "Listing" : box.className.indexOf("figure") >= 0 ? "Figure" : "Table");
      }
    });
  }
  focusable();
  window.addEventListener("resize", focusable);
  all("main details").forEach(function (details) { details.addEventListener("toggle", focusable); });

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
  var here = document.querySelector("#contents [aria-current]");
  if (here) document.getElementById("contents").scrollTop = here.offsetTop - 120;

  // What the address names stays in its place while figures above it become ready and grow, until the reader scrolls or does something. Not every
  // browser sees to that.
  function stay() {
    var target = document.getElementById(location.hash.slice(1).split("?")[0]), place = null, scrolled = null, ends = ["scroll", "pointerdown", "keydown"];
    if (!target) return;
    var watch = new ResizeObserver(function () {
      target.scrollIntoView({ behavior: "instant" });
      place = target.getBoundingClientRect().top;
      scrolled = window.scrollY;
    });
    function end(event) {
      if (event.type === "scroll") {
        if (place === null || window.scrollY === scrolled) return; // what was told late: the page may have grown since
        if (Math.abs(target.getBoundingClientRect().top - place) < 2) return void (scrolled = window.scrollY); // the browser saw to it
      }
      watch.disconnect();
      ends.forEach(function (name) { window.removeEventListener(name, end); });
    }
    watch.observe(document.getElementById("text"));
    ends.forEach(function (name) { window.addEventListener(name, end); });
  }
  stay();
  window.addEventListener("hashchange", stay);

  // The arrow keys turn pages, unless they are of use to what has the focus.
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") open(false);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    if (event.target.closest("input, textarea, select, .search, [tabindex], [role=slider], [role=application]")) return;
    if (document.scrollingElement.scrollWidth > window.innerWidth + 1) return;
    var link = document.querySelector(event.key === "ArrowLeft" ? "a[rel=prev]" : "a[rel=next]");
    if (link) link.click();
  });

  // On paper the answers stand at the end, numbered, each place naming its number.
  var printed = null;
  function before() {
    if (printed || !document.querySelector("details.answer")) return;
    printed = document.createElement("section");
    printed.className = "key";
    printed.appendChild(document.createElement("h2")).textContent = "Answers";
    all("details.answer").forEach(function (details, i) {
      var label = document.createElement("p"), entry = printed.appendChild(document.createElement("div"));
      label.className = "see";
      label.textContent = "Answer " + (i + 1) + " is at the end.";
      details.before(label);
      entry.appendChild(document.createElement("p")).innerHTML = "<strong>Answer " + (i + 1) + "</strong>";
      Array.prototype.slice.call(details.children, 1).forEach(function (child) { entry.appendChild(child.cloneNode(true)); });
      details.classList.add("elsewhere");
    });
    all(".key [id]").forEach(function (copied) { copied.removeAttribute("id"); });
    document.querySelector("nav.turn").before(printed);
  }
  function after() {
    if (!printed) return;
    printed.remove();
    printed = null;
    all("p.see").forEach(function (label) { label.remove(); });
    all("details.elsewhere").forEach(function (details) { details.classList.remove("elsewhere"); });
  }
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
})();
