/* What kernels decide by their sizes (lab/conditions.h), and shapes that are worth a trial (lab/corners.h): by hand from the text of the kernels. */
#include <string.h>

#include "lab/conditions.h"
#include "lab/corners.h"
#include "parsed.h"

#define HEAD                                                                                                          \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 rows, .param .u32 " \
    "cols)\n{\n"                                                                                                      \
    ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"                                                          \
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [rows]; ld.param.u32 %r2, [cols];\n"

static Program *parse(const char *body) { return parsed_of("%s%s\nret;\n}\n", HEAD, body); }

enum { ROWS = GIVEN_SPECIALS + 1, COLS };

/* rows 0, 1, 2, …, cols 100 by thread; %tid.x is the thread, %ntid.x 32: the conditions' bits, one after the other, "t" behind those of a thread, and
 * the threads in which they are known where these are not all. */
static void conditions_are(const char *body, const char *expected) {
    Program *program = parse(body);
    bool known[GIVEN_MOST] = {[SPECIAL_tid_x] = true, [SPECIAL_ntid_x] = true, [ROWS] = true, [COLS] = true};
    GivenThreads given = {0};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        given.of[SPECIAL_tid_x][lane] = given.of[ROWS][lane] = lane;
        given.of[SPECIAL_ntid_x][lane] = WARP_LANES, given.of[COLS][lane] = 100;
    }
    Conditions *conditions = conditions_new(program, program->functions, known);
    uint32_t bits[CONDITIONS_MOST], sure[CONDITIONS_MOST];
    char got[400] = "";
    conditions_at(conditions, &given, bits, sure);
    for (uint32_t i = 0; i < conditions_count(conditions); i++) {
        sprintf(got + strlen(got), "%s%x%s", i ? " " : "", bits[i], conditions_is_uniform(conditions, i) ? "" : "t");
        if (sure[i] != UINT32_MAX) sprintf(got + strlen(got), "/%x", sure[i]);
    }
    ck_assert_msg(strcmp(got, expected) == 0, "%s\n  expected %s\n  got      %s", body, expected, got);
    conditions_free(conditions);
    program_free(program);
}

START_TEST(a_comparison_of_sizes_is_worked_out)
{
    conditions_are("setp.lt.u32 %p1, %r1, 4;", "f"); /* rows 0 to 3 */
    conditions_are("setp.gt.s32 %p1, %r2, %r1; setp.eq.u32 %p2, %r1, 5;", "ffffffff 20");
    conditions_are("rem.u32 %r3, %r1, 8; setp.eq.u32 %p1, %r3, 1;", "2020202");              /* 1, 9, 17, 25 */
    conditions_are("mul.wide.u32 %rd2, %r1, %r2; setp.ge.u64 %p1, %rd2, 3000;", "c0000000"); /* 30 and 31 times 100 */
    conditions_are("mov.u32 %r3, %ntid.x; setp.ne.u32 %p1, %r3, %r1;", "ffffffff");
}
END_TEST

START_TEST(conditions_are_joined_as_the_code_joins_them)
{
    conditions_are("setp.gt.u32 %p1, %r1, 3; setp.lt.u32 %p2, %r1, 6; and.pred %p3, %p1, %p2;", "fffffff0 3f 30");
    conditions_are("setp.gt.u32 %p1, %r1, 3; setp.lt.and.u32 %p2, %r1, 6, %p1;", "fffffff0 30");
    conditions_are("setp.gt.u32 %p1, %r1, 3; setp.lt.and.u32 %p2|%p3, %r1, 6, %p1;", "fffffff0 30 ffffffc0");
    conditions_are("setp.gt.u32 %p1, %r1, 3; setp.lt.or.u32 %p2, %r1, 2, !%p1;", "fffffff0 f");
    conditions_are("setp.gt.u32 %p1, %r1, 3; selp.u32 %r3, 7, 9, %p1; setp.eq.u32 %p2, %r3, 9;", "fffffff0 f");
}
END_TEST

START_TEST(what_comes_of_a_thread_is_told)
{
    conditions_are("mov.u32 %r3, %tid.x; setp.lt.u32 %p1, %r3, 2; setp.eq.u32 %p2, %r1, 0;", "3t 1");
    conditions_are("mov.u32 %r3, %tid.x; add.u32 %r4, %r3, %r1; setp.eq.u32 %p1, %r4, 6;", "8t"); /* twice 3 */
}
END_TEST

START_TEST(what_is_not_given_is_no_condition)
{
    conditions_are("", "");
    conditions_are("ld.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 1;", "");
    conditions_are("mov.u32 %r3, %ctaid.x; setp.eq.u32 %p1, %r3, 1;", "");    /* not known here */
    conditions_are("ld.param.u16 %r3, [rows]; setp.eq.u32 %p1, %r3, 1;", ""); /* a part of one */
    conditions_are("ld.param.u8 %r3, [rows+1]; setp.eq.u32 %p1, %r3, 1;", "");
    conditions_are("ld.param.u64 %rd2, [in]; setp.eq.u64 %p1, %rd2, 1;", "");
    conditions_are("mov.u32 %r3, %clock; setp.eq.u32 %p1, %r3, 1;", "");
    conditions_are("mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra L;", ""); /* a loop's */
}
END_TEST

