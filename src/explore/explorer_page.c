#include "explore/explorer_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/home.h"
#include "device/profile.h"
#include "host/checksum.h"
#include "report/html.h"
#include "report/object.h"

enum { PART_MOST = 16 << 20 };

static json_t *choice(const char *name, const char *label, json_t *of, const char *value) {
    return json_pack("{sssssoss}", "name", name, "label", label, "of", of, "value", value);
}

static json_t *controls_of(const ExplorePage *page) {
    json_t *devices = json_array();
    for (uint32_t i = 0; i < profile_count(); i++) json_array_append_new(devices, json_string(profile_at(i)->name));
    return json_pack("[oo]", choice("device", "Device", devices, page->device),
                     choice("l1", "L1 keeps loads", json_pack("[ss]", "on", "off"), page->l1 ? "on" : "off"));
}

/* JSON as a script element may hold it: no '<', so that nothing in it ends the element. */
static void add_script_json(json_t *object, Text *out) {
    LOCAL_TEXT json = {0};
    object_write(object, JSON_COMPACT | JSON_ENCODE_ANY, &json);
    for (const char *c = text_string(&json); *c; c++)
        if (*c == '<')
            text_add(out, "\\u003c");
        else
            text_add_bytes(out, c, 1);
    json_decref(object);
}

/* The PTX with the names of files alone in `.file 1 "/home/…/kernel.cu"`: the folders are this computer's. */
static void add_ptx(const char *ptx, Text *out) {
    for (size_t length; *ptx; ptx += length) {
        unsigned number;
        length = strcspn(ptx, "\n");
        length += ptx[length] == '\n';
        char *line = strndup(ptx, length), *end = strrchr(line, '"');
        if (end && sscanf(line, " .file %u", &number) == 1) {
            *end = 0; /* of the name, the last that is quoted: one before it is a folder */
            const char *begin = strrchr(line, '"');
            text_add(out, "\t.file\t%u \"%s\"\n", number, text_last_name(begin ? begin + 1 : line));
        } else {
            text_add_bytes(out, line, length);
        }
        free(line);
    }
}

static bool add_part(const char *program, const char *name, const char *before, const char *after, Text *out, Diag *diag) {
    char path[4096];
    if (!home_explorer(program, name, path, sizeof path)) {
        diag_say(diag, "the engine for pages has not been built: there is no explore/%s beside this program", name);
        return diag_hint(diag, "make engine says what that takes");
    }
    size_t length;
    FREED char *text = text_read_file(path, PART_MOST, &length);
    if (!text) return diag_say(diag, "cannot read '%.300s': %s", path, text_file_problem(errno));
    text_add(out, "%s", before);
    text_add_bytes(out, text, length);
    text_add(out, "%s", after);
    return true;
}

/* What a page's engine is given: as `warpscope compile` writes it, so that the page knows the compiler. */
static json_t *program_of(const ExplorePage *page) {
    LOCAL_TEXT ptx = {0};
    if (!page->source->is_ptx) text_add(&ptx, "// compiled by %s\n", page->source->compiled.compiler);
    add_ptx(source_ptx(page->source), &ptx);
    return json_pack("{ssssss}", "path", text_last_name(page->path), "source", page->source->text, "ptx", text_string(&ptx));
}

/* The element's description; program: a key of window.PROGRAMS. */
static json_t *description_of(const ExplorePage *page, const char *program) {
    LOCAL_TEXT words = text_from("--device {device} --l1 {l1} %s", page->words);
    return json_pack("{sssssosO}", "program", program, "words", text_string(&words), "controls", controls_of(page), "arrays",
                     page->arrays);
}

static bool has_room(const ExplorePage *page, Diag *diag) {
    if (strlen(page->words) <= PAGE_WORDS_MOST) return true;
    diag_say(diag, "the buffers' contents would make a page of more than %d MiB", PAGE_WORDS_MOST >> 20);
    return diag_hint(diag, "smaller buffers, or random:SEED and iota in place of a file: those take no room");
}

bool page_write(const ExplorePage *page, Text *out, Diag *diag) {
    LOCAL_TEXT head = {0};
    const char *name = text_last_name(page->path);
    if (!has_room(page, diag)) return false;
    bool good = add_part(page->program, "page.css", "<style>", "</style>\n", &head, diag);
    html_begin(page->title, "Thirty-Two", NULL, text_string(&head), out);
    text_add(out, "<warp-explorer id=\"launch\"><script type=\"application/json\">");
    add_script_json(description_of(page, name), out);
    text_add(out, "</script><noscript>This page needs scripts: the emulator in it is one.</noscript></warp-explorer>\n"
                  "<script>window.PROGRAMS = ");
    add_script_json(json_pack("{so}", name, program_of(page)), out);
    text_add(out, ";</script>\n");
    good = good && add_part(page->program, "page.js", "<script>", "</script>\n", out, diag);
    if (page->follows) {
        text_add(out, "<script>window.FOLLOWS = ");
        add_script_json(json_string(page->follows), out);
        text_add(out, ";</script>\n");
    }
    html_end(out);
    return good;
}

/* `(window.TABLE = window.TABLE || {})["NAME"] = VALUE;`, taking the value. */
static void add_entry(const char *table, const char *name, json_t *value, Text *out) {
    text_add(out, "(window.%s = window.%s || {})[", table, table);
    add_script_json(json_string(name), out);
    text_add(out, "] = ");
    add_script_json(value, out);
    text_add(out, ";\n");
}

bool page_write_script(const ExplorePage *page, const char *name, Text *out, Diag *diag) {
    LOCAL_TEXT style = {0};
    if (!has_room(page, diag) || !add_part(page->program, "page.css", "", "", &style, diag)) return false;
    add_entry("PROGRAMS", name, program_of(page), out);
    add_entry("LAUNCHES", name, description_of(page, name), out);
    text_add(out, "window.EXPLORER_STYLE = ");
    add_script_json(json_string(text_string(&style)), out);
    /* Of several such scripts in a page the first has the engine for all. */
    if (!add_part(page->program, "page.js", ";\nif (!customElements.get(\"warp-explorer\")) {\n", "\n}\n", out, diag))
        return false;
    text_add(
        out,
        "document.querySelectorAll(\"warp-explorer[launch]\").forEach(function (element) { element.connectedCallback(); });\n");
    return true;
}

void page_stamp(const Text *page, Text *out) {
    text_add(out, "window.pageWritten(\"%016" PRIx64 "\");\n", checksum_of(text_string(page)));
}
