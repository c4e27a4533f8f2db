#include "report/csv.h"
#include "suite.h"

static void check_cell(const char *value, const char *wanted) {
    Text line = {0};
    csv_cell(&line, value);
    ck_assert_str_eq(text_string(&line), wanted);
    text_free(&line);
}

START_TEST(a_name_stays_as_it_is)
{
    static const char *const names[] = {"anna",  "part.cu", "Anna-Maria 2", "Ł. Żak", "李雷", "a+b@c=d",
                                        "x - y", "_-x",     "#1",           "1=1",    "é",    NULL};
    for (int i = 0; names[i]; i++) check_cell(names[i], names[i]);
    check_cell("", "");
}
END_TEST

/* A reader of any country finds one field where this is at the beginning of its line. */
START_TEST(what_separates_anywhere_is_quoted)
{
    check_cell("a,b", "\"a,b\"");
    check_cell("a;b", "\"a;b\"");
    check_cell("a|b", "\"a|b\"");
    check_cell("a\"b", "\"a\"\"b\"");
    check_cell("O'Neill", "\"O'Neill\"");
    check_cell(" a", "\" a\"");
    check_cell("a ", "\"a \"");
    check_cell("a\tb\r\n", "a\\x09b\\x0d\\x0a");
}
END_TEST

START_TEST(a_formula_becomes_text)
{
    check_cell("=1+1", "\"'=1+1\"");
    check_cell("+1", "\"'+1\"");
    check_cell("-1", "\"'-1\"");
    check_cell("@SUM(A1)", "\"'@SUM(A1)\"");
    check_cell("  =1", "\"  '=1\"");
    check_cell("\"=1\"", "\"\"\"'=1\"\"\"");
    check_cell("'=1", "\"''=1\"");
    check_cell("{=1}", "\"{'=1}\"");
}
END_TEST

START_TEST(forms_of_other_widths_and_what_is_invisible)
{
    check_cell("\uff1d1+1", "\"'\uff1d1+1\"");
    check_cell("\uff0b1", "\"'\uff0b1\"");
    check_cell("\uff0d1", "\"'\uff0d1\"");
    check_cell("\uff20A", "\"'\uff20A\"");
    check_cell("\ufe661", "\"'\ufe661\"");
    check_cell("\u22121", "\"'\u22121\"");
    check_cell("\u00a0=1", "\"\u00a0'=1\"");
    check_cell("\u3000\uff1d1", "\"\u3000'\uff1d1\"");
    check_cell("\u180e=1", "\"\u180e'=1\"");
    check_cell("\ufe0f=1", "\"\ufe0f'=1\"");
}
END_TEST

/* Where ; | or a tab separates, what is behind one begins a field, and no quote of ours does. */
START_TEST(a_formula_behind_a_separator_becomes_text)
{
    check_cell("x;=HYPERLINK(\"http://a\")", "\"x;'=HYPERLINK(\"\"http://a\"\")\"");
    check_cell("|=1", "\"|'=1\"");
    check_cell("x; \uff1d1;y", "\"x; '\uff1d1;y\"");
    check_cell("x;\"=1", "\"x;\"\"'=1\"");
    check_cell("a;-b;@c", "\"a;'-b;'@c\"");
    check_cell("x;y=1", "\"x;y=1\"");
}
END_TEST

START_TEST(cells_of_a_line)
{
    Text line = {0};
    csv_cell(&line, "a");
    csv_cell(&line, "=b");
    csv_cell(&line, "");
    csv_cell(&line, "c");
    text_add(&line, "\n");
    csv_cell(&line, "d");
    ck_assert_str_eq(text_string(&line), "a,\"'=b\",,c\nd");
    text_free(&line);
}
END_TEST

SUITE("csv", a_name_stays_as_it_is, what_separates_anywhere_is_quoted, a_formula_becomes_text,
      forms_of_other_widths_and_what_is_invisible, a_formula_behind_a_separator_becomes_text, cells_of_a_line)
