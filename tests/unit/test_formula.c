#include "lab/formula.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static bool look_up(void *context, const char *name, double *value) {
    (void)context;
    if (strcmp(name, "global.load.sectors") == 0)
        *value = 48;
    else if (strcmp(name, "global.load.requests") == 0)
        *value = 12;
    else if (strcmp(name, "none") == 0)
        *value = 0;
    else
        return false;
    return true;
}

static double good(const char *formula) {
    FormulaValue value = formula_value(formula, look_up, NULL);
    ck_assert_msg(value.status == FORMULA_GOOD, "%s: %d %s", formula, value.status, value.name);
    return value.value;
}

static FormulaStatus status(const char *formula) { return formula_value(formula, look_up, NULL).status; }

START_TEST(names_stand_for_numbers)
{
    ck_assert_double_eq(good("global.load.sectors"), 48);
    ck_assert_double_eq(good("global.load.sectors/global.load.requests"), 4);
}
END_TEST

START_TEST(products_bind_tighter_than_sums)
{
    ck_assert_double_eq(good("2 + 3 * 4"), 14);
    ck_assert_double_eq(good("(2 + 3) * 4"), 20);
    ck_assert_double_eq(good("1 - 2 - 3"), -4);
    ck_assert_double_eq(good("24 / 4 / 2"), 3);
    ck_assert_double_eq(good("6 / 1"), 6);
    ck_assert_double_eq(good("-2 * -3"), 6);
    ck_assert_double_eq(good("1e3 + 0.5 * 0 + 0.25"), 1000.25);
}
END_TEST

START_TEST(a_missing_name_is_absent)
{
    FormulaValue value = formula_value("global.load.sectors / shared.load.requests + other", look_up, NULL);
    ck_assert_int_eq(value.status, FORMULA_ABSENT);
    ck_assert_str_eq(value.name, "shared.load.requests");
    char longest[300] = "";
    memset(longest, 'a', sizeof longest - 1);
    value = formula_value(longest, look_up, NULL);
    ck_assert_int_eq(value.status, FORMULA_ABSENT);
    ck_assert_uint_eq(strlen(value.name), 79); /* cut */
}
END_TEST

START_TEST(division_by_zero_is_undefined)
{
    ck_assert_int_eq(status("1 / none"), FORMULA_UNDEFINED);
    ck_assert_int_eq(status("none / none"), FORMULA_UNDEFINED);
}
END_TEST

START_TEST(nonsense_is_wrong)
{
    static const char *const formulas[] = {"", "1 +", "(1", "1)", "1 2", "a b", "*", "1 $ 2", "()"};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        ck_assert_msg(status(formulas[i]) == FORMULA_WRONG, "'%s' is taken for a formula", formulas[i]);
}
END_TEST

START_TEST(deep_parentheses_are_refused)
{
    char formula[20001];
    memset(formula, '(', 20000);
    formula[20000] = 0;
    ck_assert_int_eq(status(formula), FORMULA_WRONG);
    memset(formula, '-', 20000);
    ck_assert_int_eq(status(formula), FORMULA_WRONG);
}
END_TEST

START_TEST(the_subject_is_the_first_access_named)
{
    char subject[32];
    ck_assert(formula_subject("(shared.store.bank_conflicts + shared.load.wavefronts) / 2", subject, sizeof subject));
    ck_assert_str_eq(subject, "shared.store");
    ck_assert(formula_subject("instructions / global.load.requests", subject, sizeof subject));
    ck_assert_str_eq(subject, "global.load");
    ck_assert(formula_subject("tiled.local.atomic.sectors + local.store.sectors", subject, sizeof subject));
    ck_assert_str_eq(subject, "local.store");
    ck_assert(!formula_subject("dram.read_bytes / l2.read_sectors", subject, sizeof subject));
    ck_assert(!formula_subject("global.loads", subject, sizeof subject));
}
END_TEST

SUITE("metric", names_stand_for_numbers, products_bind_tighter_than_sums, a_missing_name_is_absent,
      division_by_zero_is_undefined, nonsense_is_wrong, deep_parentheses_are_refused, the_subject_is_the_first_access_named)
