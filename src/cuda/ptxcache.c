#define _GNU_SOURCE /* mkostemp, O_NOFOLLOW, futimens */
#include "cuda/ptxcache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cuda/ptxkey.h"
#include "host/checksum.h"
#include "host/replace.h"

/* An entry is a line of text, in which the numbers are lengths and a checksum of all behind the line, and five texts without anything between. */
#define HEAD "warpscope cache 1: %zu %zu %zu %zu %zu, %016" PRIx64 "\n"
#define HEAD_READ "warpscope cache 1: %zu %zu %zu %zu %zu, %" SCNx64
enum { PART_KEY, PART_NAMES, PART_COMPILER, PART_MESSAGES, PART_PTX, PARTS };
enum { HEAD_BYTES = 200, FOLDERS = 256, LEFT_S = 3600 };

#define FOLDER_BYTES ((PTXCACHE_BYTES - PTXCACHE_HEADER_BYTES) / FOLDERS)

/* --- the folder -------------------------------------------------------------------------------------------------------------- */

/* Whether it is this user's, and nobody else can change it. */
static bool is_ours(const struct stat *status) { return status->st_uid == geteuid() && (status->st_mode & 022) == 0; }

/* Makes it, if need be; the folders above it must be there but for the last. */
static bool own_folder(const char *path) {
    struct stat status;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && is_ours(&status);
}

static bool cache_folder(Text *path) {
    const char *chosen = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (chosen && chosen[0] == '/')
        text_add(path, "%s", chosen);
    else if (home && home[0] == '/')
        text_add(path, "%s/.cache", home);
    else
        return false;
    mkdir(text_string(path), 0700);
    text_add(path, "/warpscope");
    return own_folder(text_string(path));
}

static bool says(const char *what) {
    const char *word = getenv("WARPSCOPE_CACHE");
    return word && strcmp(word, what) == 0;
}

bool ptxcache_folder(Text *path, const char *inner) {
    if (says("off") || !cache_folder(path)) return false;
    text_add(path, "/%s", inner);
    return own_folder(text_string(path));
}

/* Adds one to a number that is the size of a file: no two processes that do it at once can lose one. */
static void count(const char *what) {
    LOCAL_TEXT path = {0};
    if (cache_folder(&path)) {
        text_add(&path, "/%s", what);
        int fd = open(text_string(&path), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        if (fd >= 0 && write(fd, ".", 1) < 0) errno = 0; /* a full disk: it is not counted */
        if (fd >= 0) close(fd);
    }
}

/* --- an entry's name ----------------------------------------------------------------------------------------------------------- */

bool ptxcache_begin(PtxcacheEntry *entry, const PtxcacheRequest *request) {
    *entry = (PtxcacheEntry){0};
    if (says("off") || says("headers")) return false;
    if (!ptxkey_make(request, entry)) {
        count("passed");
        text_free(&entry->key);
        return false;
    }
    const char *key = text_string(&entry->key);
    uint64_t first = checksum_bytes(key, entry->key.length, 0), second = checksum_bytes(key, entry->key.length, first);
    if (cache_folder(&entry->path)) {
        text_add(&entry->path, "/%02x", (unsigned)(first % FOLDERS));
        if (own_folder(text_string(&entry->path))) {
            text_add(&entry->path, "/%016" PRIx64 "%016" PRIx64, first, second);
            return true;
        }
    }
    text_free(&entry->key);
    return false;
}

void ptxcache_end(PtxcacheEntry *entry) {
    text_free(&entry->key);
    text_free(&entry->path);
    text_free(&entry->name);
    text_free(&entry->headers);
    text_free(&entry->file);
}

/* --- reading ------------------------------------------------------------------------------------------------------------------- */

int ptxcache_open(const char *path, uint64_t limit, size_t *length) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool fine =
        fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && is_ours(&status) && (uint64_t)status.st_size <= limit;
    if (fine) {
        *length = (size_t)status.st_size;
        futimens(fd, NULL);
        return fd;
    }
    if (fd >= 0) close(fd);
    return -1;
}

/* The whole file; NULL: ptxcache_open does not take it. */
static char *read_own(const char *path, size_t *length) {
    size_t room;
    int fd = ptxcache_open(path, FOLDER_BYTES, &room);
    char *text = NULL;
    if (fd >= 0) {
        ssize_t got = 1;
        text = malloc(room + 1);
        for (*length = 0; text && *length < room && got > 0; *length += got > 0 ? (size_t)got : 0)
            got = read(fd, text + *length, room - *length);
        if (text) text[*length] = 0;
        close(fd);
    }
    return text;
}

