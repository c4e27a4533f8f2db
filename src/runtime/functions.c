#include "runtime/functions.h"

#include <ctype.h>
#include <string.h>

#include "machine/devicecall.h"
#include "report/plain.h"

typedef enum RowKind { ROW_GROUP, ROW_COVERED, ROW_MISSING } RowKind;

/* A group stands before its functions. */
static const struct {
    RowKind kind;
    const char *name, *remedy;
} rows[] = {
#define GROUP(name, remedy) {ROW_GROUP, name, remedy},
#define COVERED(name) {ROW_COVERED, #name, NULL},
#define MISSING(name) {ROW_MISSING, #name, NULL},
#include "runtime/functions.def"
#undef GROUP
#undef COVERED
#undef MISSING
};

enum { ROWS = sizeof rows / sizeof *rows, LIST_COLUMNS = 109, NAMES_LIMIT = 300 };

static unsigned count_of(RowKind kind) {
    unsigned count = 0;
    for (size_t i = 0; i < ROWS; i++) count += rows[i].kind == kind;
    return count;
}

/* Wrapped. */
static void list_names(Text *out, const char *names) {
    size_t length;
    for (const char *at = names; *at; at += length + strspn(at + length, " ")) {
        length = plain_break(at, LIST_COLUMNS);
        text_add(out, "    %.*s\n", (int)length, at);
    }
}

/* Those of the group at `row` that are not covered, wrapped. */
static void list_missing(Text *out, size_t row) {
    LOCAL_TEXT names = {0};
    for (size_t i = row + 1; i < ROWS && rows[i].kind != ROW_GROUP; i++)
        if (rows[i].kind == ROW_MISSING) text_add(&names, "%s%s", names.length ? " " : "", rows[i].name);
    if (names.length) text_add(out, "%s: %s\n", rows[row].name, rows[row].remedy);
    list_names(out, text_string(&names));
}

/* The driver's are refused one by one when they are called. */
enum {
    DRIVER_COVERED = 0
#define COVERED(name) +1
#define REFUSED(name)
#define REFUSED_STREAM(name, ending)
#include "runtime/driver_functions.def"
#undef COVERED
#undef REFUSED
#undef REFUSED_STREAM
    ,
    DRIVER_REFUSED = 0
#define COVERED(name)
#define REFUSED(name) +1
#define REFUSED_STREAM(name, ending) +1
#include "runtime/driver_functions.def"
#undef COVERED
#undef REFUSED
#undef REFUSED_STREAM
};

static void list_nested(Text *out) {
    LOCAL_TEXT names = {0};
    for (DeviceFunction f = 0; f < DEVICE_FUNCTIONS; f++)
        if (f != DEVICE_GetParameterBufferV2 && f != DEVICE_LaunchDeviceV2)
            text_add(&names, "%s%s", names.length ? " " : "", devicecall_name(f));
    text_add(out,
             "in kernels, by nvcc and -rdc=true: launches, also in cudaStreamTailLaunch and cudaStreamFireAndForget, and\n");
    list_names(out, text_string(&names));
}

void functions_list(Text *out) {
    unsigned covered = count_of(ROW_COVERED);
    text_add(out, "CUDA runtime API 13.0: %u of %u functions covered; not covered:\n", covered,
             covered + count_of(ROW_MISSING));
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kind == ROW_GROUP) list_missing(out, i);
    list_nested(out);
    text_add(out, "CUDA driver API 13.0: %d of %d functions covered; any other fails when it is called, and is named\n",
             DRIVER_COVERED, DRIVER_COVERED + DRIVER_REFUSED);
    text_add(out, "cuBLAS and cuRAND: which calls, the manual page says; cuFFT: by FFTW, which ./setup installs\n");
}

/* Whether some line calls the name undefined or undeclared, as ld, lld, gold, mold, gcc, clang and nvcc do. With per-thread default
 * streams the name ends in _ptsz or _ptds. */
static bool is_missed(const char *messages, const char *name) {
    size_t length = strlen(name);
    for (const char *at = messages; (at = strstr(at, name)) != NULL; at += length) {
        const char *after = at + length;
        if (strncmp(after, "_ptsz", 5) == 0 || strncmp(after, "_ptds", 5) == 0) after += 5;
        if (at == messages || isalnum((unsigned char)at[-1]) || isalnum((unsigned char)*after) || *after == '_') continue;
        const char *line = at;
        while (line > messages && line[-1] != '\n') line--;
        const char *end = at + strcspn(at, "\n"), *und = strstr(line, "undefined"), *undeclared = strstr(line, "undeclared");
        if ((und && und < end) || (undeclared && undeclared < end)) return true;
    }
    return false;
}

bool functions_explain(const char *messages, Diag *diag) {
    LOCAL_TEXT names = {0};
    const char *remedy = NULL, *group = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].kind == ROW_GROUP) group = rows[i].remedy;
        if (rows[i].kind != ROW_MISSING || names.length > NAMES_LIMIT || !is_missed(messages, rows[i].name)) continue;
        text_add(&names, "%s%s", names.length ? ", " : "", rows[i].name);
        if (!remedy) remedy = group;
    }
    bool found = remedy != NULL;
    if (found) {
        diag_say(diag, "the emulated device does not cover %s", text_string(&names));
        diag_hint(diag, "%s; or leave the call out with #ifndef __WARPSCOPE__; `warpscope doctor` lists what is not covered",
                  remedy);
    }
    return found;
}
