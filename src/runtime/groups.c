#include "runtime/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/faulttext.h"
#include "report/json.h"
#include "report/object.h"
#include "report/problem.h"
#include "report/summary.h"
#include "report/table.h"

enum { GROUPS_SHOWN = 8, NAMES_MOST = 1000, SHAPES_APART = 8, LINES_MOST = 200 };

struct LaunchGroup {
    LaunchGroup *next;
    const ImageKernel *kernel, *launcher; /* launcher: the kernel that launches it, or NULL */
    char *name;                           /* demangled */
    LaunchRequest request;                /* of the first launch; its memory is our own and holds only allocations' names */
    LaunchResult result;                  /* summed; model.time_us as well */
    uint64_t launches, replayed;
};

/* --- adding --- */

static bool same_shape(const Launch *a, const Launch *b) {
    return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->shared_bytes == b->shared_bytes;
}

static LaunchGroup *group_of(Context *context, const KernelWork *work, const LaunchRequest *request) {
    const ImageKernel *kernel = work->kernel;
    LaunchGroup **at = &context->groups;
    for (; *at; at = &(*at)->next)
        if ((*at)->kernel == kernel && (*at)->launcher == work->launcher &&
            same_shape(&(*at)->request.launch, &request->launch))
            return *at;
    LaunchGroup *group = alloc_zeroed(1, sizeof *group);
    group->kernel = kernel;
    group->launcher = work->launcher;
    group->name = program_demangle(kernel->name);
    group->request = *request;
    group->request.launch.params = NULL;
    group->request.launch.memory = memory_new();
    group->result.counters = sparse_sum_new(request->launch.kernel->program->n_insns);
    return *at = group;
}

/* Keeps the names of what the launch read and wrote: by the time of the report it may have been freed or renamed. */
static void keep_names(Context *context, Memory *names) {
    for (size_t i = 0; i < memory_count(context->memory) && memory_count(names) < NAMES_MOST; i++) {
        const Allocation *touched = memory_at(context->memory, i);
        if ((touched->read || touched->written) && !memory_find(names, touched->address))
            memory_borrow(names, (void *)touched->address, touched->bytes, touched->name);
    }
}

static void keep_samples(Counters *to, const Counters *from) {
    for (uint32_t pc = 0; pc < from->n_insns; pc++) {
        if (from->insns[pc].worst.cost <= to->insns[pc].worst.cost) continue;
        to->insns[pc].worst = from->insns[pc].worst;
        to->insns[pc].worst.access.data = NULL;
    }
}

static void add_time(LaunchGroup *group, const Model *model) {
    double time_us = group->result.model.time_us + model->time_us;
    if (model->time_us > 0) group->result.model = *model;
    group->result.model.time_us = time_us;
}

static Report report_of(const Context *context, const ImageKernel *kernel, const char *name, const LaunchRequest *request,
                        const LaunchResult *result) {
    const Image *image = kernel->image;
    return (Report){.request = request,
                    .result = result,
                    .kernel_name = name,
                    .compiler = image->compiler[0] ? image->compiler : NULL,
                    .source_path = image->source_path,
                    .source_text = image->source_text,
                    .sources = context->sources};
}

/* A failed assertion as CUDA itself prints it, from the machine's "lane 5 of warp 1: assertion 'x < 3' failed in f(int) (file.cu:7)". */
static void print_assertion(const Fault *fault) {
    const char *what = strstr(fault->message, "assertion '"), *in = what ? strstr(what, "' failed in ") : NULL;
    const char *place = in ? strrchr(in, '(') : NULL;
    if (!place) return;
    what += strlen("assertion '");
    const char *function = in + strlen("' failed in ");
    fprintf(stderr, "%.*s: %.*s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.*s` failed.\n",
            (int)strcspn(place + 1, ")"), place + 1, (int)(place - 1 - function), function, fault->block[0], fault->block[1],
            fault->block[2], fault->thread[0], fault->thread[1], fault->thread[2], (int)(in - what), what);
}

