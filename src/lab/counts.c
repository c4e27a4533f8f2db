#include "lab/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/case.h"
#include "lab/metric.h"
#include "machine/grid.h"
#include "report/json.h"

/* A number of the JSON object by its path. */
static bool find_path(const json_t *object, const char *path, double *value) {
    while (object) {
        size_t length = strcspn(path, ".");
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        object = json_object_get(object, key);
        if (!path[length]) break;
        path += length + 1;
    }
    if (!json_is_number(object)) return false;
    *value = json_number_value(object);
    return true;
}

static double volume(const uint32_t shape[3]) { return (double)shape[0] * shape[1] * shape[2]; }

bool counts_find(const LabCase *c, const json_t *report, const char *name, double *value) {
    const LaunchRequest *request = &c->request;
    const Counters *counters = c->result.counters;
    double instructions = (double)counters->instructions, accesses = 0;
    double warps = volume(request->grid) * ceil(volume(request->block) / WARP_LANES);
    for (int op = 0; op < COUNTER_OPS; op++) accesses += (double)counters->global[op].requests;
    if (strcmp(name, "global.load.lines") == 0) {
        *value = (double)counters->global[COUNTER_LOAD].lines;
    } else if (strcmp(name, "global.store.lines") == 0) {
        *value = (double)counters->global[COUNTER_STORE].lines;
    } else if (strcmp(name, "shared_bytes") == 0) {
        *value = (double)grid_static_shared(request->program, request->kernel) + request->shared_bytes;
    } else if (strcmp(name, "warp_imbalance") == 0 && instructions > 0) {
        *value = (double)counters->busiest_warp * warps / instructions;
    } else if (strcmp(name, "access_imbalance") == 0 && accesses > 0) {
        *value = (double)counters->most_accesses * warps / accesses;
    } else {
        return find_path(report, name, value);
    }
    return true;
}

bool lab_is_counted(const Lab *lab) { return !lab->gpu; }

double lab_metric(LabCase *c, const char *name) {
    case_emulate(c);
    Report report = case_report(c);
    Text text = {0};
    double value = 0;
    report_json(&report, &text);
    json_t *object = json_loads(text_string(&text), 0, NULL);
    bool found = counts_find(c, object, name, &value);
    json_decref(object);
    text_free(&text);
    char subject[32]; /* a space that the launch leaves alone is absent */
    if (!found && !metric_subject(name, subject, sizeof subject) && strncmp(name, "constant.", 9) != 0) abort();
    return found ? value : 0;
}
