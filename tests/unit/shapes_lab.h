/* shapes_lab.h: on graded.h a lab with a goal, a limit, a modelled time, a figure and a table of predictions, all of them met: for the tests of what people
 * and programs are told. */
#pragma once

#include "graded.h"
#include "lab/result.h"

static const char facts[] =
    "LAB(\"07\", \"shapes\", \"Shapes\", 100) KERNEL(one) KERNEL(two) KERNEL(given) RUN(a, one, \"8 floats\") CORRECT(a, 10)\n"
    "GOAL(loads, a, \"l\", 4, 8, 30, \"load less\") LIMIT(work, a, \"w\", 10, \"do less\") RUN(two, two, \"9 floats\")\n"
    "GOAL(time, two, \"model.time_us\", 10, 20, 40, \"be quick\") MEASURED(fast, two, 0.9, \"x\")\n"
    "FIGURE(beat, two, \"f\", 0.5, 0.75, \"y\") RUN(table, none, \"a table\") GOAL(guess, table, \"right\", 3, 1, 20, "
    "\"count\")";
enum { CORRECT, LOADS, WORK, TIME, FAST, BEAT, GUESS };
enum { A, TWO, TABLE };

static void begin(void) {
    graded_begin("", facts);
    for (uint32_t k = 0; k < 3; k++)
        kernels[k] = (KernelResult){.tested = true, .cases = 1 + k, .first_right = "1 float", .last_right = "9 floats"};
    has_value(A, "l", 4);
    has_value(A, "w", 10);
    has_value(TWO, "model.time_us", 9.5);
    has_value(TWO, "f", 0.625);
    has_value(TABLE, "right", 3);
    lab.seed = 77;
}

__attribute__((unused)) static void is_wrong(uint32_t kernel, const char *where, const char *message, const char *cause) {
    kernels[kernel].wrong = true;
    text_add(&kernels[kernel].failure.where, "%s", where);
    text_add(&kernels[kernel].failure.message, "%s", message);
    text_add(&kernels[kernel].failure.cause, "%s", cause);
}

__attribute__((unused)) static void has_part(const char *wanted, bool there) {
    Text out = {0};
    score_again();
    result_show(&lab, &score, &out);
    ck_assert_msg((strstr(text_string(&out), wanted) != NULL) == there, "%s%s in\n%.3000s", there ? "no " : "", wanted,
                  text_string(&out));
    text_free(&out);
}

/* Ten loads of a lane in each of 32 sectors, where 4 would do, in line 2; ten stores of 4 sectors in line 3. */
__attribute__((unused)) static void make_accesses(void) {
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 10);
    put(1, 2, strided(SPACE_GLOBAL, ACCESS_STORE, 4, 4, 1 << 20, LANES_ALL), 10);
    counters.global[COUNTER_LOAD].lines = insn_counters[0].sectors.lines = 320;
    has_value(A, "global.load.sectors", 320);
    has_value(A, "global.load.requests", 10);
    has_value(A, "global.load.lines", 320);
    has_value(A, "global.store.sectors", 40);
    lab.goals->goals[LOADS].metric = "global.load.sectors / global.load.requests";
    lab.goals->goals[LOADS].full = 4, lab.goals->goals[LOADS].zero = 32;
    keep_launch(A);
}
