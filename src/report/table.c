#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/faulttext.h"
#include "report/map.h"
#include "report/paint.h"
#include "report/plain.h"
#include "report/spot.h"
#include "report/verdict.h"

enum { LINES_SHOWN = 40 };

static void add_head(const Report *report, Page page, Text *out) {
    const LaunchRequest *request = report->request;
    const Counters *counters = report->result->counters;
    LOCAL_TEXT name = {0};
    plain_line(&name, report->kernel_name, strlen(report->kernel_name), page.columns);
    paint(out, page, PAINT_HEAD, text_string(&name));
    LOCAL_TEXT launch = {0};
    text_add(&launch, "grid (%u,%u,%u), block (%u,%u,%u), ", request->launch.grid[0], request->launch.grid[1],
             request->launch.grid[2], request->launch.block[0], request->launch.block[1], request->launch.block[2]);
    if (request->launch.shared_bytes) text_add(&launch, "%u bytes of dynamic shared memory, ", request->launch.shared_bytes);
    text_add(&launch, "%s, L1 %s", request->profile->full_name, request->l1 ? "on" : "off");
    if (report->compiler) text_add(&launch, ", %s", report->compiler);
    text_add(out, "\n");
    plain_wrap(out, page.columns, "", text_string(&launch));
    if (report->launches > 1) text_add(out, "%s launches, added up\n", plain_number(report->launches).text);
    text_add(out, "%s warp instructions", plain_number(counters->instructions).text);
    text_add(out, ", %s thread instructions (of PTX)\n", plain_number(counters->thread_instructions).text);
    if (report->result->fault.kind != FAULT_none) text_add(out, "The counts below cover what ran until the fault.\n");
}

/* --- totals --- */

static void add_combined(uint64_t combined, Text *out) {
    if (combined) text_add(out, "  the lanes of %s atomics are combined, as the assembler does\n", plain_number(combined).text);
}

static void add_columns(const char *head, Page page, Text *out) {
    text_add(out, "\n");
    paint(out, page, PAINT_HEAD, head);
    text_add(out, "\n");
}

static void add_sector_totals(const char *space, const SectorCounters *counters, Page page, Text *out) {
    uint64_t requests = 0;
    for (int op = 0; op < COUNTER_OPS; op++) requests += counters[op].requests;
    if (!requests) return;
    char head[PAGE_COLUMNS + 1];
    snprintf(head, sizeof head, "%-8s%13s%14s%9s%9s%9s%14s", space, "requests", "sectors", "/request", "ideal", "L1 hits",
             "coalescing");
    add_columns(head, page, out);
    for (int op = 0; op < COUNTER_OPS; op++) {
        const SectorCounters *c = &counters[op];
        if (!c->requests) continue;
        text_add(out, "  %-6s%13s%14s", spot_op_names[op], plain_number(c->requests).text, plain_number(c->sectors).text);
        text_add(out, "%9s%9s", plain_ratio(c->sectors, c->requests).text, plain_ratio(c->ideal_sectors, c->requests).text);
        text_add(out, "%9s", op == COUNTER_LOAD ? plain_percent(c->l1_hit_sectors, c->sectors).text : "-");
        text_add(out, "%14s\n", plain_percent(c->unique_bytes, 32 * c->sectors).text);
    }
    add_combined(counters[COUNTER_ATOMIC].combined, out);
}

static void add_bank_totals(const BankCounters *counters, Page page, Text *out) {
    uint64_t requests = 0, joined = 0;
    for (int op = 0; op < COUNTER_OPS; op++) {
        requests += counters[op].requests;
        joined += counters[op].joined;
    }
    if (!requests) return;
    add_columns("shared       requests    wavefronts /request    bank conflicts", page, out);
    for (int op = 0; op < COUNTER_OPS; op++) {
        const BankCounters *c = &counters[op];
        if (!c->requests) continue;
        text_add(out, "  %-6s%13s%14s", spot_op_names[op], plain_number(c->requests).text, plain_number(c->wavefronts).text);
        text_add(out, "%9s%18s\n", plain_ratio(c->wavefronts, c->requests).text, plain_number(c->bank_conflicts).text);
    }
    add_combined(counters[COUNTER_ATOMIC].combined, out);
    if (joined) text_add(out, "  %s more accesses are joined to these, as the assembler does\n", plain_number(joined).text);
}

