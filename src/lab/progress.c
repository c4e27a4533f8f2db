#include "lab/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/replace.h"

enum { PROGRESS_BYTES = 1 << 20, WORD_BYTES = 40, LOCK_TRIES = 500, LOCK_PAUSE_NS = 10000000 }; /* five seconds */

/* --- lines ---------------------------------------------------------------------------------------------------------------- */

static bool next_word(const char **at, char *word, size_t size) {
    *at += strspn(*at, " \t");
    size_t length = strcspn(*at, " \t");
    if (!length || length >= size) return false;
    memcpy(word, *at, length);
    word[length] = 0;
    *at += length;
    return true;
}

static bool read_points(const char *word, double *value) {
    char *end;
    *value = strtod(word, &end);
    return end != word && !*end && isfinite(*value) && *value >= 0;
}

static bool read_mark(const char *line, LabMark *mark) {
    char word[WORD_BYTES], value[SEEN_BYTES];
    bool best = false, last = false;
    *mark = (LabMark){0};
    if (!next_word(&line, word, sizeof word) || strlen(word) >= sizeof mark->number ||
        strspn(word, "0123456789") != strlen(word))
        return false;
    strcpy(mark->number, word);
    while (next_word(&line, word, sizeof word)) {
        double number = 0;
        if (!next_word(&line, value, sizeof value)) return false;
        bool is_number = read_points(value, &number);
        if (strcmp(word, "best") == 0 && is_number)
            best = true, mark->best = number;
        else if (strcmp(word, "last") == 0 && is_number)
            last = true, mark->last = number;
        else if (strcmp(word, "hints") == 0 && is_number && number < 1000)
            mark->hints = (unsigned)number;
        else if (strcmp(word, "graded") == 0 && strlen(value) < sizeof mark->graded)
            strcpy(mark->graded, value);
        else if (strcmp(word, "seen") == 0)
            strcpy(mark->seen, value);
        else
            return false;
    }
    mark->is_graded = best;
    return !*line && best == last;
}

static void add_line(const ProgressLine *line, Text *out) {
    const LabMark *mark = &line->mark;
    if (line->text) {
        text_add(out, "%s\n", line->text);
        return;
    }
    text_add(out, "%s", mark->number);
    if (mark->is_graded) text_add(out, " best %g last %g", mark->best, mark->last);
    if (mark->hints) text_add(out, " hints %u", mark->hints);
    if (mark->graded[0]) text_add(out, " graded %s", mark->graded);
    if (mark->seen[0]) text_add(out, " seen %s", mark->seen);
    text_add(out, "\n");
}

static ProgressLine *append(Progress *progress) {
    ProgressLine *line = &ALLOC_ADD(progress->lines, progress->count);
    *line = (ProgressLine){0};
    return line;
}

static ProgressLine *find(const Progress *progress, const char *number) {
    for (size_t i = 0; i < progress->count; i++)
        if (!progress->lines[i].text && strcmp(progress->lines[i].mark.number, number) == 0) return &progress->lines[i];
    return NULL;
}

/* --- the file ------------------------------------------------------------------------------------------------------------- */

bool progress_read(Progress *progress, const char *path, Text *strange, Diag *diag) {
    *progress = (Progress){0};
    size_t length;
    char *text = text_read_file(path, PROGRESS_BYTES, &length), *rest = NULL;
    if (!text && errno == ENOENT) return true;
    if (!text) return diag_error(diag, path, 0, 0, "cannot be read: %s", text_file_problem(errno));
    for (size_t i = 0; i < length; i++)
        if (!text[i]) text[i] = '?';
    unsigned number = 0;
    for (char *line = text; line < text + length; line = rest) {
        size_t bytes = strcspn(line, "\n");
        rest = line + bytes + 1;
        line[bytes] = 0;
        number++;
        if (!line[strspn(line, " \t\r")]) continue;
        LabMark mark;
        bool good = read_mark(line, &mark) && !find(progress, mark.number);
        ProgressLine *added = append(progress);
        if (good)
            added->mark = mark;
        else
            added->text = alloc_copy(line);
        if (!good) text_add(strange, "%s:%u: this line is not understood and stays as it is\n", path, number);
    }
    free(text);
    return true;
}

void progress_free(Progress *progress) {
    for (size_t i = 0; i < progress->count; i++) free(progress->lines[i].text);
    free(progress->lines);
    *progress = (Progress){0};
}

LabMark progress_of(const Progress *progress, const char *number) {
    const ProgressLine *line = find(progress, number);
    LabMark mark = {0};
    snprintf(mark.number, sizeof mark.number, "%s", number);
    return line ? line->mark : mark;
}

/* Whether the lock is ours. Commands have it for a moment; who has it for long, perhaps another user who may read the file, is not waited for: what
 * is written replaces the file at once, so that at worst one of two changes of the same moment is lost. */
static bool lock_soon(int fd) {
    for (int tries = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (tries == LOCK_TRIES || (errno != EWOULDBLOCK && errno != EINTR)) return false;
        nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
    }
    return true;
}

/* Opens and locks the file that stands at the path once the lock is ours: another command may have put a new one there meanwhile. */
static int lock_file(const char *path) {
    for (;;) {
        struct stat ours, there;
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (fd < 0) return -1;
        if (!lock_soon(fd)) return fd;
        if (fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
            return fd;
        close(fd);
    }
}

/* Replaces a lab's line by what change makes of it. */
static bool change_mark(const char *path, const char *number, void (*change)(LabMark *mark, const LabMark *news),
                        const LabMark *news, Diag *diag) {
    Progress progress = {0};
    LOCAL_TEXT strange = {0}, text = {0};
    if (text_is_nowhere(path)) return true; /* which graders have that remember nothing */
    int lock = lock_file(path);
    if (lock < 0) return diag_error(diag, path, 0, 0, "cannot be written: %s", strerror(errno));
    bool good = progress_read(&progress, path, &strange, diag);
    if (good) {
        LabMark mark = progress_of(&progress, number);
        ProgressLine *line = find(&progress, number);
        if (!line) line = append(&progress);
        change(&mark, news);
        line->mark = mark;
        for (size_t i = 0; i < progress.count; i++) add_line(&progress.lines[i], &text);
        good = file_replace(path, text_string(&text), text.length, diag);
    }
    close(lock);
    progress_free(&progress);
    return good;
}

static void set_graded(LabMark *mark, const LabMark *news) {
    mark->best = mark->is_graded ? fmax(mark->best, news->last) : news->last;
    mark->last = news->last;
    mark->is_graded = true;
    strcpy(mark->graded, news->graded);
    strcpy(mark->seen, news->seen);
}

static void set_hinted(LabMark *mark, const LabMark *news) { mark->hints = news->hints; }

bool progress_graded(const char *path, const char *number, double points, const char *checksum, const char *seen, Diag *diag) {
    LabMark news = {.last = points};
    snprintf(news.graded, sizeof news.graded, "%s", checksum);
    if (strlen(seen) < sizeof news.seen) strcpy(news.seen, seen);
    return change_mark(path, number, set_graded, &news, diag);
}

bool progress_hinted(const char *path, const char *number, unsigned hints, Diag *diag) {
    return change_mark(path, number, set_hinted, &(LabMark){.hints = hints}, diag);
}

static void set_reset(LabMark *mark, const LabMark *news) { *mark = *news; }

bool progress_reset(const char *path, const char *number, Diag *diag) {
    LabMark news = {0};
    snprintf(news.number, sizeof news.number, "%s", number);
    return change_mark(path, number, set_reset, &news, diag);
}
