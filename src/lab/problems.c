#include "lab/problems.h"

#include <string.h>

#include "report/object.h"
#include "report/problem.h"

static void add_cause(const json_t *result, const json_t *cause, Text *out) {
    const char *where = object_string(cause, "where"), *hint = object_string(cause, "hint");
    const char *file = object_string(cause, "file");
    bool wrong = strcmp(object_string(cause, "severity"), "wrong") == 0;
    Spot spot = {.file = *file ? file : object_string(result, "file"),
                 .line = (uint32_t)json_integer_value(json_object_get(cause, "line")),
                 .column = (uint32_t)json_integer_value(json_object_get(cause, "column"))};
    LOCAL_TEXT text = {0};
    if (wrong && *object_string(cause, "kernel")) text_add(&text, "%s", object_string(cause, "kernel"));
    if (wrong && *where) text_add(&text, "%s%s", text.length ? " with " : "", where);
    text_add(&text, "%s%s", text.length ? ": " : "", object_string(cause, "message"));
    problem_add(spot, wrong ? "error" : "warning", text_string(&text), out);
    if (*hint) problem_add(spot, "note", hint, out);
}

void problems_of(const json_t *result, Text *out) {
    const json_t *causes = json_object_get(result, "causes"), *error = json_object_get(result, "error");
    bool begun = !json_is_false(json_object_get(result, "begun"));
    problem_compiled(object_string(result, "refused"), out);
    for (size_t i = 0; begun && i < json_array_size(causes); i++) add_cause(result, json_array_get(causes, i), out);
    text_add(out, "Lab %s %s: ", object_string(result, "lab"), object_string(result, "title"));
    if (error)
        text_add(out, "not graded, and that is not the file's fault: %s\n", object_string(error, "message"));
    else
        text_add(out, "%g of %g points%s\n", json_number_value(json_object_get(result, "score")),
                 json_number_value(json_object_get(result, "points")), begun ? "" : ", not begun");
}
