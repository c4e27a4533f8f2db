#include "lab/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 50 };

typedef struct FormulaReader {
    const char *at;
    FormulaLookup *lookup;
    void *context;
    FormulaValue result; /* status other than good: the first trouble */
    int depth;
} FormulaReader;

static double sum(FormulaReader *reader);

static void trouble(FormulaReader *reader, FormulaStatus status, const char *name) {
    if (reader->result.status != FORMULA_GOOD && !(status == FORMULA_WRONG && reader->result.status != FORMULA_WRONG)) return;
    reader->result.status = status;
    snprintf(reader->result.name, sizeof reader->result.name, "%s", name);
}

static void skip_blanks(FormulaReader *reader) {
    while (isspace((unsigned char)*reader->at)) reader->at++;
}

static bool accept(FormulaReader *reader, char character) {
    skip_blanks(reader);
    if (*reader->at != character) return false;
    reader->at++;
    return true;
}

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static double named(FormulaReader *reader) {
    char name[80];
    size_t length = 0;
    for (; is_name_character(*reader->at); reader->at++)
        if (length < sizeof name - 1) name[length++] = *reader->at;
    name[length] = 0;
    double value = 0;
    if (!reader->lookup(reader->context, name, &value)) trouble(reader, FORMULA_ABSENT, name);
    return value;
}

static double factor(FormulaReader *reader) {
    if (++reader->depth > DEPTH_LIMIT) {
        trouble(reader, FORMULA_WRONG, "too many parentheses");
        return 0;
    }
    double value = 0;
    if (accept(reader, '(')) {
        value = sum(reader);
        if (!accept(reader, ')')) trouble(reader, FORMULA_WRONG, reader->at);
    } else if (accept(reader, '-')) {
        value = -factor(reader);
    } else if (isdigit((unsigned char)*reader->at)) {
        char *end;
        value = strtod(reader->at, &end);
        reader->at = end;
    } else if (isalpha((unsigned char)*reader->at)) {
        value = named(reader);
    } else {
        trouble(reader, FORMULA_WRONG, *reader->at ? reader->at : "the end");
    }
    reader->depth--;
    return value;
}

static double product(FormulaReader *reader) {
    double value = factor(reader);
    while (reader->result.status != FORMULA_WRONG) {
        if (accept(reader, '*')) {
            value *= factor(reader);
        } else if (accept(reader, '/')) {
            double by = factor(reader);
            if (by == 0) trouble(reader, FORMULA_UNDEFINED, "");
            value = by == 0 ? 0 : value / by;
        } else {
            break;
        }
    }
    return value;
}

static double sum(FormulaReader *reader) {
    double value = product(reader);
    while (reader->result.status != FORMULA_WRONG) {
        if (accept(reader, '+'))
            value += product(reader);
        else if (accept(reader, '-'))
            value -= product(reader);
        else
            break;
    }
    return value;
}

FormulaValue formula_value(const char *formula, FormulaLookup *lookup, void *context) {
    FormulaReader reader = {.at = formula, .lookup = lookup, .context = context};
    reader.result.value = sum(&reader);
    skip_blanks(&reader);
    if (*reader.at) trouble(&reader, FORMULA_WRONG, reader.at);
    if (reader.result.status == FORMULA_GOOD && !isfinite(reader.result.value)) reader.result.status = FORMULA_UNDEFINED;
    return reader.result;
}

bool formula_subject(const char *formula, char *subject, size_t size) {
    static const char *const spaces[] = {"global", "shared", "local"}, *const ops[] = {"load", "store", "atomic"};
    for (const char *at = formula; *at; at++) {
        if (at > formula && is_name_character(at[-1])) continue;
        for (int i = 0; i < 9; i++) {
            char prefix[32];
            int length = snprintf(prefix, sizeof prefix, "%s.%s", spaces[i / 3], ops[i % 3]);
            if (strncmp(at, prefix, (size_t)length) != 0 || at[length] != '.') continue;
            snprintf(subject, size, "%s", prefix);
            return true;
        }
    }
    return false;
}
