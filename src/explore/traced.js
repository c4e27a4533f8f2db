// traced.js: one warp of a launch that was traced (report/trace_json.h), as an explorer goes through it: what is known at each of its steps, which
// step is next of a kind, and which lines are to be read beside it. It knows nothing of the page, and counts nothing.
(function () {
  "use strict";
  var STEP = { warp: 0, pc: 1, lanes: 2, active: 3, live: 4, accesses: 5, values: 6, waits: 7 };
  var BRANCH = /^@\S+ bra/, JUMP = /^bra(\.uni)? /;

  function name_of(path) { return path.replace(/^.*\//, ""); }

  // Bytes of what a parameter points to, by its declaration in the kernel's text; 0 where that names a structure or a template's type.
  var BYTES = { char: 1, int8_t: 1, uint8_t: 1, bool: 1, short: 2, int16_t: 2, uint16_t: 2, __half: 2, int: 4, unsigned: 4, float: 4, int32_t: 4, uint32_t: 4, double: 8, int64_t: 8, uint64_t: 8, size_t: 8 };
  function pointee(text, name) {
    var found = /^\w+$/.test(name) && new RegExp("(\\w+)\\s*(?:const\\s*)?\\*\\s*(?:const\\s*)?(?:__restrict__\\s*)?" + name + "\\b").exec(text);
    var vector = found && /^u?(char|short|int|float|double)([1-4])$/.exec(found[1]);
    return !found ? 0 : vector ? BYTES[vector[1]] * vector[2] : BYTES[found[1]] || 0;
  }

  // program: {path, source, ptx}; arrays: [{label, size, columns}] in the order of the kernel's buffers; place: [first, last] of the kernel's lines,
  // where that is known.
  function TracedWarp(launch, program, arrays, place) {
    var trace = launch.trace, self = this;
    this.launch = launch;
    this.all = trace.steps; // of all warps of the block, in the order in which they ran
    this.insns = trace.insns;
    this.complete = trace.complete;
    this.block = trace.block;
    this.warps = Array.from({ length: trace.warps }, function () { return []; });
    trace.steps.forEach(function (s, index) { self.warps[s[STEP.warp]].push(index); });
    this.ptx_lines = program.ptx.split("\n");
    this.source_lines = program.source.split("\n");
    this.place = place;
    var kernel = (place ? this.source_lines.slice(place[0] - 1, place[1]) : this.source_lines).join("\n");
    this.arrays = trace.arrays.map(function (a, index) {
      var array = Object.assign({ address: a.address, bytes: a.bytes, label: a.name, size: 0, columns: 0 }, arrays[index]);
      array.element = pointee(kernel, array.label);
      return array;
    });
    // Lines of a header are not this file's.
    var insns = Object.values(trace.insns), own = insns.find(function (insn) { return insn.file && name_of(insn.file) === name_of(program.path); }) || insns.find(function (insn) { return !insn.file; }) || {};
    this.file = own.file;
    this.counts = {}; // how often the block's warps ran a line
    insns.forEach(function (insn) { var line = self.line_of(insn); if (line) self.counts[line] = Math.max(self.counts[line] || 0, insn.runs); });
    this.costs = this.sum_costs();
    this.choose(0);
  }

  TracedWarp.prototype = {
    // What each line cost the block's warps: {line: {sectors, wavefronts}}, the most that one has of either, and which of them there are; none of
    // a trace that does not have all steps.
    sum_costs: function () {
      var costs = { most: 0, units: [] }, self = this;
      if (this.complete) this.all.forEach(function (step) {
        step[STEP.accesses].forEach(function (access) {
          var line = self.line_of(self.insns[step[STEP.pc]]), cost = (costs[line] = costs[line] || { sectors: 0, wavefronts: 0 });
          ["sectors", "wavefronts"].forEach(function (unit) {
            cost[unit] += (access[unit] || 0) - (unit === "sectors" && access.l1_hit_sectors || 0); // what L1 has is not moved
            if (access[unit] && !costs.units.includes(unit)) costs.units.push(unit);
            if (line) costs.most = Math.max(costs.most, cost[unit]);
          });
        });
      });
      costs.units.sort();
      return costs;
    },

    choose: function (warp) {
      this.warp = warp;
      this.steps = this.warps[warp];
    },

    // The warp, or the first behind it that has steps: those that begin after a fault, or where the trace ends, have none.
    with_steps: function (warp) {
      var count = this.warps.length;
      for (var k = 0; k < count; k++) if (this.warps[(warp + k) % count].length) return (warp + k) % count;
      return warp;
    },

    // --- a step

    raw: function (at) { return this.all[this.steps[at]]; },
    pc: function (at) { return this.raw(at)[STEP.pc]; },
    insn: function (at) { return this.insns[this.pc(at)]; },
    accesses: function (at) { return this.raw(at)[STEP.accesses]; },
    line_of: function (insn) { return insn.file === this.file && insn.line || 0; },
    line: function (at) { return this.line_of(this.insn(at)); },
    ptx: function (insn) { return (this.ptx_lines[insn.ptx - 1] || "").trim().replace(/;$/, "").replace(/\s+/g, " "); },
    place_of: function (insn) { return !insn.line ? "line " + insn.ptx + " of the PTX" : "line " + insn.line + (insn.file === this.file ? "" : " of " + name_of(insn.file)); },

    // What views draw: masks; begun: the lanes that have threads; waits: where the others are; ways: where those of a branch go on.
    step: function (at) {
      var raw = this.raw(at), self = this;
      return {
        pc: raw[STEP.pc], lanes: raw[STEP.lanes], active: raw[STEP.active], live: raw[STEP.live], begun: this.raw(0)[STEP.live],
        waits: raw[STEP.waits].map(function (wait) { return { line: self.place_of(self.lined(wait[0])), lanes: wait[1], kind: wait[2] }; }),
        ways: this.is_branch(at) ? this.ways(at) : []
      };
    },

    is_branch: function (at) {
      var insn = this.insn(at);
      if (insn.branch === undefined) insn.branch = BRANCH.test(this.ptx(insn));
      return insn.branch;
    },

    // Of a pc, or of the next that a line is told of.
    lined: function (pc) { var insns = this.insns; return insns[Object.keys(insns).find(function (at) { return at >= pc && insns[at].line; })] || insns[pc]; },

    // Where the lanes of a branch go on, whatever its condition means: in the trace, at the next step of each, said as the next line that all of a
    // group come to; of the PTX, where that does not tell the groups apart. Lanes that wait where no line is told go on to the next that is.
    ways: function (at) {
      var ways = [], left = this.raw(at)[STEP.lanes], branch = this.insn(at).line;
      for (var k = at + 1; k < this.steps.length; k++) {
        var lanes = this.raw(k)[STEP.lanes], insn = this.insn(k), jump = JUMP.test(this.ptx(insn));
        if (lanes & left && !jump) ways.push({ lanes: lanes & left, line: "", ptx: "line " + insn.ptx + " of the PTX" });
        if (!jump) left &= ~lanes;
        if (insn.line && insn.line !== branch) ways.forEach(function (way) { if (!way.line && !(way.lanes & ~lanes)) way.line = "line " + insn.line; });
        if (!left && ways.every(function (way) { return way.line; })) break;
      }
      var apart = new Set(ways.map(function (way) { return way.line; }).filter(Boolean)).size === ways.length;
      return ways.map(function (way) { return { lanes: way.lanes, line: apart ? way.line : way.ptx }; });
    },

    // Which of the warp's accesses the one of a step is, from 1 on.
    access_at: function (at) {
      var number = 0;
      for (var k = 0; k <= at; k++) if (this.accesses(k).length) number++;
      return number;
    },

    // What is told of the launch's faults: arrays by their names in the kernel.
    faults: function () {
      var all = this.launch.trace.arrays, named = this.arrays;
      return this.launch.faults.map(function (fault) {
        return fault.message.replace(/'([^']*)'/g, function (words, name) {
          var index = all.findIndex(function (a) { return a.name === name; });
          return index < 0 ? words : "'" + named[index].label + "'";
        });
      });
    },

    // What the access of a step takes beyond the fewest possible, of what L1 does not have: sectors, wavefronts, words; null where there is none.
    cost: function (at) {
      var access = this.accesses(at)[0];
      if (!access) return null;
      return access.space === "shared" ? access.bank_conflicts : access.words !== undefined ? access.words - 1 : Math.max(0, (access.sectors || 0) - (access.l1_hit_sectors || 0) - (access.ideal_sectors || 0));
    },

    // The last values of each register that the warp has written up to a step, the last written last.
    registers: function (at) {
      var known = new Map();
      for (var k = 0; k <= at; k++) {
        var insn = this.insn(k);
        this.raw(k)[STEP.values].forEach(function (value) {
          var name = insn.writes[value[0]];
          known.delete(name);
          known.set(name, { insn: insn, value: value });
        });
      }
      return known;
    },

    // The elements of an array that the block has touched before a step, and those that this one touches.
    touched: function (index, at) {
      var size = this.arrays[index].size, before = new Set(), now = new Set();
      function add(set, a) {
        if (a.array !== index || a.space !== "global") return;
        a.at.forEach(function (byte) { if (byte !== null) for (var e = 0; e < a.bytes; e += size) set.add((byte + e) / size); });
      }
      for (var s = 0; s < this.steps[at]; s++) this.all[s][STEP.accesses].forEach(function (a) { add(before, a); });
      if (this.accesses(at).length) add(now, this.accesses(at)[0]);
      return { before: before, now: now };
    },

    // --- where to go from a step

    // The next step for which `holds`, from the first on again behind the last; as it was where there is none.
    next: function (at, holds) {
      for (var k = 1; k <= this.steps.length; k++) if (holds.call(this, (at + k) % this.steps.length)) return (at + k) % this.steps.length;
      return at;
    },
    // The warp's first access is number 1.
    access_number: function (number) {
      var at = this.accesses(0).length ? 0 : this.next_access(0);
      while (--number > 0) at = this.next_access(at);
      return at;
    },
    next_access: function (at) { return this.next(at, function (k) { return this.accesses(k).length > 0; }); },
    next_branch: function (at) { return this.next(at, this.is_branch); },
    next_of_line: function (at, line) { return this.next(at, function (k) { return this.line(k) === line; }); },

    // In the order of the source; by: 1 or -1.
    next_line: function (at, by) {
      var here = this.line(at), next = this.steps.map(function (step, k) { return this.line(k); }, this).filter(function (line) { return line && (line - here) * by > 0; });
      return next.length ? this.next_of_line(at, by * Math.min.apply(null, next.map(function (line) { return line * by; }))) : at;
    },

    // The access nearest to a step.
    access_near: function (at, wanted) {
      this.steps.forEach(function (step, k) { if (this.accesses(k).length && (!this.accesses(at).length || Math.abs(k - wanted) < Math.abs(at - wanted))) at = k; }, this);
      return at;
    },

    // The step of an instruction, where it is an access; else the costliest access, the first of equals.
    first_access: function (pc) {
      var best = 0, most = -1;
      for (var k = 0; k < this.steps.length; k++) {
        var cost = this.cost(k);
        if (cost !== null && this.pc(k) === pc) return k;
        if (cost !== null && cost > most) { most = cost; best = k; }
      }
      return best;
    },

    // --- the source

    // What an instruction computes, in the source's words: a parameter, also where its address is converted, an index of CUDA's, else its line.
    code: function (insn) {
      var ptx = this.ptx(insn), line = this.line_of(insn), index = /^mov\S* \S+, %(ctaid|nctaid|tid|ntid)\.([xyz])$/.exec(ptx);
      if (index) return { ctaid: "blockIdx", nctaid: "gridDim", tid: "threadIdx", ntid: "blockDim" }[index[1]] + "." + index[2];
      var address = /^cvta\S* \S+, (%\w+)$/.exec(ptx), of = address && Object.values(this.insns).find(function (other) { return other.writes.includes(address[1]); }), number = /^ld\.param.*_param_(\d+)\]/.exec(of ? this.ptx(of) : ptx);
      return number && this.parameters(line)[number[1]] || (this.source_lines[line - 1] || "").trim();
    },

    // The names between the parentheses of the kernel's head; without its place, of what begins at a line.
    parameters: function (line) {
      var head = this.place ? this.place[0] : line, list = /\(([^()]*)\)\s*\{/.exec(this.source_lines.slice(head - 1, head + 8).join(" "));
      return list ? list[1].match(/\w+(?=\s*(,|$))/g) || [] : [];
    },

    // The kernel's lines, and whole functions around other lines that ran, which the kernel calls; a row without text where lines are left out.
    rows: function () {
      var lines = this.source_lines, rows = [], wanted = new Set(), ran = Object.keys(this.counts).map(Number), place = this.place;
      // A function's head begins its line; what is in it does not, but for braces.
      function inner(line) { return /^(\s|[{}]|$)/.test(lines[line - 1] || ""); }
      function want(first, last) { for (var line = first; line <= last; line++) wanted.add(line); }
      if (place) want(place[0], place[1]);
      ran.forEach(function (line) {
        if (wanted.has(line)) return;
        var first = line, last = line;
        while (first > 1 && inner(first)) first--;
        while (last < lines.length && inner(last + 1) && !/^}|^\S.*}\s*$/.test(lines[last - 1])) last++;
        want(first, last);
      });
      Array.from(wanted).sort(function (a, b) { return a - b; }).forEach(function (line, index, all) {
        if (index && all[index - 1] < line - 1) rows.push({ line: line - 1, gap: true });
        rows.push({ line: line, text: lines[line - 1] });
      });
      return rows;
    }
  };

  window.TracedWarp = TracedWarp;
})();
