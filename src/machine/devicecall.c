#include "machine/devicecall.h"

#include <string.h>

static const char *const devicecall_names[DEVICE_FUNCTIONS] = {
#define DEVICE_FUNCTION(name) "cuda" #name,
#include "machine/devicecall.def"
#undef DEVICE_FUNCTION
};

bool devicecall_find(const char *name, DeviceFunction *function) {
    static const char begins[] = "__cudaCDP2";
    if (strncmp(name, begins, strlen(begins)) != 0) return false;
    name += strlen(begins);
    for (DeviceFunction f = 0; f < DEVICE_FUNCTIONS; f++) {
        const char *known = devicecall_names[f] + strlen("cuda"), *after = name + strlen(known);
        if (strncmp(name, known, strlen(known)) != 0 || (*after && strcmp(after, "_ptsz") != 0)) continue;
        *function = f;
        return true;
    }
    return false;
}

const char *devicecall_name(DeviceFunction function) { return devicecall_names[function]; }