START_TEST(tables_of_the_file_are_read)
{
    static const char table[] =
        ".const .align 4 .b8 odd[40] = {0, 0, 0, 7, 0, 255}; .global .align 4 .s32 fours[3] = {4, -5, 6};\n"
        ".global .u64 leads[2] = {fours, 7};\n";
    Program *program = parsed_of(
        ".version 8.0\n.target sm_80\n.address_size 64\n%s.visible .entry k(.param .u32 rows)\n{\n.reg .pred %%p<9>; .reg .b32 "
        "%%r<9>; .reg .b64 %%rd<9>;\nld.param.u32 %%r1, [rows]; cvt.u64.u32 %%rd1, %%r1; mov.u64 %%rd2, odd; add.u64 %%rd3, "
        "%%rd2, "
        "%%rd1; ld.const.u8 %%r2, [%%rd3]; setp.ne.u32 %%p1, %%r2, 0; ld.const.s8 %%r3, [%%rd3+1]; setp.lt.s32 %%p2, %%r3, 0; "
        "ld.global.s32 %%r4, [fours+4]; setp.eq.s32 %%p3, %%r4, -5; ld.global.u64 %%rd4, [leads]; setp.eq.u64 %%p4, %%rd4, 0; "
        "ret;\n}\n",
        table);
    const bool known[GIVEN_MOST] = {[GIVEN_SPECIALS] = true};
    GivenThreads given = {0};
    uint32_t bits[CONDITIONS_MOST], sure[CONDITIONS_MOST];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) given.of[GIVEN_SPECIALS][lane] = 2 * lane + (lane < 8 ? lane : 0);
    Conditions *conditions = conditions_new(program, program->functions, known);
    conditions_at(conditions, &given, bits, sure);
    ck_assert_uint_eq(conditions_count(conditions), 4);
    ck_assert_uint_eq(sure[3], 0); /* where fours will stand is not known */
    /* places 0, 3, 6, …, 21, then 16, 18, …, 62, of which the last are behind the end */
    ck_assert_uint_eq(bits[0], 1u << 1);
    ck_assert_uint_eq(bits[1], 0);
    ck_assert_uint_eq(bits[2], UINT32_MAX);
    given.of[GIVEN_SPECIALS][9] = 4;
    conditions_at(conditions, &given, bits, sure);
    ck_assert_uint_eq(bits[1], 1u << 9); /* odd[5], with its sign */
    conditions_free(conditions);
    program_free(program);
}
END_TEST

#define COUNT_BITS                                                                                                         \
    "mov.u32 %r3, 0; mov.u32 %r4, %r1; L: setp.eq.u32 %p1, %r4, 0; @%p1 bra M; add.u32 %r3, %r3, 1; sub.u32 %r5, %r4, 1; " \
    "and.b32 %r4, %r4, %r5; bra L; M: "

START_TEST(what_comes_of_a_loop_is_found_by_following_threads)
{
    conditions_are(COUNT_BITS "setp.eq.u32 %p2, %r3, 4;", "68808000"); /* 15, 23, 27, 29 and 30 have four bits */
    conditions_are(COUNT_BITS "setp.ne.u32 %p2, %r3, 4; @%p2 bra E; setp.gt.u32 %p3, %r1, 27; E:",
                   "f0000000 977f7fff");                                                                   /* both */
    conditions_are(COUNT_BITS "mov.u32 %r6, %tid.x; add.u32 %r6, %r6, %r3; setp.eq.u32 %p2, %r6, 4;", ""); /* a thread's own */
    conditions_are("mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra L; setp.eq.u32 %p2, %r3, %r1;",
                   "0/0"); /* it takes too long */
    conditions_are("mov.u32 %r3, 0; ld.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r4, 0; @%p1 bra M; mov.u32 %r3, 1; M: "
                   "setp.eq.u32 %p2, %r3, 1;",
                   "0/0"); /* nobody knows the way */
    conditions_are("setp.eq.u32 %p1, %r1, 1; @%p1 mov.u32 %r3, 1; setp.eq.u32 %p2, %r3, 1;", "2 2/2"); /* guarded */
    conditions_are("mov.u64 %rd2, 0; setp.gt.u32 %p1, %r1, 29; @%p1 mov.u64 %rd2, 5; @!%p1 ret; setp.eq.u64 %p2, %rd2, 5;",
                   "c0000000 c0000000/c0000000");
}
END_TEST

/* --- corners --------------------------------------------------------------------------------------------------------------- */

/* rows and cols of 16-thread blocks: what a suite launches for these sizes, as corners.c is told of it. */
typedef struct Tried {
    Program *program;
    Lab lab;
    LabCase c;
    uint8_t params[16];
    Corners *corners;
} Tried;

static void begin(Tried *tried, const char *body) {
    *tried = (Tried){.program = parse(body)};
    tried->lab.source.program = tried->program;
    tried->c.request.launch.kernel = kernel_prepare(tried->program, tried->program->functions);
    tried->c.params = tried->params;
    tried->corners = corners_new(&tried->lab, "k", 2);
}

