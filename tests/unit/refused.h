/* refused.h: a module that must not be taken, and where. */
#pragma once

#include "left_out.h"
#include "parsed.h"

/* The text is refused at this place; the message or its hint contains `part`. */
static inline void refuse(const char *text, unsigned line, unsigned column, const char *part) {
    Diag diag = {0};
    Program *program = without_left_out(program_parse(text, strlen(text), "a.ptx", &diag), &diag);
    ck_assert_msg(!program && diag.set, "accepted:\n%s", text);
    ck_assert_str_eq(diag.file, "a.ptx");
    ck_assert_msg(strstr(diag.message, part) || strstr(diag.hint, part), "'%s' (%s) lacks '%s'", diag.message, diag.hint, part);
    ck_assert_msg(diag.line == line && diag.column == column, "%u:%u instead of %u:%u: %s", diag.line, diag.column, line,
                  column, diag.message);
}
