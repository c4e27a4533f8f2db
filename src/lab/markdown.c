#include "lab/markdown.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/words.h"

/* What is being read: a paragraph or an item, until its end is seen. */
typedef struct Plain {
    Text *out;
    Text paragraph;
    char first[8]; /* "- ", "1. ": of an item */
    bool blank;    /* an empty line comes before what is written next */
    bool code;
} Plain;

static bool is_heading(const char *line) { return strncmp(line, "## ", 3) == 0 && line[3] >= '0' && line[3] <= '9'; }

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

unsigned markdown_sections(const char *text) {
    unsigned count = 0;
    for (; *text; text = next_line(text)) count += is_heading(text);
    return count;
}

static void begin_output(Plain *plain) {
    if (plain->blank) text_add(plain->out, "\n");
    plain->blank = false;
}

static void end_paragraph(Plain *plain) {
    if (plain->paragraph.length) {
        begin_output(plain);
        words_wrap(plain->out, plain->first, text_string(&plain->paragraph));
    }
    text_free(&plain->paragraph);
    plain->first[0] = 0;
}

/* How many bytes of an item's mark begin the line, "- " or "12. ". */
static size_t item_mark(const char *line) {
    size_t digits = strspn(line, "0123456789");
    if ((*line == '-' || *line == '*') && line[1] == ' ') return 2;
    return digits && digits < 4 && line[digits] == '.' && line[digits + 1] == ' ' ? digits + 2 : 0;
}

/* The words of the line, without marks of emphasis. */
static void add_words(Plain *plain, const char *line, size_t length) {
    const char *end = line + length;
    while (line < end) {
        size_t word = strcspn(line, " \t\n");
        if (line + word > end) word = (size_t)(end - line);
        if (word && plain->paragraph.length) text_add(&plain->paragraph, " ");
        for (size_t i = 0; i < word; i++) {
            if (strncmp(line + i, "**", 2) == 0)
                i++;
            else
                text_add_bytes(&plain->paragraph, line + i, 1);
        }
        line += word + 1;
    }
}

static void add_line(Plain *plain, const char *line, size_t length) {
    const bool indented = strncmp(line, "    ", 4) == 0 && length > 4;
    if (strncmp(line, "```", 3) == 0) {
        end_paragraph(plain);
        plain->code = !plain->code;
    } else if (plain->code || *line == '|' || indented) {
        end_paragraph(plain);
        begin_output(plain);
        text_add(plain->out, "%s%.*s\n", plain->code ? "    " : "", (int)length, line);
    } else if (strspn(line, " ") >= length) {
        end_paragraph(plain);
        plain->blank = true;
    } else {
        size_t mark = item_mark(line);
        if (mark) end_paragraph(plain);
        if (mark) memcpy(plain->first, line, mark), plain->first[mark] = 0;
        add_words(plain, line + mark, length - mark);
    }
}

void markdown_section(const char *text, unsigned number, Text *out) {
    Plain plain = {.out = out};
    bool wanted = false;
    for (; *text; text = next_line(text)) {
        if (is_heading(text))
            wanted = strtoul(text + 3, NULL, 10) == number;
        else if (wanted)
            add_line(&plain, text, strcspn(text, "\n"));
    }
    end_paragraph(&plain);
}
