// explorer.js: <warp-explorer>, a launch that a reader takes hold of. The element holds a description, JSON in a
// script element, and the figure that is seen without it:
//
//   program: a key of window.PROGRAMS, whose entries are {path, source, ptx}
//   words: what `warpscope launch FILE` is given, with {name} or {32*name} where a control stands
//   controls: [{name, label, value, and from, to, step or of: [choices]}]
//   arrays: [{label, size: bytes of an element, columns: of a matrix, or 0}] in the order of the kernel's buffers
//   places: {kernel: [first, last] of its lines}
//
// The engine (engine.js) computes everything that is shown; views.js draws it.
(function () {
  "use strict";
  var views = window.WarpViews, escape = views.escape, plural = views.plural;
  var STEP = { warp: 0, pc: 1, lanes: 2, active: 3, live: 4, accesses: 5, values: 6, waits: 7 };

  // A barrier at which a warp waits for others.
  var BARRIER = /^(@\S+ )?(bar|barrier)(\.cta)?\.(sync|red)\b/;

  // A reader who tabs through the page keeps what has the focus where it is seen, also while an explorer above it grows.
  function keeping_focus_in_sight(change) {
    var focus = document.activeElement, before = focus && focus.getBoundingClientRect();
    var seen = before && focus !== document.body && before.bottom > 0 && before.top < innerHeight;
    change();
    if (seen && focus.isConnected) scrollBy({ top: focus.getBoundingClientRect().top - before.top, behavior: "instant" });
  }

  // --- the element

  class WarpExplorer extends HTMLElement {
    connectedCallback() {
      if (this.spec) return;
      this.spec = JSON.parse(this.querySelector('script[type="application/json"]').textContent);
      this.figure = Array.from(this.children).filter(function (c) { return c.tagName !== "SCRIPT"; });
      this.controls = this.spec.controls || [];
      this.values = {};
      this.controls.forEach(function (c) { this.values[c.name] = c.value; }, this);
      this.block = 0;
      this.warp = 0;
      this.at = -1; // the step of this warp; -1: its first access
      this.lane = null; // the one that is followed
      this.arrays = [];
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
      window.addEventListener("hashchange", function () { if (self.read_address() && self.built) { self.show_controls(); self.launch(); } });
    }

    disconnectedCallback() { clearInterval(this.playing); }

    // Without the engine the figure stays, and says why it does not move.
    leave(error) {
      var note = document.createElement("p");
      note.className = "still";
      note.textContent = "This figure stands still here: " + error.message + ".";
      this.appendChild(note);
    }

    // --- the state in the address: #id?stride=4&warp=0&step=12

    read_address() {
      var parts = location.hash.slice(1).split("?");
      if (decodeURIComponent(parts[0]) !== this.id || parts.length < 2) return false;
      this.lane = null;
      this.chosen = "";
      new URLSearchParams(parts[1]).forEach(function (value, key) {
        var control = this.controls.find(function (c) { return c.name === key; }), number = Number(value);
        if (control && control.of && control.of.includes(value)) this.values[key] = value;
        else if (control && !control.of && number >= control.from && number <= control.to) this.values[key] = Math.round(number);
        else if (key === "block" && number >= 0) this.block = Math.floor(number);
        else if (key === "lane" && /^([12]?\d|3[01])$/.test(value)) this.lane = number;
        else if (key === "show") this.chosen = value;
        else if (key === "warp" && number >= 0) this.warp = Math.floor(number);
        else if (key === "step" && number >= 0) { this.at = Math.floor(number); this.linked = true; }
      }, this);
      var self = this;
      requestAnimationFrame(function () { self.scrollIntoView({ block: "start" }); });
      return true;
    }

    state() {
      var query = new URLSearchParams(this.values);
      query.set("block", this.block);
      query.set("warp", this.warp);
      query.set("step", this.at);
      if (this.lane !== null) query.set("lane", this.lane);
      if (this.chosen) query.set("show", this.chosen);
      return "#" + encodeURIComponent(this.id) + "?" + query;
    }

    // A moment after the last step, since browsers refuse an address that changes too often.
    write_address() {
      var self = this;
      clearTimeout(this.writing);
      this.writing = setTimeout(function () {
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
      this.ptx_lines = program.ptx.split("\n");
      this.source_lines = program.source.split("\n");
      shell.className = "explorer";
      shell.innerHTML = views.shell(this.controls, this.id);
      this.shell = shell;
      var focused = this.contains(document.activeElement);
      this.figure.forEach(function (element) { element.hidden = true; });
      this.insertBefore(shell, this.firstChild);
      this.built = true;
      this.show_controls();
      this.listen();
      if (focused) this.part(".stage").focus({ preventScroll: true }); // what had it, in the figure, is hidden now
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
        var button = event.target.closest("[data-do]"), of = event.target.closest(".stage [data-lanes]");
        if (button) self.act(button.dataset.do);
        var line = event.target.closest(".source li"), marks = event.target.closest(".marks");
        if (line) self.go_line(line.value);
        if (marks) self.go_mark(event.clientX);
        if (!of) return;
        var list = of.dataset.lanes.split(" ").map(Number), at = list.indexOf(self.lane); // a word that several want: one after the other
        self.choose(at < list.length - 1 ? list[at + 1] : null);
      });
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
        if (by) { event.preventDefault(); return self.next_line(by); }
        if (event.target.matches("input:not(.steps), select") || event.ctrlKey || event.altKey || event.metaKey) return undefined;
        var what = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", n: "access", w: "warp", l: "lane", p: "play" }[event.key];
        if (!what) return undefined;
        event.preventDefault();
        event.stopPropagation();
        return self.act(what);
      });
    }

    act(what) {
      if (what !== "play") this.stop();
      if (what === "link") return this.copy_link();
      this.complain("");
      if (what === "reset") {
        this.controls.forEach(function (c) { this.values[c.name] = c.value; }, this);
        this.block = this.warp = 0;
        this.at = -1;
        this.lane = null;
        this.chosen = "";
        this.write_address();
        this.part(".kept").innerHTML = "";
        this.show_controls();
        return this.launch();
      }
      if (!this.trace) return undefined;
      switch (what) {
        case "first": return this.go(0);
        case "last": return this.go(this.steps.length - 1);
        case "step": return this.go(this.at + 1);
        case "back": return this.go(this.at - 1);
        case "access": return this.next_access();
        case "warp": return this.go_warp((this.warp + 1) % this.trace.warps);
        case "lane": return this.choose(this.lane === 31 ? null : this.lane === null ? 0 : this.lane + 1);
        case "play": return this.play();
        case "keep": return this.keep();
      }
      return undefined;
    }

    // --- launches

    // Behind the file's name, as for `warpscope launch`.
    words() { return window.engine.words(this.spec.words, this.values); }

    launch() {
      var self = this, words = [this.program.path].concat(this.words(), ["--trace", String(this.block)]);
      this.running = window.engine.run(this.program.ptx, words, this).then(function (result) {
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
      this.part(".totals").innerHTML = '<p class="fault">' + escape(error.message) + (error.hint ? "<br>" + escape(error.hint) : "") + "</p>";
      this.part(".picture").innerHTML = this.part(".now").textContent = "";
      return undefined;
    }

    // A fault that was not looked at before is where to begin: true where it is in another block than the one that was traced.
    find_fault(launch) {
      var fault = launch.faults[0], grid = launch.grid, size = launch.block;
      if (!fault || fault.message === this.fault) return false;
      this.fault = fault.message;
      if (this.linked) return false; // the link's step, not the fault's
      this.warp = Math.floor((fault.thread[0] + size[0] * (fault.thread[1] + size[1] * fault.thread[2])) / 32);
      this.at = Infinity;
      var block = fault.block[0] + grid[0] * (fault.block[1] + grid[1] * fault.block[2]), elsewhere = block !== this.block;
      this.block = block;
      return elsewhere;
    }

    take(launch, output) {
      var trace = launch.trace, spec = this.spec, before = this.step && this.step.pc, warps = [];
      this.result = launch;
      this.trace = trace;
      this.linked = false;
      for (var w = 0; w < trace.warps; w++) warps.push([]);
      trace.steps.forEach(function (s, index) { warps[s[STEP.warp]].push(index); });
      this.warps = warps;
      if (this.warp >= trace.warps) { this.complain("There is no warp " + this.warp + ": this is warp " + (trace.warps - 1) + "."); this.warp = trace.warps - 1; }
      this.steps = warps[this.warp];
      this.arrays = trace.arrays.map(function (a, index) {
        return Object.assign({ address: a.address, bytes: a.bytes, label: a.name, size: 0, columns: 0 }, spec.arrays[index]);
      });
      this.counts = {};
      Object.keys(trace.insns).forEach(function (pc) {
        var insn = trace.insns[pc];
        this.file = insn.file;
        this.counts[insn.line] = Math.max(this.counts[insn.line] || 0, insn.runs);
      }, this);
      this.costs = views.costs(launch, this.file);
      this.part(".heads").innerHTML = views.heads(this.costs);
      if (this.at === Infinity) this.at = this.steps.length - 1;
      else if (this.at < 0 || this.at >= this.steps.length || (before !== undefined && this.pc_at(this.at) !== before)) this.at = this.first_access(before);
      this.part(".totals").innerHTML = views.totals(launch, "The whole launch") + (output ? "<details><summary>printf</summary><pre>" + escape(output.slice(0, 4000)) + "</pre></details>" : "");
      this.show_marks();
      this.part("input.warp").max = trace.warps - 1;
      this.part("input.block").max = launch.grid[0] * launch.grid[1] * launch.grid[2] - 1;
      ["warp", "block"].forEach(function (what) {
        var field = this.part("input." + what);
        field.previousElementSibling.textContent = what + (field.max > 0 ? " 0–" + field.max : "");
        field.disabled = field.max < 1;
      }, this);
      this.part("input.block").parentNode.title = launch.grid[1] * launch.grid[2] > 1 ? "block (" + trace.block.join(", ") + ")" : "";
      this.show_controls();
      this.show();
    }

    // What the controls stand at, in words.
    said() {
      var values = this.values, said = this.controls.map(function (c) { return c.label + ": " + values[c.name]; }).join(", ");
      return said ? ", " + said : "";
    }

    pc_at(at) { return this.trace.steps[this.steps[at]][STEP.pc]; }

    accesses_at(at) { return this.trace.steps[this.steps[at]][STEP.accesses]; }

    // What the access of a step takes beyond the fewest possible: sectors, wavefronts, words; null where there is none.
    cost_at(at) {
      var access = this.accesses_at(at)[0];
      if (!access) return null;
      return access.space === "shared" ? access.bank_conflicts : access.words !== undefined ? access.words - 1 : (access.sectors || 0) - (access.ideal_sectors || 0);
    }

    // The step of the instruction looked at before, where it is an access; else the costliest access, the first of equals.
    first_access(before) {
      var best = 0, most = -1;
      for (var k = 0; k < this.steps.length; k++) {
        var cost = this.cost_at(k);
        if (cost !== null && before !== undefined && this.pc_at(k) === before) return k;
        if (cost !== null && cost > most) { most = cost; best = k; }
      }
      return best;
    }

    // The slider of this warp's steps, and below it where its accesses are; the costliest apart, if one takes more than it must.
    show_marks() {
      var costs = this.steps.map(function (step, at) { return this.cost_at(at); }, this), first = this.first_access();
      this.costliest = costs[first] > 0 ? first : -1;
      this.room = views.room([].concat.apply([], this.steps.map(function (step, at) { return this.accesses_at(at); }, this)));
      this.part(".steps").max = this.steps.length - 1;
      this.part(".marks").innerHTML = views.marks(costs, this.costliest);
      var count = costs.filter(function (cost) { return cost !== null; }).length;
      this.part(".track small").textContent = plural(count, "access", "accesses") + " in " + plural(this.steps.length, "step") + (this.costliest < 0 ? "" : "; the tall mark: the costliest");
    }

    // --- moving

    go(at) {
      if (!this.steps || !this.steps.length) return;
      this.at = Math.max(0, Math.min(this.steps.length - 1, at));
      this.show();
      this.write_address();
    }

    go_warp(warp) {
      if (!this.trace) return;
      this.warp = Math.max(0, Math.min(this.trace.warps - 1, Math.floor(warp)));
      this.steps = this.warps[this.warp];
      this.part("input.warp").value = this.warp;
      this.show_marks();
      this.go(Math.min(this.at, this.steps.length - 1));
    }

    line_at(at) { return this.trace.insns[this.pc_at(at)].line; }

    // The next step of a line, or its first; no step where this warp never ran it.
    go_line(line) {
      for (var k = 1; k <= this.steps.length; k++)
        if (this.line_at((this.at + k) % this.steps.length) === line) return this.go((this.at + k) % this.steps.length);
      return undefined;
    }

    // In the order of the source; by: 1 or -1.
    next_line(by) {
      var here = this.line_at(this.at) || 0, next = this.steps.map(function (step, at) { return this.line_at(at); }, this).filter(function (line) { return (line - here) * by > 0; });
      if (next.length) this.go_line(by * Math.min.apply(null, next.map(function (line) { return line * by; })));
    }

    // The access whose mark is nearest to where the pointer is.
    go_mark(x) {
      var box = this.part(".marks svg").getBoundingClientRect(), wanted = (x - box.left) / box.width * (this.steps.length - 1), best = -1;
      for (var k = 0; k < this.steps.length; k++) if (this.accesses_at(k).length && (best < 0 || Math.abs(k - wanted) < Math.abs(best - wanted))) best = k;
      if (best >= 0) this.go(best);
    }

    // A lane to follow, or null.
    choose(lane) {
      if (!this.trace) return;
      this.lane = lane;
      this.show();
      this.write_address();
    }

    say(how) { this.shell.querySelectorAll(".now, p.lane").forEach(function (place) { place.setAttribute("aria-live", how); }); }

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

    next_access() {
      for (var k = this.at + 1; k < this.steps.length; k++) if (this.accesses_at(k).length) return this.go(k);
      for (k = 0; k <= this.at; k++) if (this.accesses_at(k).length) return this.go(k);
      return undefined;
    }

    play() {
      if (this.playing) return this.stop();
      var self = this;
      this.part('[data-do="play"]').setAttribute("aria-pressed", "true");
      if (this.at === this.steps.length - 1) this.go(0);
      this.say("off"); // a screen reader could not keep up
      this.playing = setInterval(function () {
        if (self.at >= self.steps.length - 1) self.stop();
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
      var kept = document.createElement("div"), picture = this.part(".picture");
      kept.className = "totals";
      kept.innerHTML = views.totals(this.result, "Kept" + this.said()) + '<div class="picture">' + picture.innerHTML + "</div>";
      this.part(".kept").replaceChildren(kept);
    }

    // --- showing the step

    // The last values of each register that the warp has written up to this step.
    registers() {
      var known = new Map();
      for (var k = 0; k <= this.at; k++) {
        var step = this.trace.steps[this.steps[k]], insn = this.trace.insns[step[STEP.pc]];
        step[STEP.values].forEach(function (value) {
          var name = insn.writes[value[0]];
          known.delete(name); // the last stands last
          known.set(name, { insn: insn, value: value });
        });
      }
      return known;
    }

    // Where the lanes of a branch go on, whatever its condition means: in the trace, at the next step of each, said as the next line that all of a
    // group come to; of the PTX, where that does not tell the groups apart. Lanes that wait where no line is told go on to the next that is.
    ways(mask) {
      var ways = [], left = mask, branch = this.line_at(this.at);
      for (var k = this.at + 1; k < this.steps.length; k++) {
        var lanes = this.trace.steps[this.steps[k]][STEP.lanes], insn = this.trace.insns[this.pc_at(k)];
        if (lanes & left && !/^bra(\.uni)? /.test(this.ptx_text(insn))) ways.push({ lanes: lanes & left, line: "", ptx: "line " + insn.ptx + " of the PTX" });
        if (!/^bra(\.uni)? /.test(this.ptx_text(insn))) left &= ~lanes;
        if (insn.line && insn.line !== branch) ways.forEach(function (way) { if (!way.line && !(way.lanes & ~lanes)) way.line = "line " + insn.line; });
        if (!left && ways.every(function (way) { return way.line; })) break;
      }
      var apart = new Set(ways.map(function (way) { return way.line; }).filter(Boolean)).size === ways.length;
      return ways.map(function (way) { return { lanes: way.lanes, line: apart ? way.line : way.ptx }; });
    }

    show() {
      var raw = this.trace.steps[this.steps[this.at]], self = this, insn = this.trace.insns[raw[STEP.pc]];
      var waits = raw[STEP.waits].map(function (wait) { return { line: self.place_of(self.lined(wait[0])), lanes: wait[1], kind: wait[2] }; });
      var ptx = this.ptx_text(insn), ways = /^@\S+ bra/.test(ptx) ? this.ways(raw[STEP.lanes]) : [];
      var step = { pc: raw[STEP.pc], lanes: raw[STEP.lanes], active: raw[STEP.active], live: raw[STEP.live], ways: ways, begun: this.trace.steps[this.steps[0]][STEP.live], waits: waits };
      var access = raw[STEP.accesses][0], array = access && this.arrays[access.array], known = this.registers(), number = this.at + 1 + " of " + this.steps.length;
      this.step = step;
      this.part(".steps").value = this.at;
      this.part(".steps").setAttribute("aria-valuetext", "step " + number + ", " + this.place_of(insn) + (this.at === this.costliest ? ", the costliest access" : access ? ", an access" : ""));
      this.part(".now").innerHTML = escape("Step " + number + (this.trace.complete ? "" : this.result.faults.length ? " (the fault ends them)" : " (the rest is not kept)") + ", " + this.place_of(insn) + ": ") + "<code>" + escape(ptx) + "</code>" +
        escape(" — " + plural(views.lanes(ways.length ? step.lanes : step.active).length, "lane") + ". " + views.waiting(step) + (BARRIER.test(ptx) ? " The warp waits here for the block’s other warps." : "")) +
        (access ? "<br><b>" + escape(views.sentence(access, array)) + "</b> " + escape(views.why(access)) : "");
      this.show_picture(access);
      this.show_values(known, step, access, ptx);
      this.show_lane(access, array);
      this.part(".source").innerHTML = views.source(this.rows(), insn.line, this.counts, this.costs);
      this.show_ptx();
      this.show_matrices(access);
      this.show_line();
    }

    picture_of(access) {
      var array = this.arrays[access.array];
      return access.space === "shared" ? views.banks(access) : access.words !== undefined ? views.constant(access, array) : access.lines ? views.request(access, array) : "";
    }

    // Each takes the room of the tallest of this warp: below it nothing moves.
    show_picture(access) {
      var place = this.part(".picture");
      place.innerHTML = this.room ? (access && this.picture_of(access)) || views.nothing() : "";
      if (this.room) views.make_room(place.firstChild, this.room);
    }

    // Where the line is on the screen, the browser knows once it has laid out the page: at the next frame, and not before.
    show_line() {
      var self = this;
      cancelAnimationFrame(this.scrolling);
      this.scrolling = requestAnimationFrame(function () {
        var source = self.part(".source"), current = source.querySelector('[aria-current="step"]');
        if (current) source.scrollTop = current.offsetTop - source.clientHeight / 2;
      });
    }

    show_ptx() {
      if (this.trace && this.part("details.all").open) this.part(".ptx").innerHTML = this.ptx_rows(this.trace.insns[this.step.pc]);
    }

    // The registers to choose from: listed when they are looked at, since a warp may have hundreds.
    list_registers() {
      var self = this, select = this.part("select.value"), options = '<option value="">what is stored, or was written last</option>';
      if (!this.known) return;
      this.known.forEach(function (entry, name) { options += '<option value="' + escape(name) + '">' + escape(name + ", line " + entry.insn.line + ": " + self.ptx_text(entry.insn)) + "</option>"; });
      select.innerHTML = options;
      select.value = this.known.has(this.chosen) ? this.chosen : "";
    }

    // The register chosen, else what a store stores, else what was written last.
    show_values(known, step, access, ptx) {
      var chosen = known.get(this.chosen);
      var stored = access && access.op === "store" && /\],\s*\{?\s*(%\w+)/.exec(ptx), shown = chosen || (stored && known.get(stored[1])) || Array.from(known.values()).pop();
      this.known = known;
      if (document.activeElement === this.part("select.value") || !this.part("select.value").options.length) this.list_registers();
      this.shown = shown ? shown.value : null;
      this.part(".warp32").innerHTML = views.warp(step, this.shown, this.arrays, this.lane, this.id);
    }

    // The lane that is followed: its wires and words in front of the others', and what it does in words.
    show_lane(access, array) {
      var lane = this.lane, list = this.part(".warp32"), picture = this.part(".picture"), followed = lane !== null && access && views.has(access.active, lane);
      picture.classList.toggle("following", !!followed);
      if (followed) picture.querySelectorAll('[data-lanes~="' + lane + '"]').forEach(function (mark) { mark.classList.add("chosen"); });
      if (lane === null) list.removeAttribute("aria-activedescendant");
      else list.setAttribute("aria-activedescendant", this.id + "-lane-" + lane);
      var said = lane === null ? "Choose a lane to follow it." : views.lane(this.step, access, array, this.shown, this.arrays, lane), place = this.part("p.lane");
      if (place.textContent !== said) place.textContent = said;
    }

    // The kernel's lines: where the description says that they are, else all that any warp of the block ran, and those between.
    rows() {
      var kernel = this.result.kernel.replace(/[(<].*$/, "").replace(/^.* /, ""), place = (this.spec.places || {})[kernel], rows = [], insns = this.trace.insns;
      var lines = place || Object.keys(insns).map(function (pc) { return insns[pc].line || 1; });
      for (var line = Math.min.apply(null, lines); line <= Math.max.apply(null, lines); line++) rows.push({ line: line, text: this.source_lines[line - 1] });
      return rows;
    }

    lined(pc) { var insns = this.trace.insns; return insns[Object.keys(insns).find(function (at) { return at >= pc && insns[at].line; })] || insns[pc]; }
    place_of(insn) { return insn.line ? "line " + insn.line : "line " + insn.ptx + " of the PTX"; }

    ptx_text(insn) { return (this.ptx_lines[insn.ptx - 1] || "").trim().replace(/;$/, "").replace(/\s+/g, " "); }

    ptx_rows(current) {
      var insns = this.trace.insns, self = this;
      return Object.keys(insns).map(function (pc) {
        var insn = insns[pc];
        return "<li" + (insn === current ? ' aria-current="step"' : "") + '><span class="runs">' + insn.runs.toLocaleString("en") + "×</span><code>" + escape(self.ptx_text(insn)) + "</code></li>";
      }).join("");
    }

    // What the block has touched of each matrix up to this step, and what this access touches.
    show_matrices(access) {
      var place = this.part(".matrices"), self = this, last = this.steps[this.at];
      if (!this.arrays.some(function (a) { return a.columns; })) return;
      if (!place.firstChild)
        place.innerHTML = this.arrays.map(function (a, index) { return a.columns ? '<figure><canvas role="img" data-array="' + index + '"></canvas><figcaption></figcaption></figure>' : ""; }).join("");
      place.querySelectorAll("canvas").forEach(function (canvas) {
        var index = Number(canvas.dataset.array), array = self.arrays[index], before = new Set(), now = new Set();
        function add(set, a) {
          if (a.array !== index || a.space !== "global") return;
          a.at.forEach(function (byte) { if (byte !== null) for (var e = 0; e < a.bytes; e += array.size) set.add((byte + e) / array.size); });
        }
        for (var s = 0; s < last; s++) self.trace.steps[s][STEP.accesses].forEach(function (a) { add(before, a); });
        if (access) add(now, access);
        var words = views.matrix(canvas, array, before, now);
        canvas.setAttribute("aria-label", words + ": " + plural(now.size, "element") + " now, " + plural(before.size, "element") + " before");
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
