#!/usr/bin/env python3
"""CONFORM PTXAS OUT: asks ptxas about every line that conform writes (`conform lines`), and writes what it takes to OUT (tests/conformance/ptxas.txt):
for each opcode the lengths of alternating runs of lines, the first of lines that it refuses, for sm_90; and of those that it takes, variants aside,
how many need which older or newer capability. Variants of a line that it refuses are left out.
ptxas names every line of a module that it refuses; what is left is asked about again, until nothing is refused."""
import itertools
import os
import re
import subprocess
import sys
import tempfile

conform, ptxas, out = sys.argv[1:]
HEAD = ('.version 8.6\n.target sm_%u\n.address_size 64\n.const .align 32 .b64 cn[64];\n'
        '.visible .entry k(.param .align 16 .b8 pblock[32]) {\n')
BODY = ''.join('.reg .%s %s;\n' % (kind, ', '.join('%' + width + name for name in 'abcdeyzwv'))
               for kind, width in (('pred', 'p'), ('b16', 'h'), ('b32', 'r'), ('b64', 'q')))
BODY += '.reg .b64 %G, %S, %L, %GS, %GL, %C, %N, %T;\n.shared .align 32 .b8 sh[8192];\n.local .align 32 .b8 lo[32];\n'
AT_ONCE = 4000
BEFORE = (89, 86, 80, 75)
lines = subprocess.run([conform, 'lines'], capture_output=True, text=True, check=True).stdout.splitlines()


def refused(asked, folder, capability):
    """Of these lines, by number, those that ptxas refuses, of some."""
    head = HEAD % capability + BODY
    path = os.path.join(folder, 'lines.ptx')
    with open(path, 'w') as file:
        file.write(head + ''.join(('//' if lines[i].startswith('end ') else '') + lines[i][4:] + '\n' for i in asked) + 'ret;\n}\n')
    said = subprocess.run([ptxas, '-arch', 'sm_%u' % capability, '-O0', path, '-o', path + '.cubin'], capture_output=True, text=True)
    first = head.count('\n') + 1
    found = {asked[int(n) - first] for n in re.findall(r'line (\d+); (?:error|fatal)', said.stderr)}
    if said.returncode and not found:
        sys.exit(said.stderr)
    return found


def all_refused(of, folder, capability):
    wrong = set()
    for start in range(0, len(of), AT_ONCE):
        asked = of[start:start + AT_ONCE]
        while found := refused(asked, folder, capability):
            wrong |= found
            asked = [i for i in asked if i not in found]
    return wrong


with tempfile.TemporaryDirectory() as folder:
    wrong = all_refused(list(range(len(lines))), folder, 90)
    since = {i: 90 for i, line in enumerate(lines) if not line.startswith('end ') and line[2] == '0' and i not in wrong}
    for capability in BEFORE:
        asked = [i for i in since if since[i] > capability]
        newer = all_refused(asked, folder, capability)
        since.update({i: capability for i in asked if i not in newer})

text, needs, verdicts, taken = '\n', [], [], False
for i, line in enumerate(lines):
    if line.startswith('end '):
        runs, now = [0], False
        for verdict in verdicts:
            if verdict != now:
                runs.append(0)
                now = verdict
            runs[-1] += 1
        text += line[4:] + ' ' + ' '.join(map(str, runs)) + '\n'
        if any(need > 75 for need in needs):
            text += 'since ' + line[4:] + ''.join(' %u %u' % (len(list(run)), need) for need, run in itertools.groupby(needs)) + '\n'
        needs, verdicts = [], []
    elif line[2] == '0':
        taken = i not in wrong and line[0] == 'o'
        verdicts.append(i not in wrong)
        needs += [since[i]] if i in since else []
    elif taken:
        verdicts.append(i not in wrong)
with open(out, 'w') as file:
    file.write(text)