/* Adds the launch's findings to the kernel's. Those that are new among them, for the caller to free. */
static FindingLog keep_findings(ImageKernel *kernel, const LaunchResult *result) {
    FindingLog news = {.program = kernel->image->program};
    kernel->findings.program = news.program;
    for (size_t i = 0; i < result->findings.count; i++) {
        Finding finding = result->findings.items[i];
        finding.launches = 1;
        if (findings_add(&kernel->findings, &finding)) findings_add(&news, &result->findings.items[i]);
    }
    if (result->fault.kind != FAULT_none)
        findings_add(&kernel->findings, &(Finding){.fault = result->fault, .launches = 1, .count = 1});
    return news;
}

/* A finding that an earlier launch of the kernel had as well is not printed again. */
static void print_faults(const Context *context, LaunchGroup *group, ImageKernel *kernel, const LaunchRequest *request,
                         const LaunchResult *result) {
    LaunchResult news = *result;
    news.findings = keep_findings(kernel, result);
    if (!news.findings.count && news.fault.kind == FAULT_none) return;
    Report report = report_of(context, group->kernel, group->name, request, &news);
    LOCAL_TEXT text = {0};
    FREED char *launcher = group->launcher ? program_demangle(group->launcher->name) : NULL;
    report.launcher = launcher;
    if (context->options.problems) {
        problem_faults(&report, &text);
    } else {
        text_add(&text, "warpscope: %s%s%s, grid (%u,%u,%u), block (%u,%u,%u): ", group->name, launcher ? ", launched by " : "",
                 launcher ? launcher : "", request->launch.grid[0], request->launch.grid[1], request->launch.grid[2],
                 request->launch.block[0], request->launch.block[1], request->launch.block[2]);
        faulttext_add(&report, page_of(STDERR_FILENO), &text);
    }
    fflush(stdout);
    fputs(text_string(&text), stderr);
    if (news.fault.kind == FAULT_assert_failed) print_assertion(&news.fault);
    findings_free(&news.findings);
    if (result->fault.kind != FAULT_none) group->result.fault = result->fault;
}

static void write_json(Context *context, const LaunchGroup *group, Report *report) {
    if (!context->json) return;
    LOCAL_TEXT text = {0};
    FREED char *launcher = group->launcher ? program_demangle(group->launcher->name) : NULL;
    report->launcher = launcher;
    report_json(report, &text);
    environment_add_json(context->json, &text);
}

void groups_write(Context *context, json_t *object) {
    LOCAL_TEXT text = {0};
    object_print(object, 2, &text);
    environment_add_json(context->json, &text);
}

void groups_refused(Context *context, const LaunchRequest *request, const Diag *diag) {
    if (!context->json) return;
    FREED char *name = program_demangle(request->launch.kernel->function->name);
    json_t *object = json_object();
    object_launch(object, name, request);
    object_text(object, "device", request->profile->name);
    object_set(object, "error", object_error(diag));
    groups_write(context, object);
}

void groups_settle(const Context *context, const ImageKernel *kernel, const LaunchRequest *request, LaunchResult *result) {
    const Report report = report_of(context, kernel, "", request, result);
    faulttext_settle(&report, &result->findings);
}

LaunchGroup *groups_add(Context *context, const KernelWork *work, const LaunchRequest *request, const LaunchResult *result) {
    LaunchGroup *group = group_of(context, work, request);
    group->launches++;
    SparseCounters sparse = sparse_of(result->counters);
    sparse_add(group->result.counters, &sparse);
    sparse_free(&sparse);
    keep_samples(group->result.counters, result->counters);
    keep_names(context, group->request.launch.memory);
    add_time(group, &result->model);
    print_faults(context, group, work->kernel, request, result);
    Report report = report_of(context, work->kernel, group->name, request, result);
    write_json(context, group, &report);
    return group;
}

void groups_repeat(Context *context, const LaunchRequest *request, const Memo *memo) {
    LaunchGroup *group = memo->group;
    group->launches++;
    group->replayed++;
    sparse_add(group->result.counters, &memo->counts);
    add_time(group, &memo->model);
    if (!context->json) return;
    LaunchResult result = {
        .counters = sparse_sum_new(request->launch.kernel->program->n_insns), .model = memo->model, .threads = memo->threads};
    sparse_add(result.counters, &memo->counts);
    Report report = report_of(context, memo->work.kernel, group->name, request, &result);
    report.replayed = true;
    write_json(context, group, &report);
    sparse_sum_free(result.counters);
}

