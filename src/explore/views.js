// views.js: pictures of one step of a traced launch (report/trace_json.h), as HTML and SVG text. Nothing is counted here: counts come from the
// engine, and this file only says where things stand on the page.
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

  views.shell = function (controls, id) {
    return '<p class="cover">This figure answers the question above: it appears once you have checked your prediction. <button type="button" data-do="uncover">show it now</button></p><div class="controls"' + (controls.length ? "" : " hidden") + ">" + controls.map(function (c) {
        var field = id + "-" + c.name;
        return '<label for="' + field + '">' + escape(c.label) + (c.of
          ? '<select id="' + field + '" data-control="' + c.name + '">' + c.of.map(function (v) { return "<option>" + escape(v) + "</option>"; }).join("") + "</select>"
          : '<input type="range" id="' + field + '" data-control="' + c.name + '" min="' + c.from + '" max="' + c.to + '" step="' + (c.step || 1) + '"><output for="' + field + '"></output>') + "</label>";
      }).join("") + "</div>" +
      '<div class="totals"></div>' +
      '<div class="stage" tabindex="0" role="group" aria-label="One warp, step by step: left and right arrows step, n goes to the next access, b to the next branch, w to the next warp, l to the next lane, p plays">' +
      '<div class="transport"><button type="button" data-do="first">first</button><button type="button" data-do="back" title="left arrow">back</button>' +
      '<button type="button" data-do="step" title="right arrow">step</button><button type="button" data-do="play" title="p" aria-pressed="false">play</button>' +
      '<button type="button" data-do="access" title="n">next access</button><button type="button" data-do="branch" title="b">next branch</button>' +
      '<label><span>warp</span> <input type="number" class="warp" min="0" value="0"></label><label><span>block</span> <input type="number" class="block" min="0" value="0"></label><span class="oops" role="alert"></span></div>' +
      '<div class="track"><input type="range" class="steps" min="0" value="0" aria-label="Step"><div class="marks"></div><small></small></div><p class="keys">Keys: <kbd>←</kbd> <kbd>→</kbd> step, <kbd>n</kbd> next access, <kbd>b</kbd> next branch, <kbd>w</kbd> next warp, <kbd>l</kbd> next lane, <kbd>p</kbd> play</p>' +
      '<p class="now" aria-live="polite"></p>' +
      '<div class="heads"></div><ol class="source" tabindex="0" aria-label="Source: up and down arrows go to the lines that this warp ran"></ol>' +
      '<div class="picture" tabindex="0" role="group" aria-label="The request, drawn"></div><p class="lane" aria-live="polite"></p>' +
      '<div class="matrices"></div>' +
      '<div class="lanes"><label>lanes’ values <select class="value"></select></label><ol class="warp32" role="listbox" tabindex="0" aria-label="Lanes, one of which can be followed"></ol></div>' +
      '<details class="all"><summary>PTX</summary><ol class="ptx" tabindex="0" aria-label="PTX"></ol></details></div>' +
      '<p class="more"><button type="button" data-do="keep">keep for comparison</button> <button type="button" data-do="reset">start again</button> <button type="button" data-do="link">copy link</button> <span class="copied" role="status"></span></p><div class="kept"></div>';
  };

  // --- what a launch counted, as rows of a table

  function fewest(launch, space, op) {
    return launch.lines.reduce(function (sum, line) { return line.space === space && line.op === op ? sum + (line.ideal_sectors || 0) : sum; }, 0);
  }

  function totals(launch) {
    var rows = [];
    ["global", "local"].forEach(function (space) {
      Object.keys(launch[space] || {}).forEach(function (op) {
        var c = launch[space][op];
        if (c.requests) rows.push({ what: space + " " + op + "s", requests: c.requests, moved: c.sectors, unit: "sectors", fewest: fewest(launch, space, op), hits: c.l1_hit_sectors });
      });
    });
    Object.keys(launch.shared || {}).forEach(function (op) {
      var c = launch.shared[op];
      if (c.requests) rows.push({ what: "shared " + op + "s", requests: c.requests, moved: c.wavefronts, unit: "wavefronts", fewest: c.wavefronts - c.bank_conflicts });
    });
    return rows;
  }

  // What takes the model's time (device/model.h).
  var BOUNDS = {
    dram: "bytes to and from device memory", stores: "lines stored to L2", atomics: "atomics that meet in a line", l1: "sectors through L1", shared: "wavefronts in shared memory",
    issue: "issuing instructions", latency: "waiting: too few bytes are in flight", blocks: "starting blocks", launch: "launching the kernel, whatever it does"
  };

  function count(value) { return value === undefined ? "" : value.toLocaleString("en"); }

  views.totals = function (launch, title) {
    var rows = totals(launch), hits = rows.some(function (row) { return row.hits !== undefined; });
    var html = "<table><caption>" + escape(title) + '</caption><thead><tr><td></td><th scope="col">requests</th><th scope="col">moved</th><th scope="col">fewest possible</th>' +
      (hits ? '<th scope="col">in L1</th>' : "") + "</tr></thead><tbody>";
    rows.forEach(function (row) {
      html += '<tr><th scope="row">' + escape(row.what) + " <small>in " + row.unit + "</small></th><td>" + count(row.requests) + '</td><td class="' + (row.moved > row.fewest ? "more" : "") + '">' + count(row.moved) + "</td><td>" + count(row.fewest) + "</td>" + (hits ? "<td>" + count(row.hits) + "</td>" : "") + "</tr>";
    });
    html += "</tbody></table>";
    if (launch.model && launch.model.time_us) html += "<p>modelled time: <b>" + launch.model.time_us.toPrecision(3) + " µs</b>, most of it for " + escape(BOUNDS[launch.model.bound] || launch.model.bound) + "</p>";
    (launch.faults || []).forEach(function (fault) { html += '<p class="fault">' + escape(fault.message) + "</p>"; });
    return html;
  };
  // --- the source, with how often the block's warps ran each line, and what it cost in the whole launch

  // Of the lines of a file: {line: {sectors, wavefronts}}, and the most that one has of either.
  views.costs = function (launch, file) {
    var costs = { most: 0, units: [] };
    launch.lines.forEach(function (entry) {
      if (file && entry.file && entry.file !== file) return;
      var cost = (costs[entry.line] = costs[entry.line] || { sectors: 0, wavefronts: 0 });
      cost.sectors += entry.sectors || 0;
      cost.wavefronts += entry.wavefronts || 0;
      costs.most = Math.max(costs.most, cost.sectors, cost.wavefronts);
    });
    costs.units = ["sectors", "wavefronts"].filter(function (unit) { return launch.lines.some(function (entry) { return entry[unit]; }); });
    return costs;
  };

  function column(text) { return '<span class="runs">' + text + "</span>"; }

  views.heads = function (costs) {
    return '<span title="how often the warps of this block ran the line">' + column("runs") + '</span><span title="of the whole launch">' + costs.units.map(function (unit) { return column(unit.replace("onts", ".")); }).join("") + "</span>code";
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
    active: "runs this instruction", off: "skips this instruction: its predicate is false", branch: "runs this branch", gone: "has left the kernel", none: "has no thread", path: "took another path",
    reconvergence: "waits to reconverge", sync: "waits at a __syncwarp()"
  };

  // step.begun: the lanes that have threads; step.waits: [{line, lanes: mask, kind}]; a line is text: "line 14"; step.ways: at a branch with a
  // predicate, [{line, lanes}] where its lanes go on.
  function state_of(step, lane) {
    if (!has(step.live, lane)) return { kind: has(step.begun, lane) ? "gone" : "none" };
    var way = has(step.lanes, lane) && step.ways.find(function (w) { return has(w.lanes, lane); });
    if (way) return { kind: "branch", line: way.line };
    if (has(step.lanes, lane)) return { kind: has(step.active, lane) ? "active" : "off" };
    return step.waits.find(function (wait) { return has(wait.lanes, lane); });
  }

  // A value in a cell breaks, where it must, before an exponent, an offset, or a group of three digits; never behind its sign.
  function breakable(text) {
    if (/^−?\d+$/.test(text)) return text.replace(/\d(?=(\d{3})+$)/g, "$&<wbr>");
    return escape(text).replace(/^([A-Za-z_]\w*)\+/, "$1<wbr>+").replace(/(\d)e/, "$1<wbr>e");
  }

  // chosen: a lane or null; id: of the explorer, for the cells' own.
  views.warp = function (step, value, arrays, chosen, id) {
    var cells = "";
    for (var l = 0; l < LANES; l++) {
      var state = state_of(step, l), text = value && has(value[1], l) ? views.shown(views.valueOf(value, l), arrays) : "";
      var title = "lane " + l + ": " + STATES[state.kind] + (state.line ? ", goes on at " + state.line : "") + (text ? ", " + text : "");
      cells += '<li class="' + state.kind + '" role="option" id="' + escape(id) + "-lane-" + l + '" data-lanes="' + l + '" aria-selected="' + (l === chosen) + '" aria-label="' + escape(title) + '" title="' + escape(title) + '"><b>' + l + "</b><span>" + (state.line ? "→" + escape(state.line.replace(/^line | of the PTX$/g, "")) : breakable(text)) + "</span></li>";
    }
    return cells;
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

  // A lane's own place in the request: its bytes, and what serves them. Empty where it asks for nothing.
  views.place = function (access, array, lane) {
    if (!access || !has(access.active, lane)) return "";
    var at = access.at[lane], name = array ? array.label : "", size = array && array.element;
    var said = "byte" + (access.bytes > 1 ? "s " + at + "–" + (at + access.bytes - 1) : " " + at) + (name ? " of " + name + (size && at % size === 0 && /^\w+$/.test(name) ? ", " + name + "[" + at / size + "]" : "") : "");
    if (access.space === "shared" && access.served) return said + ", bank " + (Math.floor(at / WORD) % BANKS) + ", served in wavefront " + (access.served[lane] + 1);
    var line = access.lines && access.lines.find(function (l) { return at >= l[0] && at < l[0] + LINE; });
    if (!line) return said;
    var sector = Math.floor((at - line[0]) / SECTOR), begin = line[0] + sector * SECTOR, others = 0;
    lanes(access.active).forEach(function (l) { if (l !== lane && access.at[l] < begin + SECTOR && access.at[l] + access.bytes > begin) others |= 1 << l; });
    return said + ", in the sector of bytes " + begin + "–" + (begin + SECTOR - 1) + (others ? ", with " + (lanes(others).length > 1 ? "lanes " : "lane ") + views.ranges(others) : ", alone");
  };

  views.lane = function (step, access, array, value, arrays, lane) {
    var state = state_of(step, lane), text = value && has(value[1], lane) ? views.shown(views.valueOf(value, lane), arrays) : "", place = views.place(access, array, lane);
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

  // --- a request to global memory: lanes, the words they touch, sectors, lines

  var WIDTH = 704, LANE = WIDTH / LANES;

  // of: the lanes that it belongs to, where there are any.
  function box(x, y, width, height, style, title, of) {
    return "<rect" + (of ? ' data-lanes="' + of.join(" ") + '"' : "") + ' x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" width="' + width.toFixed(1) + '" height="' + height + '" class="' + style + '">' +
      (title ? "<title>" + escape(title) + "</title>" : "") + "</rect>";
  }

  function label(x, y, text, style) {
    return '<text x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" class="' + (style || "small") + '">' + escape(text) + "</text>";
  }

  function svg(height, body, alt, margin) {
    return '<svg viewBox="0 0 ' + (WIDTH + (margin || 0)) + " " + height + '" role="img" aria-label="' + escape(alt) + '">' + body + "</svg>";
  }

  // A wavefront's row: many are drawn small.
  function row_of(access) { return access.wavefronts > 12 ? 15 : 17; }

  // [width, height] of an access's picture; [0, 0] where there is none.
  function size_of(access) {
    if (access.space === "shared") return access.joined ? [0, 0] : [WIDTH + 50, 94 + access.wavefronts * row_of(access)];
    if (access.words !== undefined) return [WIDTH, 124];
    return access.lines ? [WIDTH, 68 + Math.ceil(access.lines.length / lines_a_row(access)) * 62] : [0, 0];
  }

  // The height of the tallest of their pictures, by the width; a picture as tall as that; one with nothing in it.
  views.room = function (accesses) {
    return accesses.reduce(function (most, access) { var size = size_of(access); return size[0] ? Math.max(most, size[1] / size[0]) : most; }, 0);
  };
  views.make_room = function (picture, room) { picture.viewBox.baseVal.height = room * picture.viewBox.baseVal.width; };
  views.nothing = function () { return key([]) + svg(36, label(0, 29, "This step has no access to draw.", "small left"), "no access to draw"); };

  // Above a picture, where it does not pan with it: [[class of a box, what it means]].
  function key(entries) {
    return '<p class="key">' + entries.map(function (entry) {
      return '<span><svg viewBox="0 0 12 9" aria-hidden="true">' + box(0.5, 0.5, 11, 8, entry[0]) + "</svg> " + escape(entry[1]) + "</span>";
    }).join(" ") + "</p>";
  }

  function lane_row(access) {
    var out = "";
    for (var l = 0; l < LANES; l++) {
      out += box(l * LANE + 1, 16, LANE - 2, 18, has(access.active, l) ? "lane" : "none", "lane " + l + (access.at[l] === null ? ": not active" : ": byte " + access.at[l]), [l]);
      out += label(l * LANE + LANE / 2, 29, String(l), "number");
    }
    return label(0, 11, "lanes", "small left") + out;
  }

  // From a lane to a word; down, up: where the curve leaves the one and comes to the other.
  function wire(lane, to, down, up, y, far) {
    var from = lane * LANE + LANE / 2;
    return '<path class="wire' + (far ? " far" : "") + '" data-lanes="' + lane + '" d="M' + from + " 34 C" + from + " " + down + " " + to.toFixed(1) + " " + up + " " + to.toFixed(1) + " " + y + '"/>';
  }

  // No more lines than lanes: a lane's bytes lie in one. Many are drawn small.
  function lines_a_row(access) { return access.lines.length > 16 ? 8 : 4; }

  var GAP = 12;

  function touched_lines(access) {
    return access.lines.slice().sort(function (a, b) { return a[0] - b[0]; });
  }

  // The words of a line that lanes touch, by word: those lanes.
  function words_of(access, line) {
    var words = {};
    lanes(access.active).forEach(function (l) {
      for (var byte = access.at[l]; byte < access.at[l] + access.bytes; byte += WORD) {
        var word = Math.floor((byte - line) / WORD);
        if (word >= 0 && word < LINE / WORD && !(words[word] = words[word] || []).includes(l)) words[word].push(l);
      }
    });
    return words;
  }

  views.request = function (access, array) {
    var lines = touched_lines(access), a_row = lines_a_row(access), top = 84, height = 62;
    var wide = (WIDTH - (a_row - 1) * GAP) / a_row, word = wide / (LINE / WORD), inset = Math.min(0.6, word / 8), wires = "", boxes = "";
    var name = array ? array.label : "", element = array && array.element;
    lines.forEach(function (line, index) {
      var x = (index % a_row) * (wide + GAP), y = top + Math.floor(index / a_row) * height;
      var touched = words_of(access, line[0]), first = element ? Math.ceil(line[0] / element) : 0;
      boxes += label(x, y + 38, element ? name + "[" + first + "…]" : (name ? name + ", " : "") + "byte " + line[0], "small left");
      for (var s = 0; s < LINE / SECTOR; s++) {
        var used = has(line[1], s), hit = has(line[2], s);
        boxes += box(x + s * wide / 4 + 0.5, y, wide / 4 - 1, 26, !used ? "sector" : hit ? "sector hit" : "sector moved",
          !used ? "a sector that is not touched" : hit ? "a sector that was in L1" : access.op === "load" ? "a sector that is fetched" : "a sector that is written");
      }
      Object.keys(touched).forEach(function (w) {
        var at = x + w * word, of = touched[w];
        boxes += box(at + inset, y + 6, word - 2 * inset, 14, "word", (of.length > 1 ? "lanes " : "lane ") + of.join(", "), of);
        of.forEach(function (lane) { wires += wire(lane, at + word / 2, 64, y - 30, y + 6, y > top); });
      });
    });
    var moved = access.op === "load" ? [["sector moved", "sector fetched"], ["sector hit", "sector that was in L1"]] : [["sector moved", "sector written"]];
    return key([["word", "bytes that lanes touch"]].concat(moved, [["sector", "sector not touched"]])) + svg(size_of(access)[1], lane_row(access) + wires + boxes, views.sentence(access, array));
  };

  // Why so many: where the addresses of lanes next to each other lie evenly, or one bank alone holds as many words as there are wavefronts. Empty where
  // that does not explain the count.
  views.why = function (access) {
    var list = lanes(access.active), at = list.map(function (l) { return access.at[l]; }), last = list.length - 1, lane = access.bytes;
    if (last < 1 || access.joined || access.words !== undefined) return "";
    if (access.space === "shared") {
      var banks = {}, most = [];
      if (access.op === "atomic" || lane > WORD) return "";
      at.forEach(function (byte) { var word = Math.floor(byte / WORD); (banks[word % BANKS] = banks[word % BANKS] || new Set()).add(word); });
      Object.keys(banks).forEach(function (bank) { if (banks[bank].size > (most[1] || 0)) most = [bank, banks[bank].size]; });
      if (most[1] !== access.wavefronts) return "";
      return most[1] === 1 ? "No bank is asked for two different words." : "Bank " + most[0] + " is asked for " + most[1] + " different words, so it takes " + most[1] + " wavefronts.";
    }
    var apart = at[1] - at[0], line = access.lines && access.lines.find(function (l) { return Math.min(at[0], at[last]) >= l[0] && Math.min(at[0], at[last]) < l[0] + LINE; });
    if (!line || list[last] - list[0] !== last || at.some(function (byte, i) { return byte !== at[0] + i * apart; })) return "";
    var span = Math.abs(apart) * last + lane, skipped = (Math.min(at[0], at[last]) - line[0]) % SECTOR, so = ", so " + plural(access.sectors, "sector") + ".";
    var from = skipped ? ", beginning " + plural(skipped, "byte") + " into a sector" : "";
    apart = Math.abs(apart);
    if (!apart) return access.sectors === 1 ? "All want the same " + plural(lane, "byte") + so : "";
    if (apart <= SECTOR && access.sectors === Math.floor((skipped + span - 1) / SECTOR) + 1)
      return (apart === lane ? "The lanes lie side by side" : "The lanes are " + plural(apart, "byte") + " apart") + " and span " + plural(span, "byte") + from + so;
    return apart > SECTOR && access.sectors === list.length ? "The lanes are " + plural(apart, "byte") + " apart, more than a sector, and no two share one" + so : "";
  };

  views.sentence = function (access, array) {
    var used = lanes(access.active).length;
    if (access.joined) return plural(used, "lane") + ": joined by the assembler to another access, whose request serves this one";
    if (access.space === "shared")
      return plural(used, "lane") + ": " + plural(access.wavefronts, "wavefront") + ", " + plural(access.bank_conflicts, "bank conflict");
    if (access.words !== undefined)
      return plural(used, "lane") + (used === 1 ? " asks for " : " ask for ") + plural(access.words, "different word") + (array ? " of " + array.label : " of constant memory") +
        ": the constant cache is asked " + (access.words === 1 ? "once" : plural(access.words, "time"));
    var parts = plural(used, "lane") + (used === 1 ? " asks" : " ask") + " to " + { load: "load ", store: "store ", atomic: "update " }[access.op] + plural(access.bytes, "byte") +
      (used === 1 ? "" : " each") + (array ? " of " + array.label : "") + ": " +
      plural(access.sectors, "sector") + (access.lines && access.lines.length ? " of " + plural(access.lines.length, "line") : "") + "; the fewest that could hold them: " + access.ideal_sectors;
    if (access.op === "load") parts += "; in L1 already: " + access.l1_hit_sectors;
    return parts;
  };

  // --- a request to shared memory: banks, and below them what each gives in each wavefront

  views.banks = function (access) {
    if (access.joined) return "";
    var unit = Math.max(WORD, access.bytes), wide = unit / WORD, given = {}, top = 74, margin = 50;
    var twice = access.op === "atomic" && access.bytes > WORD ? 2 : 1; // an atomic of 8 bytes takes two wavefronts
    lanes(access.active).forEach(function (l) {
      var key = access.served[l] + " " + Math.floor(access.at[l] / unit);
      (given[key] = given[key] || { row: access.served[l], byte: Math.floor(access.at[l] / unit) * unit, lanes: [] }).lanes.push(l);
    });
    var cell = row_of(access), bottom = top + access.wavefronts * cell, body = lane_row(access), wires = "";
    for (var bank = 0; bank < BANKS; bank++) body += label(bank * LANE + LANE / 2, top - 5, String(bank), "number") + box(bank * LANE + 1, top, LANE - 2, bottom - top, "bank");
    for (var row = 0; row < access.wavefronts; row++) body += label(WIDTH + 8, top + (row + 1) * cell - 3, String(row + 1), "small left");
    Object.keys(given).forEach(function (key) {
      var g = given[key], first = (g.byte / WORD) % BANKS, x = first * LANE, y = top + g.row * cell, late = has(access.late, g.lanes[0]);
      body += box(x + 2, y + 1, wide * LANE - 4, cell * twice - 2, late ? "word late" : "word",
        "wavefront " + (g.row + 1) + ", bank " + first + (wide > 1 ? " to " + (first + wide - 1) : "") + ", byte " + g.byte + ": lanes " + g.lanes.join(", "), g.lanes);
      body += label(x + wide * LANE / 2, y + cell - 4, g.lanes.length > 1 && (wide === 1 || g.lanes.length > 2) ? g.lanes.length + "×" : g.lanes.join(", "), "number bright");
      g.lanes.forEach(function (l) { wires += wire(l, x + wide * LANE / 2, top - 39, top - 35, top - 17); });
    });
    return key([["word", "words that banks serve"]].concat(access.late ? [["word late", "later, for a bank conflict"]] : [])) + svg(size_of(access)[1], wires + body + label(WIDTH + margin, top - 19, "wavefront", "small right") +
      label(0, bottom + 12, "banks by their numbers; each row is one wavefront, with the lanes that it serves; 2×: two lanes", "small left"),
      views.sentence(access), margin);
  };

  // --- a request to constant memory: the words that differ, one after the other

  views.constant = function (access, array) {
    var unit = Math.max(WORD, access.bytes), words = {}, top = 84, body = lane_row(access), wires = "";
    lanes(access.active).forEach(function (l) {
      var byte = Math.floor(access.at[l] / unit) * unit;
      (words[byte] = words[byte] || []).push(l);
    });
    Object.keys(words).map(Number).sort(function (a, b) { return a - b; }).forEach(function (byte, index) {
      var x = index * LANE, of = words[byte];
      body += label(x + LANE / 2, top - 4, String(index + 1), "number");
      body += box(x + 1, top, LANE - 2, 18, index ? "word late" : "word", (array ? array.label + ", byte " : "byte ") + byte + ": lanes " + of.join(", "), of);
      body += label(x + LANE / 2, top + 13, of.length > 1 ? of.length + "×" : String(of[0]), "number bright");
      of.forEach(function (l) { wires += wire(l, x + LANE / 2, top - 38, top - 34, top - 14); });
    });
    return key([["word", "the first word"]].concat(access.words > 1 ? [["word late", "each one more"]] : [])) + svg(size_of(access)[1], wires + body + label(0, top + 31, "words that differ, and the lanes that want each: the constant cache gives one at a time", "small left"), views.sentence(access, array));
  };

  // Empty where there is nothing to draw: an access to local memory, or one that another's request serves.
  views.picture = function (access, array) {
    return access.space === "shared" ? views.banks(access) : access.words !== undefined ? views.constant(access, array) : access.lines ? views.request(access, array) : "";
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
