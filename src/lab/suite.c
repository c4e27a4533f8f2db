/* suite.c: what suites call in the middle of a run: its numbers, and the constants of the learner's file. See lab.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lab/case.h"
#include "lab/failure.h"
#include "lab/random.h"
#include "lab/speed.h"
#include "lab/variants.h"
#include "report/json.h"

/* --- measured runs -------------------------------------------------------------------------------------------------------- */

void lab_measure(LabCase *c, uint64_t reads, uint64_t writes) {
    RunResult *run = &c->lab->runs[c->lab->run];
    for (const LabBuffer *buffer = c->buffers; buffer; buffer = buffer->next)
        if (buffer->written && !buffer->compared) c->lab->uncompared = c->lab->goals->runs[c->lab->run].name;
    run->reads = reads;
    run->writes = writes;
    if (c->lab->gpu) {
        measured_time(c, (reads + writes) / 2);
        return;
    }
    Report report = case_report(c);
    LOCAL_TEXT text = {0};
    report.pictured = c->lab->pictured;
    report_json(&report, &text);
    run->report = json_loads(text_string(&text), 0, NULL);
    if (!run->report) abort();
    json_object_del(run->report, "host"); /* differs each time */
    run->kept = c;
    run->done = true;
}

void lab_value(Lab *lab, const char *name, double value) {
    RunResult *run = &lab->runs[lab->run];
    if (run->n_values == RUN_VALUES) abort();
    NamedValue *named = &run->values[run->n_values++];
    snprintf(named->name, sizeof named->name, "%s", name);
    named->value = value;
    run->done = true;
}

void lab_note(Lab *lab, const char *format, ...) {
    Text *note = &lab->runs[lab->run].note;
    va_list list;
    va_start(list, format);
    if (note->length) text_add(note, "; ");
    text_add_list(note, format, list);
    va_end(list);
}

void lab_no_prediction(Lab *lab, const char *row) {
    Text *empty = &lab->runs[lab->run].empty;
    if (!goals_listed(text_string(empty), row)) text_add(empty, "%s%s", empty->length ? ", " : "", row);
}

void lab_note_predictions(Lab *lab, uint32_t right, uint32_t rows) {
    const Text *empty = &lab->runs[lab->run].empty;
    if (right == rows) return;
    if (empty->length)
        lab_note(lab, "%u of %u right, none yet for %s: put your numbers into kernel.cu", right, rows, text_string(empty));
    else if (lab->fraction_line)
        lab_note(lab, "%u of %u right; %s in line %u is no whole number, and all counts are", right, rows, lab->fraction,
                 lab->fraction_line);
    else if (lab->negative)
        lab_note(lab, "%u of %u right; '%s' is negative, and no count is", right, rows, lab->negative);
    else
        lab_note(lab, "%u of %u right", right, rows);
}

/* --- constants ------------------------------------------------------------------------------------------------------------ */

const Program *lab_program(const Lab *lab) { return lab->source.program; }

static const Variable *find_constant(const Lab *lab, const char *name) {
    const Program *program = lab->source.program;
    for (uint32_t i = 0; i < program->n_variables; i++) {
        const Variable *variable = &program->variables[i];
        bool global = variable->function == NO_INDEX && (variable->space == SPACE_CONST || variable->space == SPACE_GLOBAL);
        if (global && !variable->external && strcmp(variable->name, name) == 0) return variable;
    }
    return NULL;
}

static void read_constant(Lab *lab, const char *name, int32_t *values, uint32_t count) {
    const Variable *variable = find_constant(lab, name);
    uint64_t bytes = (uint64_t)count * sizeof *values;
    if (!variable)
        lab_reject(lab, "the file has no extern \"C\" { __constant__ int %s%s; }", name, count > 1 ? "[]" : "");
    else if (variable->bytes != bytes)
        lab_reject(lab, "'%s' has %llu bytes instead of %llu: it is to be %u int%s", name, (unsigned long long)variable->bytes,
                   (unsigned long long)bytes, count, count > 1 ? "s" : "");
    else if (variable->init)
        memcpy(values, variable->init, bytes);
    else
        memset(values, 0, bytes);
}

/* The first fraction is kept for the remark; what the compiler makes of it is right nowhere. */
static bool has_fraction(Lab *lab, const char *name) {
    char number[DECLARED_NUMBER];
    uint32_t line = declared_fraction(lab->source.text, name, number);
    if (!line || lab->fraction_line) return line != 0;
    lab->fraction_line = line;
    memcpy(lab->fraction, number, sizeof number);
    return true;
}

