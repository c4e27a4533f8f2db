/* pthread.h: POSIX threads where there is but the one, as in a page: no other can be started, so nothing is ever locked or waited for. */
#pragma once

#include <errno.h>
#include <stdlib.h>

typedef struct PageThread *pthread_t;
typedef char pthread_mutex_t, pthread_cond_t;

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *), void *argument) {
    (void)thread, (void)attributes, (void)run, (void)argument;
    return EAGAIN;
}
static inline int pthread_join(pthread_t thread, void **result) {
    (void)thread, (void)result;
    return ESRCH;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) {
    (void)mutex, (void)attributes;
    return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) { return *mutex = 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) { return *mutex = 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) { return *mutex = 0; }

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes) {
    (void)condition, (void)attributes;
    return 0;
}
static inline int pthread_cond_destroy(pthread_cond_t *condition) { return *condition = 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *condition) { return *condition = 0; }
/* Nobody could end the wait. */
static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    (void)condition, (void)mutex;
    abort();
}
