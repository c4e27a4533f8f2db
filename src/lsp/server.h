/* server.h: the language server without its input and output: what a client said goes in, what it is answered comes out, and documents that want
 * to be graded say so. serve.h connects it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lsp/document.h"
#include "lsp/wire.h"

typedef struct LspServer {
    const char *folder; /* for maps that are opened; NULL: there is none */
    Document *documents;
    Text output; /* what the client has not been sent */
    bool is_initialized, is_shut_down, has_exited;
    bool hints;     /* inlay hints, rather than code lenses */
    bool refreshes; /* the client can be told to ask for them again */
    bool markdown, shows_documents, versions;
    bool warned;       /* that there is no sandbox */
    uint64_t requests; /* of ours, that the client answers */
} LspServer;

/* A message came, or something that is none. */
void server_receive(LspServer *server, const json_t *message);
void server_receive_bad(LspServer *server, WireStatus status);

/* A document's job ended with these remarks (NULL: none), which are the server's then. */
void server_finish(LspServer *server, Document *document, json_t *remarks);

/* Frees closed documents whose jobs have ended. */
void server_sweep(LspServer *server);
void server_free(LspServer *server);
