/* command.h: what the commands of warpscope share. Of what the warpscope program is made of they
 * alone print; besides, the labs' graders do (lab/grader.c), and the runtime inside a user's program. */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "input/launch_options.h"

enum { EXIT_FINE, EXIT_FAULT, EXIT_USAGE, EXIT_SOURCE, EXIT_UNABLE, EXIT_UNSTARTED = 127 /* as in a shell */ };

/* The commands. argv[0] is the program, as main was given it. */
typedef int CommandMain(int argc, char **argv);
CommandMain command_launch, command_compile, command_run, command_cc, command_record, command_evidence, command_lab,
    command_explore, command_class, command_lsp, command_serve, command_cache;

bool cmd_lab_knows(const char *command); /* a command of `warpscope lab` */

void print_diag(const Diag *diag);
void print_visible(const Text *text, FILE *file); /* text that others wrote: see base/visible.h */
bool is_help(const char *word);
int print_help(const char *text); /* the exit status */

/* Whether what an option names for writing is another file than one that is read; NULL is none. */
bool spares_input(const char *option, const char *output, const char *input, Diag *diag);

/* These three say so themselves when they cannot write. */
bool write_file(const char *option, const char *path, const void *bytes, size_t count);
bool write_output(const char *path, const Text *text); /* -o's file; NULL: standard output */
bool flush_output(void);

/* Prints what is to be said, and frees what the options hold: the exit status. */
int end_command(int status, LaunchOptions *options, const Diag *diag);

/* A whole file of text, which the caller frees; NULL with a message. */
char *read_text(const char *path, Diag *diag);

/* Completes options->source. include_dir has room for a path. */
void prepare_source(LaunchOptions *options, const char *program, char *include_dir, size_t size);
void print_messages(const LaunchOptions *options, const Source *source, Diag *diag); /* what the compiler wrote */

/* Another program in the foreground: its exit status, 128 + signal, or EXIT_UNSTARTED after saying why. */
int run_program(const char *const *argv);

/* Another program in place of this one: EXIT_UNSTARTED after saying why, where it returns. */
int become_program(const char *const *argv);