/* By the warps that ran them. */
static void add_narrowed(const Report *report, Page page, Text *out) {
    const Counters *counters = report->result->counters;
    const Kernel *kernel = report->request->launch.kernel;
    const Narrowed *narrowed = report->request->joins ? kernel->narrowed : NULL;
    uint64_t left_out = 0, narrower = 0, again = 0;
    for (uint32_t pc = 0; narrowed && pc < counters->n_insns; pc++) {
        const bool joined = kernel->joins && kernel->joins[pc];
        if (!narrowed[pc].changed || joined || kernel->program->insns[pc].space == SPACE_PARAM) continue;
        if (narrowed[pc].once)
            again += counters->insns[pc].executed - counters->insns[pc].sectors.requests / narrowed[pc].count;
        else
            *(narrowed[pc].count ? &narrower : &left_out) += counters->insns[pc].executed;
    }
    if (left_out) {
        paint(out, page, PAINT_HEAD, "left out  ");
        plain_count(out, left_out, "load");
        text_add(out, ", as by the assembler: nothing uses what they give\n");
    }
    if (again) {
        paint(out, page, PAINT_HEAD, "left out  ");
        plain_count(out, again, "load");
        text_add(out, ", as by the assembler: each is made once for its loop\n");
    }
    if (narrower) {
        paint(out, page, PAINT_HEAD, "narrowed  ");
        plain_count(out, narrower, "vector load");
        text_add(out, " to the elements that are used, as by the assembler\n");
    }
}

static void add_below(const Report *report, Page page, Text *out) {
    const Counters *counters = report->result->counters;
    text_add(out, "\n");
    if (report->request->launch.kernel->textured) {
        paint(out, page, PAINT_HEAD, "textures  ");
        text_add(out, "accesses by textures and surfaces are not counted\n");
    }
    if (report->request->launch.kernel->reads_clock) {
        paint(out, page, PAINT_HEAD, "clocks    ");
        text_add(out, "what the kernel reads of them counts a warp's instructions, not cycles\n");
    }
    if (counters->constant_requests) {
        paint(out, page, PAINT_HEAD, "constant  ");
        text_add(out, "%s requests\n", plain_number(counters->constant_requests).text);
    }
    PeerCounters peers = {0};
    for (int op = 0; op < COUNTER_OPS; op++) {
        peers.requests += counters->peers[op].requests;
        peers.sectors += counters->peers[op].sectors;
    }
    if (peers.requests) {
        paint(out, page, PAINT_HEAD, "cluster   ");
        plain_count(out, peers.requests, "request");
        text_add(out, " of other blocks' shared memory, %s sectors\n", plain_number(peers.sectors).text);
    }
    const BulkCounters *bulk = &counters->bulk;
    if (bulk->copies) {
        paint(out, page, PAINT_HEAD, "bulk      ");
        plain_count(out, bulk->copies, bulk->copies == 1 ? "copy" : "copie");
        text_add(out, " of %s", plain_bytes(bulk->bytes).text);
        text_add(out, ", %s sectors read", plain_number(bulk->read_sectors).text);
        text_add(out, ", %s written\n", plain_number(bulk->write_sectors).text);
    }
    add_narrowed(report, page, out);
    paint(out, page, PAINT_HEAD, "L2        ");
    text_add(out, "%s sectors read", plain_number(counters->l2_read_sectors).text);
    text_add(out, ", %s written\n", plain_number(counters->l2_write_sectors).text);
    paint(out, page, PAINT_HEAD, "DRAM      ");
    text_add(out, "%s read", plain_bytes(counters->dram_read_bytes).text);
    text_add(out, ", %s written\n", plain_bytes(counters->dram_write_bytes).text);
}

static void add_model(const Report *report, Page page, Text *out) {
    Model model = report->result->model;
    if (model.time_us <= 0) return;
    paint(out, page, PAINT_HEAD, "time      ");
    text_add(out, "%s modelled%s, limited by %s\n", plain_time(model.time_us).text, model.calibrated ? "" : " (not calibrated)",
             model_bound_texts[model.bound]);
}

/* --- lines --- */

/* "global load, 32,768 requests of 32.00 sectors". */
static void add_line_counts(const SourceLine *line, Text *out) {
    bool shared = line->space == SPACE_SHARED;
    uint64_t requests = shared ? line->banks.requests : line->sectors.requests;
    spot_add_kind(line->space, line->op, out);
    text_add(out, ", ");
    if (!requests) {
        text_add(out, "%s joined to another line's", plain_number(line->banks.joined).text);
        return;
    }
    plain_count(out, requests, "request");
    text_add(out, " of %s %s", plain_ratio(shared ? line->banks.wavefronts : line->sectors.sectors, requests).text,
             shared ? "wavefronts" : "sectors");
    if (line->banks.joined) text_add(out, ", %s more joined", plain_number(line->banks.joined).text);
    if (!shared && line->op == COUNTER_LOAD)
        text_add(out, ", %s hit L1", plain_percent(line->sectors.l1_hit_sectors, line->sectors.sectors).text);
}

/* After a fault there are more urgent things to look at. */
static bool shows_map(const Report *report, const Sample *worst) { return worst && report->result->fault.kind == FAULT_none; }

