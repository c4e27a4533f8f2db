#include "class/submissions.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "class/putter.h"
#include "class/sandboxed.h"
#include "lab/random.h"

enum { SLUG_BYTES = 200, FOLDERS_DEEP = 8, FILES_IN_ALL = 10000 };

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), ends = strlen(end);
    return length > ends && strcasecmp(name + length - ends, end) == 0;
}

/* How archives' names end; .tar.gz and the like before .gz. */
static const char *const archive_ends[] = {".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tgz", ".zip", ".tar", ".7z", ".rar"};

enum { ARCHIVE_ENDS = sizeof archive_ends / sizeof *archive_ends };

static const char *end_of(const char *name) {
    if (ends_with(name, ".cu")) return name + strlen(name) - 3;
    for (size_t i = 0; i < ARCHIVE_ENDS; i++)
        if (ends_with(name, archive_ends[i])) return name + strlen(name) - strlen(archive_ends[i]);
    return name + strlen(name);
}

static char *slug_of(const char *name) {
    static const uint8_t key[RANDOM_KEY_BYTES];
    LOCAL_TEXT slug = {0};
    for (const char *c = name; *c; c++) {
        bool plain = isalnum((unsigned char)*c) || strchr("-_", *c) || (*c == '.' && c > name);
        if (plain && (unsigned char)*c < 128)
            text_add_bytes(&slug, c, 1);
        else
            text_add(&slug, "=%02x", (unsigned)(unsigned char)*c);
    }
    if (slug.length <= SLUG_BYTES) return alloc_copy(text_string(&slug));
    /* With what stands in no slug that is whole. */
    return text_from("%.*s=-%016" PRIx64, SLUG_BYTES - 18, slug.data, random_seed(key, name, strlen(name))).data;
}

/* Of what is hidden in DIR, what is called as a kernel or an archive is somebody's work, but for "._", by which macOS calls what it adds. */
static bool is_left_out(const char *name, bool within) {
    return strcmp(name, "__MACOSX") == 0 || (*name == '.' && (within || name[1] == '_' || !*end_of(name)));
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void free_names(char **names) {
    for (size_t i = 0; names && names[i]; i++) free(names[i]);
    free(names);
}

/* The names in DIR, or within a submission's folder, in order, NULL at the end; takes the descriptor. NULL with errno. */
static char **names_of(int fd, bool within) {
    DIR *dir = fdopendir(fd);
    size_t count = 0;
    if (!dir) {
        close(fd);
        return NULL;
    }
    char **names = NULL;
    for (struct dirent *entry; (errno = 0, entry = readdir(dir)) != NULL;) {
        if (is_left_out(entry->d_name, within)) continue;
        ALLOC_ADD(names, count) = alloc_copy(entry->d_name);
    }
    int error = errno;
    closedir(dir);
    if (count) qsort(names, count, sizeof *names, by_bytes);
    ALLOC_ADD(names, count) = NULL;
    if (!error) return names;
    free_names(names);
    errno = error;
    return NULL;
}

/* --- what a folder holds ---------------------------------------------------------------------------------------------------- */

typedef struct Found {
    size_t count;
    char *path; /* of the first */
} Found;

typedef struct Holding {
    Found top, named, any, archives; /* kernel.cu at the top, below; any .cu; archives */
    size_t files;
    const char *why; /* why the search was given up; NULL: it was not */
    bool unreadable;
} Holding;

static void keep_path(Found *found, const char *path) {
    if (found->count++ == 0) found->path = alloc_copy(path);
}

static void note_file(Holding *holding, const char *path, const char *name, unsigned depth) {
    bool is_archive = *end_of(name) && !ends_with(name, ".cu");
    if (strcmp(name, "kernel.cu") == 0) keep_path(depth ? &holding->named : &holding->top, path);
    if (ends_with(name, ".cu")) keep_path(&holding->any, path);
    if (is_archive) keep_path(&holding->archives, path);
}

static void look_in(Holding *holding, int parent, const char *name, const char *path, unsigned depth) {
    if (depth == FOLDERS_DEEP) {
        holding->why = "its folders lie too deep: at most 8 in one another are looked at";
        return;
    }
    int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
    int at = fd < 0 ? -1 : dup(fd);
    char **names = fd < 0 ? NULL : names_of(fd, true);
    if (!names) holding->why = "it holds a folder that cannot be read", holding->unreadable = true;
    for (size_t i = 0; names && names[i] && !holding->why; i++) {
        struct stat status;
        LOCAL_TEXT inner = text_from("%s/%s", path, names[i]);
        if (++holding->files > FILES_IN_ALL)
            holding->why = "it holds too many files: at most 10000 are looked at";
        else if (fstatat(at, names[i], &status, AT_SYMLINK_NOFOLLOW) != 0)
            holding->why = "it changed while it was looked at", holding->unreadable = true;
        else if (S_ISDIR(status.st_mode))
            look_in(holding, at, names[i], text_string(&inner), depth + 1);
        else if (S_ISREG(status.st_mode))
            note_file(holding, text_string(&inner), names[i], depth);
    }
    if (at >= 0) close(at);
    free_names(names);
}

static void choose_in_folder(Submission *submission, int folder) {
    Holding holding = {0};
    look_in(&holding, folder, submission->name, submission->name, 0);
    const Found *found = holding.top.count     ? &holding.top
                         : holding.named.count ? &holding.named
                         : holding.any.count   ? &holding.any
                                               : &holding.archives;
    const char *why = holding.why;
    if (!why && !found->count) why = "no kernel.cu and no archive is in it";
    if (!why && found->count > 1)
        why = found == &holding.archives ? "more than one archive is in it" : "more than one kernel.cu is in it";
    if (why)
        submission->why = alloc_copy(why);
    else
        submission->path = alloc_copy(found->path);
    submission->unreadable = holding.unreadable;
    submission->is_archive = found == &holding.archives;
    free(holding.top.path);
    free(holding.named.path);
    free(holding.any.path);
    free(holding.archives.path);
}

enum { HEAD_BYTES = 512 };

/* POSIX's header: its sixth field is the sum of all its bytes, that field's own taken for blanks. A word at its place a source may have, too. */
static bool begins_as_tar(const Text *head) {
    enum { SUM_AT = 148, SUM_BYTES = 8, MAGIC_AT = 257 };
    unsigned long sum = 0;
    char said[SUM_BYTES + 1] = "";
    if (head->length < HEAD_BYTES || memcmp(head->data + MAGIC_AT, "ustar", 5) != 0) return false;
    memcpy(said, head->data + SUM_AT, SUM_BYTES);
    for (size_t i = 0; i < HEAD_BYTES; i++) sum += i - SUM_AT < SUM_BYTES ? ' ' : (unsigned char)head->data[i];
    return strtoul(said, NULL, 8) == sum;
}

/* How archives begin; no CUDA source does. */
static bool begins_as_archive(int folder, const char *path) {
    static const char *const kinds[] = {"PK\3\4",           "\x1f\x8b",   "\xfd\x37zXZ", "BZh91AY&SY",
                                        "\x28\xb5\x2f\xfd", "7z\xbc\xaf", "Rar!\x1a\x07"};
    LOCAL_TEXT head = {0};
    bool begins = false;
    take_bytes(folder, path, HEAD_BYTES, &head, NULL, &(Diag){0});
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        begins |= head.length >= length && memcmp(head.data, kinds[i], length) == 0;
    }
    begins |= begins_as_tar(&head);
    return begins;
}

