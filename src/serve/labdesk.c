#include "serve/labdesk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/checksum.h"
#include "host/replace.h"
#include "lab/progress.h"
#include "report/object.h"

#define COPIES "exercises/listings" /* readers' own */

enum { JOBS_MOST = 2, NANOSECONDS = 1000000000 };

static uint64_t version_of(const char *text, size_t length) {
    uint64_t version = checksum_bytes(text, length, 0);
    return version ? version : 1;
}

/* What changes whenever somebody writes the file or lays another in its place. */
static void look_at(const char *path, int64_t seen[4]) {
    struct stat status = {0};
    if (stat(path, &status) != 0) status = (struct stat){0};
    seen[0] = (int64_t)status.st_mtim.tv_sec * NANOSECONDS + status.st_mtim.tv_nsec;
    seen[1] = (int64_t)status.st_ctim.tv_sec * NANOSECONDS + status.st_ctim.tv_nsec;
    seen[2] = status.st_size;
    seen[3] = (int64_t)status.st_ino;
}

static bool is_json_text(const char *text, size_t length) {
    json_t *string = json_stringn(text, length);
    json_decref(string);
    return string;
}

/* DeskLab.locked of what lies at the path. text: NULL where it was not read. */
static const char *why_locked(const char *path, const char *text, size_t length) {
    struct stat status;
    if (lstat(path, &status) != 0) return NULL;
    if (S_ISLNK(status.st_mode)) return "it is a link to another file";
    if (!S_ISREG(status.st_mode)) return "it is no plain file";
    if (status.st_size > KERNEL_BYTES) return "it has more than 1 MiB";
    if (!text) return "it cannot be read";
    if (!(status.st_mode & S_IWUSR) || access(path, W_OK) != 0) return "it is read-only";
    return is_json_text(text, length) ? NULL : "it has bytes that are not UTF-8";
}

/* Whether the text is another than it was, or what may be done with it. */
static bool read_again(DeskLab *lab) {
    const char *path = text_string(&lab->path), *locked = lab->locked;
    size_t length = 0;
    look_at(path, lab->seen);
    FREED char *text = text_read_file(path, KERNEL_BYTES, &length);
    uint64_t version = text ? version_of(text, length) : 0;
    lab->locked = why_locked(path, text, length);
    if (version == lab->version) return lab->locked != locked;
    text_free(&lab->text);
    if (text) text_add_bytes(&lab->text, text, length);
    lab->version = version;
    return true;
}

bool desk_open(Desk *desk, const char *root, Diag *diag) {
    if (!catalogue_read(&desk->catalogue, root, diag)) return false;
    listings_read(&desk->listings, root);
    const char *progress = getenv("PROGRESS");
    desk->progress = progress && *progress == '/' ? text_from("%s", progress)
                                                  : text_from("%s/%s", root, progress && *progress ? progress : ".progress");
    desk->labs = calloc(desk->catalogue.count + desk->listings.count, sizeof *desk->labs);
    for (size_t i = 0; i < desk->catalogue.count; i++) {
        const CatalogueEntry *entry = &desk->catalogue.labs[i];
        desk->labs[desk->count++] = (DeskLab){.entry = entry,
                                              .number = entry->goals->number,
                                              .title = entry->goals->title,
                                              .progress = text_string(&desk->progress),
                                              .path = text_from("%s/%s", root, entry->kernel)};
    }
    for (size_t i = 0; i < desk->listings.count; i++) {
        const Listing *listing = &desk->listings.items[i];
        desk->labs[desk->count++] = (DeskLab){.listing = listing,
                                              .number = listing->name,
                                              .title = listing->name,
                                              .path = text_from("%s/" COPIES "/%s", root, listing->name)};
    }
    for (size_t i = 0; i < desk->count; i++) read_again(&desk->labs[i]);
    return true;
}

void desk_close(Desk *desk) {
    for (size_t i = 0; i < desk->count; i++) job_cancel(&desk->labs[i].job);
    for (size_t i = 0; i < desk->count; i++) {
        job_wait(&desk->labs[i].job);
        json_decref(desk->labs[i].remarks);
        text_free(&desk->labs[i].path);
        text_free(&desk->labs[i].text);
    }
    free(desk->labs);
    text_free(&desk->progress);
    catalogue_free(&desk->catalogue);
    listings_free(&desk->listings);
    desk->labs = NULL;
    desk->count = 0;
}

DeskLab *desk_find(Desk *desk, const char *number) {
    for (size_t i = 0; i < desk->count; i++)
        if (strcmp(desk->labs[i].number, number) == 0) return &desk->labs[i];
    return NULL;
}

static void add_version(json_t *object, const DeskLab *lab) {
    char version[17] = "";
    if (lab->version) snprintf(version, sizeof version, "%016llx", (unsigned long long)lab->version);
    object_text(object, "version", version);
}

void desk_add_recorded(const DeskLab *lab, json_t *object) {
    LOCAL_TEXT strange = {0};
    Diag unread = {0};
    Progress progress;
    if (!lab->progress) return;
    progress_read(&progress, lab->progress, &strange, &unread);
    LabMark mark = progress_of(&progress, lab->number);
    if (mark.is_graded) object_set(object, "recorded", object_real(mark.best));
    progress_free(&progress);
}

