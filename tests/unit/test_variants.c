/* Variants of an exercise: which a learner has, and how one is written. */
#include "lab/variants.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char facts[] =
    "LAB(\"07\", \"slug\", \"Title\", 1)\nKERNEL(k)\nRUN(r, none, \"a table\")\nGOAL(g, r, \"right\", 1, 0, 1, \"\")\n"
    "VARY(r, pair.a, 1, 10, 20, 30)\nVARY(r, pair.b, 2, 11, 21, 31)\nVARY(r, alone, 5, 6, 7)\n"
    "GIVEN(k, \"a[{pair.a}] = b[{pair.b}];\")\nGIVEN(none, \"step {alone}, {unknown}\")\n";

#define MARKED "// BEGIN YOUR CODE\nstep 5, {unknown} is mine\n// END YOUR CODE\n"

/* Another kernel may have the same text. */
static const char exercise[] =
    "// ---- 1. Predict\nvoid kk(){\na[1] = b[2];\n}\nvoid k(){\na[1] = b[2];\n}\n// step 5, {unknown}\n" MARKED "the end\n";

static Goals *goals_of(const char *text) {
    Diag diag = {0};
    Goals *goals = goals_parse("", text, "lab.goals", &diag);
    ck_assert_msg(goals != NULL, "%u:%u: %s", diag.line, diag.column, diag.message);
    return goals;
}

static void refused(const char *more, const char *part) {
    Text text = {0};
    Diag diag = {0};
    text_add(&text, "%s%s", facts, more);
    Goals *goals = goals_parse("", text_string(&text), "lab.goals", &diag);
    ck_assert_msg(!goals, "accepted: %s", more);
    ck_assert_msg(strstr(diag.message, part) != NULL, "'%s' instead of '%s'", diag.message, part);
    text_free(&text);
}

START_TEST(facts_that_are_wrong)
{
    goals_free(goals_of(facts));
    refused("VARY(none, x, 1, 2, 3)", "no RUN");
    refused("VARY(r, alone, 1, 2, 3)", "a second VARY of alone");
    refused("VARY(r, few, 1, 2)", "too few values of few");
    refused("VARY(r)", "number of arguments");
    refused("VARY(r, x, 1, 2, 3, y)", "not a number: y");
    refused("VARY(r, x, 1, 2.5, 3)", "no whole number: 2.5");
    refused("VARY(r, pair.c, 1, 2, 3)", "of its group: pair.c");
    refused("GIVEN(\"a\")", "number of arguments");
    refused("GIVEN(j, \"a\")", "no KERNEL before this line named j");
}
END_TEST

START_TEST(book_has_the_first_values_and_nobody_else)
{
    Goals *goals = goals_of(facts);
    unsigned seen[40] = {0};
    ck_assert_int_eq(variant_number(goals, 0, "pair.a"), 1);
    ck_assert_int_eq(variant_number(goals, 0, "alone"), 5);
    for (uint32_t variant = 1; variant <= 1000; variant++) {
        int32_t a = variant_number(goals, variant, "pair.a"), b = variant_number(goals, variant, "pair.b");
        ck_assert_int_eq(b, a + 1);
        ck_assert(a == 10 || a == 20 || a == 30);
        seen[a]++, seen[variant_number(goals, variant, "alone")]++;
    }
    /* 1000 draws of three and of two, each within five deviations: sqrt(1000 * 1/3 * 2/3) = 15, sqrt(1000 / 4) = 16 */
    for (int a = 10; a <= 30; a += 10) ck_assert(seen[a] > 333 - 75 && seen[a] < 333 + 75);
    ck_assert(seen[6] > 500 - 80 && seen[7] > 500 - 80);
    goals_free(goals);
}
END_TEST

START_TEST(learners_have_variants_of_their_own)
{
    uint32_t anna = variant_of("autumn", "anna");
    ck_assert(anna >= 1 && anna <= MOST_VARIANT);
    ck_assert_uint_eq(anna, variant_of("autumn", "Anna"));
    ck_assert_uint_ne(anna, variant_of("autumn", "ann"));
    ck_assert_uint_ne(anna, variant_of("autumn", "anna "));
    ck_assert_uint_ne(anna, variant_of("spring", "anna"));
    ck_assert_uint_ne(variant_of("ab", "c"), variant_of("a", "bc"));
    /* the same whoever asks, for ever: worked out in Python, from SipHash-2-4 and random_bits */
    ck_assert_uint_eq(variant_of("gpu-2026", "anna"), 905285);
    ck_assert_uint_eq(variant_of("", "Bob"), 467708);
}
END_TEST

