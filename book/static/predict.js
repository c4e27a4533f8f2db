// Predictions: what a reader writes into a question's fields is held to the run, kept on this machine, and shown in the contents.
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

    function say(words) { line.querySelector(".told").textContent = words; }

    function tell() {
      var wrong = fields.filter(function (f) { return !right(f); }).length;
      fields.forEach(function (f) { mark(f, true); });
      say(!wrong ? "Right." : fields.length === 1 ? "Not so." : wrong === fields.length ? "None of the " + wrong + " is right." : fields.length - wrong + " of " + fields.length + " right.");
      made.add(index);
      details.open = true;
    }

    function check() {
      var first = fields.find(missing);
      if (first) {
        say(first.value ? "A number, please." : "Predict first: a wrong guess teaches more than none.");
        first.focus();
        return;
      }
      tell();
      write(key, fields.map(function (f) { return f.value; }));
      write("predictions:" + page, [questions.length, made.size]);
      contents();
    }

    if (kept) {
      fields.forEach(function (field, k) { field.value = kept[k] || ""; });
      if (!fields.some(missing)) tell();
    }
    line.querySelector("button").addEventListener("click", check);
    fields.forEach(function (field) {
      field.addEventListener("keydown", function (event) {
        if (event.key !== "Enter") return;
        event.preventDefault();
        check();
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
