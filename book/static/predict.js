// Predictions: what a reader writes into a question's fields is held to the run, field by field, kept on this machine, and shown in the contents. What is
// wrong is told why, and has a second try before the answer opens.
(function () {
  "use strict";
  var page = location.pathname.replace(/^.*\//, "") || "index.html";
  function read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch (e) { return null; } }
  function write(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch (e) { /* pages opened from a file may not store */ } }

  var questions = Array.from(document.querySelectorAll(".predict, .asked")).filter(function (q) { return q.querySelector(".ask"); });
  var made = new Set(); // those that were held to the run once

  // "1,024", "50 %": as people write numbers.
  function number(field) { return Number(field.value.replace(/[,%\s]/g, "") || NaN); }

  function missing(field) { return field.tagName === "SELECT" ? field.value === "" : Number.isNaN(number(field)); }

  function right(field) { return field.tagName === "SELECT" ? field.value === field.dataset.want : Math.abs(number(field) - Number(field.dataset.want)) < 1e-9; }

  // A field is called by the words before it.
  function name(field) {
    var before = document.createRange();
    before.setStart(field.closest("p, li"), 0);
    before.setEndBefore(field);
    var words = before.cloneContents();
    words.querySelectorAll(".ask").forEach(function (other) { other.replaceWith("…"); });
    field.setAttribute("aria-label", words.textContent.trim().split(/[.?!…]\s+/).pop().slice(-120) + " Your prediction");
  }

  function mark(field, held) {
    field.classList.toggle("right", held && right(field));
    field.classList.toggle("wrong", held && !right(field));
    if (held) field.setAttribute("aria-invalid", String(!right(field)));
    else field.removeAttribute("aria-invalid");
  }

  questions.forEach(function (question, index) {
    var fields = Array.from(question.querySelectorAll(".ask")), key = "predicted:" + page + ":" + index, kept = read(key);
    var line = document.createElement("p"), details = question.querySelector("details.answer");
    line.className = "check";
    line.innerHTML = '<button type="button">Check</button> <span class="told" role="status"></span>';
    question.insertBefore(line, details);
    fields.forEach(name);
    var tried = new Map(fields.map(function (field) { return [field, new Set()]; }));

    // Nothing is left to try: of a number two, of words all but one.
    function settled(field) { return right(field) || tried.get(field).size > 1 || field.length === 3; }

    function why(field) {
      return field.dataset.why || (field.tagName === "SELECT" ? "It is another." : number(field) < Number(field.dataset.want) ? "It is more." : "It is less.");
    }

    function say(words) { line.querySelector(".told").textContent = words; }

    function tell() {
      var wrong = fields.filter(function (f) { return !right(f); }).length;
      fields.forEach(function (f) { mark(f, true); });
      say(!wrong ? "Right." : fields.length === 1 ? "Not so." : wrong === fields.length ? "None of the " + wrong + " is right." : fields.length - wrong + " of " + fields.length + " right.");
      made.add(index);
      details.open = true;
    }

    // some: the fields that are judged now, as far as they are filled in.
    function check(some) {
      var filled = some.filter(function (f) { return !missing(f); }), good = filled.every(right), empty = fields.find(missing);
      filled.forEach(function (f) {
        tried.get(f).add(f.value.trim());
        mark(f, true);
      });
      var again = filled.find(function (f) { return !settled(f); }) || (!empty && fields.find(function (f) { return !settled(f); }));
      if (again || empty) {
        say(again ? "Not so. " + why(again) + " Try once more." : empty.value ? "A number, please." : !filled.length ? "Predict first: a wrong guess teaches more than none." : (good ? "Right." : "Not so.") + " And this one?");
        return (again || empty).focus();
      }
      tell();
      write(key, fields.map(function (f) { return f.value; }));
      write("predictions:" + page, [questions.length, made.size]);
      return contents();
    }

    if (kept) {
      fields.forEach(function (field, k) { field.value = kept[k] || ""; });
      if (!fields.some(missing)) tell();
    }
    line.querySelector("button").addEventListener("click", function () { check(fields); });
    fields.forEach(function (field) {
      field.addEventListener("keydown", function (event) {
        if (event.key !== "Enter") return;
        event.preventDefault();
        check([field]);
      });
      // What is changed after it was held to the run is a new prediction.
      field.addEventListener("input", function () { mark(field, false); say(""); });
    });
  });

  function contents() {
    document.querySelectorAll("#contents a[href]").forEach(function (link) {
      var numbers = read("predictions:" + link.getAttribute("href")), badge = link.querySelector(".predicted");
      if (!numbers) return;
      if (!badge) {
        badge = document.createElement("span");
        badge.className = "predicted";
        link.appendChild(badge);
      }
      badge.textContent = " " + numbers[1] + "/" + numbers[0];
      badge.title = numbers[1] + " of " + numbers[0] + " predictions made, right or not";
    });
  }
  contents();
})();
