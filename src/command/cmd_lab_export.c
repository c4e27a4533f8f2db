/* cmd_lab_export.c: warpscope lab export: a result of `grade --json` as a platform takes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/cmd_lab.h"
#include "lab/export.h"

/* All of a stream, or as much as a result may have. */
static bool read_stream(FILE *file, Text *text) {
    char bytes[4096];
    for (size_t count; text->length <= KERNEL_BYTES && (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
        text_add_bytes(text, bytes, count);
    return !ferror(file);
}

/* The file's path is meant from where the command was given. */
static bool read_result(const LabTree *tree, const char *name, Text *text, Diag *diag) {
    if (!name && isatty(STDIN_FILENO)) {
        diag_say(diag, "which result? What warpscope lab grade LAB --json printed: a file, or on standard input");
        return diag_hint(diag, "warpscope lab grade 05 --json | warpscope lab export gradescope");
    }
    if (!name || strcmp(name, "-") == 0)
        return read_stream(stdin, text) || diag_say(diag, "standard input cannot be read: %s", strerror(errno));
    const bool moved = *name != '/' && tree->caller[0];
    LOCAL_TEXT path = text_from("%s%s%s", moved ? tree->caller : "", moved ? "/" : "", name);
    char *bytes = text_read_file(text_string(&path), KERNEL_BYTES, &text->length);
    if (!bytes) diag_error(diag, name, 0, 0, "it cannot be read: %s", text_file_problem(errno));
    text->data = bytes;
    return bytes;
}

int cmd_lab_export(LabTree *tree, const LabWords *words, Diag *diag) {
    ExportPlatform platform;
    const char *name = words->rest ? *words->rest : NULL;
    LOCAL_TEXT result = {0}, out = {0};
    int status = EXIT_USAGE;
    const char *lab = tree->catalogue.count == 1 ? tree->catalogue.labs[0].goals->number : ""; /* as in a package of one */
    if (!words->lab)
        diag_say(diag, "for which platform? warpscope lab export gradescope result.json");
    else if (words->rest && *words->rest && words->rest[1])
        diag_say(diag, "'%.100s' is a word too many", words->rest[1]);
    else if (export_find(words->lab, &platform, diag) && read_result(tree, name, &result, diag)) {
        status = export_result(platform, lab, text_string(&result), result.length, &out, diag) ? EXIT_FINE : EXIT_UNABLE;
        fwrite(text_string(&out), 1, out.length, stdout);
    }
    return status;
}
