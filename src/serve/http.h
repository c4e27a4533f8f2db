/* http.h: what the server answers, request by request. */
#pragma once

#include <microhttpd.h>

#include "serve/admit.h"
#include "serve/events.h"
#include "serve/labdesk.h"
#include "serve/strangers.h"

typedef struct CourseServer {
    Desk desk;
    Events events;
    Strangers strangers;
    Admission admission;
    const char *warpscope; /* the program that has the learner's commands */
    Text root, site, pages, editor,
        build; /* folders: the tree's, of the book's pages, of the desk's, of CodeMirror, of the build */
} CourseServer;

/* MHD's handler; context: a CourseServer. */
enum MHD_Result http_answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                            const char *version, const char *upload, size_t *upload_bytes, void **request);
void http_ended(void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code);