/* --- the report --- */

static void add_problems(const Context *context, Text *out) {
    for (const LaunchGroup *group = context->groups; group; group = group->next) {
        Report report = report_of(context, group->kernel, group->name, &group->request, &group->result);
        problem_lines(&report, out);
    }
}

static int order_time(const void *a, const void *b) {
    const LaunchGroup *x = *(LaunchGroup *const *)a, *y = *(LaunchGroup *const *)b;
    double more = x->result.model.time_us, most = y->result.model.time_us;
    return more > most ? -1 : more < most;
}

static void add_details(const Context *context, const LaunchGroup *group, Text *out) {
    Report report = report_of(context, group->kernel, group->name, &group->request, &group->result);
    report.launches = group->launches;
    report.by_cost = true;
    report.faults_printed = true;
    text_add(out, "\n");
    report_table(&report, page_of(STDERR_FILENO), out);
}

/* The first group of the kernel's, which can say where its findings are. */
static bool is_first(const Context *context, const LaunchGroup *group) {
    for (const LaunchGroup *first = context->groups; first; first = first->next)
        if (first->kernel == group->kernel) return first == group;
    return false;
}

bool groups_found(const Context *context) {
    for (const LaunchGroup *group = context->groups; group; group = group->next)
        if (group->kernel->findings.count) return true;
    return false;
}

/* Whether there is more to say than was told above. */
static bool are_many(const Context *context) {
    uint64_t count = 0;
    for (const LaunchGroup *group = context->groups; group; group = group->next)
        for (size_t i = 0; is_first(context, group) && i < group->kernel->findings.count; i++)
            count += group->kernel->findings.items[i].count;
    return count > 1;
}

/* How often each was found: one line for each kind and place. */
static void add_findings(const Context *context, Text *out) {
    Page page = page_of(STDERR_FILENO);
    if (!are_many(context)) return;
    text_add(out, "\nWhat kernels did wrong, as told above:\n");
    for (const LaunchGroup *group = context->groups; group; group = group->next) {
        const FindingLog *log = &group->kernel->findings;
        Report report = report_of(context, group->kernel, group->name, &group->request, &group->result);
        for (size_t i = 0; is_first(context, group) && i < log->count; i++) {
            LOCAL_TEXT line = {0};
            faulttext_add_count(&report, &log->items[i], &line);
            plain_wrap(out, page.columns, "  ", text_string(&line));
        }
    }
}

static void add_copies(const Context *context, Text *out) {
    const Clock *clock = &context->clock;
    static const struct {
        Engine engine;
        const char *what;
    } copies[] = {
        {ENGINE_TO_DEVICE, "to the device"}, {ENGINE_FROM_DEVICE, "to the host"}, {ENGINE_KERNELS, "within the device"}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        summary_add_copies(copies[i].what, clock->copies[copies[i].engine], clock->copied_bytes[copies[i].engine],
                           clock->copied[copies[i].engine], out);
}

/* A row of the report: one shape of a kernel, or, where it has more than SHAPES_APART, all of them. */
typedef struct GroupRow {
    SummaryRow row;
    const LaunchGroup *costliest;
    uint32_t grid[2][3], block[2][3]; /* least and most */
} GroupRow;

static size_t shapes_of(const Context *context, const ImageKernel *kernel) {
    size_t count = 0;
    for (const LaunchGroup *group = context->groups; group; group = group->next) count += group->kernel == kernel;
    return count;
}

static void widen_range(uint32_t range[2][3], const uint32_t *sizes) {
    for (int i = 0; i < 3; i++) {
        if (sizes[i] < range[0][i]) range[0][i] = sizes[i];
        if (sizes[i] > range[1][i]) range[1][i] = sizes[i];
    }
}

static void row_add(GroupRow *row, const LaunchGroup *group) {
    const Launch *launch = &group->request.launch;
    if (!row->costliest) {
        row->costliest = group;
        row->row = (SummaryRow){
            .kernel = group->name, .is = group->kernel, .launcher = group->launcher, .shared_bytes = launch->shared_bytes};
        for (int i = 0; i < 2; i++) {
            memcpy(row->grid[i], launch->grid, sizeof row->grid[i]);
            memcpy(row->block[i], launch->block, sizeof row->block[i]);
        }
    }
    SummaryRow *to = &row->row;
    widen_range(row->grid, launch->grid);
    widen_range(row->block, launch->block);
    if (launch->shared_bytes < to->shared_bytes) to->shared_bytes = launch->shared_bytes;
    if (launch->shared_bytes > to->shared_most) to->shared_most = launch->shared_bytes;
    to->shapes++;
    to->launches += group->launches;
    to->replayed += group->replayed;
    to->time_us += group->result.model.time_us;
}

static int order_rows(const void *a, const void *b) {
    const double x = ((const GroupRow *)a)->row.time_us, y = ((const GroupRow *)b)->row.time_us;
    return x > y ? -1 : x < y;
}

/* From groups in the order of their times; rows is as long as they are. Returns how many there are. */
static size_t rows_of(const Context *context, LaunchGroup *const *sorted, size_t count, GroupRow *rows) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const bool folds = shapes_of(context, sorted[i]->kernel) > SHAPES_APART;
        size_t r = folds ? 0 : n;
        while (r < n && (rows[r].costliest->kernel != sorted[i]->kernel || rows[r].costliest->launcher != sorted[i]->launcher))
            r++;
        row_add(&rows[r], sorted[i]);
        n += r == n;
    }
    qsort(rows, n, sizeof *rows, order_rows);
    return n;
}

