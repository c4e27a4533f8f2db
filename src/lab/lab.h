/* lab.h: what a lab's test suite (tests/labs/NN-slug.c) calls; the functions are in grader.c, case.c, trials.c, suite.c and speed.c. A
 * suite is a complete program: tables of tests and of measured runs, and
 *
 *     static const LabTest tests[] = {{"transpose_tiled", "transposes_every_shape", transposes_every_shape}};
 *     static const LabRun runs[] = {{"tiled", run_tiled}};
 *     int main(int argc, char **argv) {
 *         return lab_main(argc, argv, &(LabSuite){"05-transpose", LAB_TABLE(tests), LAB_TABLE(runs)});
 *     }
 *
 * The program grades one file: it compiles the file (device code only; no line of it ever runs natively), refuses it unless it defines
 * exactly the KERNELs of exercises/NN-slug/lab.goals, runs the tests, each a Check test, then the measured runs of kernels that no
 * test found wrong, scores the goals and prints the result. Each test and run makes cases. A case is one fresh device memory:
 *
 *     LabCase *c = lab_case(lab, "transpose_tiled", "%u x %u floats", rows, cols);
 *     LabBuffer *in = lab_input(c, "in", TYPE_f32, rows * cols);
 *     LabBuffer *out = lab_output(c, "out", TYPE_f32, rows * cols);
 *     lab_i32(c, rows), lab_i32(c, cols);
 *     lab_launch(c, (LabShape){tiles(cols), tiles(rows)}, (LabShape){32, 8}, 0);
 *     lab_expect(c, out, expected, cols, rows);
 *     lab_end(c);
 *
 * A run does the same at its size and then calls lab_measure before lab_end. Whatever goes wrong in a case (a fault, a wrong element, a
 * changed input) ends the running test with a message for the learner: nothing returns an error. Inputs come from the seed, outputs
 * are poisoned and count as uninitialised. Ending a test in the middle frees everything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/program.h"

typedef struct Lab Lab;
typedef struct LabCase LabCase;
typedef struct LabBuffer LabBuffer;

typedef struct LabTest {
    const char *kernel; /* a KERNEL of lab.goals, judged wrong when the test fails */
    const char *name;   /* a fact, a C identifier: "transposes_every_shape" */
    void (*test)(Lab *lab, const char *kernel);
} LabTest;

/* One RUN of lab.goals. The function makes one case, launches, checks the result and calls lab_measure; or calls lab_value only. */
typedef struct LabRun {
    const char *name;
    void (*run)(Lab *lab, const char *kernel); /* kernel: as the RUN line has it; "none" for a run that launches nothing */
} LabRun;

typedef struct LabSuite {
    const char *folder; /* "05-transpose": under exercises/ and solutions/ */
    const LabTest *tests;
    size_t n_tests;
    const LabRun *runs;
    size_t n_runs;
} LabSuite;

#define LAB_TABLE(table) (table), sizeof(table) / sizeof *(table)

/* The suite's main; run it with --help for its options. Without a file it grades exercises/NN-slug/kernel.cu.
 * Exit status: 0 full marks, or the verdict is that of --verdict (see expected.h); 1 less; 2 wrong usage or a mistake of the lab's own
 * (lab.goals, a suite that left something out); 3 the file does not compile or was refused; 4 the grader could not work (no compiler
 * that works, no memory, no time, nowhere to write), which says nothing about the file. */
int lab_main(int argc, char **argv, const LabSuite *suite);

/* --- cases --------------------------------------------------------------------------------------------------------------- */

/* A new case, which the message of a failure names by this text ("33 x 65 floats"). `kernel` is the entry to launch. */
LabCase *lab_case(Lab *lab, const char *kernel, const char *format, ...) __attribute__((format(printf, 3, 4)));
void lab_end(LabCase *c);

/* --- arguments, in the kernel's order ------------------------------------------------------------------------------------ */

/* An input of `count` random elements: floats uniform in [-1, 1), times lab_scale, integers over their whole range; no two cases alike. `name` is how
 * messages call it. The kernel must not change it. */
LabBuffer *lab_input(LabCase *c, const char *name, Type type, uint64_t count);

/* An input with these elements, which are copied. */
LabBuffer *lab_input_data(LabCase *c, const char *name, Type type, uint64_t count, const void *data);

