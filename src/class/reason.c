#include "class/reason.h"

#include <string.h>

#include "report/object.h"

/* The first line. */
static void add_first(Text *text, const char *words) { text_add_bytes(text, words, strcspn(words, "\n")); }

static bool has(const char *line, const char *word) {
    const char *at = strstr(line, word);
    return at && at < line + strcspn(line, "\n");
}

/* Compilers say before it where they were, and warn of this and that; indented lines are the file's. */
void reason_add_error(Text *text, const char *words) {
    const char *first = NULL, *error = NULL;
    for (const char *line = words; *line && !error; line += strcspn(line, "\n"), line += *line == '\n') {
        if (*line == ' ' || *line == '\n') continue;
        if (!first && !has(line, "warning") && !has(line, "Remark: ") && !has(line, "In file included")) first = line;
        if (has(line, "error:")) error = line;
    }
    add_first(text, error ? error : first ? first : words);
}

/* What happened and where, which may take several lines; not the lines of the file and the hint, which are indented. */
static void add_fault(Text *text, const char *message) {
    add_first(text, message);
    for (const char *line = strchr(message, '\n'), *begin = line; line && line[1] && line[1] != ' ';
         line = strchr(line + 1, '\n')) {
        text_add(text, line == begin ? ": " : " ");
        add_first(text, line + 1);
    }
}

/* They have another learner's exercise, or never wrote their own. */
static void add_foreign(const json_t *result, json_int_t asked, Text *reason) {
    json_int_t found = json_integer_value(json_object_get(result, "variant"));
    text_add(reason, "the predictions are for %s", found ? "another learner's numbers" : "the book's numbers");
    text_add(reason, "; %s: make variant VARIANT=%lld", asked ? "this learner has their own" : "here all have the book's",
             (long long)asked);
}

void reason_add(const json_t *result, Text *reason) {
    size_t i;
    json_t *one, *missed = NULL;
    if (json_is_true(json_object_get(result, "full"))) return;
    if (json_is_false(json_object_get(result, "begun"))) {
        text_add(reason, "not begun");
        return;
    }
    const json_t *asked = json_object_get(result, "asked_variant");
    if (asked) {
        add_foreign(result, json_integer_value(asked), reason);
        return;
    }
    json_array_foreach(json_object_get(result, "kernels"), i, one) {
        if (json_is_true(json_object_get(one, "correct"))) continue;
        text_add(reason, "%s is wrong: ", object_string(one, "name"));
        add_fault(reason, object_string(one, "message"));
        return;
    }
    json_array_foreach(json_object_get(result, "goals"), i, one) {
        const json_t *met = json_object_get(one, "met");
        if (!json_is_false(met) || json_object_get(one, "skipped")) continue;
        bool broken = json_number_value(json_object_get(one, "points")) == 0;
        if (!missed || (broken && json_object_get(missed, "points"))) missed = one;
    }
    if (!missed) return;
    text_add(reason, "%s of %s", object_string(missed, "name"), object_string(missed, "run"));
    const json_t *value = json_object_get(missed, "value");
    if (value)
        text_add(reason, " is %.4g; %s %.4g", json_number_value(value),
                 json_object_get(missed, "points") ? "full points at" : "at most",
                 json_number_value(json_object_get(missed, "full")));
    else
        text_add(reason, ": %s", object_string(missed, "reason"));
}
