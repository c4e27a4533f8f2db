"""What the suites in Python share: checks are counted, what is wrong is printed, and the last line says how many passed, for suite.sh's in_python."""

import sys

PRINTED = 20  # of what is wrong
_passed, _failed = 0, 0


def expect(good, what, saw=""):
    global _passed, _failed
    if good:
        _passed += 1
        return
    _failed += 1
    if _failed <= PRINTED:
        print(f"{what}: {saw}" if saw != "" else what)


def check(what, good, saw=""):
    expect(good, what, saw)


def finish():
    print(f"{_failed} failed" if _failed else f"{_passed} passed")
    sys.exit(_failed > 0)
