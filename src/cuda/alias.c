#define _GNU_SOURCE /* memmem, memrchr */
#include "cuda/alias.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/door.h"
#include "cuda/options.h"

#define SOURCE_LIMIT ((size_t)256 << 20) /* bytes */

void aliases_begin(Aliases *aliases, const char *folder, bool has_shell) {
    *aliases = (Aliases){.folder = folder, .has_shell = has_shell};
}

void aliases_end(Aliases *aliases) {
    argv_free(&aliases->seen);
    argv_free(&aliases->said);
    argv_free(&aliases->whole);
    text_free(&aliases->macros);
}

/* --- paths --- */

/* "" is the current folder. */
static void add_whole(Text *whole, const char *path) {
    char here[PATH_MAX];
    if (path[0] != '/' && getcwd(here, sizeof here)) text_add(whole, "%s%s", here, *path ? "/" : "");
    text_add(whole, "%s", path);
}

static void remember(Aliases *aliases, const char *seen, const char *said, const char *whole) {
    argv_add(&aliases->seen, seen);
    argv_add(&aliases->said, said);
    argv_add(&aliases->whole, whole);
}

/* A link to the file or folder, which an earlier call may have made. */
static Text link_to(Aliases *aliases, const char *path) {
    LOCAL_TEXT whole = {0};
    Text link = {0};
    add_whole(&whole, path);
    for (size_t i = 0; i < aliases->seen.count && !link.length; i++)
        if (strcmp(aliases->whole.words[i], text_string(&whole)) == 0) text_add(&link, "%s", aliases->seen.words[i]);
    if (!link.length) {
        text_add(&link, "%s/%zu_", aliases->folder, aliases->seen.count);
        if (symlink(text_string(&whole), text_string(&link)) == 0)
            remember(aliases, text_string(&link), path, text_string(&whole));
    }
    return link;
}

/* Where a plain name begins that is the path's last, behind its folder's; NULL: the path has none. */
static const char *plain_last(const char *path) {
    const char *name = text_last_name(path);
    return door_is_plain(name) && !strpbrk(name, ",:") && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : NULL;
}

Text alias_path(Aliases *aliases, const char *path) {
    Text alias = {0};
    if (!aliases->has_shell || door_takes_path(path)) {
        text_add(&alias, "%s", path);
        return alias;
    }
    const char *name = plain_last(path);
    if (!name) return link_to(aliases, path);
    LOCAL_TEXT beside = {0};
    text_add_bytes(&beside, path, (size_t)(name - path));
    alias = link_to(aliases, text_string(&beside));
    text_add(&alias, "/%s", name);
    return alias;
}

/* --- the source --- */

