/* cuRAND's calls of the host. A generator's numbers are made where they are asked for; those of one for the device reach its memory in the order of
 * its stream. A call is not captured: NVIDIA's
 * graph has other numbers at each launch, of the same streams. */
#include "runtime/rand.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/libraries.h"
#include "runtime/rand_sequence.h"

struct curandGenerator_st {
    struct curandGenerator_st *next;
    cudaStream_t stream;
    bool on_host;
    Sequence sequence;
};

/* A program that has the library itself linked into it keeps that one's calls; a shared library's are overridden. */
#define RAND_WEAK __attribute__((weak))

static bool is_generator(const Context *context, curandGenerator_t generator) {
    const struct curandGenerator_st *known = context->generators;
    while (known && known != generator) known = known->next;
    return known;
}

static curandStatus_t complain(curandStatus_t status, const char *name, const char *why) {
    note("%s: %s: %s", callsite_name(), name, why);
    return status;
}
#define COMPLAIN(status, why) complain(status, #status, why)

static curandStatus_t no_generator(void) {
    return COMPLAIN(CURAND_STATUS_NOT_INITIALIZED,
                    "the generator is none that curandCreateGenerator has made and neither curandDestroyGenerator nor "
                    "cudaDeviceReset has ended");
}

/* --- generators --- */

/* What is not emulated of them: NULL where all is. */
static const char *missing_type(curandRngType_t type) {
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_TEST: break;
    case CURAND_RNG_PSEUDO_MTGP32: return "CURAND_RNG_PSEUDO_MTGP32";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL32";
    case CURAND_RNG_QUASI_SOBOL64: return "CURAND_RNG_QUASI_SOBOL64";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL64";
    }
    return NULL;
}

enum { STREAMS_XORWOW = 4096, STREAMS_MRG32K3A = 81920, STREAMS_LEGACY = 4096 };

static bool find_sequence(curandRngType_t type, Sequence *sequence) {
    if (type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW)
        *sequence = (Sequence){.kind = SEQUENCE_XORWOW, .streams = STREAMS_XORWOW};
    else if (type == CURAND_RNG_PSEUDO_MRG32K3A)
        *sequence = (Sequence){.kind = SEQUENCE_MRG32K3A, .streams = STREAMS_MRG32K3A};
    else if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
        *sequence = (Sequence){.kind = SEQUENCE_PHILOX};
    else if (type == CURAND_RNG_PSEUDO_MT19937)
        *sequence = (Sequence){.kind = SEQUENCE_MT19937};
    else if (type == CURAND_RNG_QUASI_DEFAULT || type == CURAND_RNG_QUASI_SOBOL32)
        *sequence = (Sequence){.kind = SEQUENCE_SOBOL32, .dimensions = 1};
    else
        return false;
    return true;
}

static curandStatus_t create(Context *context, curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    Sequence sequence;
    if (!generator) return COMPLAIN(CURAND_STATUS_NOT_INITIALIZED, "there is no place for the generator");
    *generator = NULL;
    const char *missing = missing_type(type);
    if (missing) {
        if (library_refuse(context, missing, "CURAND_STATUS_TYPE_ERROR"))
            note_hint("CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10, "
                      "CURAND_RNG_PSEUDO_MT19937 and CURAND_RNG_QUASI_SOBOL32 are emulated");
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (!find_sequence(type, &sequence))
        return COMPLAIN(CURAND_STATUS_TYPE_ERROR, "there is no such type of generator: curand.h has a list, curandRngType");
    struct curandGenerator_st *made = alloc_zeroed(1, sizeof *made);
    *made = (struct curandGenerator_st){.next = context->generators, .on_host = on_host, .sequence = sequence};
    *generator = context->generators = made;
    return CURAND_STATUS_SUCCESS;
}

RAND_WEAK curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    CALLSITE_BEGIN();
    cudaError_t error;
    Context *context = api_begin(&error);
    const curandStatus_t status = context ? create(context, generator, type, false) : CURAND_STATUS_INITIALIZATION_FAILED;
    return api_end(context, error) ? CURAND_STATUS_INITIALIZATION_FAILED : status;
}

