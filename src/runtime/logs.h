/* logs.h: what the runtime has said, for programs that ask for it. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "runtime/api.h"

/* What note.c says goes into the log as well. */
void logs_add(const char *text);

/* So many messages were added so far. */
unsigned logs_count(void);

/* As lines, from *iterator on, which is moved behind the last; NULL: all that is kept. The oldest are left out where there are more bytes than room. */
Text logs_take(cudaLogIterator *iterator, size_t room);

/* From now on each message is handed to the function. NULL where the handle is none. */
cudaLogsCallbackHandle logs_listen(cudaLogsCallback_t function, void *data);
bool logs_leave(cudaLogsCallbackHandle handle);