static void written(const Goals *goals, const char *text, uint32_t variant, Text *out) {
    Diag diag = {0};
    text_free(out);
    ck_assert_msg(variant_write(goals, text, "kernel.cu", variant, out, &diag), "%s", diag.message);
}

START_TEST(only_what_was_given_changes)
{
    Goals *goals = goals_of(facts);
    Text one = {0}, other = {0}, back = {0}, wanted = {0};
    written(goals, exercise, 7, &one);
    text_add(
        &wanted,
        "// The numbers of part 1 are those of variant 7: leave them as they are.\nextern \"C\" { __constant__ int variant "
        "= 7; }\n\n// ---- 1. Predict\nvoid kk(){\na[1] = b[2];\n}\nvoid k(){\na[%d] = b[%d];\n}\n// step %d, "
        "{unknown}\n" MARKED "the end\n",
        variant_number(goals, 7, "pair.a"), variant_number(goals, 7, "pair.b"), variant_number(goals, 7, "alone"));
    ck_assert_str_eq(text_string(&one), text_string(&wanted));
    ck_assert_uint_eq(variant_in(text_string(&one)), 7);
    ck_assert_uint_eq(variant_in(exercise), 0);
    for (uint32_t variant = 0; variant < 50; variant++) {
        written(goals, text_string(&one), variant, &other);
        ck_assert_uint_eq(variant_in(text_string(&other)), variant);
        written(goals, text_string(&other), 0, &back);
        ck_assert_str_eq(text_string(&back), exercise);
    }
    text_free(&one);
    text_free(&other);
    text_free(&back);
    text_free(&wanted);
    goals_free(goals);
}
END_TEST

static void not_written(const Goals *goals, const char *text, const char *part) {
    Diag diag = {0};
    Text out = {0};
    ck_assert_msg(!variant_write(goals, text, "kernel.cu", 7, &out, &diag), "written: %s", text);
    ck_assert_msg(strstr(diag.message, part) != NULL, "'%s' instead of '%s'", diag.message, part);
    ck_assert_str_eq(diag.hint, "make reset LAB=07 puts it back, and keeps yours");
    text_free(&out);
}

START_TEST(what_was_changed_is_not_written_over)
{
    Goals *goals = goals_of(facts);
    not_written(goals, "// ---- 1. \nvoid k(){\na[1] = b[3];\n}\nstep 5, {unknown}\n", "k is not as it was given");
    not_written(goals, "// ---- 1. \nvoid k(){\n}\na[1] = b[2];\nstep 5, {unknown}\n", "a[1] = b[2];");
    not_written(goals, "// ---- 1. \nvoid k(){a[1] = b[2];a[1] = b[2];\n}\nstep 5, {unknown}\n", "just once, 'a[1] = b[2];");
    not_written(goals, "// ---- 1. \nvoid k(){a[1] = b[2];\n}\n// BEGIN YOUR CODE\nstep 5, {unknown}\n", "step 5");
    not_written(goals, "// ---- 1. \nvoid k(){a[1] = b[2];\n}\nstep 5, {unknown}\nstep 5, {unknown}\n", "the file is not");
    not_written(goals, "void k(){a[1] = b[2];\n}\nstep 5, {unknown}\n", "// ---- 1. ");
    not_written(goals, "", "a[1]");
    /* A variant that is claimed, with the numbers of another. */
    not_written(goals,
                "extern \"C\" { __constant__ int variant = 7; }\n\n// ---- 1. \nvoid k(){a[1] = b[2];\n}\nstep 5, {unknown}\n",
                "a[");
    goals_free(goals);
}
END_TEST

SUITE("variants", facts_that_are_wrong, book_has_the_first_values_and_nobody_else, learners_have_variants_of_their_own,
      only_what_was_given_changes, what_was_changed_is_not_written_over)
