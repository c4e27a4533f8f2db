/* cmd_lab.h: what the learner's commands share: the labs, what is remembered of them, and the words of the command line. Internal to
 * src/command. */
#pragma once

#include <jansson.h>
#include <limits.h>

#include "command/command.h"
#include "lab/catalogue.h"
#include "lab/history.h"
#include "lab/progress.h"

enum { KERNEL_BYTES = 64 << 20 }; /* the most of a learner's file */

typedef struct LabWords {
    bool json, gcc, on_gpu, help, all, yes;
    const char *cc, *submission, *seed, *kernel, *learner, *course; /* NULL: not given */
    uint64_t variant;
    bool has_variant;
    bool takes_lab, named; /* named: LAB was given, be it an empty word */
    const char *lab;       /* as it was typed; NULL: none */
    char **rest;           /* of run: the program's arguments, NULL-terminated */
} LabWords;

/* The current folder is the tree's, so that messages name files as one types them. */
typedef struct LabTree {
    const char *program;       /* argv[0] */
    const char *build;         /* $BUILD, or build */
    const char *progress_path; /* $PROGRESS, or .progress */
    char caller[PATH_MAX];     /* the folder in which the command was given */
    Catalogue catalogue;
    Progress progress;
} LabTree;

/* The commands. Each returns the exit status; *diag is printed at the end. */
typedef int LabRun(LabTree *tree, const LabWords *words, Diag *diag);
LabRun cmd_lab_grade, cmd_lab_start, cmd_lab_watch, cmd_lab_verify, cmd_lab_hint, cmd_lab_progress, cmd_lab_variants,
    cmd_lab_reset, cmd_lab_export, cmd_lab_explore, cmd_lab_run, cmd_lab_certificate;

/* The lab that was named, or else the first unsolved one, or the last. NULL with a message when there is none of that name. */
const CatalogueEntry *cmd_lab_chosen(const LabTree *tree, const LabWords *words, Diag *diag);

/* The checksum of the learner's file; "" when it cannot be read or is empty. */
void cmd_lab_checksum(const CatalogueEntry *lab, char *checksum, size_t size);

/* Grades the learner's file, shows and remembers the result and says what to do next. */
int cmd_lab_show_own(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag);

/* Grades what changed since it was last graded. False where some file could not be, which is said. */
bool cmd_lab_regrade(LabTree *tree, Diag *diag);

/* The grader's JSON with figures of this file, which is the caller's; nothing is remembered. NULL when there is none. */
json_t *cmd_lab_figures(const LabTree *tree, const CatalogueEntry *lab, const char *path, Diag *diag);

/* The same of the learner's own file with the launches of its runs and of its wrong kernels (lab/relaunch.h). */
json_t *cmd_lab_launches(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag);

/* Writes the lab's page of lab_explore anew, where there is one. */
void cmd_lab_explore_anew(LabTree *tree, const CatalogueEntry *lab, const LabWords *words);

/* Appends to the history; what is wrong with it is said, and that is all. */
void cmd_lab_add_history(const LabTree *tree, const HistoryEntry *entry);

/* False with a message when the learner's file is gone. */
bool cmd_lab_has_kernel(const CatalogueEntry *lab, Diag *diag);

/* The first lab without all its points, or NULL. */
const CatalogueEntry *cmd_lab_unsolved(const LabTree *tree);

/* A text of a lab's; the caller frees. NULL with a message. */
char *cmd_lab_read(const char *path, Diag *diag);

/* The untouched exercise, as the variant that the learner's text (or NULL) is; the caller frees. NULL with a message. */
char *cmd_lab_untouched(const CatalogueEntry *lab, const char *mine, Diag *diag);

/* All labs and their points; is_ungraded[i], unless NULL: the grading just made could not grade the i-th. */
void cmd_lab_list(const LabTree *tree, const bool *is_ungraded);
void cmd_lab_say_next(const LabTree *tree);

/* "2 of 9 labs solved, 270 of 900 points" */
void cmd_lab_sum(const LabTree *tree, Text *out);

/* The build folder as one types it: relative where it lies in the tree. */
const char *cmd_lab_build(const LabTree *tree);

/* Reads .progress anew; what is wrong with it is said once in each command. */
void cmd_lab_recall(LabTree *tree, bool aloud);

typedef enum ChildOutput { OUTPUT_SHOWN, OUTPUT_KEPT } ChildOutput;

/* Runs a program. OUTPUT_KEPT: what it writes, errors too, is added to `kept`, not shown. Its exit status; 127 when it cannot be started. */
int cmd_lab_child(const char *const *argv, ChildOutput output, Text *kept);

/* Ends this process by the signal by which a child of that status was ended, if that was one with which people end programs: a shell
 * or make shall see it. Likewise if such a signal came while the child ran, and it was about to end with a status of its own. Whatever is
 * temporary must have been removed. */
void cmd_lab_end_as(int status);
