#!/usr/bin/env python3
"""GPU OURS DIFFERENCES: whether calls return here what they returned on a GPU, line by line of each group. DIFFERENCES names the lines that may differ: a
group, a pattern of its lines, behind those of the lines before it, each with " / ", and why; at least half of the lines that fit it differ. Where the GPU's
process ended by itself, the group is compared to there."""
import fnmatch
import re
import sys


def groups(path):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    return {part.split('\n')[0]: part.rstrip('\n').split('\n')[1:] for part in re.split(r'^== ', text, flags=re.M)[1:]}


gpus, ours = groups(sys.argv[1]), groups(sys.argv[2])
known = []
with open(sys.argv[3], encoding='utf-8') as file:
    for line in file:
        if line.strip() and not line.startswith('#'):
            group, pattern, _ = (word.strip() for word in line.split('|', 2))
            known.append([group, pattern, 0, 0])
good, bad = 0, []


def fits_pattern(lines, number, pattern):
    """The line of this number, behind those before it."""
    parts = pattern.split(' / ')
    behind = lines[max(number + 1 - len(parts), 0):number + 1]
    return len(behind) == len(parts) and all(fnmatch.fnmatchcase(line.strip(), part.strip()) for line, part in zip(behind, parts))


for group, lines in gpus.items():
    here = ours.get(group, [])
    for number, line in enumerate(lines):
        if line.startswith('ended with status'):
            break
        own = here[number] if number < len(here) else 'nothing'
        fits = [k for k in known if fnmatch.fnmatchcase(group, k[0]) and fits_pattern(lines, number, k[1])]
        for k in fits:
            k[2] += own != line
            k[3] += 1
        if own != line and not fits:
            bad.append(f'{group}: {own}\n    on the GPU: {line}')
        good += own == line
bad += [f'{group} | {pattern}: differs no more' for group, pattern, differ, _ in known if not differ]
bad += [f'{group} | {pattern}: {differ} of {fit} lines differ' for group, pattern, differ, fit in known if 0 < differ < fit / 2]
print('\n'.join(bad))
print(good, len(bad))
