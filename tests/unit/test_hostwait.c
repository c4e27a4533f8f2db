/* Kernels that wait for what the host sets in memory that both have, as the machine asks for it. */
#include "device/device.h"
#include "parsed.h"

#define POLLS                                                                    \
    "again: ld.volatile.global.u32 r, [f]; setp.eq.u32 p, r, 0; @p bra again;\n" \
    "st.global.u32 [o], r; ret; }\n"
/* Gives up after 3000 looks. */
#define COUNTS                                                                                   \
    "mov.u32 n, 0;\n"                                                                            \
    "again: ld.volatile.global.u32 r, [f]; add.u32 n, n, 1; setp.ne.u32 p, r, 0; @p bra done;\n" \
    "setp.lt.u32 p, n, 3000; @p bra again;\n"                                                    \
    "done: st.global.u32 [o], n; ret; }\n"
/* Has looked at what the host may set, but polls what it may not, and between two looks runs so many instructions that the host would go on beside it. */
#define LOOKED                                                               \
    "ld.volatile.global.u32 r, [f];\n"                                       \
    "again: ld.volatile.global.u32 r, [o]; mov.u32 n, 0;\n"                  \
    "between: add.u32 n, n, 1; setp.lt.u32 p, n, 2000000; @p bra between;\n" \
    "setp.eq.u32 p, r, 0; @p bra again; ret; }\n"

/* The flag first, and then the kernel's second buffer, which the host does not have. */
#define POLLS_BOTH                                                                           \
    "again: ld.volatile.global.u32 r, [f]; ld.volatile.global.u32 n, [o]; or.b32 r, r, n;\n" \
    "setp.eq.u32 p, r, 0; @p bra again;\n"                                                   \
    "st.global.u32 [o], r; ret; }\n"

typedef struct Asked {
    uint32_t *flag; /* that it sets, once it is asked; NULL: it never will */
    unsigned times, counted, of_launch;
    bool changed_before, changed_after;
    bool ends;          /* the launch, when it is asked */
    bool frees;         /* the flag, likewise */
    Memory *memory;     /* of the launch */
    const char *beside; /* another launch that waits; NULL: there is none */
} Asked;

static AwaitedEnd ask(void *self, const Awaited *awaited) {
    Asked *asked = self;
    asked->times++;
    asked->counted += awaited->counted;
    asked->of_launch += awaited->of_launch;
    asked->changed_before = awaited->changed(awaited->of);
    if (asked->ends) return AWAITED_NO_MORE;
    if (asked->flag) *asked->flag = 7;
    if (asked->frees) memory_retire(asked->memory, memory_at(asked->memory, 0));
    asked->changed_after = awaited->changed(awaited->of);
    return asked->flag || asked->frees ? AWAITED_MAY_BE : AWAITED_NEVER;
}

static const char *other(void *self) { return ((const Asked *)self)->beside; }

typedef struct Waited {
    uint32_t out, requests;
    FaultKind fault;
    char message[400];
} Waited;

/* One thread; the host can be asked where asked is not NULL, and sets the flag where `sets`. */
static Waited wait_in(const char *body, bool shared, Asked *asked, bool sets) {
    Program *program = parsed_of(".version 7.0\n.target sm_80\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 flag, .param .u64 out) {\n"
                                 ".reg .b64 f, o; .reg .b32 r, n; .reg .pred p;\n"
                                 "ld.param.u64 f, [flag]; ld.param.u64 o, [out];\n%s",
                                 body);
    Memory *memory = memory_new();
    Allocation *flag = shared ? memory_allocate_unified(memory, 4, "flag") : memory_allocate(memory, 4, "flag", false);
    Allocation *out = memory_allocate(memory, 4, "out", false);
    flag->initialized = true;
    const uint64_t params[] = {flag->address, out->address};
    if (asked && sets) asked->flag = (uint32_t *)(void *)flag->host;
    if (asked) {
        asked->memory = memory;
        memory_keep(memory);
        ck_assert(!asked->frees || memory_at(memory, 0) == flag);
    }
    const HostBeside host = {asked, ask, other};
    Diag diag = {0};
    const LaunchRequest request = {.launch = {.kernel = prepared(program, "k"),
                                              .grid = {1, 1, 1},
                                              .block = {1, 1, 1},
                                              .memory = memory,
                                              .params = (const uint8_t *)params,
                                              .host = asked ? &host : NULL},
                                   .profile = profile_find("h200", &diag),
                                   .l1 = true};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    Waited waited = {.fault = result.fault.kind, .requests = (uint32_t)result.counters->global[COUNTER_LOAD].requests};
    memcpy(&waited.out, out->host, sizeof waited.out);
    snprintf(waited.message, sizeof waited.message, "%s", result.fault.message);
    device_result_free(&result);
    if (asked) memory_keep_no_more(memory);
    memory_free(memory);
    program_free(program);
    return waited;
}

START_TEST(a_kernel_goes_on_when_the_host_has_set_what_it_polls)
{
    Asked asked = {0};
    const Waited waited = wait_in(POLLS, true, &asked, true);
    ck_assert_int_eq(waited.fault, FAULT_none);
    ck_assert_uint_eq(waited.out, 7);
    ck_assert_uint_eq(asked.times, 1);
    ck_assert_uint_eq(asked.counted, 0);
    ck_assert(!asked.changed_before && asked.changed_after);
    ck_assert_uint_eq(waited.requests, 3); /* two that found nothing new (spin.h), and one that did */
}
END_TEST

