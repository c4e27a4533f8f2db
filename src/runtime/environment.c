#include "runtime/environment.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/output.h"
#include "input/launch_options.h"
#include "runtime/note.h"

enum { TELL_AFTER_S = 10, HOST_WAIT_S = 30 };

static bool read_device(void *command, const char *option, const char *value, Diag *diag) {
    (void)option;
    return (((Options *)command)->profile = profile_find(value, diag)) != NULL;
}

static bool read_checks(void *command, const char *option, const char *value, Diag *diag) {
    Options *options = command;
    return parse_checks(option, value, &options->checks, &options->strict, diag);
}

static bool read_on_fault(void *command, const char *option, const char *value, Diag *diag) {
    bool goes_on;
    if (!parse_choice(option, value, "report", "stop", &goes_on, diag)) return false;
    ((Options *)command)->on_fault = goes_on ? ON_FAULT_GO_ON : ON_FAULT_NOTE;
    return true;
}

static bool read_report(void *command, const char *option, const char *value, Diag *diag) {
    Options *options = command;
    options->problems = strcmp(value, "gcc") == 0;
    return options->problems || parse_choice(option, value, "all", "summary", &options->details, diag);
}

/* Each thread has its counters: there are not more, whatever the environment says. */
static bool read_threads(void *command, const char *option, const char *value, Diag *diag) {
    uint64_t count;
    if (!parse_number(option, value, *option == '-', *option == '-' ? THREADS_MOST : UINT64_MAX, &count, diag)) return false;
    ((Options *)command)->threads = count > THREADS_MOST ? THREADS_MOST : (unsigned)count;
    return true;
}

static bool read_schedule(void *command, const char *option, const char *value, Diag *diag) {
    return parse_schedule(option, value, &((Options *)command)->schedule, diag);
}

static bool read_file(const char **name, const char *option, const char *value, Diag *diag) {
    *name = value;
    return *value || diag_say(diag, "%s needs a file's name", option);
}

static bool read_json(void *command, const char *option, const char *value, Diag *diag) {
    return read_file(&((Options *)command)->json, option, value, diag);
}

static bool read_trace(void *command, const char *option, const char *value, Diag *diag) {
    return read_file(&((Options *)command)->trace, option, value, diag);
}

const OptionRow environment_rows[] = {{"device", OPTION_READS, .read = read_device},
                                      OPTION_CHOICE("l1", Options, l1, "on", "off"),
                                      OPTION_CHOICE("joins", Options, joins, "on", "off"),
                                      {"check", OPTION_READS, .read = read_checks},
                                      {"json", OPTION_READS, .read = read_json},
                                      OPTION_CHOICE("replay", Options, replay, "on", "off"),
                                      {"threads", OPTION_READS, .read = read_threads},
                                      {"report", OPTION_READS, .read = read_report},
                                      {"on-fault", OPTION_READS, .read = read_on_fault},
                                      OPTION_NUMBER("max-steps", Options, max_steps, 1, UINT64_MAX),
                                      {"schedule", OPTION_READS, .read = read_schedule},
                                      {"trace", OPTION_READS, .read = read_trace},
                                      {0}};

Text environment_variable(const OptionRow *row) {
    Text variable = text_from("WARPSCOPE_%s", row->name);
    for (char *c = variable.data; *c; c++) *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return variable;
}

/* Where a variable says what it may not, as where an option does. */
static _Noreturn void refuse(const char *variable, const Diag *diag) {
    if (strncmp(diag->message, variable, strlen(variable)) == 0)
        note_unplaced("%s", diag->message);
    else
        note_diag(variable, diag);
    exit(2);
}

static double chosen_seconds(const char *variable, double usual) {
    const char *value = getenv(variable);
    char *end = NULL;
    double seconds = value && *value ? strtod(value, &end) : usual;
    Diag diag = {0};
    if (end && (*end || !(seconds >= 0 && seconds < 1e9))) {
        diag_say(&diag, "%s '%.200s' is no number of seconds", variable, value);
        refuse(variable, &diag);
    }
    return seconds;
}

Options environment_options(void) {
    Diag diag = {0};
    Options options = {.profile = profile_find("h200", &diag),
                       .l1 = true,
                       .joins = true,
                       .checks = true,
                       .replay = true,
                       .details = true,
                       .on_fault = ON_FAULT_NOTE,
                       .tell_after_s = chosen_seconds("WARPSCOPE_TELL_AFTER", TELL_AFTER_S),
                       .host_wait_s = chosen_seconds("WARPSCOPE_HOST_WAIT", HOST_WAIT_S),
                       .compiler = getenv("WARPSCOPE_COMPILER")};
    for (const OptionRow *row = environment_rows; row->name; row++) {
        LOCAL_TEXT variable = environment_variable(row);
        const char *value = getenv(variable.data);
        if (value && *value && !option_set(row, variable.data, &options, value, &diag)) refuse(variable.data, &diag);
    }
    return options;
}

static void note_unwritten(const char *path, int error) {
    note_unplaced("JSON cannot be written to '%s': %s", path,
                  error == ESPIPE ? "it is a pipe, and each launch is written over what ends the one before"
                                  : output_problem(error));
}

static FILE *open_json(const char *path) {
    FILE *file = path ? output_open(path) : NULL;
    if (!path || (file && fseek(file, 0, SEEK_SET) == 0)) return file;
    note_unwritten(path, errno);
    exit(UNWRITTEN_STATUS);
}

void environment_open_files(const Options *options, FILE **json, FILE **trace) {
    *json = open_json(options->json);
    *trace = open_json(options->trace);
    if (!output_is(options->trace, options->json)) return;
    Diag diag = {0};
    diag_say(&diag, "the file of WARPSCOPE_JSON too, '%s'", options->json);
    refuse("WARPSCOPE_TRACE", &diag);
}

void environment_add_json(FILE *file, const Text *object) {
    const bool first = ftell(file) == 0;
    if (!first) fseek(file, -3, SEEK_END); /* over "\n]\n" */
    fprintf(file, "%s%s]\n", first ? "[\n" : ",\n", text_string(object));
    fflush(file);
}

bool environment_close_json(const char *path, FILE *file) {
    if (!file) return true;
    if (ftell(file) == 0) fputs("[]\n", file);
    const bool good = output_close(file);
    if (!good) note_unwritten(path, errno);
    return good;
}
