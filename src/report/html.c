#include "report/html.h"

#include <string.h>

#include "base/visible.h"

void html_add(Text *out, const char *text) {
    LOCAL_TEXT visible = {0};
    visible_add(&visible, text, strlen(text));
    for (const char *c = text_string(&visible); *c; c++) {
        switch (*c) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        case '"': text_add(out, "&quot;"); break;
        default: text_add_bytes(out, c, 1);
        }
    }
}

void html_put(Text *out, const char *before, const char *text, const char *after) {
    text_add(out, "%s", before);
    html_add(out, text);
    text_add(out, "%s", after);
}

void html_add_pre(Text *out, const char *text) { html_put(out, "<pre><code>", text, "</code></pre>\n"); }

static void add_own_style(Text *out) {
    text_add(out, "/* Pages beside the book */\n"
                  "body.class { display: block; }\n"
                  "body.class main { max-width: 62rem; }\n"
                  "body.class td.number, body.class th.number { text-align: right; font-variant-numeric: tabular-nums; "
                  "white-space: nowrap; }\n"
                  "body.class .bar-of { background: var(--link); height: 0.8rem; border-radius: 0.2rem; min-width: 1px; }\n"
                  "body.class td.bars { width: 60%%; vertical-align: middle; }\n"
                  "body.class .score { font-size: 1.4rem; }\n"
                  "body.class main { overflow-wrap: break-word; }\n"
                  "body.class td.name { overflow-wrap: anywhere; min-width: 7rem; }\n"
                  "body.class .missed { color: var(--special); }\n"
                  "body.class table.lines { table-layout: fixed; }\n"
                  "body.class table.lines th.number, body.class table.lines td.number { width: 3.5rem; }\n"
                  "body.class table.lines code { white-space: pre-wrap; }\n"
                  "body.class summary { cursor: pointer; }\n");
}

void html_style(Text *out) {
    size_t length = 0;
    FREED char *book = text_read_file("book/static/style.css", 1 << 20, &length);
    if (book) text_add_bytes(out, book, length);
    add_own_style(out);
}

void html_begin(const char *title, const char *home, const char *home_link, const char *head, Text *out) {
    html_put(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
             title, " · ");
    html_add(out, home);
    text_add(out, "</title>\n%s</head>\n<body class=\"class\">\n", head);
    if (home_link) {
        text_add(out, "<header class=\"bar\"><a class=\"home\" href=\"%s\">", home_link);
        html_put(out, "", home, "</a></header>\n");
    }
    html_put(out, "<main>\n<h1>", title, "</h1>\n");
}

void html_end(Text *out) { text_add(out, "</main>\n</body>\n</html>\n"); }
