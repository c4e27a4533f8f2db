/* Faults and findings for people and for editors (report/faulttext.h, problem.h, spot.h): the thread, the lines, the function inside which it was. */
#include "report/faulttext.h"

#include <limits.h>

#include "grade/scratch.h"
#include "handmade.h"
#include "ptx/opcode.h"
#include "report/problem.h"
#include "suite.h"

static char helper[PATH_MAX];
static Location places[7];
static FindingLog *found;

/* pc 1 is in line 2, pc 2 in line 3; pc 3 stands in the header's line 1, called in line 2; pc 4 in a library's line 5, called in line 3; pc 5 in
 * the header itself; pc 6 in line 2 of the file, inlined in its line 3. */
static void begin(void) {
    setup();
    scratch_begin();
    ck_assert_ptr_nonnull(scratch_folder());
    snprintf(helper, sizeof helper, "%s/helper.h", scratch_folder());
    FILE *file = fopen(helper, "w");
    fputs("int f(int *p) { return p[0]; }\n", file);
    fclose(file);
    static const char *paths[4];
    paths[0] = "", paths[1] = "/home/ada/kernel.cu", paths[2] = helper, paths[3] = "/usr/include/lib.h";
    program.files = paths, program.n_files = 4;
    places[0] = (Location){0, 0, 0, 0}, places[1] = (Location){1, 2, 5, 0}, places[2] = (Location){1, 3, 1, 0};
    places[3] = (Location){2, 1, 9, 1}, places[4] = (Location){3, 5, 1, 2}, places[5] = (Location){2, 1, 9, 0};
    places[6] = (Location){1, 2, 5, 2};
    program.locations = places, program.n_locations = 7;
    for (uint32_t pc = 0; pc < 7; pc++) insns[pc].location = pc;
    report.sources = sources_new("/tmp/kernel.cu", NULL, 0);
    found = &result.findings;
}

static void end(void) {
    sources_free(report.sources);
    free(found->items);
    found->items = NULL, found->count = 0;
    scratch_end();
    teardown();
}

static Fault fault_at(FaultKind kind, uint32_t pc, uint32_t other_pc, const char *message) {
    Fault fault = {.kind = kind, .pc = pc, .other_pc = other_pc, .block = {1, 2, 0}, .thread = {3, 0, 0}};
    snprintf(fault.message, sizeof fault.message, "%s", message);
    return fault;
}

static void text_is(const char *wanted) {
    Text out = {0};
    faulttext_add(&report, page_plain, &out);
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
}

START_TEST(a_thread_is_named_where_the_message_begins_with_it)
{
    result.fault = fault_at(FAULT_out_of_bounds, 1, NO_INSN, "lane 3 of warp 0 of block 9 reads 4 bytes at 'in'+8");
    text_is("out of bounds\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads 4 bytes at\n'in'+8\n"
            "       2 | float v = in[i];\n         |           ^\n");
    result.fault = fault_at(FAULT_deadlock, 1, NO_INSN, "nothing goes on");
    text_is("deadlock\nkernel.cu:2: nothing goes on\n       2 | float v = in[i];\n  in block (1,2,0)\n");
    static const FaultKind of_the_launch[] = {FAULT_step_limit, FAULT_effort_limit, FAULT_memory_limit};
    for (size_t i = 0; i < 3; i++) {
        Text out = {0};
        result.fault = fault_at(of_the_launch[i], 0, NO_INSN, "too much");
        strcpy(result.fault.hint, "less");
        faulttext_add(&report, page_plain, &out);
        ck_assert_msg(strstr(text_string(&out), "limit\ntoo much\n  hint: less\n") && !strstr(text_string(&out), "in block"),
                      "%s", text_string(&out));
        text_free(&out);
    }
}
END_TEST

