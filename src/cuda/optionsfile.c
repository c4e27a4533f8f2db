#include "cuda/optionsfile.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cuda/options.h"

#define FILE_LIMIT ((size_t)16 << 20) /* bytes */

/* The next word, between blanks that are neither quoted nor behind a backslash; where it ends, or NULL: there is none. */
static const char *next_word(const char *at, Text *word) {
    char quote = 0;
    while (isspace((unsigned char)*at)) at++;
    if (!*at) return NULL;
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (*at == quote) {
            quote = 0;
        } else if (!quote && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else {
            if (*at == '\\' && at[1] && quote != '\'') at++;
            text_add_bytes(word, at, 1);
        }
    }
    return at;
}

/* Names are parted by commas. */
static bool add_files(const char *names, Argv *whole, Diag *diag) {
    while (*names) {
        const size_t length = strcspn(names, ",");
        LOCAL_TEXT name = text_from("%.*s", (int)length, names);
        FREED char *text = text_read_file(text_string(&name), FILE_LIMIT, NULL);
        if (!text) return diag_error(diag, text_string(&name), 0, 0, "cannot be read: %s", text_file_problem(errno));
        for (const char *at = text; at;) {
            LOCAL_TEXT word = {0};
            at = next_word(at, &word);
            if (at) argv_add(whole, text_string(&word));
        }
        names += length + (names[length] == ',');
    }
    return true;
}

bool optionsfile_expand(const char *const *words, size_t count, Argv *whole, Diag *diag) {
    for (Option option = {0}; option_next(words, count, &option);) {
        const bool file = strcmp(option.kind->name, "-optf") == 0 && option.value;
        if (file && !add_files(option.value, whole, diag)) return false;
        for (size_t i = 0; !file && i < option.count; i++) argv_add(whole, option.words[i]);
    }
    return true;
}
