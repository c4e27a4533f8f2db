#include "report/csv.h"

#include <stdint.h>
#include <string.h>

#include "base/visible.h"

/* = + - @, their fullwidth and small forms, and the sign for minus. */
static const uint32_t starts[] = {'=',    '+',    '-',    '@',    0x2212, 0xff1d, 0xff0b,
                                  0xff0d, 0xff20, 0xfe66, 0xfe62, 0xfe63, 0xfe6b, 0};

/* Spaces and what nobody sees that is not shown as \x anyway, combining marks and forms of quotes among them: first to last. */
static const uint32_t passed_over[][2] = {
    {0xa0, 0xa0},     {0xab, 0xab},     {0xbb, 0xbb},      {0x300, 0x36f},   {0x61c, 0x61c},   {0x115f, 0x1160},
    {0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f},  {0x2000, 0x206f}, {0x20d0, 0x20ff}, {0x2800, 0x2800},
    {0x3000, 0x3000}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},  {0xfe20, 0xfe2f}, {0xff02, 0xff02}, {0xff07, 0xff07},
    {0xffa0, 0xffa0}, {0xfff0, 0xfffd}, {0xe0000, 0xe0fff}};

static bool is_start(uint32_t code) {
    for (const uint32_t *one = starts; *one; one++)
        if (*one == code) return true;
    return false;
}

static bool is_passed_over(uint32_t code) {
    if (code < 0x80) return code && strchr(" \"'`,:([{<", (int)code);
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
        if (code >= passed_over[i][0] && code <= passed_over[i][1]) return true;
    return false;
}

/* Where a formula could begin in the field; NULL: nowhere. */
static const char *formula_in(const char *field, const char *end) {
    while (field < end) {
        const char *at = field;
        uint32_t code = visible_decode(&field, end);
        if (is_start(code)) return at;
        if (!is_passed_over(code)) return NULL;
    }
    return NULL;
}

static void add_fields(Text *out, const char *field) {
    for (;;) {
        size_t length = strcspn(field, ";|\t");
        const char *formula = formula_in(field, field + length);
        size_t before = formula ? (size_t)(formula - field) : 0;
        text_add_bytes(out, field, before);
        text_add(out, "%s", formula ? "'" : "");
        text_add_bytes(out, field + before, length - before);
        if (!field[length]) return;
        text_add_bytes(out, field + length, 1);
        field += length + 1;
    }
}

void csv_cell(Text *out, const char *value) {
    LOCAL_TEXT visible = {0}, cell = {0};
    visible_add_line(&visible, value);
    add_fields(&cell, text_string(&visible));
    const char *text = text_string(&cell);
    bool quoted = text[strcspn(text, ",;|\t\r\n\"'")] || *text == ' ' || (cell.length && text[cell.length - 1] == ' ');
    if (out->length && out->data[out->length - 1] != '\n') text_add(out, ",");
    if (quoted) text_add(out, "\"");
    for (; *text; text++) text_add(out, *text == '"' ? "\"\"" : "%c", *text);
    if (quoted) text_add(out, "\"");
}
