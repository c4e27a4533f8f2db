"""counts.py EXPECT JSON: compares the counts of every launch in JSON with the lines "kernel metric value" in EXPECT. Prints "pass" for
each line that holds for all launches of its kernel, else a line that begins with "wrong"."""
import json
import sys


def plain(name):
    """A demangled name without its return type and its arguments."""
    name = name.split("(")[0]
    return name[5:] if name.startswith("void ") else name


def find(launch, metric):
    value = launch
    for key in metric.split("."):
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, (int, float)) else None


def judge(launches, kernel, metric, expected):
    counted = [find(launch, metric) for launch in launches if plain(launch["kernel"]) == kernel]
    if not counted:
        return f"wrong: no launch of {kernel} among {', '.join(sorted({plain(l['kernel']) for l in launches}))}"
    for value in counted:
        if value is None and metric.startswith("cluster."):
            value = 0  # they are left out of the JSON where all are 0
        if value != expected:
            return f"wrong: {kernel}: {metric} is {value}, expected {expected}"
    return "pass"


with open(sys.argv[2]) as file:
    launches = json.load(file)
with open(sys.argv[1]) as file:
    for line in file:
        if line.strip() and not line.startswith("#"):
            kernel, metric, value = line.rsplit(maxsplit=2)
            print(judge(launches, kernel, metric, int(value)))