/* It works where the device does not. */
RAND_WEAK curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    CALLSITE_BEGIN();
    Context *context = context_lock();
    const curandStatus_t status = create(context, generator, type, true);
    context_unlock(context);
    return status;
}

static void end_generator(struct curandGenerator_st *generator) {
    sequence_restart(&generator->sequence);
    free(generator);
}

RAND_WEAK curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    CALLSITE_BEGIN();
    Context *context = context_lock(); /* of two threads that destroy it, one finds it */
    struct curandGenerator_st **at = &context->generators;
    while (*at && *at != generator) at = &(*at)->next;
    const bool found = *at;
    if (found) *at = generator->next;
    const curandStatus_t status = found ? CURAND_STATUS_SUCCESS : no_generator();
    context_unlock(context);
    if (found) end_generator(generator);
    return status;
}

void rand_reset(Context *context) {
    while (context->generators) {
        struct curandGenerator_st *gone = context->generators;
        context->generators = gone->next;
        end_generator(gone);
    }
}

/* Of CUDA 13.0's. */
enum { VERSION_MAJOR = 10, VERSION_MINOR = 4, VERSION_PATCH = 0 };

RAND_WEAK curandStatus_t curandGetVersion(int *version) {
    CALLSITE_BEGIN();
    if (!version) return CURAND_STATUS_OUT_OF_RANGE;
    *version = VERSION_MAJOR * 1000 + VERSION_MINOR * 100 + VERSION_PATCH;
    return CURAND_STATUS_SUCCESS;
}

RAND_WEAK curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
    CALLSITE_BEGIN();
    static const int of[] = {[MAJOR_VERSION] = VERSION_MAJOR, [MINOR_VERSION] = VERSION_MINOR, [PATCH_LEVEL] = VERSION_PATCH};
    if (!value || (size_t)type >= sizeof of / sizeof *of) return CURAND_STATUS_OUT_OF_RANGE;
    *value = of[type];
    return CURAND_STATUS_SUCCESS;
}

/* --- what a generator has --- */

