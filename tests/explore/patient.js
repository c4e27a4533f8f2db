/* No launch is given up for the seconds that it takes, which are the host's: what is overtaken must be. Stands before engine.js. */
(function () {
  var later = window.setTimeout;
  window.setTimeout = function (act, ms, more) { return ms >= 10000 ? 0 : later(act, ms, more); };
})();
