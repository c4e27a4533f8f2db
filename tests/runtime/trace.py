"""trace.py TRACE JSON: whether a trace keeps to the Trace Event Format as viewers read it, and says what the launches' JSON says."""
import json
import sys

events, launches = (json.load(open(name)) for name in sys.argv[1:3])
wrong = []


def hold(good, what):
    if not good:
        wrong.append(what)


named, ends = {}, {}
for event in events:
    hold(event["ph"] in "XiM", f"phase {event['ph']}")
    hold(isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["name"], f"names: {event}")
    if event["ph"] == "M":
        named[event["name"], event["tid"]] = event["args"]["name"]
        continue
    hold(("thread_name", event["tid"]) in named, f"a thread without a name: {event}")
    hold(event["ts"] >= 0 and event["cat"], f"when: {event}")
    hold((event["ph"] == "X") == ("dur" in event) and event.get("dur", 0) >= 0, f"how long: {event}")
    hold(event["ph"] == "X" or event["s"] == "t", f"scope: {event}")
    # what is no more than a nanosecond apart is rounding
    hold(event["ts"] > ends.get(event["tid"], 0) - 0.0015, f"two of a thread at once: {event}")
    ends[event["tid"]] = event["ts"] + event.get("dur", 0)
launches = [launch for launch in launches if "error" not in launch]
kernels = [event for event in events if event.get("cat") == "kernel"]
hold(list(named.values())[0] == "NVIDIA H200, modelled time", f"the device: {list(named.values())[:1]}")
hold(len(kernels) == len(launches), f"{len(kernels)} kernels of {len(launches)}")
for kernel, launch in zip(sorted(kernels, key=lambda k: (k["name"], k["dur"])),
                          sorted(launches, key=lambda l: (l["kernel"], l.get("model", {}).get("time_us", 0)))):
    hold(kernel["name"] == launch["kernel"], f"{kernel['name']} for {launch['kernel']}")
    time_us = launch.get("model", {}).get("time_us", 0)
    hold(abs(kernel["dur"] - time_us) <= 0.001 + 1e-5 * time_us, f"{kernel['dur']} us for {time_us}")
print("\n".join(wrong) or "ok: %d events" % len(events))
sys.exit(bool(wrong))
