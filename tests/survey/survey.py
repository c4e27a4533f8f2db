#!/usr/bin/env python3
"""survey.py [--each CSV] [--most N] [--taken PROGRAM] FILE.cu…: what the assembler makes of the accesses of these files' kernels, class by class.

Each file is compiled by nvcc for compute capability 9.0, with folders above it as include folders; what cannot be compiled or assembled by itself is
left out, and named. Each access gets the number of its line of PTX as its source position, ptxas assembles that, and nvdisasm says of which access
each machine instruction is. nvcc, ptxas and nvdisasm are looked for in PATH.

Prints, for each class and space, how many accesses of how many kernels are in it, and how many of them the emulator takes so (PROGRAM, taken.c). A class is
one of
  same         one access, as wide, in one place or several
  joined       part of a wider access, or that
  dropped      no instruction: what it loads is known or not needed, or what it stores is overwritten
  narrowed     some of a vector's elements are not loaded
  split        several narrower accesses, of all its elements or of those that are used
  constant     loads of constant memory: an operand, a load (LDC), one for the warp (ULDC)
  atomic       as written, combined for lanes that agree, or a loop of compare-and-swaps
  spill        local memory that the PTX does not have
and, beside these: duplicated (in several places, of which a thread passes one or each in turn), predicated (guarded in place of branched around), nc (read
through LDG.CONSTANT). --each: a row for each access. --most: so many kernels of one file at most."""

import argparse
import collections
import csv
import os
import re
import subprocess
import sys
import tempfile

AS_IS = 9  # taken.c's
OTHER = 1 << 20  # the position of what is no access
TIMEOUT_S = 120
ABOVE = 4  # folders above a file that are include folders
ACCESS = re.compile(r"^\s*(@!?%\w+\s+)?(ld|ldu|st|atom|red)\.(\S+)\s")
MADE = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+\s+)?([A-Z0-9]+)((?:\.[A-Z0-9_]+)*)\s")
POSITION = re.compile(r'//## File "own", line (\d+)')
BITS = re.compile(r"[bsuf](8|16|32|64|128)$")
OPS = {"ld": "load", "ldu": "load", "st": "store", "atom": "atomic", "red": "atomic"}
MACHINE = {
    "load": {"LDG", "LDS", "LDL", "LD", "LDSM"},
    "store": {"STG", "STS", "STL", "ST"},
    "atomic": {"ATOMG", "REDG", "RED", "ATOMS", "ATOM"},
    "constant": {"LDC", "ULDC", "LDCU"},
    "spill": {"LDL", "STL"},
}
WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}

Access = collections.namedtuple("Access", "op space bytes guarded")
Made = collections.namedtuple("Made", "guarded op rest bytes")
Row = collections.namedtuple("Row", "kernel line kind op space taken")


def access_of(line):
    """None where the line is no access that is looked at."""
    found = ACCESS.match(line)
    words = [word.split("::")[0] for word in found[3].split(".")] if found else ["param"]
    if "param" in words:
        return None
    space = next((w for w in words if w in ("global", "shared", "local", "const")), "generic")
    bits = [int(BITS.match(w)[1]) for w in words if BITS.match(w)]
    each = bits[-1] // 8 if bits else 4 if "x2" in words[-1] else 2
    elements = next((int(w[1:]) for w in words if w in ("v2", "v4", "v8")), 1)
    return Access(OPS[found[2]], space, each * elements, bool(found[1]))


def positioned(ptx):
    """The PTX in which each access's position is its line; the accesses, by function and line."""
    out, accesses, function = [], collections.defaultdict(dict), None
    for number, line in enumerate(ptx.split("\n"), 1):
        if re.match(r"\s*\.section\s+\.debug", line):
            break
        if re.match(r"\s*\.(loc|file)\b", line):
            line = ""
        named = re.search(r"\.entry\s+(\w+)", line) or re.search(r"\.func\s+(?:\([^)]*\)\s*)?(\w+)", line)
        function = named[1] if named else function
        access = access_of(line)
        if access:
            accesses[function][number] = access
            line = f"\t.loc 1 {number} 0\n{line}\n\t.loc 1 {OTHER} 0"
        out.append(line)
        if line.startswith(".address_size"):
            out.append('.file 1 "own"')
    return "\n".join(out), accesses


def made_of(listing):
    """What nvdisasm shows, by function and position."""
    functions, current, line = {}, None, 0
    for row in listing.split("\n"):
        begins, position, insn = re.match(r"\.text\.(\S+):", row), POSITION.search(row), MADE.search(row)
        if begins:
            current, line = functions.setdefault(begins[1], collections.defaultdict(list)), 0
        elif position:
            line = int(position[1])
        elif insn and current is not None:
            width = next((WIDTHS[w] for w in insn[3].split(".") if w in WIDTHS), 4)
            guarded = bool(insn[1]) and "PT" not in insn[1]
            current[line].append(Made(guarded, insn[2], insn[3], width))
    return functions


def atomic_kind(made):
    names = [insn.op + insn.rest for insn in made]
    if any(".SPIN" in name for name in names):
        return "atomic: a loop"
    ways = (("REDUX", "reduced"), ("ATOMS.POPC", "counted"), ("SHFL", "scanned"), ("POPC", "one lane"), ("UPOPC", "one lane"), ("UFLO", "one lane"))
    way = next((word for begin, word in ways for name in names if begin in name), None)
    return f"atomic: {way}" if way else "atomic: as written"