/* An output: poisoned, and reading it before writing is a fault. */
LabBuffer *lab_output(LabCase *c, const char *name, Type type, uint64_t count);

/* What a suite multiplies its floats by: 1 but in one of three shapes that lab_try draws. There it is a large or small power of two, and among the elements of
 * inputs some are 0 and some alike: a kernel that is right for numbers as they are elsewhere is not right. */
double lab_scale(const LabCase *c);

/* A float as an input has them, but none of the smallest, which lose bits in products; from the random bits of this index. */
float lab_float(LabCase *c, uint64_t index);

/* The kernel moves what comes next and does not compute with it: where lab_scale is not 1, floats have any bits. */
void lab_moves(LabCase *c);

/* Initial elements, copied, that the kernel may change. */
LabBuffer *lab_inout(LabCase *c, const char *name, Type type, uint64_t count, const void *data);

/* Before the next buffer is made: it shall begin `elements` elements after an address that is a multiple of 256, behind a guard band that
 * must stay as it is. (Behind their end all buffers are guarded by bounds checks to the byte.) */
void lab_offset(LabCase *c, uint64_t elements);

/* A buffer of this case once more, as a second argument. */
void lab_pass(LabCase *c, LabBuffer *buffer);

void lab_i32(LabCase *c, int32_t value);
void lab_f32(LabCase *c, float value);

/* --- launches ------------------------------------------------------------------------------------------------------------ */

typedef struct LabShape {
    uint32_t x, y, z; /* 0 counts as 1 */
} LabShape;

/* Launches the kernel with the arguments given so far and checks that it did not fault, that inputs are unchanged bit for bit, guard
 * bands untouched, and that nothing was written which was read by ld.global.nc: __ldg, and const with __restrict__, promise that nobody does. May be called again, with the same arguments. */
void lab_launch(LabCase *c, LabShape grid, LabShape block, uint32_t shared_bytes);

/* From now on launches of this case are on the device of this profile ("fermi"), instead of the H200. */
void lab_device(LabCase *c, const char *profile);

/* Whether launches are emulated and so counted; on a real GPU a test can look at results only. */
bool lab_is_counted(const Lab *lab);

/* A count of the case's last launch by its name in lab.goals ("global.load.sectors"; all names: report/metrics.def). 0 where the launch leaves
 * that space alone, and in a test for what L2 reads, DRAM does, and takes time. Only where lab_is_counted. */
double lab_metric(LabCase *c, const char *name);

/* How many pieces of `piece` bytes (a sector, a line) hold any of the `bytes` bytes that lanes touch from each of these places on: what a prediction
 * must be, worked out without any launch. */
uint32_t lab_pieces(const uint32_t *places, uint32_t lanes, uint32_t bytes, uint32_t piece);

/* The wavefronts that a warp's access to these places of shared memory takes, of 1 to 16 bytes a lane, where no two neighbours have the same place. */
uint32_t lab_wavefronts(const uint32_t places[32], uint32_t bytes);

/* Number of blocks of n that cover `count`. */
static inline uint32_t lab_blocks(uint64_t count, uint32_t n) { return (uint32_t)((count + n - 1) / n); }

/* --- looking at buffers -------------------------------------------------------------------------------------------------- */

/* The elements as the kernel left them. */
const void *lab_data(const LabBuffer *buffer);

/* Random bits of this case, for sizes and data of a suite's own. */
uint64_t lab_random(LabCase *c, uint64_t index);

/* A number of this grading, each from `least` to `most` as likely as the others: for shapes. Another one at each call. */
uint32_t lab_draw(Lab *lab, uint32_t least, uint32_t most);

enum { LAB_SIZES = 5 };

typedef struct LabRange {
    uint32_t least, most;
} LabRange;

/* The sizes that a lab allows a shape. The product of the first `area` of them is at most `usual`, which says what a grading costs, but for one
 * trial and for sizes that the kernel itself names: then at most `most`. */
typedef struct LabRanges {
    uint32_t count, area;
    uint64_t usual, most;
    LabRange of[LAB_SIZES];
} LabRanges;

/* Makes one case of a kernel at these sizes. */
typedef void LabTry(Lab *lab, const char *kernel, const uint32_t *sizes);

