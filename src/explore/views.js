// views.js: pictures of one step of a traced launch (report/trace_json.h), as HTML text. What the memory does is not counted here: that comes from
// the engine, and this file says where things stand on the page, and which bytes of a sector lanes ask for.
(function () {
  "use strict";
  var LANES = 32, SECTOR = 32, LINE = 128, WORD = 4, BANKS = 32, MINUS = "\u2212"; // behind which no line breaks, unlike a hyphen
  var views = (window.WarpViews = {});

  function escape(text) {
    return String(text).replace(/[&<>"]/g, function (c) { return { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]; });
  }
  views.escape = escape;

  function has(mask, lane) { return ((mask >>> lane) & 1) === 1; }
  views.has = has;

  function lanes(mask) {
    var list = [];
    for (var l = 0; l < LANES; l++) if (has(mask, l)) list.push(l);
    return list;
  }
  views.lanes = lanes;

  function plural(count, one, many) { return count.toLocaleString("en") + " " + (count === 1 ? one : many || one + "s"); }
  views.plural = plural;

  // "0-15, 20": lanes as people write them.
  views.ranges = function (mask) {
    var list = lanes(mask), parts = [];
    for (var i = 0; i < list.length;) {
      var j = i;
      while (j + 1 < list.length && list[j + 1] === list[j] + 1) j++;
      parts.push(i === j ? String(list[i]) : list[i] + "–" + list[j]);
      i = j + 1;
    }
    return parts.join(", ");
  };

  // A lane's value of TracedValue: one for all, or by lane.
  views.valueOf = function (value, lane) { return Array.isArray(value[2]) ? value[2][lane] : value[2]; };

  views.shown = function (value, arrays) {
    if (value === null || value === undefined) return "";
    if (typeof value === "string") return value.replace("-", MINUS);
    for (var i = 0; i < arrays.length; i++) {
      var a = arrays[i], at = value - a.address;
      if (value > LINE * LINE * LINE && at >= 0 && at < a.bytes) return a.label + (at ? "+" + at : "");
    }
    var size = Math.abs(value), digits = value < 0 ? 2 : 3;
    var text = Number.isInteger(value) ? String(value) : size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(size < 1 ? +value.toFixed(digits) : +value.toPrecision(3));
    return text.replace(/-/g, MINUS);
  };

  // --- what stands in an explorer once, to be filled later

  // task: the sentence above the controls, or nothing.
  views.shell = function (controls, id, task) {
    return '<p class="cover">This figure answers the question above: it appears once you have checked your prediction. <button type="button" data-do="uncover">show it now</button></p>' +
      (task ? '<p class="task">' + escape(task).replace(/`([^`]*)`/g, "<code>$1</code>") + "</p>" : "") + '<div class="controls"' + (controls.length ? "" : " hidden") + ">" + controls.map(function (c) {
        var field = id + "-" + c.name;
        return '<label for="' + field + '">' + escape(c.label) + (c.of
          ? '<select id="' + field + '" data-control="' + c.name + '">' + c.of.map(function (v) { return "<option>" + escape(v) + "</option>"; }).join("") + "</select>"
          : '<input type="range" id="' + field + '" data-control="' + c.name + '" min="' + c.from + '" max="' + c.to + '" step="' + (c.step || 1) + '"><output for="' + field + '"></output>') + "</label>";
      }).join("") + "</div>" +
      '<p class="number" aria-live="polite"></p>' +
      '<div class="picture"><ol class="warp32" role="listbox" tabindex="0" aria-label="Lanes, one of which can be followed"></ol><div class="drawn"></div></div>' +
      '<p class="said" aria-live="polite"></p><p class="lane" aria-live="polite"></p><p class="oops" role="alert"></p>' +
      '<details class="stepping"><summary>step through it</summary>' +
      '<div class="stage" tabindex="0" role="group" aria-label="One warp, step by step: left and right arrows step, n goes to the next access, b to the next branch, w to the next warp, l to the next lane, p plays">' +
      '<div class="transport"><button type="button" data-do="first">first</button><button type="button" data-do="back" title="left arrow">back</button>' +
      '<button type="button" data-do="step" title="right arrow">step</button><button type="button" data-do="play" title="p" aria-pressed="false">play</button>' +
      '<button type="button" data-do="access" title="n">next access</button><button type="button" data-do="branch" title="b">next branch</button>' +
      '<label><span>warp</span> <input type="number" class="warp" min="0" value="0"></label><label><span>block</span> <input type="number" class="block" min="0" value="0"></label></div>' +
      '<div class="track"><input type="range" class="steps" min="0" value="0" aria-label="Step"><div class="marks"></div><small></small></div><p class="keys">Keys: <kbd>←</kbd> <kbd>→</kbd> step, <kbd>n</kbd> next access, <kbd>b</kbd> next branch, <kbd>w</kbd> next warp, <kbd>l</kbd> next lane, <kbd>p</kbd> play</p>' +
      '<p class="now" aria-live="polite"></p>' +
      '<div class="heads"></div><ol class="source" tabindex="0" aria-label="Source: up and down arrows go to the lines that this warp ran"></ol>' +
      '<div class="matrices"></div>' +
      '<div class="lanes"><label>lanes’ values <select class="value"></select></label><ol class="values"></ol></div>' +
      '<details class="all"><summary>PTX</summary><ol class="ptx" tabindex="0" aria-label="PTX"></ol></details></div>' +
      '<div class="totals"></div>' +
      '<p class="more"><button type="button" data-do="keep">keep for comparison</button> <button type="button" data-do="reset">start again</button> <button type="button" data-do="link">copy link</button> <span class="copied" role="status"></span></p><div class="kept"></div></details>';
  };

  // --- what a launch counted, as rows of a table

  function fewest(launch, space, op) {
    return launch.lines.reduce(function (sum, line) { return line.space === space && line.op === op ? sum + (line.ideal_sectors || 0) : sum; }, 0);
  }

  // Of the two kinds of memory, whose units differ: what was asked for, and what that took. What L1 has is not moved.
  function totals(launch) {
    var kinds = [{ heads: ["sectors", "fewest possible", "in L1", "moved"], rows: [] }, { heads: ["wavefronts", "fewest possible", "bank conflicts"], rows: [] }];
    ["global", "local"].forEach(function (space) {
      Object.keys(launch[space] || {}).forEach(function (op) {
        var c = launch[space][op], hits = c.l1_hit_sectors || 0;
        if (c.requests) kinds[0].rows.push([space + " " + op + "s", c.requests, c.sectors, fewest(launch, space, op), hits, c.sectors - hits]);
      });
    });
    Object.keys(launch.shared || {}).forEach(function (op) {
      var c = launch.shared[op];
      if (c.requests) kinds[1].rows.push(["shared " + op + "s", c.requests, c.wavefronts, c.wavefronts - c.bank_conflicts, c.bank_conflicts]);
    });
    return kinds.filter(function (kind) { return kind.rows.length; });
  }

  // What takes the model's time (device/model.h).
  var BOUNDS = {
    dram: "bytes to and from device memory", stores: "lines stored to L2", atomics: "atomics that meet in a word or a slice of L2", l1: "sectors through L1", shared: "wavefronts in shared memory",
    issue: "issuing instructions", latency: "waiting: too few bytes are in flight", blocks: "starting blocks", launch: "launching the kernel, whatever it does"
  };

  function count(value) { return value === undefined ? "" : value.toLocaleString("en"); }

  // faults: what is told of each.
  views.totals = function (launch, title, faults) {
    var html = "<p><b>" + escape(title) + "</b></p>";
    totals(launch).forEach(function (kind) {
      html += "<table><thead><tr><td></td>" + ["requests"].concat(kind.heads).map(function (head) { return '<th scope="col">' + head + "</th>"; }).join("") + "</tr></thead><tbody>" + kind.rows.map(function (row) {
        return '<tr><th scope="row">' + row[0] + "</th>" + row.slice(1).map(function (value, at) { return "<td" + (at === 1 && value > row[3] ? ' class="more"' : "") + ">" + count(value) + "</td>"; }).join("") + "</tr>";
      }).join("") + "</tbody></table>";
    });
    if (launch.model && launch.model.time_us) html += "<p>modelled time: <b>" + launch.model.time_us.toPrecision(3) + " µs</b>, most of it for " + escape(BOUNDS[launch.model.bound] || launch.model.bound) + "</p>";
    faults.forEach(function (fault) { html += '<p class="fault">' + escape(fault) + "</p>"; });
    return html;
  };

  // --- the source, with how often the block's warps ran each line, and what it cost them

  function column(text) { return '<span class="runs">' + text + "</span>"; }

  views.heads = function (costs) {
    return column("runs") + costs.units.map(function (unit) { return column(unit.replace("onts", ".")); }).join("") + 'code <span class="of">(of this block’s warps)</span>';
  };

  views.source = function (rows, current, counts, costs) {
    return rows.map(function (row) {
      if (row.gap) return '<li class="gap" aria-label="Lines left out"></li>';
      var runs = counts[row.line], cost = costs[row.line] || { sectors: 0, wavefronts: 0 }, most = Math.max(cost.sectors, cost.wavefronts);
      return '<li value="' + row.line + '" class="' + (runs ? "ran" : "") + (most && most === costs.most ? " most" : "") + '"' + (row.line === current ? ' aria-current="step"' : "") + ">" +
        column(runs ? runs.toLocaleString("en") + "×" : "") + costs.units.map(function (unit) { return column(cost[unit] ? count(cost[unit]) : ""); }).join("") + '<code style="--indent:' + row.text.search(/\S|$/) + '">' + escape(row.text || " ") + "</code></li>";
    }).join("");
  };

  // --- the warp: each lane's state, and its value; of one that waits, the line at which it goes on

  var STATES = {
    active: "runs this instruction", silent: "runs this instruction, and no address of its own is used", off: "skips this instruction: its predicate is false", branch: "runs this branch", gone: "has left the kernel", none: "has no thread", path: "took another path",
    reconvergence: "waits to reconverge", sync: "waits at a __syncwarp()"
  };

  // step.begun: the lanes that have threads; step.waits: [{line, lanes: mask, kind}]; a line is text: "line 14"; step.ways: at a branch with a
  // predicate, [{line, lanes}] where its lanes go on.
  // access: of the step, or nothing.
  function state_of(step, lane, access) {
    if (!has(step.live, lane)) return { kind: has(step.begun, lane) ? "gone" : "none" };
    var way = has(step.lanes, lane) && step.ways.find(function (w) { return has(w.lanes, lane); });
    if (way) return { kind: "branch", line: way.line };
    if (has(step.lanes, lane)) return { kind: !has(step.active, lane) ? "off" : access && !has(access.active, lane) ? "silent" : "active" };
    return step.waits.find(function (wait) { return has(wait.lanes, lane); });
  }

  // A value in a cell breaks, where it must, before an exponent, an offset, or a group of three digits; never behind its sign.
  function breakable(text) {
    if (/^−?\d+$/.test(text)) return text.replace(/\d(?=(\d{3})+$)/g, "$&<wbr>");
    return escape(text).replace(/^([A-Za-z_]\w*)\+/, "$1<wbr>+").replace(/(\d)e/, "$1<wbr>e");
  }

  // The lanes of a step by number, above a picture, and their values: [options of a list, items]. chosen: a lane or null; id: of the explorer, for the
  // options' own; access: what the step asks for, or nothing.
  views.warp = function (step, value, arrays, chosen, id, access) {
    var options = "", cells = "";
    for (var l = 0; l < LANES; l++) {
      var state = state_of(step, l, access), text = value && has(value[1], l) ? views.shown(views.valueOf(value, l), arrays) : "";
      var title = escape("lane " + l + ": " + STATES[state.kind] + (state.line ? ", goes on at " + state.line : "") + (text ? ", " + text : ""));
      var cell = '<li class="' + state.kind + '" data-lanes="' + l + '" title="' + title + '"';
      options += cell + ' role="option" id="' + escape(id) + "-lane-" + l + '" aria-selected="' + (l === chosen) + '" aria-label="' + title + '">' + l + "</li>";
      cells += cell + "><b>" + l + "</b><span>" + (state.line ? "→" + escape(state.line.replace(/^line | of the PTX$/g, "")) : breakable(text)) + "</span></li>";
    }
    return [options, cells];
  };

  // "Lanes 0–15 wait", "17 lanes wait" where they lie scattered, "Lane 3 waits".
  function who(mask, several, one) {
    var list = views.ranges(mask), count = lanes(mask).length;
    return count === 1 ? "Lane " + list + " " + one : (list.split(",").length > 4 ? count + " lanes" : "Lanes " + list) + " " + several;
  }

  // The same in words: what the lanes do that are not here.
  views.waiting = function (step) {
    var said = step.waits.map(function (wait) {
      if (wait.kind === "path") return who(wait.lanes, "have taken", "has taken") + " another path, to be run from " + wait.line + ".";
      if (wait.kind === "sync") return who(wait.lanes, "wait", "waits") + " at the __syncwarp() of " + wait.line + ".";
      return who(wait.lanes, "wait", "waits") + " to reconverge at " + wait.line + ".";
    }), off = step.ways.length ? 0 : step.lanes & ~step.active, gone = step.begun & ~step.live;
    if (off) said.unshift(who(off, "skip", "skips") + " it: predicate false.");
    if (step.ways.length > 1) said.unshift("The lanes part: " + step.ways.map(function (way) { return who(way.lanes, "go on to ", "goes on to ") + way.line; }).join("; ").replace(/Lane/g, "lane") + ".");
    else if (step.ways.length && !(step.lanes & ~step.ways[0].lanes)) said.unshift("All go on to " + step.ways[0].line + ".");
    if (gone) said.push(who(gone, "have", "has") + " left the kernel.");
    if (~step.begun) said.push(who(~step.begun, "have", "has") + " no thread.");
    return said.join(" ");
  };

  // "bank 5", "banks 8–11": those of the bytes from one on.
  function banks_of(at, bytes) {
    var first = Math.floor(at / WORD) % BANKS, more = Math.ceil(bytes / WORD) - 1;
    return more > 0 ? "banks " + first + "–" + (first + more) : "bank " + first;
  }

  // A lane's own place in the request: its bytes, and what serves them. Empty where it asks for nothing.
  views.place = function (access, array, lane) {
    if (!access || !has(access.active, lane)) return "";
    var at = access.at[lane], name = array ? array.label : "", size = array && array.element;
    var said = "byte" + (access.bytes > 1 ? "s " + at + "–" + (at + access.bytes - 1) : " " + at) + (name ? " of " + name + (size && at % size === 0 && /^\w+$/.test(name) ? ", " + name + "[" + at / size + "]" : "") : "");
    if (access.space === "shared" && access.served) return said + ", " + banks_of(at, access.bytes) + ", served in wavefront " + (access.served[lane] + 1);
    var line = access.lines && access.lines.find(function (l) { return at >= l[0] && at < l[0] + LINE; });
    if (!line) return said;
    var sector = Math.floor((at - line[0]) / SECTOR), begin = line[0] + sector * SECTOR, others = 0, same = 0;
    lanes(access.active).forEach(function (l) {
      if (l === lane) return;
      if (access.at[l] === at) same |= 1 << l;
      else if (access.at[l] < begin + SECTOR && access.at[l] + access.bytes > begin) others |= 1 << l;
    });
    return said + (same ? ", as " + (lanes(same).length > 1 ? "lanes " : "lane ") + views.ranges(same) : "") + ", in the sector of bytes " + begin + "–" + (begin + SECTOR - 1) + (others ? ", with " + (lanes(others).length > 1 ? "lanes " : "lane ") + views.ranges(others) : same ? "" : ", alone");
  };

  views.lane = function (step, access, array, value, arrays, lane) {
    var state = state_of(step, lane, access), text = value && has(value[1], lane) ? views.shown(views.valueOf(value, lane), arrays) : "", place = views.place(access, array, lane);
    return "Lane " + lane + ": " + STATES[state.kind] + (state.line ? ", goes on at " + state.line : "") + (place ? "; " + place : "") + (text ? "; value " + text : "") + ".";
  };

  // --- where a warp's accesses are, below the slider of its steps

  // costs: by step, null where it accesses nothing; costliest: one of them or -1.
  views.marks = function (costs, costliest) {
    var width = 1000, gap = costs.length > 1 ? width / (costs.length - 1) : 0, path = "";
    costs.forEach(function (cost, at) { if (cost !== null && at !== costliest) path += "M" + (at * gap).toFixed(1) + " 0v6"; });
    return '<svg viewBox="0 0 ' + width + ' 12" preserveAspectRatio="none" aria-hidden="true"><path class="access" d="' + path + '"/>' +
      (costliest >= 0 ? '<path class="costliest" d="M' + (costliest * gap).toFixed(1) + ' 0v12"/>' : "") + "</svg>";
  };

  // --- a request, drawn: below the lanes what each asks for, in a box that carries its number

  // of: the lanes that it belongs to; one of several names how many.
  function box(style, where, what, of, numbered) {
    return '<i class="' + style + '" style="' + where + '" data-lanes="' + of.join(" ") + '" title="' + escape(what + (of.length > 1 ? ": lanes " : ": lane ") + of.join(", ")) + '">' +
      (!numbered ? "" : of.length > 1 ? of.length + "×" : of[0]) + "</i>";
  }

  // The lanes that ask for the same unit of bytes, by its first.
  function asked(access, unit) {
    var by = {};
    lanes(access.active).forEach(function (l) {
      var at = Math.floor(access.at[l] / unit) * unit;
      (by[at] = by[at] || []).push(l);
    });
    return by;
  }

  // What the picture has, as it is drawn there.
  function key(entries) {
    return '<p class="key">' + entries.map(function (entry) { return '<span><i class="' + entry[0] + '"></i> ' + escape(entry[1]) + "</span>"; }).join(" ") + "</p>";
  }

  // Of lanes that do not just run the step, for the same: of each kind that there is, one entry.
  var KINDS = { silent: "no address", off: "skips it", path: "waits", reconvergence: "waits", sync: "waits", gone: "has left", none: "no thread" };
  views.lane_key = function (step, access) {
    var kinds = {};
    for (var l = 0; l < LANES; l++) {
      var kind = state_of(step, l, access).kind;
      if (KINDS[kind] && !Object.values(kinds).includes(KINDS[kind])) kinds[kind] = KINDS[kind];
    }
    return Object.keys(kinds).map(function (kind) { return '<span><i class="lane ' + kind + '"></i> a lane: ' + kinds[kind] + "</span>"; }).join(" ");
  };

  function drawn(body, entries, alt) { return '<div role="img" aria-label="' + escape(alt) + '">' + body + "</div>" + key(entries); }

  // --- to global memory: sectors, four to a row. Lines stand in rows of their own, with what is not touched of them; of more lines than that leaves
  // room for, the sectors that are touched alone.

  views.LINE_ROWS = 8; // as many as 32 sectors take
  function in_lines(access) { return access.lines.length <= views.LINE_ROWS; }

  // Rows that an access's picture takes: of sectors, of wavefronts.
  function rows_of(access) {
    if (access.space === "shared") return { sectors: 0, wavefronts: access.joined ? 0 : access.wavefronts };
    return { sectors: !access.lines ? 0 : in_lines(access) ? access.lines.length : Math.ceil(access.sectors * SECTOR / LINE), wavefronts: 0 };
  }

  // The most rows of their pictures.
  views.room = function (accesses) {
    return accesses.map(rows_of).reduce(function (most, rows) {
      return { sectors: Math.max(most.sectors, rows.sectors), wavefronts: Math.max(most.wavefronts, rows.wavefronts) };
    }, { sectors: 0, wavefronts: 0 });
  };
  // fault: the message of the one that ends the launch here, or nothing.
  views.nothing = function (fault) { return '<p class="nothing' + (fault ? " fault" : "") + '">' + escape(fault || "This step has no access to draw.") + "</p>" + key([]); };

  // What becomes of a sector, of the bytes that lanes ask for, and of the others.
  var DONE = { load: ["fetched", "used", "fetched, not used"], store: ["written", "stored", "of the same sector, not stored"], atomic: ["updated", "used", "of the same sector, not used"] };

  // One sector of a line: [html, bytes that lanes ask for]. by: lanes, by the byte at which what they ask for begins.
  // apart: it does not follow the one before it.
  function sector(access, array, line, index, by, apart) {
    var begin = line[0] + index * SECTOR, used = 0, boxes = "", element = array && array.element;
    Object.keys(by).map(Number).forEach(function (byte) {
      var from = Math.max(byte, begin), to = Math.min(byte + access.bytes, begin + SECTOR);
      if (from >= to) return;
      used += to - from;
      boxes += box("word", "left:" + (from - begin) * 100 / SECTOR + "%;width:" + (to - from) * 100 / SECTOR + "%", "bytes " + byte + "–" + (byte + access.bytes - 1), by[byte], access.bytes >= WORD);
    });
    var touched = has(line[1], index), hit = has(line[2], index);
    return ['<div class="sector' + (!touched ? "" : hit ? " hit" : " moved") + (apart ? " apart" : "") + '"><span class="bytes">' + boxes + "</span><small><span>" + (apart ? "⋯ " : "") +
      escape(element ? array.label + "[" + Math.ceil(begin / element) + "]" : "byte " + begin) + "</span><span>" +
      (!touched ? "" : (hit ? "in L1, " : "") + used + " of " + SECTOR + " " + DONE[access.op][1]) + "</span></small></div>", used, touched, hit];
  }

  // The picture, how many bytes lanes ask for in all, and the kinds of sectors that there are. rows: the fewest to be laid out.
  function sectors(access, array, rows) {
    var by = asked(access, 1), used = 0, places = [], kinds = {}, end = null;
    access.lines.slice().sort(function (a, b) { return a[0] - b[0]; }).forEach(function (line) {
      for (var s = 0; s < LINE / SECTOR; s++) {
        if (!in_lines(access) && !has(line[1], s)) continue;
        var begin = line[0] + s * SECTOR, apart = end !== null && begin !== end, one = sector(access, array, line, s, by, apart);
        places.push(one[0]);
        used += one[1];
        kinds[!one[2] ? "untouched" : one[3] ? "hit" : one[1] < SECTOR ? "moved" : "whole"] = true;
        if (apart) kinds.apart = true;
        end = begin + SECTOR;
      }
    });
    while (places.length % (LINE / SECTOR) || places.length < rows * LINE / SECTOR) places.push('<div class="sector room"></div>');
    return { html: '<div class="sectors">' + places.join("") + "</div>", used: used, kinds: kinds };
  }

  views.request = function (access, array, room) {
    var picture = sectors(access, array, room ? room.sectors : 0), kinds = picture.kinds;
    var entries = [["word", "asked for, by lane"], ["moved", DONE[access.op][2]], ["hit", "in L1, darker: asked for"], ["untouched", "not touched"], ["apart", "bytes left out"]];
    return drawn(picture.html, entries.filter(function (entry) { return entry[0] === "word" ? kinds.moved || kinds.whole : kinds[entry[0]]; }), views.sentence(access, array));
  };

  // Why so many wavefronts, of lanes that want several banks each: as many lanes are served at a time as have room in all banks.
  function why_in_groups(access) {
    var group = LANES * WORD / access.bytes, worst = { packs: 0 }, sum = 0, groups = 0;
    for (var first = 0; first < LANES; first += group) {
      var banks = {}, most = 0;
      lanes(access.active).forEach(function (l) {
        if (l < first || l >= first + group) return;
        var pack = Math.floor(access.at[l] / access.bytes), bank = pack % group, packs = (banks[bank] = banks[bank] || new Set()).add(pack).size;
        if (packs > worst.packs) worst = { packs: packs, at: access.at[l], first: first };
        most = Math.max(most, packs);
      });
      if (most) groups++;
      sum += most;
    }
    if (sum !== access.wavefronts) return "";
    var said = "They are served " + group + " lanes at a time";
    if (worst.packs === 1) return said + ", of which no two want different bytes of one bank: " + plural(sum, "wavefront") + ".";
    return said + ": lanes " + worst.first + "–" + (worst.first + group - 1) + " ask " + banks_of(worst.at, access.bytes) + " for " + worst.packs + " different packs, so " +
      plural(worst.packs, "wavefront") + (groups > 1 ? ", " + sum + " with the others" : "") + ".";
  }

  // Why so many sectors, where lanes lie without an order: how many lanes share one. Empty where another count than the memory's comes out.
  function why_scattered(access, list) {
    var sharing = {};
    list.forEach(function (l) {
      for (var s = Math.floor(access.at[l] / SECTOR); s * SECTOR < access.at[l] + access.bytes; s++) sharing[s] = (sharing[s] || 0) + 1;
    });
    var counts = Object.values(sharing), most = Math.max.apply(null, counts), least = Math.min.apply(null, counts);
    if (counts.length !== access.sectors) return "";
    return "The lanes’ bytes lie in " + plural(counts.length, "sector") + (most === 1 ? ", and no two lanes share one." : ", each for " + (most === least ? "" : least + " to ") + plural(most, "lane") + ".");
  }

  // Why so many: where the addresses of lanes next to each other lie evenly, or one bank alone holds as many words as there are wavefronts. Empty where
  // that does not explain the count.
  views.why = function (access) {
    var list = lanes(access.active), at = list.map(function (l) { return access.at[l]; }), last = list.length - 1, lane = access.bytes;
    if (last < 1 || access.joined || access.words !== undefined) return "";
    if (access.space === "shared") {
      var banks = {}, most = [];
      if (access.op === "atomic") return "";
      if (lane > WORD) return why_in_groups(access);
      at.forEach(function (byte) { var word = Math.floor(byte / WORD); (banks[word % BANKS] = banks[word % BANKS] || new Set()).add(word); });
      Object.keys(banks).forEach(function (bank) { if (banks[bank].size > (most[1] || 0)) most = [bank, banks[bank].size]; });
      if (most[1] !== access.wavefronts) return "";
      return most[1] === 1 ? "No bank is asked for two different words." : "Bank " + most[0] + " is asked for " + most[1] + " different words, so it takes " + most[1] + " wavefronts.";
    }
    var apart = at[1] - at[0], line = access.lines && access.lines.find(function (l) { return Math.min(at[0], at[last]) >= l[0] && Math.min(at[0], at[last]) < l[0] + LINE; });
    if (!line || list[last] - list[0] !== last || at.some(function (byte, i) { return byte !== at[0] + i * apart; })) return access.lines ? why_scattered(access, list) : "";
    var span = Math.abs(apart) * last + lane, skipped = (Math.min(at[0], at[last]) - line[0]) % SECTOR, so = ", so " + plural(access.sectors, "sector") + ".";
    var from = skipped ? ", beginning " + plural(skipped, "byte") + " into a sector" : "";
    apart = Math.abs(apart);
    if (!apart) return access.sectors === 1 ? "All want the same " + plural(lane, "byte") + so : "";
    if (apart < SECTOR && access.sectors === Math.floor((skipped + span - 1) / SECTOR) + 1)
      return (apart === lane ? "The lanes lie side by side" : "The lanes are " + plural(apart, "byte") + " apart") + " and span " + plural(span, "byte") + from + so;
    if (apart < SECTOR || access.sectors !== list.length) return why_scattered(access, list);
    return "The lanes are " + plural(apart, "byte") + " apart, " + (apart > SECTOR ? "more than" : "as many as") + " a sector, and no two share one" + so;
  };

  // What lanes ask for.
  views.asks = function (access, array) {
    var used = lanes(access.active).length, one = used === 1;
    return plural(used, "lane") + (one ? " asks" : " ask") + " to " + { load: "load ", store: "store ", atomic: "update " }[access.op] + plural(access.bytes, "byte") + (one ? "" : " each") +
      (array ? " of " + array.label : access.space === "global" ? "" : { load: " from ", store: " to ", atomic: " in " }[access.op] + access.space + " memory");
  };

  // The same with what it costs.
  views.sentence = function (access, array) {
    var asks = views.asks(access, array), hits = access.l1_hit_sectors;
    if (access.joined) return asks + ": joined by the assembler to another access, whose request serves this one";
    if (access.space === "shared") return asks + ": " + plural(access.wavefronts, "wavefront") + ", " + plural(access.bank_conflicts, "bank conflict");
    if (access.words !== undefined) return asks + ": " + plural(access.words, "different word") + ", for which the constant cache is asked " + (access.words === 1 ? "once" : plural(access.words, "time"));
    return asks + ": " + plural(access.sectors, "sector") + (access.lines && access.lines.length ? " of " + plural(access.lines.length, "line") : "") + "; the fewest that could hold them: " + access.ideal_sectors +
      (access.op === "load" ? "; in L1 already: " + hits : "");
  };

  // The number that a request is judged by, as HTML; what else belongs to it stands behind.
  views.number = function (access, array) {
    var more = [], fewest, all = access.sectors, hits = access.l1_hit_sectors || 0, what;
    if (access.joined) return "<b>0</b> requests: joined to another";
    if (access.space === "shared") {
      fewest = access.wavefronts - access.bank_conflicts;
      what = [access.wavefronts, "wavefront"];
      if (access.bank_conflicts) more.push(plural(access.bank_conflicts, "bank conflict"));
      all = access.wavefronts;
    } else if (access.words !== undefined) {
      what = [access.words, "different word"];
      more.push("one after the other");
    } else {
      fewest = access.ideal_sectors;
      what = [all - hits, "sector", " " + DONE[access.op][0]];
      if (hits) more.push(hits + " in L1");
    }
    if (fewest) more.push((hits ? all + " in all" + (all > fewest ? ", " : "") : "") + (all > fewest ? fewest + " would do" : hits ? "" : "the fewest possible"));
    if (access.lines) more.push(sectors(access, array, 0).used + " of " + all * SECTOR + " bytes " + DONE[access.op][1]);
    return "<b>" + what[0] + "</b> " + what[1] + (what[0] === 1 ? "" : "s") + (what[2] || "") + " <span>" + more.filter(Boolean).join(" · ") + "</span>";
  };

  // --- to shared memory: banks as columns, and in each row what they give in one wavefront. On phones the second half stands below the first.

  views.banks = function (access, array, room) {
    var unit = Math.max(WORD, access.bytes), wide = unit / WORD, given = {}, halves = ["", ""], half = BANKS / 2;
    var twice = access.op === "atomic" && access.bytes > WORD ? 2 : 1; // an atomic of 8 bytes takes two wavefronts
    lanes(access.active).forEach(function (l) {
      var byte = Math.floor(access.at[l] / unit) * unit, key = access.served[l] + " " + byte;
      (given[key] = given[key] || { row: access.served[l], byte: byte, lanes: [] }).lanes.push(l);
    });
    function cell(row, column, rows, columns) { return "grid-area:" + row + "/" + column + "/span " + rows + "/span " + columns; }
    for (var bank = 0; bank < BANKS; bank++) halves[Math.floor(bank / half)] += '<b class="bank" style="grid-column:' + (bank % half + 2) + '">' + bank + "</b>";
    for (var row = 0; row < access.wavefronts; row += access.wavefronts <= 12 ? 1 : row ? 4 : 3) // many have room for every fourth number
      halves = halves.map(function (html) { return html + '<b class="wavefront" style="' + cell(row + 2, 1, 1, 1) + '">' + (row + 1) + "</b>"; });
    Object.keys(given).forEach(function (key) {
      var g = given[key], first = (g.byte / WORD) % BANKS;
      halves[Math.floor(first / half)] += box(has(access.late, g.lanes[0]) ? "word late" : "word", cell(g.row + 2, first % half + 2, twice, wide),
        "wavefront " + (g.row + 1) + ", bank " + first + (wide > 1 ? " to " + (first + wide - 1) : "") + ", byte " + g.byte, g.lanes, true);
    });
    return drawn('<div class="banks" style="--wavefronts:' + access.wavefronts + ";--rows:" + Math.max(access.wavefronts, room ? room.wavefronts : 0) + '">' +
      halves.map(function (html) { return '<div class="half">' + html + "</div>"; }).join("") + "</div>",
      [["word", "given, by lane"]].concat(access.late ? [["late", "later: a conflict"]] : [], [["bank", "across: banks; down: wavefronts"]]), views.sentence(access));
  };

  // --- to constant memory: the words that differ, one after the other

  views.constant = function (access, array) {
    var unit = Math.max(WORD, access.bytes), words = asked(access, unit), several = Object.keys(words).length > 1;
    return drawn('<div class="constants">' + Object.keys(words).map(Number).sort(function (a, b) { return a - b; }).map(function (byte, index) {
      return box(index ? "word late" : "word", "", (array ? array.label + ", byte " : "byte ") + byte, words[byte], true);
    }).join("") + "</div>", [["word", "the first word, by lane"]].concat(several ? [["late", "each one more, after the one before"]] : []), views.sentence(access, array));
  };

  // Empty where there is nothing to draw: an access to local memory, or one that another's request serves.
  views.picture = function (access, array, room) {
    if (access.space === "shared") return access.joined ? "" : views.banks(access, array, room);
    return access.words !== undefined ? views.constant(access, array) : access.lines ? views.request(access, array, room) : "";
  };

  // --- an array as a matrix, on a canvas: what was touched before, what this access touches

  var CELLS = 64;

  views.matrices = function (arrays) {
    return key([["late", "this access"], ["before", "this block, earlier"], ["idle", "not touched by this block so far"]]) + arrays.map(function (a, index) {
      return a.columns ? '<figure><canvas role="img" data-array="' + index + '"></canvas><figcaption></figcaption></figure>' : "";
    }).join("");
  };

  // before, now: of elements. Returns what is shown, in words.
  views.matrix = function (canvas, array, before, now) {
    var columns = array.columns, rows = Math.ceil(array.bytes / array.size / columns), style = getComputedStyle(canvas);
    var focus = now.size ? now : before, low = Infinity, left = Infinity;
    focus.forEach(function (e) { low = Math.min(low, Math.floor(e / columns)); left = Math.min(left, e % columns); });
    if (!focus.size) low = left = 0;
    var height = Math.min(rows, CELLS), width = Math.min(columns, CELLS);
    var row = Math.max(0, Math.min(low, rows - height)), column = Math.max(0, Math.min(left, columns - width));
    if (rows <= CELLS) row = 0;
    if (columns <= CELLS) column = 0;
    // Twice the pixels that it takes at most: the browser makes it smaller, as there is room.
    var cell = Math.max(4, Math.floor(640 / Math.max(width, height))), gap = Math.floor(cell / 8);
    canvas.width = width * cell;
    canvas.height = height * cell;
    var paint = canvas.getContext("2d");
    function fill(elements, colour) {
      paint.fillStyle = style.getPropertyValue(colour);
      elements.forEach(function (e) {
        var r = Math.floor(e / columns) - row, c = e % columns - column;
        if (r >= 0 && r < height && c >= 0 && c < width) paint.fillRect(c * cell, r * cell, cell - gap, cell - gap);
      });
    }
    paint.fillStyle = style.getPropertyValue("--idle");
    paint.fillRect(0, 0, canvas.width, canvas.height);
    fill(before, "--before");
    fill(now, "--now");
    var part = height < rows || width < columns ? ", rows " + row + " to " + (row + height - 1) + ", columns " + column + " to " + (column + width - 1) : "";
    return array.label + ", " + rows + " rows × " + columns + " columns" + part;
  };
})();
