/* The PTX of a plan's kernels. */
#include <string.h>

#include "operands.h"
#include "plan.h"
#include "ptx/opcode.h"

static const char head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    "%s.visible .entry k(.param .u64 values, .param .u64 masks, .param .u64 results, %s)\n{\n%s"
    ".reg .pred %%off, %%guard;\n.reg .b32 %%i, %%t, %%lane, %%members, %%cin;\n.reg .b64 %%in, %%out, %%at;\n"
    "mov.u32 %%i, %%ctaid.x;\nmov.u32 %%t, %%tid.x;\nmad.lo.u32 %%i, %%i, %u, %%t;\n"
    "ld.param.u64 %%in, [masks];\ncvta.to.global.u64 %%in, %%in;\n"
    "shr.u32 %%t, %%i, 5;\nmul.wide.u32 %%at, %%t, 4;\nadd.u64 %%in, %%in, %%at;\n"
    "ld.global.b32 %%members, [%%in];\nld.global.b32 %%t, [%%in+%u];\n"
    "and.b32 %%lane, %%i, 31;\nshr.u32 %%cin, %%members, %%lane;\nand.b32 %%cin, %%cin, 1;\n"
    "setp.eq.u32 %%off, %%cin, 0;\n@%%off bra DONE;\n"
    "shr.u32 %%t, %%t, %%lane;\nand.b32 %%t, %%t, 1;\nsetp.ne.u32 %%guard, %%t, 0;\n"
    "popc.b32 %%cin, %%i;\nand.b32 %%cin, %%cin, 1;\n"
    "mul.wide.u32 %%at, %%i, 8;\nld.param.u64 %%in, [values];\ncvta.to.global.u64 %%in, %%in;\n"
    "add.u64 %%in, %%in, %%at;\nld.param.u64 %%out, [results];\ncvta.to.global.u64 %%out, %%out;\n"
    "add.u64 %%out, %%out, %%at;\n";

/* %G and its like: 32 bytes a thread, the global ones behind the values. */
static const char places[] = "mul.wide.u32 %%at, %%i, 32;\nld.param.u64 %%G, [values];\ncvta.to.global.u64 %%N, %%G;\n"
                             "add.u64 %%G, %%N, %%at;\nadd.u64 %%G, %%G, %llu;\n"
                             "shr.u32 %%t, %%i, 2;\nmul.wide.u32 %%at, %%t, 32;\nadd.u64 %%N, %%N, %%at;\n"
                             "mov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, 32;\nmov.u64 %%S, sh;\nadd.u64 %%S, %%S, %%at;\n"
                             "cvta.shared.u64 %%GS, %%S;\nmov.u64 %%L, lo;\ncvta.local.u64 %%GL, %%L;\n"
                             "and.b32 %%t, %%i, 15;\nmul.wide.u32 %%at, %%t, 32;\nmov.u64 %%C, cn;\nadd.u64 %%C, %%C, %%at;\n";

static bool has_members(const Line *line) {
    for (unsigned s = 0; s < line->n_sources; s++)
        if (line->lists[s] == LIST_MEMBERS) return true;
    return !line->n_sources;
}

static void sources_write(const Line *line, uint32_t lanes, Text *out) {
    for (unsigned s = 0; s < line->n_sources; s++) {
        const char width = line->source_width[s], name = (char)('a' + s);
        const unsigned at = s * lanes * 8;
        if (line->lists[s] == LIST_MEMBERS)
            text_add(out, "mov.b32 %%r%c, %%members;\n", name);
        else if (width == 'p')
            text_add(out, "ld.global.b32 %%t, [%%in+%u];\nsetp.ne.u32 %%p%c, %%t, 0;\n", at, name);
        else
            text_add(out, "ld.global.b%u %%%c%c, [%%in+%u];\n", width == 'h' ? 16 : width == 'r' ? 32 : 64, width, name, at);
    }
}

static void result_store(char width, char name, uint64_t at, Text *out) {
    if (width == 'p')
        text_add(out, "selp.b32 %%t, 1, 0, %%p%c;\nst.global.b32 [%%out+%llu], %%t;\n", name, (unsigned long long)at);
    else
        text_add(out, "st.global.b%u [%%out+%llu], %%%c%c;\n",
                 width == 'h'   ? 16
                 : width == 'r' ? 32
                                : 64,
                 (unsigned long long)at, width, name);
}

