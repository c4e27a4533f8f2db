/* labdesk.h: the labs of a tree as pages see them: each kernel.cu, which stays the file on the disk that any editor writes, and what its grading said.
 * Beside them the files that the book quotes, of which readers edit a copy, exercises/listings/NAME.cu: it is launched instead of graded.
 *
 * A file is graded, in the sandbox of what editors open (lsp/job.h), when it is read first and whenever it changes while somebody looks. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lab/catalogue.h"
#include "lsp/job.h"
#include "serve/listings.h"

enum { KERNEL_BYTES = 1 << 20 };

typedef struct DeskLab {
    const CatalogueEntry *entry; /* NULL: a listing */
    const Listing *listing;      /* NULL: a lab */
    const char *number, *title;  /* "05", "Transpose"; of a listing its name */
    const char *progress;        /* the path of what is remembered of labs (lab/progress.h); NULL: a listing */
    Text path;                   /* of its kernel.cu, or of the copy */
    Text text;                   /* as it was read last */
    uint64_t version;            /* of the text; 0: there is no such file, or it was not read */
    const char *locked; /* why pages only show the file: they could not save it as it was; NULL: it is theirs to write */
    int64_t seen[4];    /* when and how the file was changed last, its length, which file it is */
    Job job;
    bool wants_work;
    json_t *remarks; /* of the last grading (lsp/remarks.h); NULL: none yet */
} DeskLab;

typedef struct Desk {
    Catalogue catalogue;
    Listings listings;
    Text progress; /* DeskLab.progress */
    DeskLab *labs; /* listings behind them */
    size_t count;
    Workplace place;
    void (*tell)(void *context, const DeskLab *lab, const char *event, json_t *data); /* takes the data */
    bool (*is_watched)(void *context, const DeskLab *lab);
    void *context;
} Desk;

/* False with a message where there are no labs. desk_close in any case. */
bool desk_open(Desk *desk, const char *root, Diag *diag);
void desk_close(Desk *desk);

/* By its number, "05", or a listing's name. NULL: there is none. */
DeskLab *desk_find(Desk *desk, const char *number);

/* Sees to it that a listing's copy is there. False with a message. */
bool desk_lay(Desk *desk, DeskLab *lab, Diag *diag);

/* Gives the copy of a listing the book's text; what stood there, if it was another, is kept in NAME.cu.before, or .before.2 and so on. `said` says it. False with a
 * message. */
bool desk_put_back(Desk *desk, DeskLab *lab, Text *said, Diag *diag);

/* Writes a text that gives way to another beside the file: kernel.cu.1, .2 and so on; of a listing NAME.cu.before, .before.2. False with a message. */
bool desk_keep(const DeskLab *lab, const char *text, size_t length, Text *name, Diag *diag);

/* Adds "recorded", the points at best, where `warpscope lab grade` has remembered some. */
void desk_add_recorded(const DeskLab *lab, json_t *object);

/* {"lab", "title", "version": "" where there is no file, "text", "locked": where it is, "recorded": where some are}. */
json_t *desk_state(const DeskLab *lab);

typedef enum DeskSaved { DESK_SAVED, DESK_CHANGED, DESK_UNWRITTEN } DeskSaved;

/* Writes the text in place of the version that its writer knew. DESK_CHANGED: the file is another by now, which lab->text then holds.
 * DESK_UNWRITTEN: with a message; a locked file always is. */
DeskSaved desk_save(Desk *desk, DeskLab *lab, const char *version, const char *text, size_t length, Diag *diag);

/* One round: files that others changed, gradings that have ended, and the next that is wanted. */
void desk_step(Desk *desk);

/* Somebody begins to look: the file is graded where it was not. */
void desk_wanted(DeskLab *lab);
