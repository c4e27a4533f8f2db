/* driver_calls.h: what stands around each call of the driver API, and the contexts that are current. The calls are the runtime's, by the driver's names
 * and with its errors: there is one device, and one implementation beneath both. Internal to src/runtime. */
#pragma once

#include "include/cuda.h"
#include "runtime/stream.h"

/* All contexts share the device's memory and streams; each frees at its end what was allocated and loaded in it. */
struct CUctx_st {
    struct CUctx_st *next;
    bool primary;
    _Atomic bool destroyed; /* by any thread, while it may be another's current one */
    unsigned flags;
    _Atomic unsigned retained; /* of the primary one: how often */
};

/* What a call asks for before it does anything. */
typedef enum DriverNeed { DRIVER_ANYTIME, DRIVER_INITIALISED, DRIVER_CURRENT } DriverNeed;
cudaError_t driver_ready(DriverNeed need);
void driver_initialise(void);

/* Tells of an error, and gives it the driver's name. */
CUresult driver_end(cudaError_t error);

/* This thread's stack of contexts. Calls of the runtime API put the primary one there where there is none, cudaSetDevice in the place of the
 * current one (as an H200 has it). */
CUcontext driver_current(void); /* NULL: none */
CUcontext driver_primary(void);
void driver_push(CUcontext context);
CUcontext driver_pop(void);

/* What stands in the runtime's calls for the driver's. */
static inline void *driver_at(CUdeviceptr pointer) {
    return (void *)pointer;
} /* NOLINT(performance-no-int-to-ptr): the API's type */
cudaLaunchConfig_t driver_launch_config(const CUlaunchConfig *config);

/* Those that cuCtxCreate makes. */
CUcontext driver_add(unsigned flags);
bool driver_has(CUcontext context);

/* The memory that begins there is the current context's, which frees it at its end, if nobody has before. */
void driver_keep(CUdeviceptr pointer);
/* The next allocation that is the context's, which it owns no more: whose it is to free. False: there is none. */
bool driver_take_owned(CUcontext owner, CUdeviceptr *pointer, bool *pinned);

#define DRIVER_BEGIN(name)                                                                             \
    __attribute__((unused, cleanup(callsite_leave))) const bool callsite_inner = callsite_now.address; \
    if (!callsite_inner) callsite_now = (Callsite) {                                                   \
            .address = __builtin_return_address(0), .call = name, .driver = true                       \
        }

/* Stands before what the call does, a static function of its parameters. Its name is as in the documentation: cuda.h says what it is linked by. */
#define DRIVER_CALL(need, name, parameters, arguments)                    \
    static cudaError_t name##_done parameters;                            \
    CUresult name parameters {                                            \
        DRIVER_BEGIN(#name);                                              \
        const cudaError_t not_ready = driver_ready(need);                 \
        return driver_end(not_ready ? not_ready : name##_done arguments); \
    }                                                                     \
    static cudaError_t name##_done parameters

/* The same of a call whose default stream may be each thread's own: it is called by a name with this ending then. */
#define DRIVER_STREAM_CALL(ending, name, parameters, arguments)           \
    static cudaError_t name##_done parameters;                            \
    CUresult name parameters {                                            \
        DRIVER_BEGIN(#name);                                              \
        const cudaError_t not_ready = driver_ready(DRIVER_CURRENT);       \
        return driver_end(not_ready ? not_ready : name##_done arguments); \
    }                                                                     \
    CUresult DRIVER_JOINED(name, ending) parameters;                      \
    CUresult DRIVER_JOINED(name, ending) parameters {                     \
        DRIVER_BEGIN(#name);                                              \
        stream_default_is_own = true;                                     \
        const CUresult result = name arguments;                           \
        stream_default_is_own = false;                                    \
        return result;                                                    \
    }                                                                     \
    static cudaError_t name##_done parameters
#define DRIVER_JOINED(name, ending) DRIVER_JOINED_AS(name, ending)
#define DRIVER_JOINED_AS(name, ending) name##ending
