/* metric.h: the small formulas of lab.goals: names, numbers, + - * / and parentheses over a launch's numbers. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* The value of a name such as "global.load.sectors". False when there is no such number. */
typedef bool MetricLookup(void *context, const char *name, double *value);

typedef enum MetricStatus {
    METRIC_GOOD,
    METRIC_ABSENT,    /* a name has no value here */
    METRIC_UNDEFINED, /* a division by zero */
    METRIC_WRONG,     /* not a formula */
} MetricStatus;

typedef struct MetricValue {
    MetricStatus status;
    double value;  /* METRIC_GOOD */
    char name[80]; /* METRIC_ABSENT: the first such name. METRIC_WRONG: what is not understood */
} MetricValue;

MetricValue metric_value(const char *formula, MetricLookup *lookup, void *context);

/* The formula's first name that begins with one of "global.", "shared.", "local." followed by "load.", "store." or "atomic.": the kind
 * of access that it is about, as "global.load". False when it has none. */
bool metric_subject(const char *formula, char *subject, size_t size);