static size_t lines_of(const Text *text) {
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}

/* Each row's costliest shape, as long as they fit; the first one does. */
static void add_all_details(const Context *context, const GroupRow *rows, size_t count, Text *out) {
    size_t shown = 0;
    for (; shown < count && shown < GROUPS_SHOWN; shown++) {
        LOCAL_TEXT details = {0};
        add_details(context, rows[shown].costliest, &details);
        if (shown && lines_of(out) + lines_of(&details) + 2 > LINES_MOST) break;
        text_add_bytes(out, details.data, details.length);
    }
    if (shown < count)
        text_add(out, "\n%zu more kernels and shapes took less time; WARPSCOPE_JSON=FILE has them all.\n", count - shown);
}

static void add_summary(const Context *context, GroupRow *rows, size_t count, Text *out) {
    FREED SummaryRow *shown = alloc_zeroed(count + 1, sizeof *shown);
    for (size_t i = 0; i < count; i++) {
        shown[i] = rows[i].row;
        shown[i].grid = rows[i].grid[0];
        shown[i].grid_most = rows[i].grid[1];
        shown[i].block = rows[i].block[0];
        shown[i].block_most = rows[i].block[1];
    }
    summary_add(context->options.profile->full_name, context->options.profile->time.calibrated, shown, count,
                page_of(STDERR_FILENO), out);
}

static void add_library(Text *out, const char *library, uint64_t calls) {
    if (calls)
        text_add(out, "%llu call%s of %s, done by the host: in no count and no time of these\n", (unsigned long long)calls,
                 plural_s(calls), library);
}

void groups_report(Context *context) {
    LOCAL_TEXT text = {0};
    size_t count = 0;
    for (const LaunchGroup *group = context->groups; group; group = group->next) count++;
    FREED LaunchGroup **sorted = alloc_zeroed(count + 1, sizeof *sorted);
    FREED GroupRow *rows = alloc_zeroed(count + 1, sizeof *rows);
    count = 0;
    for (LaunchGroup *group = context->groups; group; group = group->next) sorted[count++] = group;
    qsort(sorted, count, sizeof *sorted, order_time);
    count = rows_of(context, sorted, count, rows);
    if (context->options.problems) {
        add_problems(context, &text);
    } else {
        add_summary(context, rows, count, &text);
        add_copies(context, &text);
        add_library(&text, "cuBLAS", context->library_calls);
        add_library(&text, "cuRAND", context->random_calls);
        add_library(&text, "cuFFT", context->fourier_calls);
        add_findings(context, &text);
        if (context->options.details) add_all_details(context, rows, count, &text);
    }
    fflush(stdout);
    fwrite(text_string(&text), 1, text.length, stderr);
}