def kind_of(access, own):
    if access.op == "atomic":
        return atomic_kind(own)
    if access.space == "const":
        loads = {insn.op for insn in own} & MACHINE["constant"]
        return "constant: " + ("an operand" if not loads else "a load" if "LDC" in loads else "one for the warp")
    mine = [insn for insn in own if insn.op in MACHINE[access.op]]
    widest = max((insn.bytes for insn in mine), default=0)
    if not mine:
        return "dropped"
    if widest != access.bytes:
        return "joined" if widest > access.bytes else "split" if len(mine) > 1 else "narrowed"
    return "same"


def traits_of(access, own):
    mine = [insn for insn in own if insn.op in MACHINE[access.op]]
    if len(mine) > 1 and access.op != "atomic":
        yield "duplicated"
    if any(insn.guarded for insn in mine) and not access.guarded:
        yield "predicated"
    if any("CONSTANT" in insn.rest for insn in mine):
        yield "nc"


def is_taken(kind, space, join, combine, parts):
    if space == "local" and kind == "joined":
        return True  # a request for each word
    if kind.startswith("atomic"):
        return (combine != 0) == (kind != "atomic: as written")
    if kind.startswith("constant"):
        return True
    if kind in ("narrowed", "split") or (kind == "dropped" and not join):
        return parts == {"narrowed": 1, "split": 2, "dropped": 0}[kind]
    if parts != AS_IS and not join:
        return False
    return kind in ("same", "joined", "dropped") and (join != 0) == (kind != "same")


def survey_kernel(kernel, accesses, made, taken):
    """Rows. Of accesses that no instruction is of, as many count as joined as the widened ones have room for; and one behind another like it, of which
    there are several, as one of these: two that compute their address alike share a position."""
    room = collections.Counter()
    kinds = {line: kind_of(access, made.get(line, [])) for line, access in accesses.items()}
    for line, access in accesses.items():
        if kinds[line] == "joined":
            room[access.op, access.space] += max(insn.bytes for insn in made[line] if insn.op in MACHINE[access.op]) - access.bytes
    before = None
    for line, access in sorted(accesses.items()):
        same = before is not None and access == accesses[before] and sum(i.op in MACHINE[access.op] for i in made.get(before, [])) > 1
        if kinds[line] == "dropped" and same and kinds[before] == "same" and access.op != "atomic":
            kinds[line] = "same"
        before = line
        if kinds[line] == "dropped" and room[access.op, access.space] >= access.bytes:
            room[access.op, access.space] -= access.bytes
            kinds[line] = "joined"
        yield Row(kernel, line, kinds[line], access.op, access.space, is_taken(kinds[line], access.space, *taken.get(line, (0, 0, AS_IS))))
        for trait in traits_of(access, made.get(line, [])):
            yield Row(kernel, line, trait, access.op, access.space, True)
    for line in (0, OTHER):
        for insn in made.get(line, []):
            if insn.op in MACHINE["spill"]:
                yield Row(kernel, 0, "spill", "load" if insn.op == "LDL" else "store", "local", False)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False)


def include_folders(path):
    folder, names = os.path.dirname(os.path.abspath(path)), ("", "include", "common", "Common", "common/inc")
    for _ in range(ABOVE):
        yield from ("-I" + os.path.join(folder, name) for name in names if os.path.isdir(os.path.join(folder, name)))
        folder = os.path.dirname(folder)


def survey_file(path, arguments, folder):
    ptx, own, cubin = (os.path.join(folder, name) for name in ("a.ptx", "own.ptx", "own.cubin"))
    compiled = run("nvcc", "-O3", "-arch=sm_90", "-w", "--ptx", *include_folders(path), path, "-o", ptx)
    if compiled.returncode:
        return print(f"{path} is left out: nvcc does not compile it", file=sys.stderr)
    with open(ptx, encoding="utf-8") as file:
        text, accesses = positioned(file.read())
    with open(own, "w", encoding="utf-8") as file:
        file.write(text)
    if run("ptxas", "-arch=sm_90", "-lineinfo", own, "-o", cubin).returncode:
        return print(f"{path} is left out: ptxas does not assemble it", file=sys.stderr)
    functions, taken = made_of(run("nvdisasm", "-g", "-c", cubin).stdout), collections.defaultdict(dict)
    for row in run(arguments.taken, ptx).stdout.splitlines():
        kernel, line, *how = row.split()
        taken[kernel][int(line)] = tuple(map(int, how))
    kernels = [name for name in accesses if name in functions][: arguments.most]
    return [row for name in kernels for row in survey_kernel(name, accesses[name], functions[name], taken[name])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", metavar="CSV")
    parser.add_argument("--most", metavar="N", type=int)
    parser.add_argument("--taken", metavar="PROGRAM", default="build/tests/survey/taken")
    parser.add_argument("files", metavar="FILE.cu", nargs="+")
    arguments, all_rows = parser.parse_args(), []
    for path in arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows = survey_file(path, arguments, folder) or []
            except subprocess.TimeoutExpired:
                print(f"{path} is left out: it takes too long", file=sys.stderr)
                continue
            all_rows += [(path, *row) for row in rows]
    if arguments.each:
        with open(arguments.each, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("file", *Row._fields), *all_rows])
    accesses, kernels, taken = collections.Counter(), collections.defaultdict(set), collections.Counter()
    for path, kernel, _, kind, op, space, is_so in all_rows:
        at = kind, op, space
        accesses[at], taken[at] = accesses[at] + 1, taken[at] + is_so
        kernels[at].add((path, kernel))
    print("class,op,space,accesses,kernels,taken")
    for at, count in sorted(accesses.items()):
        print(*at, count, len(kernels[at]), taken[at], sep=",")


main()