json_t *desk_state(const DeskLab *lab) {
    json_t *state = json_object();
    object_text(state, "lab", lab->number);
    object_text(state, "title", lab->title);
    add_version(state, lab);
    json_t *text = json_stringn(text_string(&lab->text), lab->text.length);
    if (text)
        object_set(state, "text", text);
    else
        object_text(state, "text", text_string(&lab->text));
    if (lab->locked) object_text(state, "locked", lab->locked);
    desk_add_recorded(lab, state);
    return state;
}

void desk_wanted(DeskLab *lab) {
    if (!lab->remarks && !lab->job.pid) lab->wants_work = true;
}

static void changed(Desk *desk, DeskLab *lab) {
    desk->tell(desk->context, lab, "text", desk_state(lab));
    job_cancel(&lab->job);
    json_decref(lab->remarks);
    lab->remarks = NULL;
    lab->wants_work = desk->is_watched(desk->context, lab);
}

DeskSaved desk_save(Desk *desk, DeskLab *lab, const char *version, const char *text, size_t length, Diag *diag) {
    char known[17] = "";
    if (read_again(lab)) changed(desk, lab);
    if (lab->version) snprintf(known, sizeof known, "%016llx", (unsigned long long)lab->version);
    if (lab->locked) {
        diag_say(diag, "%s is not written: %s", strrchr(text_string(&lab->path), '/') + 1, lab->locked);
        return DESK_UNWRITTEN;
    }
    if (strcmp(version, known) != 0) return DESK_CHANGED;
    if (!file_replace(text_string(&lab->path), text, length, diag)) return DESK_UNWRITTEN;
    if (read_again(lab)) changed(desk, lab);
    return DESK_SAVED;
}

static bool write_copy(Desk *desk, DeskLab *lab, const Text *text, Diag *diag) {
    if (!file_replace(text_string(&lab->path), text_string(text), text->length, diag)) return false;
    if (read_again(lab)) changed(desk, lab);
    return true;
}

bool desk_lay(Desk *desk, DeskLab *lab, Diag *diag) {
    if (!lab->listing) return true;
    if (read_again(lab)) changed(desk, lab); /* it may have come this moment */
    if (lab->version || lab->locked) return true;
    LOCAL_TEXT folder =
        text_from("%.*s", (int)(strrchr(text_string(&lab->path), '/') - text_string(&lab->path)), text_string(&lab->path));
    if (mkdir(text_string(&folder), 0777) != 0 && errno != EEXIST)
        return diag_say(diag, "%.200s cannot be made: %s", text_string(&folder), strerror(errno));
    return write_copy(desk, lab, &lab->listing->given, diag);
}

/* The names are a listing's .before, .before.2, a lab's .1, .2, as `warpscope lab reset` has them: the first that nothing has. */
bool desk_keep(const DeskLab *lab, const char *text, size_t length, Text *name, Diag *diag) {
    const char *path = text_string(&lab->path), *end = lab->listing ? ".before" : "";
    for (int i = 1;; i++) {
        LOCAL_TEXT copy = lab->listing && i == 1 ? text_from("%s%s", path, end) : text_from("%s%s.%d", path, end, i);
        bool good = file_keep(text_string(&copy), path, text, length);
        if (!good && errno == EEXIST) continue;
        text_add(name, "%s", strrchr(text_string(&copy), '/') + 1);
        return good || diag_say(diag, "%s cannot be written: %s", text_string(name), text_file_problem(errno));
    }
}

bool desk_put_back(Desk *desk, DeskLab *lab, Text *said, Diag *diag) {
    const Text *given = &lab->listing->given;
    if (read_again(lab)) changed(desk, lab);
    if (lab->locked) return diag_say(diag, "%s is not written: %s", lab->number, lab->locked);
    if (strcmp(text_string(&lab->text), text_string(given)) == 0)
        return text_add(said, "%s is the book's already\n", lab->number), true;
    LOCAL_TEXT before = {0};
    if (!desk_keep(lab, text_string(&lab->text), lab->text.length, &before, diag)) return false;
    text_add(said, "%s is the book's again; what stood there is kept in %s\n", lab->number, text_string(&before));
    return write_copy(desk, lab, given, diag);
}

static void finish(Desk *desk, DeskLab *lab, json_t *remarks) {
    json_decref(lab->remarks);
    lab->remarks = remarks ? remarks : json_object();
    desk->tell(desk->context, lab, "remarks", json_incref(lab->remarks));
}

void desk_step(Desk *desk) {
    size_t running = 0;
    for (size_t i = 0; i < desk->count; i++) {
        DeskLab *lab = &desk->labs[i];
        int64_t seen[4];
        json_t *remarks;
        bool cancelled = lab->job.is_cancelled;
        look_at(text_string(&lab->path), seen);
        if (memcmp(seen, lab->seen, sizeof seen) != 0 && read_again(lab)) changed(desk, lab);
        if (lab->job.pid && job_read(&lab->job, &remarks) && !cancelled) finish(desk, lab, remarks);
        running += lab->job.pid != 0;
    }
    for (size_t i = 0; i < desk->count && running < JOBS_MOST; i++) {
        DeskLab *lab = &desk->labs[i];
        if (!lab->wants_work || lab->job.pid || !lab->version) continue;
        lab->wants_work = false;
        running++;
        desk->tell(desk->context, lab, "grading", json_object());
        if (!job_begin(&lab->job, &desk->place, text_string(&lab->path))) finish(desk, lab, NULL);
    }
}
