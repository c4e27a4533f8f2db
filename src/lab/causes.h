/* causes.h: what is wrong with a graded file as a list for programs: every wrong kernel, then every goal that is missed, each at its line. */
#pragma once

#include <jansson.h>

#include "lab/score.h"

/* [{"severity": "wrong" | "missed", "kind", "kernel", "run", "goal", "file", "line", "column", "where", "message", "hint"}…]
 *
 * kind      of a wrong kernel: the fault's as in a launch's JSON, or "wrong_result"; of a missed goal: as goals_json has it
 * kernel    absent for a run that launches nothing
 * run, goal names of lab.goals, of a missed goal alone
 * file      what the file is called, as in the result's "file"
 * line      that of the fault, of the only line that writes the wrong output, or of the access that a goal is about; where there is none that
 *           of the kernel's head, or of the declaration that a run without a kernel looks at; absent where all of these are unknown
 * column    counted from 1, where the compiler says it
 * where     the case: "33 x 65 floats"
 * message   one sentence without the position
 * hint      the probable cause, or what to do */
json_t *causes_array(const Lab *lab, const Score *score);

/* Whether the goal is "right.ROW", and nothing stands in that row yet. */
bool causes_is_empty(const Lab *lab, const Goal *goal);

/* Whether the goal is about the modelled time of a launch, which was measured. */
bool causes_is_time(const Lab *lab, const Goal *goal);

/* What to do about a goal that is missed: what the lab advises; of a time, what changes that which limits it (bottleneck.h); where a goal is about global
 * memory as well and missed by bank conflicts, these first. */
void causes_advise(const Lab *lab, const Score *score, uint32_t goal, Text *out);

/* The sentence about a goal that is missed: its name, value and bounds, or why it has no value. */
void causes_say_goal(const Lab *lab, const Score *score, uint32_t goal, Text *out);
