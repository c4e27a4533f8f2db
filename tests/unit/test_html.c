/* Pages beside the book (report/html.h). */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void is(Text *out, const char *wanted) {
    ck_assert_str_eq(text_string(out), wanted);
    text_free(out);
}

START_TEST(foreign_text_is_no_markup)
{
    Text out = {0};
    html_add(&out, "a<b>&\"c\"'\x1b[2J\n");
    is(&out, "a&lt;b&gt;&amp;&quot;c&quot;'\\x1b[2J\n");
    html_add_pre(&out, "x < y");
    is(&out, "<pre><code>x &lt; y</code></pre>\n");
}
END_TEST

#define HEAD                                                                                                                    \
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"                                                   \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>A &amp; B · Home &lt;</title>\n<style/>" \
    "</head>\n<body class=\"class\">\n"

START_TEST(a_page_has_a_title_and_may_lead_home)
{
    Text out = {0};
    html_begin("A & B", "Home <", NULL, "<style/>", &out);
    html_end(&out);
    is(&out, HEAD "<main>\n<h1>A &amp; B</h1>\n</main>\n</body>\n</html>\n");
    html_begin("A & B", "Home <", "../index.html", "<style/>", &out);
    is(&out, HEAD
       "<header class=\"bar\"><a class=\"home\" href=\"../index.html\">Home &lt;</a></header>\n<main>\n<h1>A &amp; B</h1>\n");
}
END_TEST

START_TEST(numbers_stand_at_the_right)
{
    Text out = {0};
    html_style(&out);
    ck_assert(strstr(text_string(&out), "body.class td.number, body.class th.number { text-align: right;"));
    ck_assert(strstr(text_string(&out), "td.bars { width: 60%;"));
    size_t length;
    char *book = text_read_file("book/static/style.css", 1 << 20, &length); /* the book's style comes first */
    ck_assert(book && length && strncmp(text_string(&out), book, length) == 0);
    free(book);
    text_free(&out);
}
END_TEST

SUITE("html", foreign_text_is_no_markup, a_page_has_a_title_and_may_lead_home, numbers_stand_at_the_right)