/* Tries a kernel at sizes from everywhere in the ranges, small ones as often as large ones, at those about the numbers that its own code has, and where
 * what it decides by its sizes is what it has not decided yet (corners.h): a kernel that is right at some sizes alone must ask for them. */
void lab_try(Lab *lab, const char *kernel, const LabRanges *ranges, LabTry *attempt);

/* Memory for expected elements and the like, zeroed; freed with the case, also when the test ends in the middle. */
void *lab_scratch(LabCase *c, uint64_t bytes);

/* Compares a buffer bit for bit with what it should hold, rows x cols elements of its type. The message names the first wrong element
 * (by row and column where rows > 1), what it is, what it should be and, where the pattern of wrong elements tells, the probable
 * cause: never written, row and column swapped, rows 8-31 of each tile never written, the value of another element, …. */
void lab_expect(LabCase *c, LabBuffer *buffer, const void *expected, uint64_t rows, uint64_t cols);

/* The same for floats, each of which may differ by `tolerance` (absolute). NaN and infinity must be where they are expected. */
void lab_expect_near(LabCase *c, LabBuffer *buffer, const void *expected, uint64_t rows, uint64_t cols, double tolerance);

/* Says that the suite has compared this output by itself. */
void lab_compared(LabBuffer *buffer);

/* Ends the test: the learner's answer is wrong in a way that the suite found itself. One sentence, no full stop. */
_Noreturn void lab_wrong(LabCase *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What stands in a suite in place of right numbers that it has in a table, so that nobody reads them there: the numbers' mark under this name. */
uint64_t lab_mark(const char *name, const int32_t *numbers, uint32_t count);

/* --- measured runs ------------------------------------------------------------------------------------------------------- */

/* The side of a measured square: `emulated` on the emulated device; on a real GPU 12800, where a float matrix of 655 MB is many times its
 * L2 cache, or what $LAB_SIDE says for GPUs with little memory. */
uint32_t lab_side(const Lab *lab, uint32_t emulated);

/* The case's last launch is what the goals of this run look at. Any right kernel must load `reads` bytes of global memory and store
 * `writes`: the rules of exercises/rules.goals rest on that, and the run is compared with a copy that moves as many in all
 * (`copy.model.time_us`). 0, 0: nothing of the kind is asked. Call it once in a run, after every output of the launch was compared. */
void lab_measure(LabCase *c, uint64_t reads, uint64_t writes);

/* A metric of the suite's own for goals of the running run, such as the number of right predictions. `name` as lab.goals has it. */
void lab_value(Lab *lab, const char *name, double value);

/* A remark that is shown with the running run's missed goals: one sentence. */
void lab_note(Lab *lab, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A row of the running run's table is still empty: its goal, "right.ROW", says so, and so does the remark. */
void lab_no_prediction(Lab *lab, const char *row);

/* The remark on a table of predictions of which some are wrong: how many of its rows are right, and which are still empty. It says no more, so
 * that guessing does not pay: neither which number of a row is wrong nor whether it is too large. */
void lab_note_predictions(Lab *lab, uint32_t right, uint32_t rows);

/* --- the learner's own choices ------------------------------------------------------------------------------------------- */

/* The learner's file, as it was parsed; lives as long as the lab. */
const Program *lab_program(const Lab *lab);

/* The value of `extern "C" { __constant__ int NAME = …; }` (or __device__) in the learner's file, read out of the PTX. Where there is none,
 * otherwise. A value outside least … most ends the test with a message: it is the learner's mistake. */
int32_t lab_constant(Lab *lab, const char *name, int32_t otherwise, int32_t least, int32_t most);

/* The same of a prediction, which is any number that is written: one that the compiler works out is right nowhere. */
int32_t lab_prediction(Lab *lab, const char *name, int32_t otherwise);

/* The same where only these values may stand there, in rising order. */
int32_t lab_constant_of(Lab *lab, const char *name, int32_t otherwise, const int32_t *values, uint32_t count);

/* A number of the variant of the exercise that the file is (lab/variants.h): a VARY of lab.goals by its name. */
int32_t lab_number(const Lab *lab, const char *name);

/* Predictions: the elements of `extern "C" { __constant__ int NAME[count] = {…}; }`. Ends the test with a message where there is no such array of just
 * this size. */
void lab_predictions(Lab *lab, const char *name, int32_t *values, uint32_t count);
