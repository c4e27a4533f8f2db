/* admit.h: which requests are answered at all: of whoever has the token, at a name that is ours, from a page that is ours. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

#include "base/diag.h"

enum { TOKEN_BYTES = 32 };

typedef struct Admission {
    char token[TOKEN_BYTES + 1];
    unsigned port;
    const char *host; /* another name that a proxy calls us by, with its port where it has one; NULL: none */
} Admission;

/* Takes the token of the file, which only its owner may read, or draws one and writes it there: pages stay admitted when the server is started
 * anew. False with a message. */
bool admit_token(Admission *admission, const char *path, Diag *diag);

typedef enum LetIn {
    ADMIT_NO,
    ADMIT_YES,
    ADMIT_ENTERS /* with the token in the address: it is to be given the cookie */
} LetIn;

/* changes: the request would change something, so that it must say which page it comes from. why: of ADMIT_NO. */
LetIn admit(const Admission *admission, struct MHD_Connection *connection, bool changes, const char **why);

/* The header Set-Cookie's value. */
void admit_cookie(const Admission *admission, char *cookie, size_t size);
