/* metrics.h: the numbers of a launch by their names, from metrics.def: as JSON, and one by one.
 *
 * A space of memory to which a launch makes no request has no numbers; with a request it has those of every operation, even of those of which
 * there were none, so that a count of a space in use can always be read. */
#pragma once

#include <jansson.h>

#include "report/report.h"

typedef enum MetricUse {
    IN_REPORT = 1, /* the JSON of a launch */
    IN_RECORD = 2, /* that of a launch in a record */
    IN_LINE = 4,   /* of each line of the source in the former */
    OF_LOADS = 8,  /* in a line only where it loads */
    IF_ANY = 16    /* nowhere when it is 0 */
} MetricUse;

typedef struct MetricSource {
    const LaunchRequest *request;
    const LaunchResult *result;
    const Counters *counters; /* result's */
} MetricSource;

MetricSource metrics_of(const LaunchRequest *request, const LaunchResult *result);

/* Sets all those of that use, but for those of lines. */
void metrics_set(json_t *object, const MetricSource *of, MetricUse use);
void metrics_set_line(json_t *object, const SourceLine *line);

/* False when the launch has no such number. */
bool metrics_find(const MetricSource *of, const char *name, double *value);

/* Whether it is a count of accesses, as "global.load.sectors": of a launch that makes none of them it is 0, or has no value. */
bool metrics_counts(const char *name);

/* The count of both that has this name; 0: none has. */
double metrics_member(const char *member, const SectorCounters *sectors, const BankCounters *banks);

/* The next member with a noun, from index *at on; NULL behind the last. */
const char *metrics_noun(bool shared, bool loads, size_t *at, const char **noun);
