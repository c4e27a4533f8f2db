/* cmd_lab_learn.c: warpscope lab hint, variant, reset and run: what a learner uses besides the grader. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command/cmd_lab.h"
#include "cuda/folder.h"
#include "cuda/options.h"
#include "device/gpu.h"
#include "host/replace.h"
#include "lab/markdown.h"
#include "lab/variants.h"

/* --- hint ----------------------------------------------------------------------------------------------------------------- */

int cmd_lab_hint(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *lab = cmd_lab_chosen(tree, words, diag);
    if (!lab) return EXIT_USAGE;
    const char *number = lab->goals->number;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "exercises/%s/hints.md", lab->folder);
    FREED char *hints = cmd_lab_read(path, diag);
    if (!hints) return EXIT_USAGE;
    unsigned all = markdown_sections(hints), level = progress_of(&tree->progress, number).hints + 1;
    if (level > all) level = all;
    Diag unwritten = {0};
    if (!progress_hinted(tree->progress_path, number, level, &unwritten)) print_diag(&unwritten);
    LOCAL_TEXT text = {0};
    markdown_section(hints, level, &text);
    printf("Lab %s %s, hint %u of %u\n%s\n", number, lab->goals->title, level, all, text_string(&text));
    if (level == all)
        printf("That was the last hint. All of them: %s\n", path);
    else
        printf("The next one: make hint LAB=%s\n", number);
    return EXIT_FINE;
}

/* --- reset ---------------------------------------------------------------------------------------------------------------- */

static bool says_yes(void) {
    char answer[16] = "";
    fflush(stdout);
    if (!fgets(answer, sizeof answer, stdin)) answer[0] = 0;
    answer[strcspn(answer, "\n")] = 0;
    return strcmp(answer, "y") == 0 || strcmp(answer, "Y") == 0 || strcmp(answer, "yes") == 0;
}

static bool is_agreed(const LabTree *tree, const CatalogueEntry *lab, const char *path, const char *copy) {
    LabMark mark = progress_of(&tree->progress, lab->goals->number);
    printf("Begin lab %s anew?\n", lab->goals->number);
    if (*copy) printf("  %s is put back as it was given;\n  yours is kept as %s\n", path, copy);
    if (mark.best > 0 || mark.hints)
        printf("  its %g points and %u hint%s seen are forgotten;\n  the page of make progress still has them\n", mark.best,
               mark.hints, mark.hints == 1 ? "" : "s");
    printf("[y/N] ");
    return says_yes();
}

static void forget(LabTree *tree, const CatalogueEntry *lab, Diag *diag) {
    HistoryEntry entry = {.time = time(NULL), .is_reset = true};
    snprintf(entry.number, sizeof entry.number, "%s", lab->goals->number);
    if (!progress_of(&tree->progress, lab->goals->number).is_graded && !progress_of(&tree->progress, lab->goals->number).hints)
        return;
    if (progress_reset(tree->progress_path, lab->goals->number, diag)) cmd_lab_add_history(tree, &entry);
}

/* A file of the learner's that is not the one it will be replaced by is kept under a name that is free: *copy, "" where there is none. */
static void choose_copy(const char *path, bool keeps, char *copy, size_t size) {
    struct stat status;
    copy[0] = 0;
    for (int i = 1; keeps && (i == 1 || lstat(copy, &status) == 0); i++) snprintf(copy, size, "%s.%d", path, i);
}

/* The file as it is now, under another name than was chosen where something has that: the question took its time. */
static bool keep_copy(const char *path, char *copy, size_t size, const char *text, size_t length, Diag *diag) {
    FREED char *now = text_read_file(path, KERNEL_BYTES, &length);
    if (now) text = now;
    while (!file_keep(copy, path, text, length)) {
        if (errno != EEXIST) return diag_error(diag, copy, 0, 0, "cannot be written: %s", text_file_problem(errno));
        choose_copy(path, true, copy, size);
    }
    return true;
}