START_TEST(a_host_that_never_sets_it_is_a_deadlock)
{
    Asked asked = {0};
    const Waited waited = wait_in(POLLS, true, &asked, false);
    ck_assert_int_eq(waited.fault, FAULT_deadlock);
    ck_assert_ptr_nonnull(
        strstr(waited.message, "waits for 'flag'+0 to change, which the host may set; but the host waits for the launch"));
    ck_assert_uint_eq(asked.times, 1);
}
END_TEST

START_TEST(a_host_that_stands_still_is_not_asked)
{
    const Waited waited = wait_in(POLLS, true, NULL, false);
    ck_assert_int_eq(waited.fault, FAULT_deadlock);
    ck_assert_ptr_nonnull(strstr(waited.message, "and no other thread can go on"));
}
END_TEST

START_TEST(memory_of_the_device_alone_is_not_the_hosts_to_set)
{
    Asked asked = {0};
    const Waited waited = wait_in(POLLS, false, &asked, true);
    ck_assert_int_eq(waited.fault, FAULT_deadlock);
    ck_assert_ptr_nonnull(strstr(waited.message, "and no other thread can go on"));
    ck_assert_uint_eq(asked.times, 0);
}
END_TEST

START_TEST(a_kernel_that_counts_its_looks_lets_the_host_go_on_and_may_give_up)
{
    Asked asked = {0};
    Waited waited = wait_in(COUNTS, true, &asked, false);
    ck_assert_int_eq(waited.fault, FAULT_none);
    ck_assert_uint_eq(waited.out, 3000);
    ck_assert_uint_eq(asked.times, 1); /* there was no hope */
    ck_assert_uint_eq(asked.counted, 1);
    asked = (Asked){0};
    waited = wait_in(COUNTS, true, &asked, true);
    ck_assert_int_eq(waited.fault, FAULT_none);
    ck_assert_uint_lt(waited.out, 3000);
    ck_assert_uint_eq(asked.times, 1);
}
END_TEST

/* So many instructions are run only before the look after which nothing goes on. */
START_TEST(a_host_does_not_go_on_beside_a_launch_that_has_failed)
{
    Asked asked = {0};
    const Waited waited = wait_in(LOOKED, true, &asked, false);
    ck_assert_int_eq(waited.fault, FAULT_deadlock);
    ck_assert_uint_eq(asked.times, 0);
}
END_TEST

START_TEST(the_variable_that_the_host_has_is_named_whichever_was_read_last)
{
    Asked asked = {0};
    const Waited waited = wait_in(POLLS_BOTH, true, &asked, false);
    ck_assert_int_eq(waited.fault, FAULT_deadlock);
    ck_assert_ptr_nonnull(strstr(waited.message, "waits for 'flag'+0 to change, which the host may set"));
}
END_TEST

START_TEST(a_launch_that_is_to_end_has_no_fault_of_its_own)
{
    Asked asked = {.ends = true};
    const Waited waited = wait_in(POLLS, true, &asked, false);
    ck_assert_int_eq(waited.fault, FAULT_none);
    ck_assert_uint_eq(waited.out, 0);
    ck_assert_uint_eq(asked.times, 1);
}
END_TEST

START_TEST(what_is_freed_while_a_kernel_polls_it_is_not_looked_at_and_is_its_fault)
{
    Asked asked = {.frees = true};
    const Waited waited = wait_in(POLLS, true, &asked, false);
    ck_assert(!asked.changed_before && asked.changed_after);
    ck_assert_int_eq(waited.fault, FAULT_out_of_bounds);
    ck_assert_ptr_nonnull(strstr(waited.message, "which has been freed"));
    ck_assert_uint_eq(waited.out, 0);
}
END_TEST

START_TEST(beside_another_launch_that_waits_a_kernel_waits_for_what_that_may_set)
{
    Asked asked = {.beside = "_Z5relayPViS0_"};
    Waited waited = wait_in(POLLS, false, &asked, true);
    ck_assert_int_eq(waited.fault, FAULT_none);
    ck_assert_uint_eq(waited.out, 7);
    ck_assert_uint_eq(asked.times, 1);
    ck_assert_uint_eq(asked.of_launch, 1);
    asked = (Asked){.beside = "_Z5relayPViS0_"};
    waited = wait_in(POLLS, false, &asked, false);
    ck_assert_int_eq(waited.fault, FAULT_deadlock);
    ck_assert_ptr_nonnull(
        strstr(waited.message,
               "waits for 'flag'+0 to change, and relay(int volatile*, int volatile*), which runs beside it, waits too"));
}
END_TEST

SUITE("host wait", a_kernel_goes_on_when_the_host_has_set_what_it_polls, a_host_that_never_sets_it_is_a_deadlock,
      a_host_that_stands_still_is_not_asked, memory_of_the_device_alone_is_not_the_hosts_to_set,
      a_kernel_that_counts_its_looks_lets_the_host_go_on_and_may_give_up,
      the_variable_that_the_host_has_is_named_whichever_was_read_last, a_launch_that_is_to_end_has_no_fault_of_its_own,
      what_is_freed_while_a_kernel_polls_it_is_not_looked_at_and_is_its_fault,
      beside_another_launch_that_waits_a_kernel_waits_for_what_that_may_set,
      a_host_does_not_go_on_beside_a_launch_that_has_failed)