typedef struct Parts {
    const char *bytes[PARTS];
    size_t length[PARTS];
} Parts;

/* False: it is not what was written. */
static bool read_parts(const char *text, size_t length, Parts *parts) {
    size_t *of = parts->length, sum = 0;
    uint64_t checksum;
    const char *at = memchr(text, '\n', length < HEAD_BYTES ? length : HEAD_BYTES);
    if (!at || sscanf(text, HEAD_READ, &of[0], &of[1], &of[2], &of[3], &of[4], &checksum) != PARTS + 1) return false;
    at++;
    size_t left = length - (size_t)(at - text);
    if (checksum_bytes(at, left, 0) != checksum) return false;
    for (int i = 0; i < PARTS; i++) {
        if (of[i] > left - sum) return false;
        parts->bytes[i] = at + sum;
        sum += of[i];
    }
    return sum == left;
}

static bool same(const Parts *parts, int part, const Text *text) {
    return parts->length[part] == text->length && memcmp(parts->bytes[part], text_string(text), text->length) == 0;
}

/* The names as one text. */
static Text names_of(const PtxcacheEntry *entry) {
    return text_from("%s\n%s", text_string(&entry->name), text_string(&entry->headers));
}

static bool use_parts(const PtxcacheEntry *entry, const Parts *parts, CompileResult *result) {
    const char *const *bytes = parts->bytes;
    const size_t *length = parts->length;
    LOCAL_TEXT names = names_of(entry);
    bool anywhere = length[PART_NAMES] == 0,
         fits = same(parts, PART_KEY, &entry->key) && (anywhere || same(parts, PART_NAMES, &names));
    if (!fits) return false;
    snprintf(result->compiler, sizeof result->compiler, "%.*s", (int)length[PART_COMPILER], bytes[PART_COMPILER]);
    text_add_bytes(&result->messages, bytes[PART_MESSAGES], length[PART_MESSAGES]);
    if (anywhere)
        ptxkey_fill_in(bytes[PART_PTX], length[PART_PTX], entry, &result->ptx);
    else
        text_add_bytes(&result->ptx, bytes[PART_PTX], length[PART_PTX]);
    return true;
}

bool ptxcache_find(const PtxcacheEntry *entry, CompileResult *result) {
    size_t length;
    Parts parts;
    FREED char *text = entry->key.length ? read_own(text_string(&entry->path), &length) : NULL;
    bool found = text && read_parts(text, length, &parts) && use_parts(entry, &parts, result);
    if (entry->key.length) count(found ? "hits" : "misses");
    return found;
}

/* --- writing ------------------------------------------------------------------------------------------------------------------- */

typedef struct Old {
    char name[NAME_MAX + 1];
    struct timespec used;
    uint64_t bytes;
} Old;

static int by_age(const void *a, const void *b) {
    const Old *one = a, *other = b;
    if (one->used.tv_sec != other->used.tv_sec) return one->used.tv_sec < other->used.tv_sec ? 1 : -1;
    return (one->used.tv_nsec < other->used.tv_nsec) - (one->used.tv_nsec > other->used.tv_nsec);
}

static bool is_unfinished(const char *name) { return strncmp(name, PTXCACHE_UNFINISHED, strlen(PTXCACHE_UNFINISHED)) == 0; }

void ptxcache_trim(const char *folder, uint64_t limit) {
    enum { MOST = 4096 };
    DIR *dir = opendir(folder);
    FREED Old *all = dir ? malloc(MOST * sizeof *all) : NULL;
    size_t n = 0;
    for (struct dirent *one; all && n < MOST && (one = readdir(dir)) != NULL;) {
        struct stat status;
        if (fstatat(dirfd(dir), one->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(status.st_mode)) continue;
        if (is_unfinished(one->d_name)) {
            if (time(NULL) - status.st_mtime > LEFT_S) unlinkat(dirfd(dir), one->d_name, 0);
            continue;
        }
        all[n] = (Old){.used = status.st_mtim, .bytes = (uint64_t)status.st_size};
        snprintf(all[n++].name, sizeof all->name, "%s", one->d_name);
    }
    if (n) qsort(all, n, sizeof *all, by_age);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += all[i].bytes;
        if (sum > limit) unlinkat(dirfd(dir), all[i].name, 0);
    }
    if (dir) closedir(dir);
}

