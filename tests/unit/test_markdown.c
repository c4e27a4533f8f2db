/* Hints as terminals show them (lab/markdown.h). */
#include "lab/markdown.h"
#include "suite.h"

static void shows(const char *text, unsigned section, const char *wanted) {
    Text out = {0};
    markdown_section(text, section, &out);
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
}

static const char hints[] = "# Hints\n\nNobody sees this.\n\n"
                            "## 1\n\nFirst **bold** words,\tand\na second line.\n\n- an item that\n  goes on\n* another\n\n"
                            "12. a number\n\n```\n**code**  here\n```\n\n| a | b |\n\n    set off\n\n"
                            "## 12\nThe\n## last\none";

/* What begins with ## and no digit is text like any other. */
START_TEST(sections_are_those_with_a_number)
{
    static const struct {
        const char *text;
        unsigned sections;
    } rows[] = {{"", 0},       {"no heading", 0},   {"## 1", 1},       {"## 1\n## 2\n", 2}, {"##1\n", 0},     {"### 1\n", 0},
                {"## x\n", 0}, {"a ## 1\n## 9", 1}, {"\n\n## 0\n", 1}, {hints, 2},          {"## :\n## /", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(markdown_sections(rows[i].text) == rows[i].sections, "'%s'", rows[i].text);
}
END_TEST

START_TEST(paragraphs_items_code_and_tables_keep_their_form)
{
    shows(
        hints, 1,
        "\nFirst bold words, and a second line.\n\n- an item that goes on\n* another\n\n12. a number\n\n    **code**  here\n\n"
        "| a | b |\n\n    set off\n");
    shows(hints, 12, "The ## last one\n");
    shows(hints, 2, "");
}
END_TEST

START_TEST(what_is_no_item_is_a_paragraph)
{
    shows("## 1\n-5 is\n1.5 or\n1234. too", 1, "-5 is 1.5 or 1234. too\n");
    shows("## 1\n1. a\n22. b\nc", 1, "1. a\n22. b c\n");
    shows("## 1\n- a\n999. b\n*c* d", 1, "- a\n999. b *c* d\n");
}
END_TEST

/* 80 columns: 16 words of four letters take 79. Behind an item's mark there are two less, and 15 words take 74. */
START_TEST(long_lines_are_wrapped_behind_the_mark)
{
    Text text = {0}, wanted = {0};
    text_add(&text, "## 1\n");
    for (int i = 0; i < 17; i++) text_add(&text, "word ");
    text_add(&text, "\n- ");
    for (int i = 0; i < 16; i++) text_add(&text, "word ");
    for (int i = 0; i < 16; i++) text_add(&wanted, i ? " word" : "word");
    text_add(&wanted, "\nword\n- ");
    for (int i = 0; i < 15; i++) text_add(&wanted, i ? " word" : "word");
    text_add(&wanted, "\n  word\n");
    shows(text_string(&text), 1, text_string(&wanted));
    text_free(&text);
    text_free(&wanted);
}
END_TEST

/* One empty line before what follows, however many there are; none at the end. A line of blanks is empty. */
START_TEST(empty_lines_part_what_stands_around_them)
{
    shows("## 1\na\n\n\n    \nb\n\n", 1, "a\n\nb\n");
    shows("## 1\na\n```\nb\n```\nc", 1, "a\n    b\nc\n");
    shows("## 1\na\n|b|\n|c|\nd", 1, "a\n|b|\n|c|\nd\n");
}
END_TEST

START_TEST(what_a_section_stresses_is_found)
{
    static const char text[] = "*before, and long*\n## In short\n- **A**, then *so `x`*.\n- *The longest* of **all of these, "
                               "but bold**\n## Next\n*behind, and long*\n";
    LOCAL_TEXT out = {0}, none = {0};
    markdown_emphasis(text, "## In short", &out);
    ck_assert_str_eq(text_string(&out), "The longest");
    markdown_emphasis("## In short\nnothing\n", "## In short", &none);
    markdown_emphasis(text, "## Absent", &none);
    ck_assert_str_eq(text_string(&none), "");
}
END_TEST

SUITE("markdown", sections_are_those_with_a_number, paragraphs_items_code_and_tables_keep_their_form,
      what_is_no_item_is_a_paragraph, long_lines_are_wrapped_behind_the_mark, empty_lines_part_what_stands_around_them,
      what_a_section_stresses_is_found)