void alias_add_escaped(Text *text, const char *name) {
    for (; *name; name++) {
        if (iscntrl((unsigned char)*name))
            text_add(text, "\\%03o", (unsigned)(unsigned char)*name);
        else
            text_add(text, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
    }
}

/* source/NAME.cu in the private folder: a plain name with the ending by which nvcc knows what is in the file. */
static Text place_for(const Aliases *aliases, const char *path) {
    const char *name = plain_last(path), *ending = strrchr(text_last_name(path), '.');
    Text copy = text_from("%s/source", aliases->folder);
    mkdir(text_string(&copy), 0700);
    if (name)
        text_add(&copy, "/%s", name);
    else
        text_add(&copy, "/source%s", ending && door_is_plain(ending) && !strpbrk(ending, ",:") ? ending : ".cu");
    return copy;
}

/* Where the current folder's path is not plain, the compiler runs in another, and is told the whole name: it would complete a relative one wrongly. */
static bool copy_source(Aliases *aliases, const char *path, const char *copy) {
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which stands at a file's beginning or nowhere */
    size_t length;
    FREED char *text = text_read_file(path, SOURCE_LIMIT, &length);
    if (!text) return false;
    size_t skipped = strncmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    LOCAL_TEXT name = {0};
    if (!aliases->has_shell || door_takes_path("."))
        text_add(&name, "%s", path);
    else
        add_whole(&name, path);
    LOCAL_TEXT named = text_from("# 1 \"");
    alias_add_escaped(&named, text_string(&name));
    text_add(&named, "\"\n");
    text_add_bytes(&named, text + skipped, length - skipped);
    bool fine = text_write_file(copy, text_string(&named), named.length);
    if (fine) remember(aliases, copy, path, text_string(&name));
    if (fine && strcmp(text_string(&name), path) != 0) remember(aliases, text_string(&name), path, text_string(&name));
    return fine;
}

bool alias_add_source(Aliases *aliases, Argv *command, const char *path, Diag *diag) {
    if (aliases->has_shell ? door_takes_path(path) : text_last_name(path)[0] != '@') {
        argv_add_input(command, path);
        return true;
    }
    LOCAL_TEXT copy = place_for(aliases, path), beside = {0};
    text_add_bytes(&beside, path, (size_t)(text_last_name(path) - path));
    bool fine = copy_source(aliases, path, text_string(&copy));
    if (fine) {
        /* Where #include "…" looks after the copy's own folder, in which there is nothing else. */
        LOCAL_TEXT folder = link_to(aliases, text_string(&beside));
        argv_add_pair(command, aliases->has_shell ? "-Xcompiler=-iquote," : "-iquote", text_string(&folder));
        argv_add(command, text_string(&copy));
    } else {
        diag_error(diag, path, 0, 0, "cannot be copied to '%s': %s", text_string(&copy), strerror(errno));
    }
    return fine;
}

/* --- options --- */

/* As nvcc reads a word: a backslash makes the sign behind it an ordinary one. */
static void add_macro(Text *macros, const Option *option) {
    bool defines = strcmp(option->kind->name, "-D") == 0;
    const char *at = option->value, *value = at + strcspn(at, "=");
    text_add(macros, "%s %.*s %s", defines ? "#define" : "#undef", (int)(value - at), at, defines && !*value ? "1" : "");
    for (at = value + (*value == '='); *at; at++) {
        at += *at == '\\' && ispunct((unsigned char)at[1]);
        text_add(macros, "%c", *at);
    }
    text_add(macros, "\n\n"); /* two: the value may end with a backslash */
}

static void add_path(Aliases *aliases, Argv *command, const Option *option) {
    LOCAL_TEXT path = alias_path(aliases, option->value);
    argv_add(command, option->kind->name);
    argv_add(command, text_string(&path));
}

static bool add_option(Aliases *aliases, Argv *command, const Option *option, Diag *diag) {
    const char *value = option->value ? option->value : "";
    switch (option->kind->use) {
    case USE_MACRO:
        if (!*value || door_is_plain(value)) break;
        if (strchr(value, '\n')) return diag_say(diag, "%s '%.200s': a macro is of one line", option->kind->name, value);
        add_macro(&aliases->macros, option);
        return true;
    case USE_PATH:
        if (!*value || door_takes_path(value)) break;
        add_path(aliases, command, option);
        return true;
    case USE_PROGRAM: /* a name alone is looked up in PATH */
        if (!strchr(value, '/') || door_takes_path(value)) break;
        add_path(aliases, command, option);
        return true;
    case USE_FILE:
    case USE_LINK:
    case USE_MODE:
    case USE_DEVICE_CODE:
    case USE_DEVICE_LINK:
    case USE_DEVICE_MODE: return true;
    case USE_OUTPUT:
    case USE_ARCH:
    case USE_RELOCATABLE:
    case USE_DROP:
    case USE_REFUSE:
    case USE_PARTS:
    case USE_COMPILE:
    case USE_DEBUG:
    case USE_LANGUAGE:
    case USE_STREAM:
    case USE_MORE_FILES: break;
    }
    options_add_nvcc(command, option->words, option->count);
    return true;
}

bool alias_add_options(Aliases *aliases, Argv *command, const char *const *words, size_t count, Diag *diag) {
    for (Option option = {0}; option_next(words, count, &option);)
        if (!add_option(aliases, command, &option, diag)) return false;
    if (!aliases->macros.length) return true;
    LOCAL_TEXT path = text_from("%s/macros.h", aliases->folder);
    bool fine = text_write_file(text_string(&path), text_string(&aliases->macros), aliases->macros.length);
    text_free(&aliases->macros);
    if (!fine) diag_say(diag, "cannot write '%s': %s", text_string(&path), strerror(errno));
    argv_add(command, "-include");
    argv_add(command, text_string(&path));
    remember(aliases, text_string(&path), "command line", "command line");
    return fine;
}

/* --- names in what compilers write --- */

static void replace(Text *text, const char *from, const char *to) {
    Text with = {0};
    const char *at = text_string(text), *end = at + text->length;
    size_t length = strlen(from);
    for (const char *found; (found = memmem(at, (size_t)(end - at), from, length)); at = found + length) {
        text_add_bytes(&with, at, (size_t)(found - at));
        text_add(&with, "%s", to);
    }
    if (at == text_string(text)) return; /* not in it */
    text_add_bytes(&with, at, (size_t)(end - at));
    text_free(text);
    *text = with;
}

/* A link is followed by a slash and the name of a file in it, or by nothing; "" says the current folder. */
static void resolve(Text *text, const char *seen, const char *to) {
    LOCAL_TEXT folder = text_from("%s/", seen);
    LOCAL_TEXT named = text_from("%s%s", to, *to && to[strlen(to) - 1] != '/' ? "/" : "");
    replace(text, text_string(&folder), text_string(&named));
    replace(text, seen, *to ? to : ".");
}

void aliases_resolve(const Aliases *aliases, Text *text, bool in_ptx) {
    for (size_t i = 0; i < aliases->seen.count; i++) {
        const char *seen = aliases->seen.words[i];
        LOCAL_TEXT name = {0};
        if (in_ptx)
            alias_add_escaped(&name, aliases->whole.words[i]);
        else
            text_add(&name, "%s", aliases->said.words[i]);
        resolve(text, seen, text_string(&name));
    }
}
