#include "machine/nested.h"

#include <string.h>

static const char *const nested_names[NESTED_FUNCTIONS] = {
#define NESTED(name) "cuda" #name,
#include "machine/nested.def"
#undef NESTED
};

bool nested_find(const char *name, NestedFunction *function) {
    static const char begins[] = "__cudaCDP2";
    if (strncmp(name, begins, strlen(begins)) != 0) return false;
    name += strlen(begins);
    for (NestedFunction f = 0; f < NESTED_FUNCTIONS; f++) {
        const char *known = nested_names[f] + strlen("cuda"), *after = name + strlen(known);
        if (strncmp(name, known, strlen(known)) != 0 || (*after && strcmp(after, "_ptsz") != 0)) continue;
        *function = f;
        return true;
    }
    return false;
}

const char *nested_name(NestedFunction function) { return nested_names[function]; }
