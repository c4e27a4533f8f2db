/* cmd_serve.c: warpscope serve: the course in a browser. What answers it is a program of its own, beside this one, which is built where the library
 * that it needs is installed. */
#include <limits.h>
#include <unistd.h>

#include "command/command.h"
#include "cuda/argv.h"
#include "cuda/home.h"

static const char serve_help[] =
    "warpscope serve [--port N] [--host NAME[:PORT]] [--no-sandbox]\n"
    "\n"
    "The course in a browser, at an address of this computer alone: a chapter, and its lab's kernel.cu beside it in an "
    "editor.\n"
    "It prints the address, with a token that admits whoever has it. What is written there is saved to exercises/, which any "
    "other\n"
    "editor may write as well; it is compiled and graded in the sandbox of what editors open, and shown at its lines.\n"
    "\n"
    "--port N           3232; 0: one that is free\n"
    "--host NAME[:PORT] a name by which a proxy in front of it is called (a container, a Codespace)\n"
    "--no-sandbox       with your own rights\n"
    "\n"
    "Ctrl-C ends it. Exit status: 130 then; 2 wrong usage, or it cannot begin.\n";

int command_serve(int argc, char **argv) {
    Diag diag = {0};
    char build[PATH_MAX];
    if (argc > 1 && is_help(argv[1])) return print_help(serve_help);
    if (!home_build(argv[0], build, sizeof build)) build[0] = 0;
    LOCAL_TEXT program = text_from("%s/warpscope-serve", build);
    if (access(text_string(&program), X_OK) != 0) {
        diag_say(&diag, "warpscope serve was not built, as libmicrohttpd was missing: ./setup installs it, make builds it");
        print_diag(&diag);
        return EXIT_USAGE;
    }
    LOCAL_ARGV words = {0};
    argv_add(&words, text_string(&program));
    for (int i = 1; i < argc; i++) argv_add(&words, argv[i]);
    return become_program((const char *const *)words.words);
}
