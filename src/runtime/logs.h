/* logs.h: what the runtime has said, for programs that ask for it. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "runtime/api.h"

/* What note.c says goes into the log as well, and to the callbacks, which may call the API. */
void logs_add(const char *text);

/* Between the two, while this thread has the context locked, callbacks wait. */
void logs_wait(void);
void logs_go_on(void);

/* So many messages were added so far. */
unsigned logs_count(void);

/* Messages as lines, from the first on; the next one is not there yet. The oldest are left out where there are more bytes than room. */
Text logs_lines(unsigned first, size_t room, unsigned *next);

/* From now on each message is handed to the function. NULL where the handle is none. */
cudaLogsCallbackHandle logs_listen(cudaLogsCallback_t function, void *data);
bool logs_leave(cudaLogsCallbackHandle handle);
