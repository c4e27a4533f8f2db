#include "runtime/logs.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/callsite.h"

enum { LOG_MESSAGES = 100 }; /* that are kept */

struct CUlogsCallbackEntry_st {
    struct CUlogsCallbackEntry_st *next; /* an older one */
    cudaLogsCallback_t function;
    void *data;
    uint64_t number; /* in their order */
};

/* Messages come where the context is locked and where it is not. */
static struct {
    pthread_mutex_t lock;
    char *messages[LOG_MESSAGES]; /* by number, the newest ones */
    unsigned count;               /* so far */
    struct CUlogsCallbackEntry_st *callbacks;
    uint64_t registered; /* so far */
} logs = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What this thread is to hand to callbacks, oldest first. */
static _Thread_local struct {
    char **messages;
    size_t count;
    bool later, now; /* after the context is unlocked; a callback runs */
} due;

/* The newest callback of those that are older than this number, which may have left. */
static bool next_callback(uint64_t number, struct CUlogsCallbackEntry_st *found) {
    pthread_mutex_lock(&logs.lock);
    const struct CUlogsCallbackEntry_st *at = logs.callbacks;
    while (at && at->number >= number) at = at->next;
    if (at) *found = *at;
    pthread_mutex_unlock(&logs.lock);
    return at;
}

/* Calls of CUDA within a callback are calls of the program's own; what they say goes into the log alone, so that this ends. */
static void hand_over(void) {
    if (due.later || due.now || !due.count) return;
    const Callsite outside = callsite_now;
    due.now = true;
    for (size_t i = 0; i < due.count; i++) {
        struct CUlogsCallbackEntry_st each = {.number = UINT64_MAX};
        while (next_callback(each.number, &each)) {
            callsite_now = (Callsite){0};
            each.function(each.data, cudaLogLevelError, due.messages[i], strlen(due.messages[i]));
        }
        free(due.messages[i]);
    }
    free(due.messages);
    due.messages = NULL;
    due.count = 0;
    due.now = false;
    callsite_now = outside;
}

void logs_wait(void) { due.later = true; }

void logs_go_on(void) {
    due.later = false;
    hand_over();
}

void logs_add(const char *text) {
    pthread_mutex_lock(&logs.lock);
    char **at = &logs.messages[logs.count++ % LOG_MESSAGES];
    free(*at);
    *at = alloc_copy(text);
    if (logs.callbacks && !due.now) ALLOC_ADD(due.messages, due.count) = alloc_copy(text);
    pthread_mutex_unlock(&logs.lock);
    hand_over();
}

Text logs_lines(unsigned first, size_t room, unsigned *next) {
    Text text = {0};
    size_t bytes = 0;
    pthread_mutex_lock(&logs.lock);
    const unsigned oldest = logs.count > LOG_MESSAGES ? logs.count - LOG_MESSAGES : 0;
    unsigned from = logs.count;
    if (first < oldest) first = oldest;
    while (from > first && bytes + strlen(logs.messages[(from - 1) % LOG_MESSAGES]) + 1 <= room)
        bytes += strlen(logs.messages[--from % LOG_MESSAGES]) + 1;
    for (; from < logs.count; from++) text_add(&text, "%s\n", logs.messages[from % LOG_MESSAGES]);
    *next = logs.count;
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
    *made = (struct CUlogsCallbackEntry_st){logs.callbacks, function, data, logs.registered++};
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
