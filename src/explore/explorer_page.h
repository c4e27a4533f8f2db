/* explorer_page.h: a launch as one page that holds the emulator: any browser shows it, from a file, without a network. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"
#include "input/source.h"

typedef struct ExplorePage {
    const char *program; /* argv[0], by which the engine is found: home_explorer */
    const char *title;
    const char *path; /* of the source; pages give its name without its folders, as that of each file that the PTX names */
    const Source *source;
    const char *words;  /* as behind `warpscope launch FILE`, but for --device and --l1, which the page has controls for */
    const char *device; /* where those stand at first */
    bool l1;
    json_t *arrays;      /* [{"label","size","columns"}] of the kernel's buffers in their order; the caller's */
    const char *follows; /* a script beside the page that says when it has been written anew (page_stamp); NULL: none */
} ExplorePage;

enum { PAGE_WORDS_MOST = 16 << 20 }; /* bytes of the words, buffers' contents among them */

/* False with a message where the engine has not been built or the words are too long. */
bool page_write(const ExplorePage *page, Text *out, Diag *diag);

/* The same for another author's page, as one script: <script src="NAME.js"></script> <warp-explorer launch="NAME"></warp-explorer>. */
bool page_write_script(const ExplorePage *page, const char *name, Text *out, Diag *diag);

/* The script that a page written now follows: once it says something else, the page that is open loads itself anew. */
void page_stamp(const Text *page, Text *out);