/* The entry's texts behind their head. Messages name the file, so that they are those of one name alone. */
static void add_parts(const PtxcacheEntry *entry, const CompileResult *result, Text *text) {
    LOCAL_TEXT copy = {0}, names = {0}, compiler = {0}, body = {0};
    bool anywhere = result->messages.length == 0 && ptxkey_leave_out(&result->ptx, entry, &copy);
    if (!anywhere) names = names_of(entry);
    text_add(&compiler, "%s", result->compiler);
    const Text *const parts[PARTS] = {&entry->key, &names, &compiler, &result->messages, anywhere ? &copy : &result->ptx};
    for (int i = 0; i < PARTS; i++) text_add_bytes(&body, text_string(parts[i]), parts[i]->length);
    text_add(text, HEAD, parts[0]->length, parts[1]->length, parts[2]->length, parts[3]->length, parts[4]->length,
             checksum_bytes(text_string(&body), body.length, 0));
    text_add_bytes(text, text_string(&body), body.length);
}

static void write_entry(const char *path, const Text *text) {
    LOCAL_TEXT folder = {0};
    text_add_bytes(&folder, path, (size_t)(strrchr(path, '/') - path));
    LOCAL_TEXT made = text_from("%s/" PTXCACHE_UNFINISHED "XXXXXX", text_string(&folder));
    int fd = mkostemp(made.data, O_CLOEXEC);
    if (fd >= 0) {
        bool fine = file_write(fd, text_string(text), text->length);
        fine = close(fd) == 0 && fine && rename(text_string(&made), path) == 0;
        if (!fine) unlink(text_string(&made));
        ptxcache_trim(text_string(&folder), FOLDER_BYTES);
    }
}

void ptxcache_keep(const PtxcacheEntry *entry, const CompileResult *result) {
    if (!entry->key.length || !ptxkey_holds(entry)) return;
    LOCAL_TEXT text = {0};
    add_parts(entry, result, &text);
    if (text.length <= FOLDER_BYTES) write_entry(text_string(&entry->path), &text);
}

/* --- as a whole ---------------------------------------------------------------------------------------------------------------- */

static uint64_t size_of(const char *folder, const char *name) {
    struct stat status;
    LOCAL_TEXT path = text_from("%s/%s", folder, name);
    return lstat(text_string(&path), &status) == 0 ? (uint64_t)status.st_size : 0;
}

static bool is_hexadecimal(const char *name, size_t digits) {
    return strlen(name) == digits && strspn(name, "0123456789abcdef") == digits;
}

/* What is called as this module calls what it makes: in a folder that happens to be called warpscope somebody else's may lie, too. */
static bool is_made_here(const char *name, bool inner) {
    static const char *const counts[] = {"hits", "misses", "passed", "headers"};
    for (size_t i = 0; !inner && i < sizeof counts / sizeof *counts; i++)
        if (strcmp(name, counts[i]) == 0) return true;
    return is_hexadecimal(name, inner ? 32 : 2) || (inner && is_unfinished(name));
}

/* Sums up, or removes, what the folder holds, and the folders in it. */
static void walk(const char *folder, PtxcacheTotals *totals, bool removes, bool inner) {
    DIR *dir = opendir(folder);
    for (struct dirent *one; dir && (one = readdir(dir)) != NULL;) {
        struct stat status;
        if (!is_made_here(one->d_name, inner) || fstatat(dirfd(dir), one->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISDIR(status.st_mode) && !inner) {
            LOCAL_TEXT path = text_from("%s/%s", folder, one->d_name);
            walk(text_string(&path), totals, removes, true);
        } else if (removes) {
            unlinkat(dirfd(dir), one->d_name, 0);
        } else if (inner) {
            totals->entries += !is_unfinished(one->d_name);
            totals->bytes += (uint64_t)status.st_size;
        }
    }
    if (dir) closedir(dir);
}

static bool find_folder(Text *folder, Diag *diag) {
    if (cache_folder(folder)) return true;
    diag_say(diag,
             folder->length ? "the cache's folder %s cannot be made, or others than you may write there"
                            : "there is no folder for a cache: neither HOME nor XDG_CACHE_HOME names one%s",
             text_string(folder));
    return diag_hint(diag, "kernels are compiled without; XDG_CACHE_HOME may name another folder");
}

bool ptxcache_totals(Text *folder, PtxcacheTotals *totals, Diag *diag) {
    *totals = (PtxcacheTotals){0};
    if (!find_folder(folder, diag)) return false;
    walk(text_string(folder), totals, false, false);
    totals->hits = size_of(text_string(folder), "hits");
    totals->misses = size_of(text_string(folder), "misses");
    totals->passed = size_of(text_string(folder), "passed");
    return true;
}

bool ptxcache_clear(Diag *diag) {
    LOCAL_TEXT folder = {0};
    bool found = find_folder(&folder, diag);
    if (found) walk(text_string(&folder), NULL, true, false);
    return found;
}