/* The untouched exercises lie beside those that are edited, and the variant stays. What is gone is put back without a question. */
int cmd_lab_reset(LabTree *tree, const LabWords *words, Diag *diag) {
    if (!words->lab) return diag_say(diag, "which one? make reset LAB=05"), EXIT_USAGE;
    const CatalogueEntry *lab = catalogue_find(&tree->catalogue, words->lab, diag);
    if (!lab) return EXIT_USAGE;
    char copy[PATH_MAX + 16] = "";
    const char *path = lab->kernel;
    size_t mine_length = 0;
    FREED char *mine = text_read_file(path, KERNEL_BYTES, &mine_length), *untouched = cmd_lab_untouched(lab, mine, diag);
    LabMark mark = progress_of(&tree->progress, lab->goals->number);
    bool same = untouched && mine && strcmp(untouched, mine) == 0;
    int status = EXIT_USAGE;
    choose_copy(path, mine && !same, copy, sizeof copy);
    if (same && !(mark.best > 0) && !mark.hints) {
        printf("%s is untouched\n", path);
        status = EXIT_FINE;
    } else if (untouched && mine && !words->yes && !is_agreed(tree, lab, path, copy)) {
        puts("nothing was changed");
        status = EXIT_FAULT;
    } else if (untouched && (!*copy || keep_copy(path, copy, sizeof copy, mine, mine_length, diag)) &&
               file_replace(path, untouched, strlen(untouched), diag)) {
        forget(tree, lab, diag);
        printf("%s is as it was given%s%s\n", path, *copy ? "; yours is now " : "", copy);
        status = diag->set ? EXIT_USAGE : EXIT_FINE;
    }
    return status;
}

/* --- variant -------------------------------------------------------------------------------------------------------------- */

/* False with a message, where the exercise stays as it is. */
static bool write_variant(const CatalogueEntry *lab, uint32_t variant, Diag *diag) {
    LOCAL_TEXT varied = {0};
    FREED char *mine = cmd_lab_read(lab->kernel, diag);
    bool good =
        mine && variant_write(lab->goals, mine, lab->kernel, variant, &varied, diag) &&
        (strcmp(text_string(&varied), mine) == 0 || file_replace(lab->kernel, text_string(&varied), varied.length, diag));
    if (good) printf("%s has the numbers of variant %u\n", lab->kernel, variant);
    return good;
}

int cmd_lab_variants(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *chosen = words->lab ? catalogue_find(&tree->catalogue, words->lab, diag) : NULL;
    bool named = words->learner && *words->learner && words->course && *words->course;
    int status = EXIT_FINE;
    if (words->lab && !chosen) return EXIT_USAGE;
    if (named == words->has_variant) {
        diag_say(diag, "whose numbers? Your name as your teacher has it and the word of the course, or a number");
        diag_hint(diag, "make variant LEARNER=anna COURSE=word, or make variant VARIANT=123456");
        return EXIT_USAGE;
    }
    uint32_t variant = named ? variant_of(words->course, words->learner) : words->variant;
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        Diag why = {0};
        if (chosen && lab != chosen) continue;
        if (!lab->goals->n_varied) {
            printf("lab %s is the same for everybody\n", lab->goals->number);
        } else if (!write_variant(lab, variant, &why)) {
            print_diag(&why);
            status = EXIT_FAULT;
        }
    }
    return status;
}

/* --- run ------------------------------------------------------------------------------------------------------------------ */

enum { SIZES = 8, ARGUMENTS = 64 };

/* Sizes that the emulated device is quick at, for the names that stand in brackets behind ./main at the head of main.cu. Those that the
 * program takes by itself are meant for a GPU. */
static size_t small_sizes(const char *main_text, const char **sizes) {
    static const struct {
        const char *name, *size;
    } known[] = {{"ELEMENTS", "4194304"},
                 {"STRUCTURES", "65536"},
                 {"ROWS", "1024"},
                 {"COLS", "1024"},
                 {"M", "128"},
                 {"N", "128"},
                 {"K", "128"}};
    const char *at = strstr(main_text, "./main [");
    size_t count = 0;
    if (!at) return 0;
    at += strlen("./main [");
    while (count < SIZES && *at && *at != ']' && *at != '\n') {
        size_t length = strcspn(at, " ]\n");
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strlen(known[i].name) == length && strncmp(at, known[i].name, length) == 0) sizes[count++] = known[i].size;
        at += length + (at[length] == ' ');
    }
    return count;
}

