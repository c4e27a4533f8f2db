/* result.h: a graded lab as text for people and as JSON for programs. */
#pragma once

#include "lab/score.h"

/* For people, on lab->page: what to put right next in full, a kernel or a goal or one of each, and the others in a line each; all of it, or all of
 * one kernel, where lab->all or lab->explained say so. */
void result_show(const Lab *lab, const Score *score, Text *out);

/* What is explained in full: all of this kernel (NULL: none is asked for), else first what was edited, names with commas between. False with a
 * message that lists the kernels. */
bool result_choose(Lab *lab, const char *kernel, const char *edited, Diag *diag);

/* What JSON has besides, for pages. */
typedef struct ResultParts {
    bool shown; /* "shown": what result_show says, and each missed goal's "picture" */
    bool
        figures; /* of each run "figures": [{"access": "global store", "svg": the costliest of this kind}…], the costliest first */
} ResultParts;

/* {"lab", "slug", "title", "file", "compiler", "device", "seed", "score", "points", "full", "begun": false,
 *  "variant": of the exercise, where it is not 0, "asked_variant": where it should be another,
 *  "kernels": [{"name", "correct", "cases", "effort": what its launches cost, "where", "message", "cause",
 *               "printed": by printf, "printed_with": in this case}],
 *  "runs": [{"name", "kernel", "text", "report": as report_json without "host", "values": {…},
 *           "to_predict": true where these numbers are asked for and not yet right; "launch": its words, where they are not}],
 *  "goals": [{"name", "kind": as goals_json has it, "run", "metric", "value", "full", "zero", "score", "points", "met", "reason", "advice"}],
 *  "causes": every wrong kernel and every missed goal with its line: causes.h}
 * A key that does not apply is absent. */
void result_json(const Lab *lab, const Score *score, ResultParts parts, Text *out);

/* The access that explains a missed goal: its line of source and the map of its lanes; nothing where the goal has none. */
void result_picture(const Lab *lab, const Score *score, uint32_t goal, Text *out);

/* The runs as outcome.h has them. */
void result_seen(const Lab *lab, const Score *score, Text *out);

/* result_refusal of this lab, with the compiler that refused the file. */
void result_refused(const Lab *lab, const char *why, Text *out);
