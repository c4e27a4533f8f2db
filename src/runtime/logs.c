#include "runtime/logs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { LOG_MESSAGES = 100 }; /* that are kept */

struct CUlogsCallbackEntry_st {
    struct CUlogsCallbackEntry_st *next;
    cudaLogsCallback_t function;
    void *data;
};

/* Messages come where the context is locked and where it is not. */
static struct {
    pthread_mutex_t lock;
    char *messages[LOG_MESSAGES]; /* by number, the newest ones */
    unsigned count;               /* so far */
    struct CUlogsCallbackEntry_st *callbacks;
} logs = {.lock = PTHREAD_MUTEX_INITIALIZER};

void logs_add(const char *text) {
    pthread_mutex_lock(&logs.lock);
    char **at = &logs.messages[logs.count++ % LOG_MESSAGES];
    free(*at);
    *at = alloc_copy(text);
    for (const struct CUlogsCallbackEntry_st *each = logs.callbacks; each; each = each->next)
        each->function(each->data, cudaLogLevelError, *at, strlen(*at));
    pthread_mutex_unlock(&logs.lock);
}

/* Lines from this message on; the oldest are left out where there are too many bytes. */
static Text lines_from(unsigned first, size_t room) {
    Text text = {0};
    size_t bytes = 0;
    const unsigned oldest = logs.count > LOG_MESSAGES ? logs.count - LOG_MESSAGES : 0;
    unsigned from = logs.count;
    if (first < oldest) first = oldest;
    while (from > first && bytes + strlen(logs.messages[(from - 1) % LOG_MESSAGES]) + 1 <= room)
        bytes += strlen(logs.messages[--from % LOG_MESSAGES]) + 1;
    for (; from < logs.count; from++) text_add(&text, "%s\n", logs.messages[from % LOG_MESSAGES]);
    return text;
}

Text logs_take(cudaLogIterator *iterator, size_t room) {
    pthread_mutex_lock(&logs.lock);
    const Text text = lines_from(iterator ? *iterator : 0, room);
    if (iterator) *iterator = logs.count;
    pthread_mutex_unlock(&logs.lock);
    return text;
}

unsigned logs_count(void) {
    pthread_mutex_lock(&logs.lock);
    const unsigned count = logs.count;
    pthread_mutex_unlock(&logs.lock);
    return count;
}

cudaLogsCallbackHandle logs_listen(cudaLogsCallback_t function, void *data) {
    struct CUlogsCallbackEntry_st *made = alloc_bytes(sizeof *made);
    pthread_mutex_lock(&logs.lock);
    *made = (struct CUlogsCallbackEntry_st){logs.callbacks, function, data};
    logs.callbacks = made;
    pthread_mutex_unlock(&logs.lock);
    return made;
}

bool logs_leave(cudaLogsCallbackHandle handle) {
    pthread_mutex_lock(&logs.lock);
    struct CUlogsCallbackEntry_st **at = &logs.callbacks;
    while (*at && *at != handle) at = &(*at)->next;
    struct CUlogsCallbackEntry_st *found = *at;
    if (found) *at = found->next;
    pthread_mutex_unlock(&logs.lock);
    free(found);
    return found;
}