/* Numbers go on at the place where they were. */
static curandStatus_t set_seed(Sequence *sequence, unsigned long long seed) {
    if (sequence->kind == SEQUENCE_SOBOL32) return COMPLAIN(CURAND_STATUS_TYPE_ERROR, "a quasi-random generator has no seed");
    if (seed == sequence->seed) return CURAND_STATUS_SUCCESS;
    sequence->seed = seed;
    sequence_restart(sequence);
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t set_offset(Sequence *sequence, unsigned long long offset) {
    if (sequence->kind == SEQUENCE_MT19937) return COMPLAIN(CURAND_STATUS_TYPE_ERROR, "MT19937 has no offset");
    sequence->position = offset;
    sequence_restart(sequence);
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t set_dimensions(Context *context, Sequence *sequence, unsigned dimensions) {
    enum { ALL_DIMENSIONS = 20000 }; /* that NVIDIA's has */
    if (sequence->kind != SEQUENCE_SOBOL32)
        return COMPLAIN(CURAND_STATUS_TYPE_ERROR, "only a quasi-random generator has dimensions");
    if (dimensions < 1 || dimensions > ALL_DIMENSIONS)
        return COMPLAIN(CURAND_STATUS_OUT_OF_RANGE, "there are at least 1 and at most 20,000 dimensions");
    if (dimensions > SOBOL_DIMENSIONS_MOST) {
        library_refuse(context, "a Sobol generator of more than 16 dimensions", "CURAND_STATUS_OUT_OF_RANGE");
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    sequence->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t set_order(Context *context, Sequence *sequence, curandOrdering_t order) {
    if ((order == CURAND_ORDERING_QUASI_DEFAULT) != (sequence->kind == SEQUENCE_SOBOL32))
        return COMPLAIN(CURAND_STATUS_OUT_OF_RANGE, "this generator has no such ordering: curand.h has a list, curandOrdering");
    uint32_t streams = sequence->kind == SEQUENCE_MRG32K3A ? STREAMS_MRG32K3A : STREAMS_XORWOW;
    switch (order) {
    case CURAND_ORDERING_PSEUDO_SEEDED:
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
        library_refuse(context,
                       order == CURAND_ORDERING_PSEUDO_SEEDED ? "CURAND_ORDERING_PSEUDO_SEEDED"
                                                              : "CURAND_ORDERING_PSEUDO_DYNAMIC",
                       "CURAND_STATUS_OUT_OF_RANGE");
        return CURAND_STATUS_OUT_OF_RANGE;
    case CURAND_ORDERING_PSEUDO_LEGACY: streams = STREAMS_LEGACY; break;
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT: break;
    case CURAND_ORDERING_QUASI_DEFAULT: return CURAND_STATUS_SUCCESS;
    }
    if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC)
        return COMPLAIN(CURAND_STATUS_OUT_OF_RANGE, "there is no such ordering: curand.h has a list, curandOrdering");
    if (sequence->streams && streams != sequence->streams) {
        sequence->streams = streams;
        sequence_restart(sequence);
    }
    return CURAND_STATUS_SUCCESS;
}

#define OF_GENERATOR(name, parameter, action)                                                       \
    RAND_WEAK curandStatus_t name(curandGenerator_t generator, parameter) {                         \
        CALLSITE_BEGIN();                                                                           \
        Context *context = context_lock();                                                          \
        const curandStatus_t status = is_generator(context, generator) ? (action) : no_generator(); \
        context_unlock(context);                                                                    \
        return status;                                                                              \
    }
OF_GENERATOR(curandSetStream, cudaStream_t stream, (generator->stream = stream, CURAND_STATUS_SUCCESS))
OF_GENERATOR(curandSetPseudoRandomGeneratorSeed, unsigned long long seed, set_seed(&generator->sequence, seed))
OF_GENERATOR(curandSetGeneratorOffset, unsigned long long offset, set_offset(&generator->sequence, offset))
OF_GENERATOR(curandSetGeneratorOrdering, curandOrdering_t order, set_order(context, &generator->sequence, order))
OF_GENERATOR(curandSetQuasiRandomGeneratorDimensions, unsigned dimensions,
             set_dimensions(context, &generator->sequence, dimensions))

/* States are made when numbers are asked for. */
RAND_WEAK curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    CALLSITE_BEGIN();
    Context *context = context_lock();
    const curandStatus_t status = is_generator(context, generator) ? CURAND_STATUS_SUCCESS : no_generator();
    context_unlock(context);
    return status;
}

/* --- numbers --- */

static curandStatus_t check(const Context *context, curandGenerator_t generator, const Draw *draw, size_t count,
                            const void *to) {
    if (!is_generator(context, generator)) return no_generator();
    const size_t unit = sequence_unit(&generator->sequence, draw);
    if (count % unit) {
        LOCAL_TEXT why =
            text_from("the count must be a multiple of %zu: %s", unit,
                      generator->sequence.kind == SEQUENCE_SOBOL32 ? "there are as many dimensions"
                                                                   : "normal numbers of this generator come in pairs");
        return COMPLAIN(CURAND_STATUS_LENGTH_NOT_MULTIPLE, text_string(&why));
    }
    if (generator->on_host && count && !to) return COMPLAIN(CURAND_STATUS_OUT_OF_RANGE, "the output is a null pointer");
    if (count > SIZE_MAX / 64) return COMPLAIN(CURAND_STATUS_ALLOCATION_FAILED, "no memory holds as many numbers");
    return CURAND_STATUS_SUCCESS;
}

static bool is_captured(Context *context, const Stream *stream) {
    if (!stream || !stream->capture) return false;
    LOCAL_TEXT what = text_from("%s in a stream that is being captured", callsite_name());
    library_refuse(context, text_string(&what), "CURAND_STATUS_LAUNCH_FAILURE");
    capture_invalidate(stream->capture);
    return true;
}

static cudaError_t submit(Context *context, curandGenerator_t generator, const void *to, void *numbers, size_t bytes) {
    Stream *stream = stream_find(context, generator->stream);
    if (!stream || is_captured(context, stream)) {
        free(numbers);
        return stream ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidResourceHandle;
    }
    LibraryWork *work = alloc_zeroed(1, sizeof *work);
    work->bytes = numbers;
    work->operands[work->count++] =
        (LibraryOperand){.name = "the output", .at = {(uintptr_t)to, bytes, 0}, .box = {bytes, 1, 1}, .writes = true};
    snprintf(work->call, sizeof work->call, "%s", callsite_name());
    return stream_submit(context, stream, &(Work){.kind = WORK_LIBRARY, .library = work});
}

/* As many as no device has may well be asked for. */
static curandStatus_t no_memory(Context *context, bool on_host) {
    if (on_host) context = context_lock();
    const curandStatus_t status = COMPLAIN(CURAND_STATUS_ALLOCATION_FAILED, "no memory holds as many numbers");
    context_unlock(context);
    return status;
}

static curandStatus_t generate(curandGenerator_t generator, const Draw *draw, size_t count, void *to) {
    cudaError_t error = cudaSuccess;
    Context *context = context_lock();
    const curandStatus_t status = check(context, generator, draw, count, to);
    const bool on_host = !status && generator->on_host;
    const size_t bytes = status ? 0 : count * draw_bytes(draw);
    context_unlock(context);
    if (status || !count) return status;
    if (!on_host && !(context = api_begin(&error))) return api_end(NULL, error), CURAND_STATUS_PREEXISTING_FAILURE;
    if (!on_host && !is_generator(context, generator)) { /* another thread has ended it meanwhile */
        const curandStatus_t ended = no_generator();
        context_unlock(context);
        return ended;
    }
    void *numbers = malloc(bytes);
    if (!numbers) return no_memory(context, on_host);
    sequence_fill(&generator->sequence, draw, count, numbers);
    if (!on_host) {
        error = submit(context, generator, to, numbers, bytes);
        return api_end(context, error) ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
    }
    memcpy(to, numbers, bytes); /* not locked: where a kernel has written as well, the host's access has the device wait */
    free(numbers);
    return CURAND_STATUS_SUCCESS;
}

RAND_WEAK curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *numbers, size_t count) {
    CALLSITE_BEGIN();
    return generate(generator, &(Draw){DISTRIBUTION_BITS, false, 0, 0}, count, numbers);
}

RAND_WEAK curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                                __attribute__((unused)) unsigned long long *numbers,
                                                __attribute__((unused)) size_t count) {
    CALLSITE_BEGIN();
    Context *context = context_lock();
    const curandStatus_t status = is_generator(context, generator)
                                      ? COMPLAIN(CURAND_STATUS_TYPE_ERROR, "only generators of 64 bits have such numbers")
                                      : no_generator();
    context_unlock(context);
    return status;
}

RAND_WEAK curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *numbers, size_t count) {
    CALLSITE_BEGIN();
    return generate(generator, &(Draw){DISTRIBUTION_UNIFORM, false, 0, 0}, count, numbers);
}

RAND_WEAK curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *numbers, size_t count) {
    CALLSITE_BEGIN();
    return generate(generator, &(Draw){DISTRIBUTION_UNIFORM, true, 0, 0}, count, numbers);
}

#define NORMAL(name, type, distribution, wide)                                                                           \
    RAND_WEAK curandStatus_t name(curandGenerator_t generator, type *numbers, size_t count, type mean, type deviation) { \
        CALLSITE_BEGIN();                                                                                                \
        return generate(generator, &(Draw){distribution, wide, mean, deviation}, count, numbers);                        \
    }
NORMAL(curandGenerateNormal, float, DISTRIBUTION_NORMAL, false)
NORMAL(curandGenerateNormalDouble, double, DISTRIBUTION_NORMAL, true)
NORMAL(curandGenerateLogNormal, float, DISTRIBUTION_LOG_NORMAL, false)
NORMAL(curandGenerateLogNormalDouble, double, DISTRIBUTION_LOG_NORMAL, true)
