#include "lab/history.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

enum { HISTORY_BYTES = 256 << 20 };

void history_path(const char *progress_path, Text *out) {
    text_add(out, text_is_nowhere(progress_path) ? "%s" : "%s.history", progress_path);
}

bool history_add(const char *path, const HistoryEntry *entry, Diag *diag) {
    LOCAL_TEXT line = text_from("%s %" PRId64, entry->number, entry->time);
    if (entry->is_reset)
        text_add(&line, " reset\n");
    else
        text_add(&line, " %g hints %u seen %s\n", entry->points, entry->hints, entry->seen);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
    bool good = fd >= 0 && write(fd, text_string(&line), line.length) == (ssize_t)line.length;
    if (!good) diag_error(diag, path, 0, 0, "cannot be written: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return good;
}

static bool read_entry(const char *line, HistoryEntry *entry) {
    int length = 0;
    *entry = (HistoryEntry){0};
    if (sscanf(line, "%7[0-9] %" SCNd64 "%n", entry->number, &entry->time, &length) != 2) return false;
    line += length;
    entry->is_reset = strcmp(line, " reset") == 0;
    if (!entry->is_reset && (sscanf(line, " %lf hints %u seen%n", &entry->points, &entry->hints, &length) != 2 || !length ||
                             !isfinite(entry->points) || entry->points < 0))
        return false;
    line += entry->is_reset ? strlen(line) : (size_t)length;
    entry->seen = alloc_copy(line + (*line == ' '));
    return true;
}

bool history_read(History *history, const char *path, Diag *diag) {
    *history = (History){0};
    size_t length;
    FREED char *text = text_read_file(path, HISTORY_BYTES, &length);
    if (!text && errno == ENOENT) return true;
    if (!text) return diag_error(diag, path, 0, 0, "cannot be read: %s", text_file_problem(errno));
    for (char *line = text; line < text + length;) {
        size_t bytes = strcspn(line, "\n");
        char *rest = line + bytes + 1;
        HistoryEntry entry;
        line[bytes] = 0;
        if (read_entry(line, &entry)) ALLOC_ADD(history->entries, history->count) = entry;
        line = rest;
    }
    return true;
}

void history_free(History *history) {
    for (size_t i = 0; i < history->count; i++) free(history->entries[i].seen);
    free(history->entries);
    *history = (History){0};
}