/* needed: as goals_arch has it. */
static bool gpu_serves(const GpuInfo *info, unsigned needed, Diag *diag) {
    if (needed <= (unsigned)(10 * info->compute_major + info->compute_minor)) return true;
    diag_say(diag, "this lab needs compute capability %u.%u or higher; the %s has %d.%d", needed / 10, needed % 10, info->name,
             info->compute_major, info->compute_minor);
    return diag_hint(diag, "leave out DEVICE=gpu: the emulated device has what it needs");
}

/* Built by nvcc and run as it is. */
static int run_on_gpu(const CatalogueEntry *lab, const char *main_path, char **arguments, Diag *diag) {
    char nvcc[PATH_MAX], name[64], program[PATH_MAX];
    GpuInfo info;
    LOCAL_TEXT folder = {0};
    if (!compile_find(COMPILER_NVCC, nvcc, sizeof nvcc, name, sizeof name)) {
        diag_say(diag, "make run DEVICE=gpu needs nvcc: ./setup --cuda gets it, with no root");
        return EXIT_USAGE;
    }
    Gpu *gpu = gpu_new();
    bool found = gpu_probe(gpu, &info, diag);
    gpu_free(gpu);
    if (found) found = gpu_serves(&info, goals_arch(lab->goals), diag);
    if (!found || !folder_make(&folder, diag)) return EXIT_USAGE;
    snprintf(program, sizeof program, "%s/main", text_string(&folder));
    const char *compile[] = {nvcc, "-O3", "-arch=native", main_path, "-o", program, NULL};
    const char *run[ARGUMENTS + 2] = {program};
    for (size_t i = 0; i < ARGUMENTS && arguments && arguments[i]; i++) run[i + 1] = arguments[i];
    int status = cmd_lab_child(compile, OUTPUT_SHOWN, NULL);
    if (status == EXIT_FINE)
        status = cmd_lab_child(run, OUTPUT_SHOWN, NULL);
    else if (status < 128)
        status = EXIT_SOURCE;
    folder_remove(text_string(&folder));
    return status;
}

static int run_emulated(const LabTree *tree, const CatalogueEntry *lab, const char *main_path, const LabWords *given,
                        Diag *diag) {
    const unsigned needed = goals_arch(lab->goals);
    LOCAL_TEXT arch = text_from("-arch=sm_%u", needed ? needed : ARCH_OF_KERNELS);
    const char *argv[ARGUMENTS + 7] = {tree->program, text_string(&arch), main_path, "--"}, **words = argv + 4;
    char **arguments = given->rest;
    if (given->cc) {
        argv[2] = "--cc", argv[3] = given->cc, argv[4] = main_path, argv[5] = "--";
        words = argv + 6;
    }
    size_t count = 0;
    FREED char *text = cmd_lab_read(main_path, diag);
    if (!text) return EXIT_USAGE;
    if (!arguments || !*arguments) count = small_sizes(text, words);
    for (size_t i = 0; arguments && arguments[i] && count < ARGUMENTS; i++) words[count++] = arguments[i];
    LOCAL_TEXT sizes = {0};
    for (size_t i = 0; i < count; i++) text_add(&sizes, " %s", words[i]);
    printf("%s%s: on the emulated device, times are modelled\n", main_path, text_string(&sizes));
    printf("(other sizes: make run LAB=%s ARGS=\"...\"; on a GPU: make run LAB=%s DEVICE=gpu)\n\n", lab->goals->number,
           lab->goals->number);
    fflush(stdout);
    setenv("WARPSCOPE_REPORT", "summary", 1);
    int status = command_run((int)(words - argv + (ptrdiff_t)count), (char **)argv);
    printf("\nEach kernel, line by line: %s/warpscope run %s%s%s --%s\n", cmd_lab_build(tree), needed ? text_string(&arch) : "",
           needed ? " " : "", main_path, text_string(&sizes));
    return status;
}

int cmd_lab_run(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *lab = cmd_lab_chosen(tree, words, diag);
    char main_path[PATH_MAX];
    if (!lab || !cmd_lab_has_kernel(lab, diag)) return EXIT_USAGE;
    snprintf(main_path, sizeof main_path, "exercises/%s/main.cu", lab->folder);
    int status =
        words->on_gpu ? run_on_gpu(lab, main_path, words->rest, diag) : run_emulated(tree, lab, main_path, words, diag);
    cmd_lab_end_as(status);
    return status;
}
