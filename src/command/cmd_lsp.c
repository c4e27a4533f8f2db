/* cmd_lsp.c: warpscope lsp: a language server on standard input and output. */
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "lsp/serve.h"

static const char lsp_help[] =
    "warpscope lsp [--no-sandbox]\n"
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
    "In a comment: --kernel, --grid, --block, --arg, --shared, --cooperative, --cluster, --device, --l1, --joins, --check, "
    "--cc, --arch,\n"
    "--max-steps and -D, as warpscope launch has them; but a file that is opened reads no others (--arg without @FILE), and\n"
    "defines macros as numbers or words alone. Points are not remembered: make grade and make watch do that.\n"
    "\n"
    "What is opened may be a stranger's: it is compiled, graded and launched in the sandbox that submissions have, with 30 s "
    "of\n"
    "processor time and 2 GiB. There is nothing of the disk but what the system and the compilers bring, the file, and the\n"
    "headers that it includes from its own folder or one within that. Where there is no sandbox the server says so once and\n"
    "compiles nothing.\n"
    "\n"
    "--no-sandbox: for one who trusts every file that is opened: it is compiled with your own rights. There is no other way "
    "to\n"
    "say that: not in a file, not in settings that an editor may take from a folder.\n"
    "\n"
    "Exit status: 0 the editor said shutdown and then exit; 1 it went without; 2 wrong usage.\n";

int command_lsp(int argc, char **argv) {
    Diag diag = {0};
    if (argc > 1 && is_help(argv[1])) return print_help(lsp_help);
    bool is_trusting = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--no-sandbox") == 0) {
            is_trusting = true;
        } else if (strcmp(argv[i], "--stdio") != 0) { /* some clients say how they will talk; there is one way */
            diag_say(&diag, "lsp takes '--no-sandbox', or nothing, unlike '%.200s'", argv[i]);
            print_diag(&diag);
            return EXIT_USAGE;
        }
    }
    bool good = lsp_serve(argv[0], is_trusting, STDIN_FILENO, STDOUT_FILENO, &diag);
    if (diag.set) print_diag(&diag);
    return diag.set ? EXIT_USAGE : good ? EXIT_FINE : EXIT_FAULT;
}
