#define _GNU_SOURCE /* getrandom */
#include "serve/admit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/replace.h"

enum { NAME_BYTES = 300, DRAWN_BYTES = TOKEN_BYTES + HOME_BYTES };

static const char digits[] = "0123456789abcdef";

/* In as long a time, whatever they are. */
static bool is_same(const char *token, const char *said) {
    unsigned differs = strlen(said) != TOKEN_BYTES;
    for (size_t i = 0; i < TOKEN_BYTES && !differs; i++) differs |= (unsigned)(token[i] ^ said[i]) << 8;
    return !differs;
}

/* A file of ours alone that has as many digits, and nothing else. */
static bool read_drawn(const char *path, char *drawn) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                !(status.st_mode & (S_IRWXG | S_IRWXO)) && status.st_size == DRAWN_BYTES &&
                read(file, drawn, DRAWN_BYTES) == DRAWN_BYTES && strspn(drawn, digits) == DRAWN_BYTES;
    close(file);
    return good;
}

/* Draws them, and writes them there. */
static bool write_drawn(const char *path, char *drawn, Diag *diag) {
    unsigned char random[DRAWN_BYTES];
    if (getrandom(random, sizeof random, 0) != sizeof random) {
        diag_say(diag, "the system gives no random numbers: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < DRAWN_BYTES; i++) drawn[i] = digits[random[i] % 16];
    unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    bool good = file >= 0 && file_write(file, drawn, DRAWN_BYTES);
    if (!good) diag_say(diag, "%.200s cannot be written: %s", path, strerror(errno));
    if (file >= 0) close(file);
    return good;
}

bool admit_token(Admission *admission, const char *path, Diag *diag) {
    char drawn[DRAWN_BYTES + 1] = "";
    if (!read_drawn(path, drawn) && !write_drawn(path, drawn, diag)) return false;
    memcpy(admission->token, drawn, TOKEN_BYTES);
    memcpy(admission->home, drawn + TOKEN_BYTES, HOME_BYTES);
    return true;
}

const char *admit_path(const Admission *admission, const char *path) {
    if (*path != '/' || strncmp(path + 1, admission->home, HOME_BYTES) != 0) return NULL;
    return path[1 + HOME_BYTES] == '/' ? path + 1 + HOME_BYTES : NULL;
}

static void cookie_name(const Admission *admission, char *name, size_t size) {
    snprintf(name, size, "thirty-two-%u", admission->port);
}

void admit_cookie(const Admission *admission, char *cookie, size_t size) {
    char name[64];
    cookie_name(admission, name, sizeof name);
    snprintf(cookie, size, "%s=%s; Path=/%s/; HttpOnly; SameSite=Strict", name, admission->token, admission->home);
}

void admit_home(const Admission *admission, char *path, size_t size) { snprintf(path, size, "/%s/", admission->home); }

static bool is_our_name(const Admission *admission, const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char name[NAME_BYTES];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s:%u", names[i], admission->port);
        if (strcmp(host, name) == 0) return true;
    }
    return admission->host && strcmp(host, admission->host) == 0;
}

/* The page that a request comes from is one of ours: as browsers say it, "null" is nobody's. */
static bool is_our_page(const char *origin, const char *host) {
    char http[NAME_BYTES], https[NAME_BYTES];
    snprintf(http, sizeof http, "http://%s", host);
    snprintf(https, sizeof https, "https://%s", host);
    return strcmp(origin, http) == 0 || strcmp(origin, https) == 0;
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

LetIn admit(const Admission *admission, struct MHD_Connection *connection, const char *path, bool changes, const char **why) {
    char name[64];
    const char *host = header(connection, "Host"), *origin = header(connection, "Origin");
    cookie_name(admission, name, sizeof name);
    const char *cookie = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, name);
    const char *token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    *why = "";
    if (!is_our_name(admission, host))
        *why = "this server is not called so: open the address that it printed, or start it with --host";
    else if (*origin ? !is_our_page(origin, host) : changes)
        *why = "a page of another server may not ask this";
    else if (cookie && admit_path(admission, path) && is_same(admission->token, cookie))
        return ADMIT_YES;
    else if (!changes && token && is_same(admission->token, token))
        return ADMIT_ENTERS;
    else
        *why = "this page belongs to whoever started the server: open the address that it printed, with its token";
    return ADMIT_NO;
}
