#include "class/included.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class/putter.h"
#include "class/sandboxed.h"
#include "cuda/argv.h"

enum { MOST_FILES = 256, MOST_BYTES = 16 << 20 };

typedef struct Headers {
    Argv names; /* relative to the folder, each once */
    int folder; /* from which they come */
    const char *to;
    size_t bytes; /* of all that was copied */
} Headers;

static bool is_header(const char *name) {
    static const char *const endings[] = {".h",   ".hh",  ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".ipp",
                                          ".tpp", ".def", ".cu",  ".c",   ".cc",  ".cpp", ".cxx"};
    const char *ending = strrchr(text_last_name(name), '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0) return true;
    return false;
}

/* Appends a step of a path, and takes one back at "..". False where it leads out of the folder, or the step is hidden. */
static bool add_step(Text *name, const char *step, size_t length) {
    if (length == 0 || (length == 1 && *step == '.')) return true;
    if (length == 2 && strncmp(step, "..", 2) == 0) {
        const char *slash = name->length ? strrchr(name->data, '/') : NULL;
        if (!name->length) return false;
        name->length = slash ? (size_t)(slash - name->data) : 0;
        name->data[name->length] = 0;
        return true;
    }
    if (*step == '.') return false;
    text_add(name, "%s%.*s", name->length ? "/" : "", (int)length, step);
    return true;
}

/* What the included path means in the file of this name. */
static bool resolve(const char *from, const char *path, size_t length, Text *name) {
    text_add_bytes(name, from, text_last_name(from) == from ? 0 : (size_t)(text_last_name(from) - from - 1));
    bool good = length > 0 && *path != '/';
    for (size_t step; good && length; path += step, length -= step) {
        const char *slash = memchr(path, '/', length);
        step = slash ? (size_t)(slash - path) : length;
        good = add_step(name, path, step);
        step += slash != NULL;
    }
    return good && name->length && is_header(text_string(name));
}

static bool is_known(const Headers *headers, const char *name) {
    for (size_t i = 0; i < headers->names.count; i++)
        if (strcmp(headers->names.words[i], name) == 0) return true;
    return false;
}

/* The names of a text that may be headers': words in double quotes behind "include", which may stand in comments. */
static void find_names(Headers *headers, const char *from, const char *text) {
    static const char word[] = "include", next[] = "_next";
    while ((text = strstr(text, word)) != NULL && headers->names.count < MOST_FILES) {
        text += sizeof word - 1;
        const char *at = text;
        if (strncmp(at, next, sizeof next - 1) == 0) at += sizeof next - 1;
        at += strspn(at, " \t(");
        size_t length = *at == '"' ? strcspn(at + 1, "\"\n") : 0;
        LOCAL_TEXT name = {0};
        if (length && at[1 + length] == '"' && resolve(from, at + 1, length, &name) && !is_known(headers, text_string(&name)))
            argv_add(&headers->names, text_string(&name));
    }
}

/* Readable for the sandbox's other user, whatever the mask. */
static void make_folder(const char *path) {
    if (mkdir(path, 0755) == 0) chmod(path, 0755);
}

static void write_header(const Headers *headers, const char *name, const Text *bytes) {
    LOCAL_TEXT path = text_from("%s/%s", headers->to, name);
    for (char *slash = path.data + strlen(headers->to); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        make_folder(path.data);
        *slash = '/';
    }
    text_write_file(text_string(&path), text_string(bytes), bytes->length);
    chmod(text_string(&path), 0644);
}

static void copy_header(Headers *headers, const char *name) {
    LOCAL_TEXT bytes = {0};
    if (take_bytes(headers->folder, name, SUBMITTED_BYTES, &bytes, NULL, &(Diag){0}) && bytes.length <= SUBMITTED_BYTES &&
        (headers->bytes += bytes.length) <= MOST_BYTES) {
        write_header(headers, name, &bytes);
        find_names(headers, name, text_string(&bytes));
    }
}

void included_copy(const char *path, const char *text, const char *to) {
    Headers headers = {.to = to};
    LOCAL_TEXT folder = {0};
    text_add_bytes(&folder, path, (size_t)(text_last_name(path) - path));
    headers.folder = open(text_string(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    find_names(&headers, "", text);
    for (size_t i = 0; headers.folder >= 0 && i < headers.names.count; i++) copy_header(&headers, headers.names.words[i]);
    if (headers.folder >= 0) close(headers.folder);
    argv_free(&headers.names);
}
