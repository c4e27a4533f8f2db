#include "lab/markdown.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "report/plain.h"

/* What is being read: a paragraph or an item, until its end is seen. */
typedef struct Rendering {
    Text *out;
    Text paragraph;
    char first[8]; /* "- ", "1. ": of an item */
    bool blank;    /* an empty line comes before what is written next */
    bool code;
} Rendering;

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

static void begin_output(Rendering *rendering) {
    if (rendering->blank) text_add(rendering->out, "\n");
    rendering->blank = false;
}

static void end_paragraph(Rendering *rendering) {
    if (rendering->paragraph.length) {
        begin_output(rendering);
        plain_wrap(rendering->out, PAGE_COLUMNS, rendering->first, text_string(&rendering->paragraph));
    }
    text_free(&rendering->paragraph);
    rendering->first[0] = 0;
}

/* How many bytes of an item's mark begin the line, "- " or "12. ". */
static size_t item_mark(const char *line) {
    size_t digits = strspn(line, "0123456789");
    if ((*line == '-' || *line == '*') && line[1] == ' ') return 2;
    return digits && digits < 4 && line[digits] == '.' && line[digits + 1] == ' ' ? digits + 2 : 0;
}

/* The words of the line, without marks of emphasis. */
static void add_words(Rendering *rendering, const char *line, size_t length) {
    const char *end = line + length;
    while (line < end) {
        size_t word = strcspn(line, " \t\n");
        if (line + word > end) word = (size_t)(end - line);
        if (word && rendering->paragraph.length) text_add(&rendering->paragraph, " ");
        for (size_t i = 0; i < word; i++) {
            if (strncmp(line + i, "**", 2) == 0)
                i++;
            else
                text_add_bytes(&rendering->paragraph, line + i, 1);
        }
        line += word + 1;
    }
}

static void add_line(Rendering *rendering, const char *line, size_t length) {
    const bool indented = strncmp(line, "    ", 4) == 0 && length > 4;
    if (strncmp(line, "```", 3) == 0) {
        end_paragraph(rendering);
        rendering->code = !rendering->code;
    } else if (rendering->code || *line == '|' || indented) {
        end_paragraph(rendering);
        begin_output(rendering);
        text_add(rendering->out, "%s%.*s\n", rendering->code ? "    " : "", (int)length, line);
    } else if (strspn(line, " ") >= length) {
        end_paragraph(rendering);
        rendering->blank = true;
    } else {
        size_t mark = item_mark(line);
        if (mark) end_paragraph(rendering);
        if (mark) memcpy(rendering->first, line, mark), rendering->first[mark] = 0;
        add_words(rendering, line + mark, length - mark);
    }
}

void markdown_section(const char *text, unsigned number, Text *out) {
    Rendering rendering = {.out = out};
    bool wanted = false;
    for (; *text; text = next_line(text)) {
        if (is_heading(text))
            wanted = strtoul(text + 3, NULL, 10) == number;
        else if (wanted)
            add_line(&rendering, text, strcspn(text, "\n"));
    }
    end_paragraph(&rendering);
}

void markdown_emphasis(const char *text, const char *heading, Text *out) {
    const char *at = strstr(text, heading), *end = at ? strstr(at + strlen(heading), "\n## ") : NULL, *longest = NULL;
    size_t length = 0;
    while (at && (at = strchr(at, '*')) && (!end || at < end)) {
        const size_t marks = strspn(at, "*"), words = strcspn(at + marks, "*");
        if (marks == 1 && words > length) longest = at + 1, length = words;
        at += marks + words + strspn(at + marks + words, "*");
    }
    for (size_t i = 0; i < length; i++)
        if (longest[i] != '`') text_add_bytes(out, longest + i, 1);
}
