/* cmd_serve.c: warpscope serve: the course in a browser. What answers it is a program of its own, beside this one, which is built where the library
 * that it needs is installed. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "cuda/argv.h"
#include "cuda/home.h"

int command_serve(int argc, char **argv) {
    Diag diag = {0};
    char build[PATH_MAX];
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
