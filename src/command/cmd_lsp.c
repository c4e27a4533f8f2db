/* cmd_lsp.c: warpscope lsp: a language server on standard input and output. */
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "lsp/serve.h"

static const char lsp_help[] =
    "warpscope lsp\n"
    "\n"
    "A language server for editors, on standard input and output (LSP 3.17). Whenever a file is opened or saved it grades\n"
    "a lab's kernel.cu, and launches what another .cu file asks for in comment lines:\n"
    "\n"
    "  // warpscope: --kernel add --grid 8 --block 128 --arg buf:f32:1024 --arg buf:f32:1024:iota\n"
    "\n"
    "It says beside each line that loads or stores how many sectors or wavefronts a request of it takes (inlay hints, else\n"
    "code lenses), marks compile errors, faults and goals that are missed, shows the map of a line's lanes when the mouse\n"
    "rests there, and opens it as a figure (a code action). How editors are told to start it: appendix F of the book.\n"
    "\n"
    "In a comment: --kernel, --grid, --block, --arg, --shared, --cooperative, --device, --l1, --joins, --check, --cc, --arch,\n"
    "--max-steps and -D, as warpscope launch has them; but a file that is opened reads no others (--arg without @FILE), and\n"
    "defines macros as numbers or words alone. Points are not remembered: make grade and make watch do that.\n"
    "\n"
    "Exit status: 0 the editor said shutdown and then exit; 1 it went without; 2 wrong usage.\n";

int command_lsp(int argc, char **argv) {
    Diag diag = {0};
    if (argc > 1 && is_help(argv[1])) return print_help(lsp_help);
    /* Some clients say how they will talk; there is one way. */
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "--stdio") != 0)) {
        diag_say(&diag, "lsp takes no arguments, unlike '%.200s'", argv[argc - 1]);
        print_diag(&diag);
        return EXIT_USAGE;
    }
    bool good = lsp_serve(argv[0], STDIN_FILENO, STDOUT_FILENO, &diag);
    if (diag.set) print_diag(&diag);
    return diag.set ? EXIT_USAGE : good ? EXIT_FINE : EXIT_FAULT;
}
