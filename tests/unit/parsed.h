/* parsed.h: the program of a text that a suite made up, and what is known of its kernel. */
#pragma once

#include <string.h>

#include "base/text.h"
#include "kernel/kernel.h"
#include "suite.h"

/* Functions whose body is not emulated may be left out. */
static inline Program *parsed_partly(const char *text) {
    Diag diag = {0};
    Program *program = program_parse(text, strlen(text), "a.ptx", &diag);
    ck_assert_msg(program && !diag.set, "%u:%u: %s in\n%s", diag.line, diag.column, diag.message, text);
    return program;
}

static inline Program *parsed(const char *text) {
    Program *program = parsed_partly(text);
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (program->functions[f].refused) ck_abort_msg("%s in\n%s", program->functions[f].refused->message, text);
    return program;
}

__attribute__((format(printf, 1, 2))) static inline Program *parsed_of(const char *format, ...) {
    LOCAL_TEXT text = {0};
    va_list args;
    va_start(args, format);
    text_add_list(&text, format, args);
    va_end(args);
    return parsed(text_string(&text));
}

static inline const Kernel *prepared(const Program *program, const char *name) {
    Diag diag = {0};
    const Function *kernel = program_kernel(program, name, &diag);
    ck_assert_msg(kernel, "%s", diag.message);
    return kernel_prepare(program, kernel);
}