static void add_line(const Report *report, const SourceLine *line, const Sample *worst, Page page, Text *out) {
    text_add(out, "    ");
    add_line_counts(line, out);
    text_add(out, "\n");
    if (line->worst_pc == NO_INSN) return;
    const Sample *sample = &report->result->counters->insns[line->worst_pc].worst;
    LOCAL_TEXT sentence = {0};
    bool fine = verdict_sentence(sample, &sentence);
    text_add(out, "    ");
    paint(out, page, fine ? PAINT_GOOD : PAINT_BAD, fine ? " " : "!");
    text_add(out, " ");
    LOCAL_TEXT wrapped = {0};
    plain_wrap(&wrapped, page.columns, "      ", text_string(&sentence));
    text_add(out, "%s", text_string(&wrapped) + 6);
    if (sample == worst && !fine && shows_map(report, worst)) text_add(out, "      (the worst: see the map below)\n");
}

static uint64_t line_excess(const SourceLine *line) {
    if (line->space == SPACE_SHARED) return line->banks.bank_conflicts;
    return line->sectors.sectors > line->sectors.ideal_sectors ? line->sectors.sectors - line->sectors.ideal_sectors : 0;
}

static int order_excess(const void *a, const void *b) {
    const SourceLine *x = *(const SourceLine *const *)a, *y = *(const SourceLine *const *)b;
    uint64_t more = line_excess(x), most = line_excess(y);
    if (more != most) return more < most ? 1 : -1;
    return x < y ? -1 : x > y;
}

static bool same_place(const SourceLine *a, const SourceLine *b) { return a->line == b->line && strcmp(a->file, b->file) == 0; }

/* What a line of the source moves, in whatever spaces. */
static uint64_t place_cost(const SourceLine *lines, uint32_t count, const SourceLine *line) {
    uint64_t cost = 0;
    for (uint32_t i = 0; i < count; i++)
        if (same_place(&lines[i], line))
            cost += lines[i].space == SPACE_SHARED ? lines[i].banks.wavefronts : lines[i].sectors.sectors;
    return cost;
}

typedef struct ShownLine {
    const SourceLine *line;
    uint64_t cost; /* 0: they come in their own order */
} ShownLine;

static int order_shown(const void *a, const void *b) {
    const ShownLine *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* All, or those with the most excess when there are too many. The caller frees. */
static ShownLine *choose_lines(const Report *report, const SourceLine *lines, uint32_t count, uint32_t *shown) {
    ShownLine *chosen = alloc_zeroed(count + 1, sizeof *chosen);
    FREED const SourceLine **sorted = alloc_zeroed(count + 1, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++) sorted[i] = &lines[i];
    qsort(sorted, count, sizeof *sorted, order_excess);
    *shown = count < LINES_SHOWN ? count : LINES_SHOWN;
    for (uint32_t i = 0; i < *shown; i++)
        chosen[i] = (ShownLine){sorted[i], report->by_cost ? place_cost(lines, count, sorted[i]) : 0};
    qsort(chosen, *shown, sizeof *chosen, order_shown);
    return chosen;
}

static void add_lines(const Report *report, const Sample *worst, Page page, Text *out) {
    uint32_t count, shown;
    FREED SourceLine *lines = report_source_lines(report, &count);
    FREED ShownLine *chosen = choose_lines(report, lines, count, &shown);
    const SourceLine *before = NULL;
    for (uint32_t i = 0; i < shown; i++) {
        const SourceLine *line = chosen[i].line;
        if (!before || !same_place(before, line)) {
            LOCAL_TEXT head = {0}, source = {0};
            text_add(out, "\n");
            spot_add((Spot){line->file, line->line, 0}, &head);
            paint(out, page, PAINT_HEAD, text_string(&head));
            spot_add_source(report, (Spot){line->file, line->line, 0}, page.columns - 2 - head.length, &source);
            text_add(out, source.length ? "  %s\n" : "%s\n", text_string(&source));
        }
        add_line(report, line, worst, page, out);
        before = line;
    }
    if (count > LINES_SHOWN)
        text_add(out, "\n%u more lines waste no more than these; the JSON output has them all.\n", count - LINES_SHOWN);
}

void report_table(const Report *report, Page page, Text *out) {
    const Counters *counters = report->result->counters;
    const Sample *worst = report_worst(report);
    size_t before = out->length;
    if (!report->faults_printed) faulttext_add(report, page, out);
    if (out->length > before) text_add(out, "\n");
    add_head(report, page, out);
    add_sector_totals("global", counters->global, page, out);
    add_sector_totals("local", counters->local, page, out);
    add_bank_totals(counters->shared, page, out);
    add_below(report, page, out);
    add_model(report, page, out);
    add_lines(report, worst, page, out);
    if (!shows_map(report, worst)) return;
    text_add(out, "\n");
    report_map(report, worst, page, out);
}
