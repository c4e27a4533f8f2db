/* result.h: a graded lab as text for people and as JSON for programs. */
#pragma once

#include "lab/score.h"

/* For people: 80 columns; the first wrong kernel or the first missed goal in full, the others in a line each. */
void result_show(const Lab *lab, const Score *score, bool colour, Text *out);

/* {"lab", "slug", "title", "file", "compiler", "device", "seed", "score", "points", "full", "begun": false,
 *  "kernels": [{"name", "correct", "cases", "effort": what its launches cost, "where", "message", "cause"}],
 *  "runs": [{"name", "kernel", "text", "report": as report_json without "host", "values": {…}}],
 *  "goals": [{"name", "kind": as goals_json has it, "run", "metric", "value", "full", "zero", "score", "points", "met", "reason", "advice"}]}
 * A key that does not apply is absent. */
void result_json(const Lab *lab, const Score *score, Text *out);

/* A file that was not graded: {"lab", "file", "score": 0, "points", "full": false, "refused": why}. */
void result_refused(const Lab *lab, const char *why, Text *out);

/* A grader that could not work, which says nothing about the file: {"lab", "slug", "title", "file", "error": {"message"}}, or two lines. */
void result_unable(const Goals *goals, const char *file, bool json, const char *why, Text *out);
