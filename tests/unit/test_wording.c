#include "class/wording.h"

#include <string.h>

#include "suite.h"

static Fingerprints prints, others;

static void end(void) {
    fingerprints_free(&prints);
    fingerprints_free(&others);
}

/* Whether both are written alike, whatever their lines are. */
static bool same(const char *a, const char *b) {
    wording_take(a, strlen(a), &prints);
    wording_take(b, strlen(b), &others);
    bool same = prints.count == others.count;
    for (size_t i = 0; same && i < prints.count; i++)
        same = prints.items[i].hash == others.items[i].hash && prints.items[i].count == others.items[i].count;
    return same;
}

/* Ten tokens: n = in [ i + 1 ] * 2 ; */
static const char text[] = "n = in[i + 1] * 2;";

static const char *const disguised[] = {
    "sum = source[row + 33] * 0x1p-3f;", /* names and numbers */
    "n=in [ i+1 ]\n*2 ;\n\n",
    "n = in[i /* + 2 */ + 1] // * 3;\n * 2;",
    "#pragma unroll 1\nn = in[i + 1] * 2;",
    "# pragma unroll \\\n 4 and more;\nn = in[i + 1] * 2;",
    "_Pragma(\"unroll 1\") n = in[i + 1] * 2;",
    "const n = in[i + 1] * 2;",
    "static n = __restrict__ in[i + 1] * 2;",
    "n = in[i + 1'000] * 1e+5f;",
    "n \\\n= in[i + 1] * 2;",
};

START_TEST(what_changes_nothing_is_no_difference)
{ ck_assert(same(text, disguised[_i])); }
END_TEST

static const char *const different[] = {"n = in[i - 1] * 2;",    "n = in[i + 1] * 2;;",       "n = in[i + n] * 2;",
                                        "n = in[x + 1] * 2;",    "for = in[i + 1] * 2;",      "n += in[i + 1] * 2;",
                                        "n = __ldg[i + 1] * 2;", "n = in[threadIdx + 1] * 2;"};

START_TEST(another_token_is_one)
{ ck_assert(!same(text, different[_i])); }
END_TEST

/* Of n tokens there are n - 7 times eight in a row; the first of each gives its line. */
START_TEST(each_eight_in_a_row_are_one_with_a_line)
{
    static const char lines[] = "a + a * a /* \n */ - a\n% a; // ;\n#pragma once\n";
    wording_take(lines, strlen(lines), &prints);
    ck_assert_uint_eq(prints.count, 3); /* a + a * a - a % a ; are ten */
    unsigned first = 0;
    for (size_t i = 0; i < prints.count; i++) first += prints.items[i].line == 1;
    ck_assert_uint_eq(first, 3);
    fingerprints_free(&prints);
    wording_take("\n\na + a *\na - a %", 17, &prints);
    ck_assert_uint_eq(prints.count, 1);
    ck_assert_uint_eq(prints.items[0].line, 3);
}
END_TEST

static const char *const odd[] = {"",  "a",   "/*", "//",       "#",  "#pragma", "#pragma \\", "\\",
                                  "1", "1e+", ".",  "_Pragma(", "\"", "#\n",     "a\\\n"};

START_TEST(what_ends_early_has_none)
{
    wording_take(odd[_i], strlen(odd[_i]), &prints);
    ck_assert_uint_eq(prints.count, 0);
}
END_TEST

SUITE_WITH("wording", NULL, end, REPEATED(sizeof disguised / sizeof *disguised, what_changes_nothing_is_no_difference),
           REPEATED(sizeof different / sizeof *different, another_token_is_one), each_eight_in_a_row_are_one_with_a_line,
           REPEATED(sizeof odd / sizeof *odd, what_ends_early_has_none))
