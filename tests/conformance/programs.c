#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n%.*s\n"
    ".visible .entry k(.param .u64 values, .param .u64 masks, .param .u64 results, %s)\n{\n"
    ".reg .pred %%p<20>;\n.reg .b16 %%h<20>;\n.reg .b32 %%r<20>, %%i, %%me, %%threads, %%t;\n.reg .b64 %%q<20>, %%in, %%out, "
    "%%at;\n"
    "mov.u32 %%i, %%ctaid.z; mov.u32 %%t, %%nctaid.y; mul.lo.u32 %%i, %%i, %%t; mov.u32 %%t, %%ctaid.y; add.u32 %%i, %%i, "
    "%%t;\n"
    "mov.u32 %%t, %%nctaid.x; mul.lo.u32 %%i, %%i, %%t; mov.u32 %%t, %%ctaid.x; add.u32 %%i, %%i, %%t;\n"
    "mov.u32 %%me, %%tid.z; mov.u32 %%t, %%ntid.y; mul.lo.u32 %%me, %%me, %%t; mov.u32 %%t, %%tid.y; add.u32 %%me, %%me, %%t;\n"
    "mov.u32 %%t, %%ntid.x; mul.lo.u32 %%me, %%me, %%t; mov.u32 %%t, %%tid.x; add.u32 %%me, %%me, %%t;\n"
    "mov.u32 %%threads, %%ntid.x; mov.u32 %%t, %%ntid.y; mul.lo.u32 %%threads, %%threads, %%t; mov.u32 %%t, %%ntid.z;\n"
    "mul.lo.u32 %%threads, %%threads, %%t; mul.lo.u32 %%i, %%i, %%threads; add.u32 %%i, %%i, %%me;\n"
    "ld.param.u64 %%in, [values]; ld.param.u64 %%out, [results]; mul.wide.u32 %%at, %%i, %u; add.u64 %%out, %%out, "
    "%%at;\n%s\nret;\n}\n";

unsigned program_slots(const char *text) {
    const char *at = strstr(text, "//! slots ");
    return at ? (unsigned)strtoul(at + strlen("//! slots "), NULL, 10) : 0;
}

void program_leave_out(const char *text, uint64_t *results, size_t count) {
    const unsigned slots = program_slots(text);
    for (const char *at = text; (at = strstr(at, "//! leaves ")); at++)
        for (size_t i = strtoul(at + strlen("//! leaves "), NULL, 10); i < count; i += slots) results[i] = 0;
}

void job_allocate(Job *job) {
    job->values = calloc(1, job->values_bytes);
    job->masks = calloc(1, job->masks_bytes);
    job->results = malloc(job->results_bytes);
    memset(job->results, 0xcd, job->results_bytes);
}

bool program_job(const char *text, unsigned launch, Job *job) {
    const char *at = text, *const body = strstr(text, "//! body\n");
    const unsigned slots = program_slots(text);
    for (unsigned i = 0; i <= launch; i++)
        if (!(at = strstr(i ? at + 1 : at, "//! launch "))) return false;
    *job = (Job){.values_bytes = 1 << 20, .masks_bytes = 8};
    uint32_t *g = job->grid, *b = job->block;
    if (sscanf(at, "//! launch %u,%u,%u %u,%u,%u %u", &g[0], &g[1], &g[2], &b[0], &b[1], &b[2], &job->shared_bytes) != 7)
        return false;
    if (!body || !slots) return false;
    job->results_bytes = (size_t)g[0] * g[1] * g[2] * b[0] * b[1] * b[2] * slots * 8;
    job_allocate(job);
    text_add(&job->ptx, head, (int)(body - text), text, line_parameter, slots * 8, body + strlen("//! body\n"));
    return true;
}

void job_free(Job *job) {
    free(job->values);
    free(job->masks);
    free(job->results);
    text_free(&job->ptx);
}
