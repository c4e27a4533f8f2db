// explorer.js: <warp-explorer>, a launch that a reader takes hold of. The element holds a description, JSON in a
// script element, and the figure that is seen without it:
//
//   program: a key of window.PROGRAMS, whose entries are {path, source, ptx}
//   words: what `warpscope launch FILE` is given, with {name} or {32*name} where a control stands
//   controls: [{name, label, value, and from, to, step or of: [choices]}]
//   arrays: [{label, size: bytes of an element, columns: of a matrix, or 0}] in the order of the kernel's buffers
//   places: {kernel: [first, last] of its lines}
//   task: a sentence; access: with which of the first warp's accesses it begins, else the costliest; rows: the most that a picture takes, of four
//   sectors or of one wavefront, wherever the controls stand: it has their room from the first
//
// In another author's page a launch that `warpscope explore -o NAME.js` wrote is named instead, <warp-explorer launch="NAME">: it is drawn in a shadow
// tree, so that neither page's style reaches the other's.
//
// The engine (engine.js) computes everything that is shown; traced.js knows the steps of its answer, views.js draws them.
(function () {
  "use strict";
  var views = window.WarpViews, TracedWarp = window.TracedWarp, escape = views.escape, plural = views.plural;

  // A barrier at which a warp waits for others.
  var BARRIER = /^(@\S+ )?(bar|barrier)(\.cta)?\.(sync|red)\b/;

  // What has the focus, in whichever tree.
  function focused() {
    for (var at = document.activeElement; at && at.shadowRoot && at.shadowRoot.activeElement;) at = at.shadowRoot.activeElement;
    return at;
  }

  // The book's style for a shadow tree: what it says of the page's root is said of the element.
  function embedded_style() {
    return window.EXPLORER_STYLE.replace(/:root(\[[^\]]*\]|:not\([^)]*\))?/g, function (all, more) { return more ? ":host(" + more + ")" : ":host"; }) +
      ":host { display: block; margin: 1.5rem 0; color: var(--text); color-scheme: light dark; }";
  }

  // A reader who tabs through the page keeps what has the focus where it is seen, also while an explorer above it grows.
  function keeping_focus_in_sight(change) {
    var focus = focused(), before = focus && focus.getBoundingClientRect();
    var seen = before && focus !== document.body && before.bottom > 0 && before.top < innerHeight;
    change();
    if (seen && focus.isConnected) scrollBy({ top: focus.getBoundingClientRect().top - before.top, behavior: "instant" });
  }

  // --- the element

  class WarpExplorer extends HTMLElement {
    connectedCallback() {
      var launch = this.getAttribute("launch");
      if (this.spec || (launch && !(window.LAUNCHES && window.LAUNCHES[launch]))) return; // its script, which is to come, calls again
      this.spec = launch ? window.LAUNCHES[launch] : JSON.parse(this.querySelector('script[type="application/json"]').textContent);
      this.root = this;
      if (launch) {
        this.id = this.id || launch;
        this.root = this.attachShadow({ mode: "open" });
        this.root.appendChild(document.createElement("style")).textContent = embedded_style();
      }
      this.figure = Array.from(this.children).filter(function (c) { return c.tagName !== "SCRIPT"; });
      this.controls = this.spec.controls || [];
      this.values = {};
      this.controls.forEach(function (c) { this.values[c.name] = c.value; }, this);
      this.block = 0;
      this.warp = 0;
      this.at = -1; // the step of this warp; -1: its first access
      this.lane = null; // the one that is followed
      this.glanced = null; // the one below the pointer
      this.kept = ""; // the query of what was kept for comparison
      this.read_address();
      var self = this, watch = new IntersectionObserver(function (entries) {
        if (!entries.some(function (e) { return e.isIntersecting; })) return;
        watch.disconnect();
        window.engine.ready().then(function () {
          keeping_focus_in_sight(function () { self.build(); });
          self.launch();
        }, function (error) { self.leave(error); });
      }, { rootMargin: "400px" });
      watch.observe(this);
      window.addEventListener("hashchange", function () { if (self.read_address() && self.built) { self.uncover(); self.show_controls(); self.launch(); } });
    }

    disconnectedCallback() { clearInterval(this.playing); }

    // Without the engine the figure stays, and says why it does not move.
    leave(error) {
      var note = document.createElement("p");
      note.className = "still";
      note.textContent = "This figure stands still here: " + error.message + ".";
      this.root.appendChild(note);
    }

    // --- the state in the address: #id?stride=4&warp=0&step=12; kept: the query of what was kept for comparison

    // What a query says; `linked` where it names a step.
    parsed(query) {
      var state = { values: Object.assign({}, this.values), block: 0, warp: 0, at: -1, lane: null, chosen: "", kept: "", linked: false };
      new URLSearchParams(query).forEach(function (value, key) {
        var control = this.controls.find(function (c) { return c.name === key; }), number = Number(value);
        if (control && control.of && control.of.includes(value)) state.values[key] = value;
        else if (control && !control.of && number >= control.from && number <= control.to) state.values[key] = Math.round(number);
        else if (key === "block" && number >= 0) state.block = Math.floor(number);
        else if (key === "lane" && /^([12]?\d|3[01])$/.test(value)) state.lane = number;
        else if (key === "show") state.chosen = value;
        else if (key === "kept") state.kept = value;
        else if (key === "warp" && number >= 0) state.warp = Math.floor(number);
        else if (key === "step" && number >= 0) { state.at = Math.floor(number); state.linked = true; }
      }, this);
      return state;
    }

    read_address() {
      var parts = location.hash.slice(1).split("?"), self = this;
      // Theirs is not decoded, which is refused where it is malformed.
      if ((parts[0] !== this.id && parts[0] !== encodeURIComponent(this.id)) || parts.length < 2) return false;
      Object.assign(this, this.parsed(parts.slice(1).join("?")));
      requestAnimationFrame(function () { self.scrollIntoView({ block: "start" }); });
      return true;
    }

    query() {
      var query = new URLSearchParams(this.values);
      query.set("block", this.block);
      query.set("warp", this.warp);
      query.set("step", this.at);
      if (this.lane !== null) query.set("lane", this.lane);
      if (this.chosen) query.set("show", this.chosen);
      return query;
    }

    state() {
      var query = this.query();
      if (this.kept) query.set("kept", this.kept);
      return "#" + encodeURIComponent(this.id) + "?" + query;
    }

    // A moment after the last step, since browsers refuse an address that changes too often.
    write_address() {
      var self = this;
      clearTimeout(this.writing);
      this.writing = setTimeout(function () {
        self.writing = 0;
        try { history.replaceState(null, "", self.state()); } catch (e) { /* some refuse one for what was opened from a file */ }
      }, 250);
    }

    copy_link() {
      var said = this.part(".copied"), link = location.href.replace(/#.*$/, "") + this.state();
      function failed() { said.textContent = "Copying is not allowed here: " + link; }
      if (!navigator.clipboard) return failed();
      return navigator.clipboard.writeText(link).then(function () { said.textContent = "Copied."; }, failed);
    }

    // --- what stands there once

    build() {
      var program = window.PROGRAMS[this.spec.program], shell = document.createElement("div");
      this.program = program;
      shell.className = "explorer";
      shell.innerHTML = views.shell(this.controls, this.id, this.spec.task);
      this.shell = shell;
      var had_focus = this.contains(document.activeElement);
      this.figure.forEach(function (element) { element.hidden = true; });
      this.root.insertBefore(shell, this.root.firstChild);
      this.built = true;
      this.show_controls();
      this.listen();
      this.cover();
      if (this.linked || this.remembered()) this.part(".stepping").open = true;
      if (had_focus) this.part(shell.classList.contains("covered") ? ".cover button" : ".warp32").focus({ preventScroll: true }); // what had it, in the figure, is hidden now
    }

    // Right behind a question whose answer is folded away, what is seen here would give it: it waits for the prediction. A link to it does not.
    cover() {
      var before = this.previousElementSibling, self = this;
      while (before && before.tagName === "SCRIPT") before = before.previousElementSibling;
      var answer = before && before.matches(".predict") && !this.linked && before.querySelector("details.answer:not([open])");
      this.shell.classList.toggle("covered", !!answer);
      if (answer) answer.addEventListener("toggle", function () { self.uncover(); }, { once: true });
    }

    // Whether it was being stepped through when the page was read last.
    remembered(yes) {
      try {
        if (yes !== undefined) localStorage["stepping " + this.id] = yes ? "yes" : "";
        return localStorage["stepping " + this.id] === "yes";
      } catch (e) { return false; /* pages opened from a file may not store */ }
    }

    uncover() {
      var shell = this.shell;
      keeping_focus_in_sight(function () { shell.classList.remove("covered"); });
      if (this.trace) this.show_line(); // what is not seen cannot be scrolled
    }

    part(selector) { return this.shell.querySelector(selector); }

    show_controls() {
      this.controls.forEach(function (c) {
        var field = this.part('[data-control="' + c.name + '"]');
        field.value = this.values[c.name];
        if (field.nextElementSibling) field.nextElementSibling.textContent = this.values[c.name];
      }, this);
      this.part("input.warp").value = this.warp;
      this.part("input.block").value = this.block;
    }

    listen() {
      var self = this;
      this.shell.addEventListener("input", function (event) {
        var field = event.target, name = field.dataset.control;
        if (name) {
          self.values[name] = field.tagName === "SELECT" ? field.value : Number(field.value);
          self.complain("");
          self.show_controls();
          self.launch();
          self.write_address();
        } else if (field.matches(".steps")) self.go(Number(field.value));
        else if (field.matches(".warp, .block") && field.value !== "") self.go_to(field);
        else if (field.matches("select.value")) { self.chosen = field.value; self.show(); self.write_address(); }
      });
      this.shell.addEventListener("change", function (event) { if (event.target.matches(".warp, .block")) self.show_controls(); }); // what was refused goes
      this.shell.addEventListener("click", function (event) {
        var button = event.target.closest("[data-do]"), of = event.target.closest("[data-lanes]");
        if (button) self.act(button.dataset.do);
        var line = event.target.closest(".source li"), marks = event.target.closest(".marks");
        if (line && self.trace) self.go(self.trace.next_of_line(self.at, line.value));
        if (marks) self.go_mark(event.clientX);
        if (!of) return;
        var list = of.dataset.lanes.split(" ").map(Number), at = list.indexOf(self.lane); // a word that several want: one after the other
        self.choose(at < list.length - 1 ? list[at + 1] : null);
      });
      this.listen_to_pointer(this.part(".picture"));
      this.part(".stepping > summary").addEventListener("click", function (event) { self.remembered(!event.target.parentNode.open); });
      this.part(".stepping").addEventListener("toggle", function () { if (self.trace) self.show_line(); }); // what was not seen could not be scrolled
      this.part(".warp32").addEventListener("keydown", function (event) {
        var lane = self.lane === null ? -1 : self.lane, next = { ArrowRight: lane + 1, ArrowDown: lane + 1, ArrowLeft: lane - 1, ArrowUp: lane - 1, Home: 0, End: 31, Escape: null }[event.key];
        if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        self.choose(next === null ? null : (next + 32) % 32);
      });
      ["focusin", "pointerdown"].forEach(function (what) {
        self.part("select.value").addEventListener(what, function () { self.list_registers(); });
      });
      this.part("details.all").addEventListener("toggle", function () { self.show_ptx(); });
      this.part(".stage").addEventListener("keydown", function (event) {
        var by = event.target.matches(".source") && { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by && self.trace) { event.preventDefault(); return self.go(self.trace.next_line(self.at, by)); }
        if (event.target.matches("input:not(.steps), select") || event.ctrlKey || event.altKey || event.metaKey) return undefined;
        var what = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", n: "access", b: "branch", w: "warp", l: "lane", p: "play" }[event.key];
        if (!what) return undefined;
        event.preventDefault();
        event.stopPropagation();
        return self.act(what);
      });
    }

    // The lane below a pointer is followed while it is there; one to which a finger has moved stays.
    listen_to_pointer(picture) {
      var self = this, began = null;
      function glance(event) {
        var below = self.shell.getRootNode().elementFromPoint(event.clientX, event.clientY), of = below && picture.contains(below) && below.closest("[data-lanes]");
        self.glance(of ? Number(of.dataset.lanes.split(" ")[0]) : null);
        if (event.type === "pointerdown") began = self.glanced;
      }
      picture.addEventListener("pointerdown", glance);
      picture.addEventListener("pointermove", glance);
      picture.addEventListener("pointerleave", function (event) {
        var lane = self.glanced;
        self.glance(null);
        if (event.pointerType === "touch" && lane !== null && lane !== began) self.choose(lane);
      });
    }

    act(what) {
      if (what !== "play") this.stop();
      if (what === "link") return this.copy_link();
      if (what === "uncover") { this.uncover(); return this.part(".warp32").focus({ preventScroll: true }); }
      this.complain("");
      if (what === "reset") {
        this.controls.forEach(function (c) { this.values[c.name] = c.value; }, this);
        this.block = this.warp = 0;
        this.at = -1;
        this.step = undefined;
        this.lane = null;
        this.chosen = "";
        this.write_address();
        this.kept = "";
        this.show_controls();
        return this.launch();
      }
      if (!this.trace) return undefined;
      switch (what) {
        case "first": return this.go(0);
        case "last": return this.go(Infinity);
        case "step": return this.go(this.at + 1);
        case "back": return this.go(this.at - 1);
        case "access": return this.go(this.trace.next_access(this.at));
        case "branch": return this.go(this.trace.next_branch(this.at));
        case "warp": return this.go_warp((this.warp + 1) % this.trace.warps.length);
        case "lane": return this.choose(this.lane === 31 ? null : this.lane === null ? 0 : this.lane + 1);
        case "play": return this.play();
        case "keep": return this.keep();
      }
      return undefined;
    }

    // --- launches

    // Behind the file's name, as for `warpscope launch`.
    words(values) { return window.engine.words(this.spec.words, values || this.values); }

    // A run of the same owner is overtaken by a later one.
    run(state, owner) { return window.engine.run(this.program.ptx, [this.program.path].concat(this.words(state.values), ["--trace", String(state.block)]), owner); }

    launch() {
      var self = this;
      this.running = this.run(this, this).then(function (result) {
        if (result === null) return; // a later one has been asked for
        if (result.error) return self.fail(result.error);
        if (self.find_fault(result.launch)) return self.launch();
        keeping_focus_in_sight(function () { self.take(result.launch, result.output); });
      }, function (error) { self.fail({ message: String(error.message || error) }); });
      return this.running;
    }

    fail(error) {
      if (/^--trace /.test(error.message) && this.block) { this.complain("There is no block " + this.block + ": this is block 0."); this.block = 0; this.show_controls(); return this.launch(); }
      this.trace = null;
      this.part(".number").innerHTML = '<span class="fault">' + escape(error.message) + (error.hint ? "<br>" + escape(error.hint) : "") + "</span>";
      this.part(".drawn").innerHTML = this.part(".said").textContent = this.part(".now").textContent = this.part(".totals").innerHTML = "";
      return undefined;
    }

    // A fault that was not looked at before is where to begin: true where it is in another block than the one that was traced.
    find_fault(launch) {
      var fault = launch.faults[0], grid = launch.grid, size = launch.block;
      if (!fault) this.fault = ""; // where it comes again, it is looked at again
      if (!fault || fault.message === this.fault) return false;
      this.fault = fault.message;
      if (this.linked) return false; // the link's step, not the fault's
      this.warp = Math.floor((fault.thread[0] + size[0] * (fault.thread[1] + size[1] * fault.thread[2])) / 32);
      this.at = Infinity;
      var block = fault.block[0] + grid[0] * (fault.block[1] + grid[1] * fault.block[2]), elsewhere = block !== this.block;
      this.block = block;
      return elsewhere;
    }

    // What the engine answered, as the warp and the step of a state show it.
    traced(launch, state) {
      var kernel = launch.kernel.replace(/[(<].*$/, "").replace(/^.* /, "");
      var trace = new TracedWarp(launch, this.program, this.spec.arrays, (this.spec.places || {})[kernel]);
      trace.choose(trace.with_steps(Math.min(state.warp, trace.warps.length - 1)));
      return trace;
    }

    take(launch, output) {
      var before = this.step && this.step.pc, trace = (this.trace = this.traced(launch, this));
      if (!trace.steps.length) return this.fail({ message: "No step of block " + this.block + " was traced: the launch ends before it." });
      var linked = this.linked;
      this.linked = false;
      if (trace.warp !== this.warp) this.complain((this.warp < trace.warps.length ? "No step of warp " + this.warp + " was traced" : "There is no warp " + this.warp) + ": this is warp " + trace.warp + ".");
      this.warp = trace.warp;
      this.part(".heads").innerHTML = views.heads(trace.costs);
      this.part(".stage").style.setProperty("--columns", 1 + trace.costs.units.length);
      if (this.at === Infinity) this.at = trace.steps.length - 1;
      else if (this.at < 0 || this.at >= trace.steps.length || (!linked && before !== undefined && trace.pc(this.at) !== before)) this.at = before === undefined && this.spec.access ? trace.access_number(this.spec.access) : trace.first_access(before);
      this.part(".totals").innerHTML = views.totals(launch, "The whole launch", trace.faults()) + (output ? "<details><summary>printf</summary><pre>" + escape(output.slice(0, 4000)) + "</pre></details>" : "");
      this.show_marks();
      this.part("input.warp").max = trace.warps.length - 1;
      this.part("input.block").max = launch.grid[0] * launch.grid[1] * launch.grid[2] - 1;
      ["warp", "block"].forEach(function (what) {
        var field = this.part("input." + what);
        field.previousElementSibling.textContent = what + (field.max > 0 ? " 0–" + field.max : "");
        field.disabled = field.max < 1;
      }, this);
      this.part("input.block").parentNode.title = launch.grid[1] * launch.grid[2] > 1 ? "block (" + trace.block.join(", ") + ")" : "";
      this.show_controls();
      this.show();
      this.show_kept();
    }

    // What the controls stand at, in words.
    said(values) { return this.controls.map(function (c) { return ", " + c.label + ": " + values[c.name]; }).join(""); }

    // The slider of this warp's steps, and below it where its accesses are; the costliest apart, if one takes more than it must.
    show_marks() {
      var trace = this.trace, costs = trace.steps.map(function (step, at) { return trace.cost(at); }), first = trace.first_access();
      this.costliest = costs[first] > 0 ? first : -1;
      this.make_room(views.room([].concat.apply([], trace.steps.map(function (step, at) { return trace.accesses(at); }))));
      this.part(".steps").max = trace.steps.length - 1;
      this.part('[data-do="branch"]').disabled = !trace.is_branch(trace.next_branch(0));
      this.part(".marks").innerHTML = views.marks(costs, this.costliest);
      var count = costs.filter(function (cost) { return cost !== null; }).length;
      this.track = [plural(count, "access", "accesses"), count, " in " + plural(trace.steps.length, "step") + (this.costliest < 0 ? "" : "; the tall mark: the costliest")];
    }

    // Each picture takes the room of the tallest of this warp, or of those that the controls lead to: below it nothing moves.
    make_room(room) {
      if (this.room && !room.sectors && !room.wavefronts) return; // a fault before the first access
      var most = this.spec.rows || 0, style = this.part(".drawn").style;
      this.room = { sectors: room.sectors && Math.max(room.sectors, Math.min(most, views.LINE_ROWS)), wavefronts: room.wavefronts && Math.max(room.wavefronts, most) };
      style.setProperty("--sector-rows", this.room.sectors);
      style.setProperty("--rows", this.room.wavefronts);
    }

    // --- moving

    go(at) {
      if (!this.trace || !this.trace.steps.length) return;
      this.at = Math.max(0, Math.min(this.trace.steps.length - 1, at));
      this.show();
      this.write_address();
    }

    go_warp(warp) {
      if (!this.trace) return;
      warp = Math.max(0, Math.min(this.trace.warps.length - 1, Math.floor(warp)));
      this.warp = this.trace.with_steps(warp);
      if (this.warp !== warp) this.complain("No step of warp " + warp + " was traced: this is warp " + this.warp + ".");
      this.trace.choose(this.warp);
      this.part("input.warp").value = this.warp;
      this.show_marks();
      this.go(this.at);
    }

    // The access whose mark is nearest to where the pointer is.
    go_mark(x) {
      var box = this.part(".marks svg").getBoundingClientRect();
      if (this.trace) this.go(this.trace.access_near(this.at, (x - box.left) / box.width * (this.trace.steps.length - 1)));
    }

    // A lane to follow, or null.
    choose(lane) {
      if (!this.trace) return;
      this.lane = lane;
      this.glanced = null; // until the pointer moves again
      this.show();
      this.write_address();
    }

    // The lane below the pointer, or null.
    glance(lane) {
      if (!this.trace || lane === this.glanced) return;
      this.glanced = lane;
      this.show_lane();
    }

    say(how) { this.shell.querySelectorAll(".number, .said, .now, p.lane").forEach(function (place) { place.setAttribute("aria-live", how); }); }

    complain(words) { this.part(".oops").textContent = words; }

    // Where a field says, if there is that warp or block.
    go_to(field) {
      var wanted = Number(field.value), last = Number(field.max), what = field.className;
      if (!Number.isInteger(wanted) || wanted < 0 || wanted > last) return this.complain("There is no " + what + " " + field.value + ": " + (last ? what + "s are 0 to " + last : "the only one is 0") + ".");
      this.complain("");
      return what === "warp" ? this.go_warp(wanted) : this.go_block(wanted);
    }

    go_block(block) {
      this.block = block;
      this.at = -1;
      var self = this;
      this.launch().then(function () { self.write_address(); });
    }

    play() {
      if (this.playing) return this.stop();
      var self = this;
      this.part('[data-do="play"]').setAttribute("aria-pressed", "true");
      if (this.at === this.trace.steps.length - 1) this.go(0);
      this.say("off"); // a screen reader could not keep up
      this.playing = setInterval(function () {
        if (self.at >= self.trace.steps.length - 1) self.stop();
        else self.go(self.at + 1);
      }, 500);
    }

    stop() {
      clearInterval(this.playing);
      this.playing = 0;
      this.say("polite");
      this.part('[data-do="play"]').setAttribute("aria-pressed", "false");
    }

    keep() {
      this.kept = String(this.query());
      this.show_kept();
      this.write_address();
    }

    // What was kept, of a launch of its own: a link has no more of it than where its controls stood.
    show_kept() {
      var self = this, kept = this.kept, state = this.parsed(kept), place = this.part(".kept");
      if (place.dataset.kept === kept) return;
      place.dataset.kept = kept;
      place.innerHTML = "";
      if (!kept) return;
      this.run(state, place).then(function (result) {
        if (!result || self.kept !== kept) return;
        if (result.error) return self.complain("What was kept cannot be shown: " + result.error.message);
        var trace = self.traced(result.launch, state), access = state.at >= 0 && state.at < trace.steps.length && trace.accesses(state.at)[0];
        place.innerHTML = '<div class="totals">' + views.totals(result.launch, "Kept" + self.said(state.values), trace.faults()) + (access ? '<p class="number">' + views.number(access) + "</p>" + '<div class="picture">' + views.picture(access, trace.arrays[access.array]) + "</div>" : "") + "</div>";
      });
    }

    // --- showing the step

    show() {
      var trace = this.trace, insn = trace.insn(this.at), ptx = trace.ptx(insn), step = trace.step(this.at), place = trace.place_of(insn);
      var access = trace.accesses(this.at)[0], array = access && trace.arrays[access.array], number = this.at + 1 + " of " + trace.steps.length;
      this.step = step;
      this.part(".steps").value = this.at;
      this.part(".steps").setAttribute("aria-valuetext", "step " + number + ", " + place + (this.at === this.costliest ? ", the costliest access" : access ? ", an access" : ""));
      this.part(".now").innerHTML = escape("Step " + number + (trace.complete ? "" : trace.launch.faults.length ? " (the fault ends them)" : " (what follows is not kept)") + ", " + place + ": ") + "<code>" + escape(ptx) + "</code>" +
        escape(" — " + plural(views.lanes(step.ways.length ? step.lanes : step.active).length, "lane") + ". " + views.waiting(step) + (BARRIER.test(ptx) ? " The warp waits here for the block’s other warps." : ""));
      var fault = trace.faults()[0], ends = !access && fault && this.at === trace.steps.length - 1 && fault;
      this.part(".number").innerHTML = access ? views.number(access) : ends ? '<b class="fault">fault</b> <span>the launch ends here</span>' : "<b>no</b> access";
      this.part(".said").innerHTML = ends ? "" : fault ? '<span class="fault">' + escape(fault) + "</span>" : !access ? "" : this.in_code(access.joined ? views.sentence(access, array) : views.asks(access, array), array) + ". " + escape(views.why(access));
      this.part(".drawn").innerHTML = (access && views.picture(access, array, this.room)) || views.nothing(ends);
      this.part(".drawn .key").insertAdjacentHTML("beforeend", views.lane_key(step, access));
      this.part(".track small").textContent = (access ? "access " + trace.access_at(this.at) + " of " + this.track[1] : this.track[0]) + this.track[2];
      this.show_values(access, ptx);
      this.show_lane();
      this.part(".source").innerHTML = views.source(trace.rows(), trace.line(this.at), trace.counts, trace.costs);
      this.show_ptx();
      this.show_matrices();
      this.show_line();
    }

    // A sentence of an access, with the array's name as code.
    in_code(sentence, array) { return array ? escape(sentence).replace(" of " + escape(array.label), function (words) { return words.replace(/of (.*)/, "of <code>$1</code>"); }) : escape(sentence); }

    // Where the line is on the screen, the browser knows once it has laid out the page: at the next frame, and not before.
    show_line() {
      var self = this;
      cancelAnimationFrame(this.scrolling);
      this.scrolling = requestAnimationFrame(function () {
        var source = self.part(".source"), current = source.querySelector('[aria-current="step"]');
        if (!current) return;
        // As near to the middle as a whole line at the top allows.
        var wanted = current.offsetTop + (current.offsetHeight - source.clientHeight) / 2;
        source.scrollTop = Array.from(source.children).reduce(function (top, line) { return Math.abs(line.offsetTop - wanted) < Math.abs(top - wanted) ? line.offsetTop : top; }, 0);
      });
    }

    show_ptx() {
      if (this.trace && this.part("details.all").open) this.part(".ptx").innerHTML = this.ptx_rows(this.trace.insn(this.at));
    }

    // The registers to choose from: listed when they are looked at, since a warp may have hundreds.
    list_registers() {
      var trace = this.trace, select = this.part("select.value"), options = '<option value="">what is stored, or was written last</option>';
      if (!trace) return;
      this.known.forEach(function (entry, name) {
        var code = trace.code(entry.insn);
        options += '<option value="' + escape(name) + '">' + escape((code ? code + " — " : "") + name + ", " + trace.place_of(entry.insn) + ": " + trace.ptx(entry.insn)) + "</option>";
      });
      select.innerHTML = options;
      select.value = this.known.has(this.chosen) ? this.chosen : "";
    }

    // The register chosen, else what a store stores, else what was written last.
    show_values(access, ptx) {
      var known = this.trace.registers(this.at), chosen = known.get(this.chosen);
      var stored = access && access.op === "store" && /\],\s*\{?\s*(%\w+)/.exec(ptx), shown = chosen || (stored && known.get(stored[1])) || Array.from(known.values()).pop();
      this.known = known;
      if (focused() === this.part("select.value") || !this.part("select.value").options.length) this.list_registers();
      this.shown = shown ? shown.value : null;
      var lists = views.warp(this.step, this.shown, this.trace.arrays, this.lane, this.id, access);
      this.part(".warp32").innerHTML = lists[0];
      this.part(".values").innerHTML = lists[1];
    }

    // The lane that is followed, or looked at: what it asks for is marked, and said in words.
    show_lane() {
      var trace = this.trace, access = trace.accesses(this.at)[0], chosen = this.lane, lane = this.glanced === null ? chosen : this.glanced, list = this.part(".warp32");
      this.shell.querySelectorAll("[data-lanes]").forEach(function (mark) { mark.classList.toggle("chosen", mark.dataset.lanes.split(" ").map(Number).includes(lane)); });
      if (chosen === null) list.removeAttribute("aria-activedescendant");
      else list.setAttribute("aria-activedescendant", this.id + "-lane-" + chosen);
      var said = lane === null ? "Choose a lane to follow it." : views.lane(this.step, access, access && trace.arrays[access.array], this.shown, trace.arrays, lane), place = this.part("p.lane");
      if (place.textContent !== said) place.textContent = said;
    }

    ptx_rows(current) {
      var trace = this.trace, insns = trace.insns;
      return Object.keys(insns).map(function (pc) {
        var insn = insns[pc];
        return "<li" + (insn === current ? ' aria-current="step"' : "") + '><span class="runs">' + insn.runs.toLocaleString("en") + "×</span><code>" + escape(trace.ptx(insn)) + "</code></li>";
      }).join("");
    }

    // What the block has touched of each matrix up to this step, and what this access touches.
    show_matrices() {
      var place = this.part(".matrices"), trace = this.trace, at = this.at;
      if (!trace.arrays.some(function (a) { return a.columns; })) return;
      if (!place.firstChild) place.innerHTML = views.matrices(trace.arrays);
      place.querySelectorAll("canvas").forEach(function (canvas) {
        var index = Number(canvas.dataset.array), touched = trace.touched(index, at), words = views.matrix(canvas, trace.arrays[index], touched.before, touched.now);
        canvas.setAttribute("aria-label", words + ": " + plural(touched.now.size, "element") + " now, " + plural(touched.before.size, "element") + " before");
        canvas.nextElementSibling.textContent = words;
      });
    }
  }

  // A page that `make watch` writes anew loads itself anew: a script beside it says which one was written last.
  if (window.FOLLOWS) {
    var written;
    window.pageWritten = function (stamp) {
      if (written && written !== stamp) location.reload();
      written = stamp;
    };
    setInterval(function () {
      var script = document.createElement("script");
      script.src = window.FOLLOWS + "?" + Date.now();
      script.onload = script.onerror = function () { script.remove(); };
      document.head.appendChild(script);
    }, 1000);
  }

  customElements.define("warp-explorer", WarpExplorer);
})();
