/* Which functions are not covered, as they are listed, and as compilers' and linkers' messages about them are explained. The messages are
 * those that gcc 12, clang 14, nvcc 13 and the linkers ld, gold, lld and mold print. */
#include <stdlib.h>
#include <string.h>

#include "machine/devicecall.h"
#include "runtime/functions.h"
#include "suite.h"

typedef enum RowKind { GROUP_ROW, COVERED_ROW, MISSING_ROW } RowKind;

static const struct {
    RowKind kind;
    const char *name, *remedy;
} rows[] = {
#define GROUP(name, remedy) {GROUP_ROW, name, remedy},
#define COVERED(name) {COVERED_ROW, #name, NULL},
#define MISSING(name) {MISSING_ROW, #name, NULL},
#include "runtime/functions.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

#undef COVERED
#define COVERED(name) {#name, true},
#define REFUSED(name) {#name, false},
#define REFUSED_STREAM(name, ending) {#name, false},
static const struct {
    const char *name;
    bool covered;
} drivers[] = {
#include "runtime/driver_functions.def"
};
enum { DRIVERS = sizeof drivers / sizeof *drivers };

/* Takes the line at *at, without its end. */
static const char *next_line(const char **at) {
    static char line[400];
    size_t length = strcspn(*at, "\n");
    ck_assert_msg((*at)[length] == '\n' && length < sizeof line, "a line without an end: %s", *at);
    memcpy(line, *at, length);
    line[length] = 0;
    *at += length + 1;
    return line;
}

/* A head, then for each group that has any its name and remedy, and its functions in order, in lines of 109 columns at most, each as full as
 * it can be. */
START_TEST(what_is_missing_is_listed_by_group_with_its_remedy)
{
    Text text = {0};
    char wanted[400];
    int covered = 0, missing = 0, of_driver = 0;
    for (int i = 0; i < DRIVERS; i++) of_driver += drivers[i].covered;
    for (int i = 0; i < ROWS; i++) covered += rows[i].kind == COVERED_ROW, missing += rows[i].kind == MISSING_ROW;
    functions_list(&text);
    const char *at = text_string(&text);
    snprintf(wanted, sizeof wanted, "CUDA runtime API 13.0: %d of %d functions covered; not covered:", covered,
             covered + missing);
    ck_assert_str_eq(next_line(&at), wanted);
    for (int group = 0, next; group < ROWS; group = next) {
        ck_assert_int_eq(rows[group].kind, GROUP_ROW);
        int left = 0;
        for (next = group + 1; next < ROWS && rows[next].kind != GROUP_ROW; next++) left += rows[next].kind == MISSING_ROW;
        if (!left) continue;
        snprintf(wanted, sizeof wanted, "%s: %s", rows[group].name, rows[group].remedy);
        ck_assert_str_eq(next_line(&at), wanted);
        size_t before = 0; /* columns of the line before */
        for (int i = group + 1; i < next;) {
            char line[400];
            strcpy(line, next_line(&at));
            ck_assert_msg(strlen(line) <= 4 + 109 && strncmp(line, "    ", 4) == 0, "%s", line);
            ck_assert_msg(!before || before + 1 + strcspn(line + 4, " ") > 4 + 109, "there was room for '%s'", line);
            before = strlen(line);
            for (const char *word = strtok(line, " "); word; word = strtok(NULL, " "), i++) {
                while (i < next && rows[i].kind != MISSING_ROW) i++;
                ck_assert_int_lt(i, next);
                ck_assert_str_eq(word, rows[i].name);
            }
            while (i < next && rows[i].kind != MISSING_ROW) i++;
        }
    }
    ck_assert_str_eq(next_line(&at), "in kernels, by nvcc and -rdc=true: launches, also in cudaStreamTailLaunch and "
                                     "cudaStreamFireAndForget, and");
    int in_kernels = 0;
    while (strncmp(at, "    cuda", 8) == 0) {
        char line[400];
        strcpy(line, next_line(&at));
        for (const char *word = strtok(line, " "); word; word = strtok(NULL, " "), in_kernels++)
            ck_assert_msg(strstr(word, "LaunchDevice") == NULL && strstr(word, "ParameterBuffer") == NULL, "%s", word);
    }
    ck_assert_int_eq(in_kernels, DEVICE_FUNCTIONS - 2); /* launches take two */
    snprintf(wanted, sizeof wanted,
             "CUDA driver API 13.0: %d of %d functions covered; any other fails when it is called, and is named", of_driver,
             DRIVERS);
    ck_assert_str_eq(next_line(&at), wanted);
    ck_assert_str_eq(next_line(&at),
                     "cuBLAS and cuRAND: which calls, the manual page says; cuFFT: by FFTW, which ./setup installs");
    ck_assert_str_eq(at, "");
    text_free(&text);
}
END_TEST

#define ARRAYS "arrays have one level: cudaMallocArray, cudaMalloc3DArray; copy box by box: cudaMemcpy2D, cudaMemcpy3D"
#define HINT(remedy) remedy "; or leave the call out with #ifndef __WARPSCOPE__; `warpscope doctor` lists what is not covered"

START_TEST(messages_about_missing_functions_are_explained)
{
    static const struct {
        const char *messages, *names; /* NULL: these functions are not the cause */
        const char *hint;
    } cases[] = {
        {"/usr/bin/ld: /tmp/a.o: in function `main':\na.cu:(.text+0x1d): undefined reference to `cudaMallocMipmappedArray'\n",
         "cudaMallocMipmappedArray", HINT(ARRAYS)},
        {"ld.lld: error: undefined symbol: cudaGetExportTable\n>>> referenced by a.cu\n", "cudaGetExportTable",
         HINT("load PTX by cudaLibraryLoadData, and call what has a name")},
        {"mold: error: undefined symbol: cudaImportExternalMemory", "cudaImportExternalMemory",
         HINT("other interfaces cannot reach the emulated memory: copy through the host")},
        {"a.cu:7: error: identifier \"cudaDeviceGetNvSciSyncAttributes\" is undefined\n", "cudaDeviceGetNvSciSyncAttributes",
         HINT("there is one device, number 0; processes share nothing with it")},
        {"a.cu:7:3: error: use of undeclared identifier 'cudaFreeMipmappedArray'; did you mean 'cudaFree'?\n",
         "cudaFreeMipmappedArray", HINT(ARRAYS)},
        {"a.c:7:3: error: 'cudaGetMipmappedArrayLevel' undeclared (first use in this function)\n", "cudaGetMipmappedArrayLevel",
         HINT(ARRAYS)},
        /* in the order of the list, each once, with the remedy of the first */
        {"undefined reference to `cudaFreeMipmappedArray'\nundefined reference to `cudaImportExternalMemory'\nundefined "
         "reference to "
         "`cudaFreeMipmappedArray'\n",
         "cudaImportExternalMemory, cudaFreeMipmappedArray",
         HINT("other interfaces cannot reach the emulated memory: copy through the host")},
        /* per-thread default streams */
        {"undefined reference to `cudaGetExportTable_ptsz'\n", "cudaGetExportTable",
         HINT("load PTX by cudaLibraryLoadData, and call what has a name")},
        {"undefined reference to `cudaGetMipmappedArrayLevel_ptsz'\n", "cudaGetMipmappedArrayLevel", HINT(ARRAYS)},
        /* other names, of which these are a part */
        {"undefined reference to `cudaGetExportTable_ptsy'\n", NULL, NULL},
        {"undefined reference to `cudaGetExportTable_ptdx'\n", NULL, NULL},
        {"undefined reference to `cudaGetExportTable_ptdsx'\n", NULL, NULL},
        {"undefined reference to `cudaGetExportTable_ptsz_'\n", NULL, NULL},
        {"undefined reference to `cudaGetExportTable_'\n", NULL, NULL},
        {"undefined reference to `cudaGetExportTableOf'\n", NULL, NULL},
        {"undefined reference to `cudaGetExportTable7'\n", NULL, NULL},
        {"undefined reference to `mycudaGetExportTable'\n", NULL, NULL},
        {"undefined reference to `7cudaGetExportTable'\n", NULL, NULL},
        {"cudaGetExportTable is undefined", NULL, NULL}, /* nothing before it: no message of a compiler's */
        {"undefined reference to `cudaGetExportTableOf' `cudaGetExportTable'\n", "cudaGetExportTable",
         HINT("load PTX by cudaLibraryLoadData, and call what has a name")},
        /* other lines, other complaints, functions that are covered */
        {"undefined reference to `f'\na.cu: in cudaGetExportTable\n", NULL, NULL},
        {"a.cu: in cudaGetExportTable\nundefined reference to `f'\n", NULL, NULL},
        {"a.cu: in cudaGetExportTable\na.cu: 'f' undeclared\n", NULL, NULL},
        {"a.cu:7: error: too few arguments to cudaGetExportTable\n", NULL, NULL},
        {"undefined reference to `cudaMalloc'\n", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[200];
        Diag diag = {0};
        bool found = functions_explain(cases[i].messages, &diag);
        ck_assert_msg(found == (cases[i].names != NULL), "%s: %s", cases[i].messages, diag.message);
        ck_assert_int_eq(diag.set, found);
        if (!found) continue;
        snprintf(wanted, sizeof wanted, "the emulated device does not cover %s", cases[i].names);
        ck_assert_str_eq(diag.message, wanted);
        ck_assert_str_eq(diag.hint, cases[i].hint);
    }
}
END_TEST

/* So that the remedy is still seen: after 300 bytes of names no more are added. */
START_TEST(a_long_list_of_names_ends)
{
    Text messages = {0};
    char wanted[600] = "the emulated device does not cover ";
    size_t head = strlen(wanted);
    Diag diag = {0};
    for (int i = 0; i < ROWS; i++)
        if (rows[i].kind == MISSING_ROW) text_add(&messages, "undefined reference to `%s'\n", rows[i].name);
    for (int i = 0; i < ROWS && strlen(wanted) - head <= 300; i++)
        if (rows[i].kind == MISSING_ROW)
            snprintf(strchr(wanted, 0), 100, "%s%s", strlen(wanted) > head ? ", " : "", rows[i].name);
    ck_assert(functions_explain(text_string(&messages), &diag));
    ck_assert_str_eq(diag.message, wanted);
    text_free(&messages);
}
END_TEST

SUITE("runtime functions", what_is_missing_is_listed_by_group_with_its_remedy, messages_about_missing_functions_are_explained,
      a_long_list_of_names_ends)
