/* wire.h: messages of JSON-RPC as language servers get and send them: header lines, an empty line, and as many bytes of JSON as
 * Content-Length says (LSP 3.17, base protocol). */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/text.h"

enum { WIRE_MESSAGE_BYTES = 16 << 20, WIRE_HEADER_BYTES = 4096 };

/* Bytes that have come and are no message yet. All zero is the beginning. */
typedef struct WireReader {
    Text bytes;
    size_t used;  /* of them, by messages that were taken */
    bool is_lost; /* after a bad header: what comes is dropped up to the next Content-Length */
} WireReader;

typedef enum WireStatus {
    WIRE_NONE,       /* not all of a message is there */
    WIRE_MESSAGE,    /* *message is the caller's */
    WIRE_BAD_HEADER, /* no length, or one of more than WIRE_MESSAGE_BYTES; the reader looks for the next header */
    WIRE_BAD_JSON    /* the body is none */
} WireStatus;

void wire_feed(WireReader *reader, const char *bytes, size_t count);

/* The next message. To be called until there is none. */
WireStatus wire_take(WireReader *reader, json_t **message);
void wire_free(WireReader *reader); /* back to the beginning */

/* Appends the message with its header, and frees it. */
void wire_put(Text *out, json_t *message);