/* Where lanes left, by a return or by another branch. */
START_TEST(a_barrier_that_lanes_miss_shows_where_they_left)
{
    result.fault = fault_at(FAULT_barrier_divergence, 1, 2, "lane 3 of warp 0 waits");
    text_is(
        "barrier divergence\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) waits: gone\nanother way at line 3\n"
        "  this barrier      2 | float v = in[i];\n  the others        3 | out[i] = v;\n");
    insns[2].op = OP_bar, insns[2].variant = BAR_SYNC;
    text_is("barrier divergence\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) waits, at line 3\n"
            "  this barrier      2 | float v = in[i];\n  the others        3 | out[i] = v;\n");
    result.fault.other_pc = 5; /* "return" stands there */
    Text out = {0};
    ck_assert(faulttext_sentence(&report, &result.fault, &out));
    ck_assert_str_eq(text_string(&out), "lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) waits: returned at line 1");
    text_free(&out);
    result.fault.other_pc = NO_INSN;
    text_is("barrier divergence\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) waits\n       2 | float v = "
            "in[i];\n");
}
END_TEST

/* Lanes that go round a barrier by a return have left; by any other branch they have not. */
START_TEST(lanes_that_go_round_a_barrier_by_a_return_are_taken_out)
{
    static const struct {
        uint32_t pc, other_pc;
        bool strict;
        size_t kept;
    } rows[] = {{5, 5, false, 0}, {5, 5, true, 1}, {2, 1, false, 1}, {1, 2, false, 1}, {5, NO_INSN, false, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Finding finding = {.fault = fault_at(FAULT_barrier_divergence, rows[i].pc, rows[i].other_pc, "lanes 0-3 reach")};
        FindingLog log = {.items = &finding, .count = 1};
        request.launch.strict = rows[i].strict;
        faulttext_settle(&report, &log);
        ck_assert_msg(log.count == rows[i].kept, "row %zu: %zu", i, log.count);
    }
}
END_TEST

START_TEST(a_race_shows_both_accesses)
{
    result.fault = fault_at(FAULT_global_race, 1, 2, "lane 3 of warp 0 reads");
    text_is("global race\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n"
            "  this access     2 | float v = in[i];\n  the other       3 | out[i] = v;\n");
    result.fault.other_pc = 1; /* with itself */
    text_is("global race\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n       2 | float v = in[i];\n");
    result.fault.kind = FAULT_out_of_bounds, result.fault.other_pc = 2; /* means nothing here */
    text_is(
        "out of bounds\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n       2 | float v = in[i];\n");
}
END_TEST

/* Of a buffer its name, also when it has been freed; of what is in none the number. */
START_TEST(addresses_are_named_by_what_they_lie_in)
{
    Allocation *gone = memory_allocate(request.launch.memory, 64, "gone", false);
    const uint64_t freed = gone->address;
    memory_retire(request.launch.memory, gone);
    const Access global = {.space = SPACE_GLOBAL, .active = 1}, shared = {.space = SPACE_SHARED, .active = 1};
    const struct {
        const Access *access;
        uint64_t addr;
        size_t columns;
        const char *says;
    } rows[] = {{&global, input->address + 40, 30, "'input'+40"},
                {&global, freed + 63, 30, "'gone'+63"},
                {&global, 0x1234, 30, "0x1234"},
                {&shared, 44, 30, "shared+44"},
                {&global, input->address + 40, 6, "+40"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT text = {0};
        spot_add_address(&report, rows[i].access, rows[i].addr, rows[i].columns, &text);
        ck_assert_str_eq(text_string(&text), rows[i].says);
    }
}
END_TEST

/* The caret stands below the name of what the message says is accessed, however it says where. */
START_TEST(the_array_of_the_message_is_pointed_at)
{
    static const struct {
        const char *place;
        bool found;
    } rows[] = {{"'in'+4096, 0 bytes past its end", true},
                {"'in[4]'", true},
                {"'in[4][2]' and 'out'", true},
                {"'i'+4", false},
                {"'inn[4]'", false},
                {"'out'+4, not 'in'", false},
                {"byte 4", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT message = text_from("lane 3 of warp 0 reads %s", rows[i].place), wanted = {0};
        result.fault = fault_at(FAULT_out_of_bounds, 1, NO_INSN, text_string(&message));
        text_add(&wanted,
                 "out of bounds\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads %s\n       2 | float v = "
                 "in[i];\n%s",
                 rows[i].place, rows[i].found ? "         |           ^\n" : "");
        Text out = {0};
        faulttext_add(&report, (Page){.columns = 200}, &out);
        ck_assert_str_eq(text_string(&out), text_string(&wanted));
        text_free(&out);
    }
}
END_TEST

START_TEST(a_fault_in_a_called_function_shows_the_call)
{
    result.fault = fault_at(FAULT_misaligned, 3, NO_INSN, "lane 3 of warp 0 reads");
    text_is("misaligned\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n       2 | float v = in[i];\n"
            "  in helper.h:1, called there:\n       1 | int f(int *p) { return p[0]; }\n");
    result.fault.pc = 4;
    text_is("misaligned\nkernel.cu:3: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n       3 | out[i] = v;\n"
            "  in lib.h:5, a library's header, called there\n");
    places[4].inlined_at = 0;
    text_is("misaligned\nlib.h:5: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n"
            "  in lib.h:5, a library's header; from where it was called is not known\n");
    result.fault.pc = 5;
    text_is("misaligned\nhelper.h:1: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n"
            "       1 | int f(int *p) { return p[0]; }\n");
    sources_free(report.sources);
    report.sources = NULL; /* not the user's own: what it names is not read */
    text_is("misaligned\nhelper.h:1: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n");
}
END_TEST

START_TEST(where_an_instruction_was_written)
{
    static const struct {
        uint32_t pc, line, inside;
        bool library;
    } rows[] = {{0, 0, 0, false}, {1, 2, 0, false}, {3, 2, 1, false},    {4, 3, 5, true},
                {5, 1, 0, false}, {6, 2, 0, false}, {INSNS, 0, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool library = true;
        const Spot inside = spot_inside(&report, rows[i].pc, &library);
        ck_assert_msg(spot_of(&report, rows[i].pc).line == rows[i].line, "row %zu", i);
        ck_assert_msg(inside.line == rows[i].inside && library == rows[i].library, "row %zu: %u", i, inside.line);
    }
    ck_assert(spot_is_library(&report, (Spot){"/usr/x.h", 1, 0}) && !spot_is_library(&report, (Spot){"/usr/x.h", 0, 0}));
    report.source_path = "/usr/k.cu";
    ck_assert(!spot_is_library(&report, (Spot){report.source_path, 1, 0}));
}
END_TEST

/* Instruction 0 has no position of its own: PTX that no compiler made says its line, as the hand-made launch numbers them, and no column. */
START_TEST(where_ptx_has_no_positions_its_own_lines_count)
{
    static const struct {
        const char *compiler, *path;
        uint32_t pc, line, column;
    } rows[] = {{NULL, "scale.ptx", 0, 20, 0},
                {NULL, "scale.ptx", 1, 2, 5},
                {NULL, "scale.ptx", INSNS, 0, 0},
                {"nvcc 13.0", "scale.ptx", 0, 0, 0},
                {NULL, NULL, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        report.compiler = rows[i].compiler, report.source_path = rows[i].path;
        const Spot spot = spot_of(&report, rows[i].pc);
        ck_assert_msg(spot.line == rows[i].line && spot.column == rows[i].column, "row %zu: %u:%u", i, spot.line, spot.column);
        ck_assert_str_eq(spot.file, rows[i].pc == 1 ? "/home/ada/kernel.cu" : rows[i].line ? "scale.ptx" : "");
    }
}
END_TEST

/* Those that a launch ran through come before the one that ended it. */
static void find(uint64_t count) {
    found->items = calloc(1, sizeof *found->items);
    found->items[0] =
        (Finding){.fault = fault_at(FAULT_uninitialized, 2, NO_INSN, "lane 1 of warp 0 reads nothing"), .count = count};
    found->count = 1;
}

START_TEST(findings_come_first_with_their_number)
{
#define FINDING \
    "uninitialized\nkernel.cu:3: lane 1 of warp 0 (block (1,2,0), thread (3,0,0)) reads nothing\n       3 | out[i] = v;\n"
    find(1);
    text_is(FINDING);
    found->items[0].count = 2;
    text_is(FINDING "  2 times in this launch\n");
    result.fault = fault_at(FAULT_trap, 1, NO_INSN, "lane 3 of warp 0 traps");
    text_is(FINDING "  2 times in this launch\n"
                    "trap\nkernel.cu:2: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) traps\n       2 | float v = in[i];\n");
    Text out = {0};
    found->items[0].launches = 1, found->items[0].count = 1;
    faulttext_add_count(&report, &found->items[0], &out);
    ck_assert_str_eq(text_string(&out), "uninitialized, kernel.cu:3, in scale(float*, int): 1 time in 1 launch");
    text_free(&out);
    found->items[0].launches = 2, found->items[0].count = 12345;
    faulttext_add_count(&report, &found->items[0], &out);
    ck_assert_str_eq(text_string(&out), "uninitialized, kernel.cu:3, in scale(float*, int): 12,345 times in 2 launches");
    text_free(&out);
}
END_TEST

/* --- for editors ---------------------------------------------------------------------------------------------------------- */

START_TEST(editors_get_a_line_each)
{
    Text out = {0}, wanted = {0};
    find(3);
    result.fault = fault_at(FAULT_misaligned, 3, NO_INSN, "lane 3 of warp 0 reads");
    strcpy(result.fault.hint, "align it");
    problem_faults(&report, &out);
    text_add(&wanted,
             "exercises/kernel.cu:3:1: error: lane 1 of warp 0 (block (1,2,0), thread (3,0,0)) reads nothing\n"
             "exercises/kernel.cu:2:5: error: lane 3 of warp 0 (block (1,2,0), thread (3,0,0)) reads\n"
             "%s:1:9: note: in this function\nexercises/kernel.cu:2:5: note: align it\n",
             helper);
    ck_assert_str_eq(text_string(&out), text_string(&wanted));
    text_free(&out);
    text_free(&wanted);
    found->count = 0;
    result.fault = fault_at(FAULT_trap, 4, NO_INSN, "it traps");
    problem_faults(&report, &out);
    ck_assert_str_eq(text_string(&out),
                     "exercises/kernel.cu:3:1: error: it traps\n/usr/include/lib.h:5:1: note: in this library's header\n");
    text_free(&out);
    result.fault.pc = NO_INSN;
    problem_faults(&report, &out);
    ck_assert_str_eq(text_string(&out), "exercises/kernel.cu: error: it traps\n");
    text_free(&out);
    report.source_path = NULL;
    problem_faults(&report, &out);
    ck_assert_str_eq(text_string(&out), "scale(float*, int): error: it traps\n");
    text_free(&out);
}
END_TEST

/* 32 sectors where 4 would do in line 2, and what is fine in line 3. */
START_TEST(editors_get_what_lines_waste)
{
    Text out = {0};
    put(1, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 10);
    put(2, 2, strided(SPACE_GLOBAL, ACCESS_STORE, 4, 4, 0, LANES_ALL), 10);
    problem_lines(&report, &out);
    ck_assert_str_eq(
        text_string(&out),
        "exercises/kernel.cu:2:5: warning: global load: 32 sectors a request, 4 would do: lanes are 128 bytes apart\n");
    text_free(&out);
    insn_counters[1].worst.cost = 0; /* nothing was kept */
    problem_lines(&report, &out);
    ck_assert_str_eq(text_string(&out), "");
    insn_counters[1].worst.cost = 32;
    result.fault.kind = FAULT_trap; /* there is something more urgent */
    problem_lines(&report, &out);
    ck_assert_str_eq(text_string(&out), "");
    text_free(&out);
}
END_TEST

SUITE_WITH("faulttext", begin, end, a_thread_is_named_where_the_message_begins_with_it,
           a_barrier_that_lanes_miss_shows_where_they_left, lanes_that_go_round_a_barrier_by_a_return_are_taken_out,
           a_race_shows_both_accesses, addresses_are_named_by_what_they_lie_in, the_array_of_the_message_is_pointed_at,
           a_fault_in_a_called_function_shows_the_call, where_an_instruction_was_written,
           where_ptx_has_no_positions_its_own_lines_count, findings_come_first_with_their_number, editors_get_a_line_each,
           editors_get_what_lines_waste)
