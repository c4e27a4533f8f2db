/* admit.h: which requests are answered at all: of whoever has the token, at a name that is ours, from a page that is ours. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

#include "base/diag.h"

enum { TOKEN_BYTES = 32, HOME_BYTES = 16 };

/* A browser has one set of cookies for all ports of a computer, so that every server of another user is given ours, too, but for paths that it does not know:
 * all that is served lies beneath a folder whose name is drawn. */
typedef struct Admission {
    char token[TOKEN_BYTES + 1], home[HOME_BYTES + 1];
    unsigned port;
    const char *host; /* another name that a proxy calls us by, with its port where it has one; NULL: none */
} Admission;

/* Takes the token and the folder's name from the file, which only its owner may read, or draws both and writes them there: pages stay admitted when the
 * server is started anew behind a kill. False with a message. Whoever ends it in order removes the file, since pages ask the one that has its port next. */
bool admit_token(Admission *admission, const char *path, Diag *diag);

/* What of the path stands behind that folder, from its "/" on; NULL: it does not lie there. */
const char *admit_path(const Admission *admission, const char *path);

typedef enum LetIn {
    ADMIT_NO,
    ADMIT_YES,
    ADMIT_ENTERS /* with the token in the address: it is to be given the cookie */
} LetIn;

/* changes: the request would change something, so that it must say which page it comes from. why: of ADMIT_NO. */
LetIn admit(const Admission *admission, struct MHD_Connection *connection, const char *path, bool changes, const char **why);

/* The headers of an answer that lets in: Set-Cookie's value, and where to go on. */
void admit_cookie(const Admission *admission, char *cookie, size_t size);
void admit_home(const Admission *admission, char *path, size_t size);
