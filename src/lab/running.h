/* running.h: the data of a lab while a file is graded, for the files of this folder; suites see lab.h alone. Declares no function: what
 * works on it has headers of its own, which include this one and not each other's users. */
#pragma once

#include <jansson.h>

#include "device/device.h"
#include "device/gpu.h"
#include "input/declared.h"
#include "input/source.h"
#include "lab/goals.h"
#include "lab/lab.h"
#include "report/page.h"
#include "report/report.h"

enum { CASE_TITLE = 80 /* bytes */ };

/* The message about a kernel's first failure. */
typedef struct LabFailure {
    Text where;   /* "33 x 65 floats" */
    Text message; /* one sentence, or a fault as faulttext.h has it */
    Text cause;   /* the probable cause; may be empty */
    bool is_fault;
    Fault fault;           /* is_fault: as it was found */
    Text sentence;         /* and what its message says, in one line without its position */
    uint32_t line, column; /* of the learner's file; 0: unknown */
} LabFailure;

typedef struct KernelResult {
    bool wrong, tested; /* tested: a test of it ended well */
    uint32_t cases;
    char first_right[CASE_TITLE], last_right[CASE_TITLE]; /* of these cases */
    uint64_t effort;                                      /* of all its launches: machine/effort.h */
    uint32_t block[3];                                    /* the threads of a block in its first launch */
    LabFailure failure;
    Text printed;           /* by printf, in the first case in which it printed; its beginning */
    Text printed_with;      /* that case */
    uint64_t printed_bytes; /* all of it */
    json_t *relaunch;       /* the launch of the failure, where Lab.explored: relaunch.h */
    bool edited;            /* since the grading before: comes first */
    bool left_out;          /* on the GPU: is not to run there */
    bool unable;            /* on the GPU: what its failure says is no mistake of the kernel's */
} KernelResult;

typedef struct NamedValue {
    char name[64];
    double value;
} NamedValue;

enum { RUN_VALUES = 16, CASE_PARAMS = 32 };

typedef struct RunResult {
    bool done;   /* measured, or a value was given */
    bool failed; /* a run that launches nothing: what it looks for is not there */
    LabFailure failure;
    LabCase *kept; /* the measured case: its counters, memory and arguments; NULL for a run that launches nothing */
    json_t *report;
    uint64_t reads, writes; /* bytes that any right kernel must read from global memory and write; 0, 0: nothing is asked */
    GpuResult gpu;          /* on the real device: times, and of what */
    char gpu_title[80];
    uint32_t gpu_repeats;
    NamedValue values[RUN_VALUES];
    uint32_t n_values;
    Text note;
    Text empty; /* rows of its table in which nothing stands yet: "idle, element" */
} RunResult;

struct LabBuffer {
    LabBuffer *next;
    char name[40];
    uint8_t type;
    uint64_t count, bytes, guard_bytes;
    Allocation *allocation; /* the guard band, then the elements */
    uint8_t *before;        /* inputs: the elements as they must stay; else NULL */
    uint8_t *given;         /* what the kernel works on in place: the elements as they were; else NULL */
    bool written;           /* the kernel may write */
    bool random;            /* its elements were drawn, and mean nothing else */
    uint64_t columns;       /* of the matrix as which it is compared; 0: none */
    bool compared;          /* since the last launch */
};

struct LabCase {
    Lab *lab;
    LabCase *next; /* in lab->cases */
    char title[CASE_TITLE];
    uint64_t seed;
    uint32_t index;          /* of the next buffer, for its seed */
    uint64_t guard_elements; /* of the next buffer */
    double scale;            /* lab_scale */
    bool moves;              /* lab_moves */
    LabBuffer *buffers;
    Arena *scratch;
    uint8_t *params;
    uint32_t n_params;
    LaunchRequest request;
    LaunchResult result;
    Fault
        remark; /* what the launch ran through, which explains a wrong result; alone it is no mistake. Kind FAULT_none: nothing */
    bool launched;
    Text words; /* of its last launch (relaunch.h), where Lab.explored */
};

enum { LAB_TEST_BITS = 21 };

struct Lab {
    Page page;     /* for which messages are laid out */
    bool all;      /* everything that is wrong is explained in full, */
    int explained; /* or all of this kernel; -1: what is to be put right next */
    const LabSuite *suite;
    const char *name; /* what the file is called, wherever it lies now */
    Goals *goals;
    Source source;
    const char *given;    /* the exercise as it was given; NULL: it is not there */
    const char *compiler; /* "nvcc 13.0" */
    Gpu *gpu;             /* NULL: all launches are emulated */
    GpuInfo gpu_info;
    const Profile *profile;  /* of measured runs */
    Profile small;           /* of tests: the same with small caches, which are quick to set up */
    uint64_t seed;           /* tests draw from all of it, measured runs from what stands above its lowest LAB_TEST_BITS */
    unsigned threads;        /* of measured runs */
    LabCase *cases;          /* that have not ended */
    struct Corners *corners; /* of the kernel while shapes of it are tried; else NULL */
    const char *unended;     /* a test or run that left one */
    const char *uncompared;  /* a run whose launch left an output that nobody compared */
    bool explored;           /* launches are kept as words, for pages: relaunch.h */
    bool strayed;            /* a launch has: from then on all reads leave marks (global_race.h) */
    bool pictured;           /* reports hold each line's map: Report.pictured */
    const char *negative;    /* the first constant that a suite has read and that is; NULL: none */
    uint32_t fraction_line;  /* where the first prediction with a fraction stands, in the file; 0: none */
    char fraction[DECLARED_NUMBER];
    bool untouched;                /* the file is the exercise as it was given */
    int64_t asked_variant;         /* that the file must be; -1: any */
    uint32_t n_entries;            /* tests and runs that were begun */
    uint32_t n_cases, n_draws;     /* of tests; */
    uint32_t run_cases, run_draws; /* of the current run */
    KernelResult *kernels;         /* as goals->kernels */
    RunResult *runs;               /* as goals->runs */
    int kernel, run;               /* being tested or run; -1: none */
};

/* Which variant of the exercise the file says it is (lab/variants.h). Whether it may be that one is the score's affair. */
uint32_t lab_variant(const Lab *lab);
