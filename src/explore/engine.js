// engine.js: the engine in a page: engine.run(ptx, words, owner) gives a Promise of the object that src/explore/explore.h describes.
//
//   words   as after `warpscope launch`: the source's path, then options
//           engine.words(template, values) makes them of "--arg i32:{step} …"
//   owner   any object: a later run for the same owner overtakes this one, whose Promise then gives null
//
// One instance serves the whole page, in a Worker where there are any. engine.ready() gives a Promise that fails, with an Error that says why,
// where the browser cannot run it. engine.wasm.js, which lies beside this file or stands in the page, has the module: a page opened from a
// file may load scripts, and nothing else.
(function () {
  "use strict";
  var PATIENCE_MS = 100, LONGEST_MS = 30000;
  var folder = document.currentScript && document.currentScript.src.replace(/[^/]*$/, "");

  // Makes the function that runs one launch and gives its JSON as text. It is sent to the Worker as text: it knows nothing outside itself.
  function host(module) {
    var KEPT_BYTES = 1 << 27, BAD_FILE = 8, instance = null;

    function failure(message, hint) {
      return JSON.stringify({ error: { message: message, hint: hint } });
    }

    // What the C library asks of its system: the time. There are no files.
    function start() {
      var own = {
        clock_time_get: function (clock, precision, at) {
          new DataView(instance.memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
          return 0;
        },
        sched_yield: function () { return 0; },
        proc_exit: function () { throw new Error("it ended itself"); }
      };
      var imports = {};
      WebAssembly.Module.imports(module).forEach(function (wanted) {
        imports[wanted.module] = imports[wanted.module] || {};
        imports[wanted.module][wanted.name] = own[wanted.name] || function () { return BAD_FILE; };
      });
      instance = new WebAssembly.Instance(module, imports).exports;
      instance._initialize();
    }

    return function (ptx, words) {
      var text = new TextEncoder().encode(ptx), list = new TextEncoder().encode(words.join("\0") + "\0");
      try {
        if (!instance) start();
        var input = instance.explore_buffer(text.length + list.length);
        new Uint8Array(instance.memory.buffer).set(text, input);
        new Uint8Array(instance.memory.buffer).set(list, input + text.length);
        var bytes = instance.explore_run(input, text.length, list.length) >>> 0, at = instance.explore_result() >>> 0;
        var json = new TextDecoder().decode(new Uint8Array(instance.memory.buffer, at, bytes));
        // Memory never shrinks: after a launch that took much, the next one begins with little.
        if (instance.memory.buffer.byteLength > KEPT_BYTES) instance = null;
        return json;
      } catch (error) {
        instance = null;
        // The engine ends itself when memory runs out.
        return failure("the launch takes more memory than a page has, or the engine failed: " + error.message,
          "a smaller grid or smaller buffers may do; warpscope launch has more room");
      }
    };
  }

  function serve(host) {
    var run;
    onmessage = function (event) {
      if (event.data.module) run = host(event.data.module);
      else postMessage(run(event.data.ptx, event.data.words));
    };
  }

  function add(url) {
    return new Promise(function (good, bad) {
      var script = document.createElement("script");
      script.src = url;
      script.onload = good;
      script.onerror = function () { bad(new Error("the engine is not there: " + url)); };
      document.head.appendChild(script);
    });
  }

  function compile() {
    var text = atob(window.warpscopeEngine), bytes = new Uint8Array(text.length);
    for (var i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    var plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain).arrayBuffer().then(function (module) { return WebAssembly.compile(module); });
  }

  var loading = null;
  function load() {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function" || typeof BigInt !== "function")
      return Promise.reject(new Error("this browser is too old to run the engine: it lacks WebAssembly or DecompressionStream"));
    loading = loading || (window.warpscopeEngine ? Promise.resolve() : add(folder + "engine.wasm.js")).then(compile);
    return loading;
  }

  var waiting = [], current = null, worker = null, timer = 0, here = null;

  function begin(module) {
    if (typeof Worker !== "function") return;
    try {
      var url = URL.createObjectURL(new Blob(["(" + serve + ")(" + host + ")"], { type: "text/javascript" }));
      worker = new Worker(url);
      URL.revokeObjectURL(url);
    } catch (error) { // some browsers refuse it to pages opened from a file
      worker = null;
      return;
    }
    worker.onmessage = function (event) { end(event.data); };
    worker.onerror = function (event) {
      event.preventDefault();
      stop("the engine failed: " + event.message);
    };
    worker.postMessage({ module: module });
  }

  function end(json) {
    var job = current;
    clearTimeout(timer);
    current = null;
    if (job) job.done(job.overtaken ? null : json);
    next();
  }

  function stop(message) {
    worker.terminate();
    worker = null;
    end(JSON.stringify({ error: { message: message, hint: "fewer blocks, or --max-steps" } }));
  }

  function stopAfter(ms) {
    clearTimeout(timer);
    timer = setTimeout(function () { stop("the launch was given up after " + LONGEST_MS / 1000 + " s"); }, ms);
  }

  function next() {
    if (current || !waiting.length) return;
    var job = current = waiting.shift();
    load().then(function (module) {
      if (!worker && !here) begin(module);
      if (worker) {
        job.began = performance.now();
        worker.postMessage({ ptx: job.ptx, words: job.words });
        if (job.overtaken) stopAfter(PATIENCE_MS);
        else stopAfter(LONGEST_MS);
      } else {
        here = here || host(module);
        setTimeout(function () { end(job.overtaken ? null : here(job.ptx, job.words)); }, 0);
      }
    }).catch(function (error) {
      current = null;
      job.failed(error);
      next();
    });
  }

  function overtake(owner) {
    waiting = waiting.filter(function (job) {
      if (job.owner === owner) job.done(null);
      return job.owner !== owner;
    });
    if (!current || current.owner !== owner || current.overtaken) return;
    current.overtaken = true;
    if (worker && current.began) stopAfter(Math.max(0, PATIENCE_MS - (performance.now() - current.began)));
  }

  // The JSON itself; null where the run was overtaken.
  function text(ptx, words, owner) {
    if (owner) overtake(owner);
    return new Promise(function (done, failed) {
      waiting.push({ ptx: ptx, words: words, owner: owner, done: done, failed: failed });
      next();
    });
  }

  // --- "{32*stride}": whole numbers, names of controls, + - * /, parentheses

  function evaluate(text, values) {
    var tokens = text.match(/\d+|[A-Za-z_]\w*|[-+*/()]/g) || [], at = 0;
    function atom() {
      var t = tokens[at++];
      if (t === "(") { var inner = sum(); at++; return inner; }
      return /^\d/.test(t) ? Number(t) : Number(values[t]);
    }
    function product() {
      for (var left = atom(); tokens[at] === "*" || tokens[at] === "/";) left = tokens[at++] === "*" ? left * atom() : Math.floor(left / atom());
      return left;
    }
    function sum() {
      for (var left = product(); tokens[at] === "+" || tokens[at] === "-";) left = tokens[at++] === "+" ? left + product() : left - product();
      return left;
    }
    return tokens.length === 1 && tokens[0] in values ? values[tokens[0]] : sum();
  }

  function words_of(template, values) {
    return template.replace(/\{([^}]*)\}/g, function (all, text) { return evaluate(text, values); }).split(/\s+/).filter(Boolean);
  }

  window.engine = {
    words: words_of,
    ready: function () { return load().then(function () {}); },
    text: text,
    run: function (ptx, words, owner) { return text(ptx, words, owner).then(JSON.parse); }
  };
})();
