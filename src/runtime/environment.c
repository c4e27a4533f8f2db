#include "runtime/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/output.h"
#include "input/launch_options.h"
#include "runtime/note.h"

enum { TELL_AFTER_S = 10 };

/* Where a variable says what it may not, as where an option does. */
static _Noreturn void refuse(const Diag *diag) {
    note_unplaced("%s", diag->message);
    exit(2);
}

static const char *value_of(const char *variable) {
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

/* Whether the variable says `yes`, not `no`; unset: what `otherwise` is. */
static bool chosen(const char *variable, const char *yes, const char *no, bool otherwise) {
    const char *value = value_of(variable);
    Diag diag = {0};
    if (value && !parse_choice(variable, value, yes, no, &otherwise, &diag)) refuse(&diag);
    return otherwise;
}

/* Unset: as they are. */
static void choose_checks(bool *checks, bool *strict) {
    const char *value = value_of("WARPSCOPE_CHECK");
    Diag diag = {0};
    if (value && !parse_checks("WARPSCOPE_CHECK", value, checks, strict, &diag)) refuse(&diag);
}

/* 0: unset. */
static uint64_t chosen_number(const char *variable) {
    const char *value = value_of(variable);
    uint64_t number = 0;
    Diag diag = {0};
    if (value && !parse_number(variable, value, 0, UINT64_MAX, &number, &diag)) refuse(&diag);
    return number;
}

static Schedule chosen_schedule(void) {
    const char *value = value_of("WARPSCOPE_SCHEDULE");
    Schedule schedule = {0};
    Diag diag = {0};
    if (value && !parse_schedule("WARPSCOPE_SCHEDULE", value, &schedule, &diag)) refuse(&diag);
    return schedule;
}

static double chosen_seconds(void) {
    const char *value = value_of("WARPSCOPE_TELL_AFTER");
    char *end = NULL;
    double seconds = value ? strtod(value, &end) : TELL_AFTER_S;
    Diag diag = {0};
    if (value && (*end || !(seconds > 0 && seconds < 1e9))) {
        diag_say(&diag, "WARPSCOPE_TELL_AFTER '%.200s' is no number of seconds", value);
        refuse(&diag);
    }
    return seconds;
}

static const Profile *chosen_profile(void) {
    const char *name = getenv("WARPSCOPE_DEVICE");
    Diag diag = {0};
    const Profile *profile = profile_find(name && *name ? name : "h200", &diag);
    if (profile) return profile;
    note_diag("WARPSCOPE_DEVICE", &diag);
    exit(2);
}

/* As many as `warpscope run --threads` takes at most: each has its counters. */
static unsigned chosen_threads(void) {
    uint64_t count = chosen_number("WARPSCOPE_THREADS");
    return count > THREADS_MOST ? THREADS_MOST : (unsigned)count;
}

Options environment_options(void) {
    bool checks = true, strict = false;
    choose_checks(&checks, &strict);
    const char *const report = value_of("WARPSCOPE_REPORT");
    const bool to_editor = report && strcmp(report, "gcc") == 0;
    return (Options){.profile = chosen_profile(),
                     .l1 = chosen("WARPSCOPE_L1", "on", "off", true),
                     .joins = chosen("WARPSCOPE_JOINS", "on", "off", true),
                     .checks = checks,
                     .strict = strict,
                     .replay = chosen("WARPSCOPE_REPLAY", "on", "off", true),
                     .on_fault = chosen("WARPSCOPE_ON_FAULT", "report", "stop", false) ? ON_FAULT_GO_ON : ON_FAULT_NOTE,
                     .details = to_editor || chosen("WARPSCOPE_REPORT", "all", "summary", true),
                     .problems = to_editor,
                     .threads = chosen_threads(),
                     .schedule = chosen_schedule(),
                     .tell_after_s = chosen_seconds(),
                     .max_steps = chosen_number("WARPSCOPE_MAX_STEPS"),
                     .json = value_of("WARPSCOPE_JSON"),
                     .compiler = getenv("WARPSCOPE_COMPILER")};
}

static void note_unwritten(const char *path, int error) {
    note_unplaced("JSON cannot be written to '%s': %s", path,
                  error == ESPIPE ? "it is a pipe, and each launch is written over what ends the one before"
                                  : output_problem(error));
}

FILE *environment_open_json(const Options *options) {
    const char *path = options->json;
    FILE *file = path ? output_open(path) : NULL;
    if (!path || (file && fseek(file, 0, SEEK_SET) == 0)) return file;
    note_unwritten(path, errno);
    exit(UNWRITTEN_STATUS);
}

bool environment_close_json(const Options *options, FILE *file) {
    if (!file) return true;
    if (ftell(file) == 0) fputs("[]\n", file);
    const bool good = output_close(file);
    if (!good) note_unwritten(options->json, errno);
    return good;
}