/* What a lane's destination holds where its guard is false. */
static void result_clear(char width, char name, Text *out) {
    if (width == 'p')
        text_add(out, "setp.ne.b32 %%p%c, %%i, %%i;\n", name);
    else if (width == 'h')
        text_add(out, "mov.b16 %%h%c, 0x5a5a;\n", name);
    else
        text_add(out, "mov.b%u %%%c%c, 0x5a5a5a5a;\n", width == 'r' ? 32 : 64, width, name);
}

bool case_guarded(const Case *test) {
    const Line *line = &test->line;
    return test->key & 1 && !has_members(line) && !line->carries_in && !line->carries_out && !strstr(line->after, "[%T]");
}

static void case_write(const Case *test, uint32_t lanes, Text *out) {
    const Line *line = &test->line;
    const bool subtracts = test->candidate.insn.op == OP_sub || test->candidate.insn.op == OP_subc;
    const bool guarded = case_guarded(test);
    for (unsigned r = 0; r < line->n_results; r++) result_clear(line->result_width[r], line_result_names[r], out);
    if (line->carries_in) text_add(out, subtracts ? "sub.cc.u32 %%t, 0, %%cin;\n" : "add.cc.u32 %%t, %%cin, 0xffffffff;\n");
    if (line->before[0]) text_add(out, "%s\n", line->before);
    text_add(out, "%s%s;\n", guarded ? "@%guard " : "", line->text);
    if (line->after[0]) text_add(out, "%s\n", line->after);
    if (line->carries_out) text_add(out, "%s.u32 %%rz, 0, 0;\n", subtracts ? "subc" : "addc");
    for (unsigned r = 0; r < case_results(test); r++)
        result_store(r < line->n_results ? line->result_width[r] : 'r', r >= line->n_results ? 'z' : line_result_names[r],
                     (uint64_t)(test->slot + r) * lanes * 8, out);
}

static void constants_write(Text *out) {
    Text list = {0};
    for (uint64_t i = 0; i < 64; i++) text_add(&list, "%s0x%llx", i ? ", " : "", (unsigned long long)operand_hash(i));
    text_add(out, line_module, text_string(&list));
    text_free(&list);
}

void kernel_write(const Plan *plan, const CaseKernel *kernel, Text *out) {
    const bool memory = kernel_line(plan, kernel)->memory;
    Text module = {0};
    if (memory) constants_write(&module);
    text_add(out, head, text_string(&module), line_parameter, line_registers, KERNEL_THREADS, kernel->lanes / 32 * 4);
    text_free(&module);
    if (memory) text_add(out, places, (unsigned long long)kernel_line(plan, kernel)->n_sources * kernel->lanes * 8);
    sources_write(kernel_line(plan, kernel), kernel->lanes, out);
    for (uint32_t i = 0; i < kernel->n_cases; i++) case_write(&plan->cases[kernel->cases[i]], kernel->lanes, out);
    text_add(out, "DONE:\nret;\n}\n");
}

/* All lanes where edges are combined; behind them warps with all lanes, some, and one. A shuffle reads from lanes that must be there. */
void kernel_masks(const Plan *plan, const CaseKernel *kernel, uint32_t *masks) {
    const uint32_t warps = kernel->lanes / 32;
    const bool all = plan->cases[kernel->cases[0]].candidate.insn.op == OP_shfl || kernel_line(plan, kernel)->block;
    for (uint32_t w = 0; w < warps; w++) {
        const uint64_t hash = operand_hash(w * UINT64_C(77) + 5);
        const uint32_t some = (uint32_t)(hash >> 8 | 1u << (hash & 31)), one = UINT32_C(1) << (hash & 31);
        const bool whole = all || w * 32 < kernel->edges;
        masks[w] = whole || hash >> 60 < 8 ? UINT32_MAX : hash >> 60 < 12 ? some : one;
        masks[warps + w] = whole || hash >> 56 & 1 ? UINT32_MAX : (uint32_t)operand_hash(hash);
    }
}