void lab_predictions(Lab *lab, const char *name, int32_t *values, uint32_t count) {
    read_constant(lab, name, values, count);
    for (uint32_t i = 0; i < count; i++)
        if (values[i] < 0 && !lab->negative) lab->negative = find_constant(lab, name)->name;
    const bool computed = !lab->source.is_ptx && !declared_as_numbers(lab->source.text, name, values, count);
    if (!has_fraction(lab, name) && !computed) return;
    if (computed && lab->run >= 0 && !lab->runs[lab->run].note.length)
        lab_note(lab, "'%s' is worked out by the compiler: a prediction is a number that you write", name);
    for (uint32_t i = 0; i < count; i++) values[i] = INT32_MIN;
}

int32_t lab_prediction(Lab *lab, const char *name, int32_t otherwise) {
    int32_t value = otherwise;
    if (find_constant(lab, name)) lab_predictions(lab, name, &value, 1);
    return value;
}

int32_t lab_constant_of(Lab *lab, const char *name, int32_t otherwise, const int32_t *values, uint32_t count) {
    int32_t value = otherwise;
    LOCAL_TEXT list = {0};
    if (find_constant(lab, name)) read_constant(lab, name, &value, 1);
    for (uint32_t i = 0; i < count; i++)
        if (values[i] == value) return value;
    for (uint32_t i = 0; i < count; i++) text_add(&list, "%s%d", i == 0 ? "" : i + 1 < count ? ", " : " or ", values[i]);
    char sentence[200];
    snprintf(sentence, sizeof sentence, "'%s' is %d; it may be %s", name, value, text_string(&list));
    text_free(&list); /* lab_reject does not come back */
    lab_reject(lab, "%s", sentence);
}

int32_t lab_constant(Lab *lab, const char *name, int32_t otherwise, int32_t least, int32_t most) {
    int32_t value = otherwise;
    if (find_constant(lab, name)) read_constant(lab, name, &value, 1);
    if (value < least || value > most) lab_reject(lab, "'%s' is %d; it may be %d to %d", name, value, least, most);
    return value;
}

uint32_t lab_variant(const Lab *lab) {
    const Variable *variable = find_constant(lab, "variant");
    uint32_t variant = 0;
    if (variable && variable->init) memcpy(&variant, variable->init, variable->bytes < 4 ? variable->bytes : 4);
    return variant;
}

int32_t lab_number(const Lab *lab, const char *name) { return variant_number(lab->goals, lab_variant(lab), name); }

/* --- predictions ---------------------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

uint64_t lab_mark(const char *name, const int32_t *numbers, uint32_t count) {
    static const uint8_t key[RANDOM_KEY_BYTES];
    LOCAL_TEXT text = {0};
    text_add(&text, "%s", name);
    for (uint32_t i = 0; i < count; i++) text_add(&text, " %d", numbers[i]);
    const uint64_t mark = random_seed(key, text_string(&text), text.length);
    return mark;
}

uint32_t lab_pieces(const uint32_t *places, uint32_t lanes, uint32_t bytes, uint32_t piece) {
    uint32_t n = 0, found = 0, *touched = alloc_bytes((size_t)lanes * bytes * sizeof *touched + 1);
    for (uint32_t lane = 0; lane < lanes; lane++)
        for (uint32_t i = 0; i < bytes; i++) touched[n++] = (places[lane] + i) / piece;
    qsort(touched, n, sizeof *touched, by_number);
    for (uint32_t i = 0; i < n; i++) found += i == 0 || touched[i] != touched[i - 1];
    free(touched);
    return found;
}

/* A wavefront serves as many lanes as 128 bytes are enough for, and of these the most that want different words of one bank, or of neighbouring ones. */
uint32_t lab_wavefronts(const uint32_t places[32], uint32_t bytes) {
    enum { LANES = 32, WORD = 4, BANKS_BYTES = 128 };
    const uint32_t word = bytes > WORD ? bytes : WORD, served = BANKS_BYTES / word;
    uint32_t wavefronts = 0;
    for (uint32_t first = 0; first < LANES; first += served) {
        uint32_t most = 0;
        for (uint32_t bank = 0; bank < served; bank++) {
            uint32_t wanted[LANES], n = 0;
            for (uint32_t lane = first; lane < first + served; lane++)
                if (places[lane] / word % served == bank) wanted[n++] = places[lane];
            const uint32_t words = lab_pieces(wanted, n, 1, word);
            most = words > most ? words : most;
        }
        wavefronts += most;
    }
    return wavefronts;
}
