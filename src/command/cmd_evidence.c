/* cmd_evidence.c: warpscope evidence: a record of a GPU against the emulator's record of the same launches. */
#include "report/evidence.h"

#include <stdio.h>
#include <stdlib.h>

#include "command/command.h"

static const char evidence_help[] = "warpscope evidence MEASURED.json EMULATED.json DIFFERENCES\n"
                                    "\n"
                                    "Compares a record that `warpscope record` made on a GPU, with counters, with the one it "
                                    "made of the same list with --on emulated, and\n"
                                    "writes one JSON object: for each run what agrees and what does not, and why, where "
                                    "DIFFERENCES says so; then how far modelled times are\n"
                                    "from measured ones.\n"
                                    "\n"
                                    "Exit status: 0 fine; 1 something differs that DIFFERENCES does not name; 2 wrong usage.\n";

enum { FILES = 3 };

int command_evidence(int argc, char **argv) {
    char *texts[FILES] = {0};
    LOCAL_TEXT out = {0};
    Diag diag = {0};
    size_t unknown;
    int status = EXIT_USAGE;
    if (argc == 2 && is_help(argv[1])) return print_help(evidence_help);
    bool good = argc == FILES + 1 || diag_say(&diag, "evidence takes three files; warpscope evidence --help says which");
    for (int i = 0; good && i < FILES; i++) {
        texts[i] = read_text(argv[i + 1], &diag);
        good = texts[i] != NULL;
    }
    if (good && evidence_compare(texts[0], texts[1], texts[2], &out, &unknown, &diag)) {
        fputs(text_string(&out), stdout);
        status = !flush_output() ? EXIT_USAGE : unknown ? EXIT_FAULT : EXIT_FINE;
    }
    if (diag.set) print_diag(&diag);
    for (int i = 0; i < FILES; i++) free(texts[i]);
    return status;
}