static void end(Tried *tried) {
    corners_free(tried->corners);
    program_free(tried->program);
}

/* Launched with other sizes than were tried. */
static void launch_as(Tried *tried, uint32_t tried_rows, uint32_t rows, uint32_t cols) {
    corners_try(tried->corners, (const uint32_t[LAB_SIZES]){tried_rows, cols});
    memcpy(&tried->params[8], (uint32_t[]){rows, cols}, 2 * sizeof(uint32_t));
    memcpy(tried->c.request.launch.block, (uint32_t[]){16, 1, 1}, sizeof tried->c.request.launch.block);
    memcpy(tried->c.request.launch.grid, (uint32_t[]){(cols + 15) / 16, rows, 1}, sizeof tried->c.request.launch.grid);
    corners_launched(tried->corners, &tried->c);
}

static void launch(Tried *tried, uint32_t rows, uint32_t cols) { launch_as(tried, rows, rows, cols); }

/* All shapes of the warp are (3, 40) but for the fifth. */
static uint32_t find(Tried *tried, uint32_t rows, uint32_t cols) {
    uint32_t sizes[WARP_LANES][LAB_SIZES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) memcpy(sizes[lane], (uint32_t[LAB_SIZES]){3, 40}, sizeof sizes[lane]);
    sizes[5][0] = rows, sizes[5][1] = cols;
    return corners_find(tried->corners, sizes);
}

static void launch_some(Tried *tried) {
    static const uint32_t shapes[][2] = {{3, 40}, {7, 16}, {400, 2}, {2, 1000}, {5, 33}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) launch(tried, shapes[i][0], shapes[i][1]);
}

START_TEST(a_shape_is_found_that_decides_anew)
{
    Tried tried;
    begin(&tried, "setp.gt.u32 %p1, %r1, 300; setp.gt.u32 %p2, %r2, 900; and.pred %p3, %p1, %p2; @%p3 bra L; L:");
    launch_some(&tried);
    ck_assert(corners_known(tried.corners));
    ck_assert_uint_eq(find(&tried, 300, 1000), 0); /* as (2, 1000) */
    ck_assert_uint_eq(find(&tried, 301, 901), 1 << 5);
    ck_assert_uint_eq(find(&tried, 301, 901), 0); /* it was asked for, */
    corners_again(tried.corners);
    ck_assert_uint_eq(find(&tried, 500, 1000), 1 << 5); /* and never came */
    launch(&tried, 500, 1000);
    corners_again(tried.corners);
    ck_assert_uint_eq(find(&tried, 301, 901), 0);
    end(&tried);
}
END_TEST

START_TEST(conditions_that_stand_apart_are_looked_at_together)
{
    Tried tried;
    begin(&tried, "setp.gt.u32 %p1, %r1, 300; @%p1 bra L; ret; L: setp.gt.u32 %p2, %r2, 900; @%p2 bra M; M:");
    launch_some(&tried);
    ck_assert(corners_known(tried.corners));
    ck_assert_uint_eq(find(&tried, 301, 901), 1 << 5);
    end(&tried);
}
END_TEST

START_TEST(a_grid_is_known_where_it_follows_from_the_sizes)
{
    Tried tried;
    begin(&tried, "mov.u32 %r3, %nctaid.x; setp.eq.u32 %p1, %r3, 20;");
    launch_some(&tried);
    ck_assert(corners_known(tried.corners));
    ck_assert_uint_eq(find(&tried, 1, 304), 0);
    ck_assert_uint_eq(find(&tried, 1, 305), 1 << 5); /* of 16 threads a block: 20 blocks */
    end(&tried);
    /* by no rule of this kind */
    begin(&tried, "setp.eq.u32 %p1, %r1, 20;");
    launch_as(&tried, 1, 7, 1), launch_as(&tried, 2, 1000, 1), launch_as(&tried, 3, 3, 1);
    ck_assert(!corners_known(tried.corners));
    end(&tried);
}
END_TEST

START_TEST(a_size_that_some_launches_make_smaller_is_known_all_the_same)
{
    Tried tried;
    begin(&tried, "setp.eq.u32 %p1, %r1, 20;");
    launch_some(&tried);
    launch_as(&tried, 1000, 8, 4);
    ck_assert(corners_known(tried.corners));
    ck_assert_uint_eq(find(&tried, 20, 4), 1 << 5);
    end(&tried);
}
END_TEST

SUITE("conditions", a_comparison_of_sizes_is_worked_out, conditions_are_joined_as_the_code_joins_them,
      what_comes_of_a_thread_is_told, what_is_not_given_is_no_condition, tables_of_the_file_are_read,
      what_comes_of_a_loop_is_found_by_following_threads, a_shape_is_found_that_decides_anew,
      conditions_that_stand_apart_are_looked_at_together, a_grid_is_known_where_it_follows_from_the_sizes,
      a_size_that_some_launches_make_smaller_is_known_all_the_same)
