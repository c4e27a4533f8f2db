/* result.h: a graded lab as text for people and as JSON for programs. */
#pragma once

#include "lab/score.h"

/* For people: 80 columns; the first wrong kernel or the first missed goal in full, the others in a line each. */
void result_show(const Lab *lab, const Score *score, bool colour, Text *out);

/* {"lab", "slug", "title", "file", "compiler", "device", "seed", "score", "points", "full", "begun": false,
 *  "variant": of the exercise, where it is not 0, "asked_variant": where it should be another,
 *  "kernels": [{"name", "correct", "cases", "effort": what its launches cost, "where", "message", "cause"}],
 *  "runs": [{"name", "kernel", "text", "report": as report_json without "host", "values": {…}}],
 *  "goals": [{"name", "kind": as goals_json has it, "run", "metric", "value", "full", "zero", "score", "points", "met", "reason", "advice"}]}
 * A key that does not apply is absent. shown: for pages, besides "shown": what result_show says, and each missed goal's "picture". */
void result_json(const Lab *lab, const Score *score, bool shown, Text *out);

/* The access that explains a missed goal: its line of source and the map of its lanes; nothing where the goal has none. */
void result_picture(const Lab *lab, const Score *score, uint32_t goal, bool colour, Text *out);

/* A file that was not graded: {"lab", "file", "score": 0, "points", "full": false, "refused": why}. */
void result_refused(const Lab *lab, const char *why, Text *out);