void submission_find(Submission *submission, int folder, const char *name) {
    struct stat status;
    bool there = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    *submission = (Submission){.name = alloc_copy(name), .slug = slug_of(name), .student = alloc_copy(name)};
    if (end_of(name) > name) submission->student[end_of(name) - name] = 0;
    if (there && S_ISDIR(status.st_mode))
        choose_in_folder(submission, folder);
    else if (there && S_ISREG(status.st_mode))
        submission->path = alloc_copy(name);
    else if (there)
        submission->why = alloc_copy(S_ISLNK(status.st_mode) ? "it is a link" : "it is neither a file nor a folder");
    else
        submission->why = alloc_copy("it was gone, or changed, when it was looked at"), submission->unreadable = true;
    if (there && S_ISREG(status.st_mode)) submission->is_archive = !ends_with(name, ".cu");
    if (submission->path) submission->is_archive |= begins_as_archive(folder, submission->path);
}

static bool is_same(int folder, const char *name, const struct stat *other) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_ino == other->st_ino &&
           status.st_dev == other->st_dev;
}

/* As the system noted it: a time that its owner chose, years ahead perhaps, says nothing of whether it is still being written. */
static bool changed_before(int folder, const char *path, time_t moment) {
    struct stat status;
    return !path || fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_ctime < moment;
}

static bool is_settled(const Submission *submission, int folder, unsigned seconds) {
    time_t moment = time(NULL) - (time_t)seconds;
    return changed_before(folder, submission->name, moment) && changed_before(folder, submission->path, moment);
}

void submission_free(Submission *submission) {
    free(submission->name);
    free(submission->student);
    free(submission->slug);
    free(submission->path);
    free(submission->why);
}

bool submissions_find(Submissions *submissions, int folder, const char *path, int results, unsigned settled, Diag *diag) {
    struct stat own = {0};
    *submissions = (Submissions){0};
    if (results >= 0) fstat(results, &own);
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char **names = fd < 0 ? NULL : names_of(fd, false);
    if (!names) return diag_error(diag, path, 0, 0, "%s", strerror(errno));
    if (is_same(folder, ".", &own)) {
        free_names(names);
        diag_error(diag, path, 0, 0, "the results must not lie between the submissions, of which they would be some");
        return diag_hint(diag, "--out (OUT=) names another folder; one in this folder is right");
    }
    size_t count = 0;
    while (names[count]) count++;
    submissions->items = alloc_zeroed(count + 1, sizeof *submissions->items);
    for (size_t i = 0; i < count; i++) {
        Submission *next = &submissions->items[submissions->count];
        if (is_same(folder, names[i], &own)) continue;
        submission_find(next, folder, names[i]);
        if (!settled || is_settled(next, folder, settled))
            submissions->count++;
        else
            submission_free(next);
    }
    free_names(names);
    if (submissions->count || settled) return true;
    diag_error(diag, path, 0, 0, "there is no submission in this folder");
    return diag_hint(diag, "each is a .cu file, an archive or a folder of its own");
}

void submissions_free(Submissions *submissions) {
    for (size_t i = 0; i < submissions->count; i++) submission_free(&submissions->items[i]);
    free(submissions->items);
    *submissions = (Submissions){0};
}

bool submission_take(const Submission *submission, int folder, Text *bytes, bool *refused, Diag *why) {
    const size_t most = submission->is_archive ? ARCHIVE_BYTES : SUBMITTED_BYTES;
    *refused = !submission->path && !submission->unreadable;
    if (!submission->path) return diag_say(why, "%s", submission->why);
    if (!take_bytes(folder, submission->path, most, bytes, refused, why)) return false;
    *refused = bytes->length > most;
    return !*refused || diag_say(why, "the %s has more than %zu MiB", submission->is_archive ? "archive" : "file", most >> 20);
}
