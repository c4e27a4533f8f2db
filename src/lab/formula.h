/* formula.h: the small formulas of lab.goals: names, numbers, + - * / and parentheses over a launch's numbers. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* The value of a name such as "global.load.sectors". False when there is no such number. */
typedef bool FormulaLookup(void *context, const char *name, double *value);

typedef enum FormulaStatus {
    FORMULA_GOOD,
    FORMULA_ABSENT,    /* a name has no value here */
    FORMULA_UNDEFINED, /* a division by zero */
    FORMULA_WRONG,     /* not a formula */
} FormulaStatus;

typedef struct FormulaValue {
    FormulaStatus status;
    double value;  /* FORMULA_GOOD */
    char name[80]; /* FORMULA_ABSENT: the first such name. FORMULA_WRONG: what is not understood */
} FormulaValue;

FormulaValue formula_value(const char *formula, FormulaLookup *lookup, void *context);

/* The formula's first name that begins with one of "global.", "shared.", "local." followed by "load.", "store." or "atomic.": the kind
 * of access that it is about, as "global.load". False when it has none. */
bool formula_subject(const char *formula, char *subject, size_t size);
