/* cuFFT's plans and their use. Transforms are computed by the host in the place that they have in their stream, or in a graph, which may outlive the
 * plan. */
#include "runtime/fourier.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/libraries.h"
#include "runtime/transform.h"

typedef struct FourierPlan {
    struct FourierPlan *next;
    cufftHandle handle;
    cudaStream_t stream;
    cufftType type;
    Transform *transform; /* NULL: cufftMakePlan… has not been called */
    bool brings_area;     /* the program is to allocate what NVIDIA's would work in; nothing here needs it */
    bool lacks_area;      /* so it was when the plan was made */
    bool has_area;
    bool was_reset; /* the device, after the plan was made */
} FourierPlan;

/* What a program says that it wants: dimensions by int or by long long, and of each side where numbers lie, if not side by side. */
typedef struct FourierWish {
    int rank;
    const int *n;
    cufftType type;
    long long batch;
    const int *embeds[TRANSFORM_SIDES];
    long long strides[TRANSFORM_SIDES], distances[TRANSFORM_SIDES];
    const long long *wide_n, *wide_embeds[TRANSFORM_SIDES];
} FourierWish;

/* A program that has the library itself linked into it keeps that one's calls; a shared library's are overridden. */
#define FOURIER_WEAK __attribute__((weak))

static cufftResult complain(cufftResult result, const char *name, const char *why) {
    note("%s: %s: %s", callsite_name(), name, why);
    return result;
}
#define COMPLAIN(result, why) complain(result, #result, why)
#define NOT_MADE "the plan has not been made: cufftMakePlan1d and the like make it"
#define RESET_SINCE "the device has been reset after the plan was made"

/* --- what is wanted --- */

static bool find_kind(cufftType type, TransformShape *shape) {
    switch (type) {
    case CUFFT_C2C:
    case CUFFT_Z2Z: shape->kind = TRANSFORM_COMPLEX; break;
    case CUFFT_R2C:
    case CUFFT_D2Z: shape->kind = TRANSFORM_FROM_REAL; break;
    case CUFFT_C2R:
    case CUFFT_Z2D: shape->kind = TRANSFORM_TO_REAL; break;
    }
    shape->wide = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
    return shape->wide || type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R;
}

static long long at_dimension(const int *narrow, const long long *wide, int d) { return wide ? wide[d] : narrow[d]; }

static bool has_embed(const FourierWish *wish, unsigned side) { return wish->embeds[side] || wish->wide_embeds[side]; }

/* Dimensions that are not there come first, as 1. */
static cufftResult find_layout(const FourierWish *wish, unsigned side, TransformLayout *layout) {
    if (wish->strides[side] < 1 || wish->distances[side] < 1)
        return COMPLAIN(CUFFT_INVALID_VALUE, "a stride or a distance is less than 1");
    *layout = (TransformLayout){{1, 1, 1}, (size_t)wish->strides[side], (size_t)wish->distances[side]};
    for (int d = 1; d < wish->rank; d++) {
        const long long embed = at_dimension(wish->embeds[side], wish->wide_embeds[side], d);
        if (embed < 0) return COMPLAIN(CUFFT_INVALID_SIZE, "a dimension in which numbers are embedded is negative");
        layout->embed[TRANSFORM_DIMENSIONS - wish->rank + d] = (size_t)embed;
    }
    return CUFFT_SUCCESS;
}

static cufftResult find_shape(const FourierWish *wish, TransformShape *shape) {
    *shape = (TransformShape){.n = {1, 1, 1}, .dense = !has_embed(wish, TRANSFORM_IN)};
    if (wish->rank < 1 || wish->rank > TRANSFORM_DIMENSIONS)
        return COMPLAIN(CUFFT_INVALID_VALUE, "a transform has one to three dimensions");
    if (!wish->n && !wish->wide_n) return COMPLAIN(CUFFT_INVALID_VALUE, "the dimensions are a null pointer");
    if (shape->dense == has_embed(wish, TRANSFORM_OUT))
        return COMPLAIN(CUFFT_INVALID_VALUE, "of inembed and onembed one alone is a null pointer");
    if (!find_kind(wish->type, shape))
        return COMPLAIN(CUFFT_INVALID_TYPE, "there is no such type: cufft.h has a list, cufftType");
    if (wish->batch < 1) return COMPLAIN(CUFFT_INVALID_SIZE, "there must be at least one transform in the batch");
    shape->batch = (size_t)wish->batch;
    for (int d = 0; d < wish->rank; d++) {
        const long long n = at_dimension(wish->n, wish->wide_n, d);
        if (n < 1 || n > INT_MAX) return COMPLAIN(CUFFT_INVALID_SIZE, "a dimension must be from 1 to 2147483647");
        shape->n[TRANSFORM_DIMENSIONS - wish->rank + d] = (size_t)n;
    }
    for (unsigned side = 0; side < TRANSFORM_SIDES && !shape->dense; side++) {
        const cufftResult result = find_layout(wish, side, &shape->layouts[side]);
        if (result) return result;
    }
    return CUFFT_SUCCESS;
}

static size_t largest_extent(const TransformShape *shape) {
    size_t most = 0;
    for (unsigned side = 0; side < TRANSFORM_SIDES; side++)
        for (unsigned in_place = 0; in_place < 2; in_place++) {
            const size_t extent = transform_extent(shape, side, in_place);
            if (extent > most) most = extent;
        }
    return most;
}

/* In which a GPU would work: as much as the numbers take, where a dimension is longer than a block of threads keeps. So it is on an H200, but for
 * lengths with large prime factors, and real ones, which take other sizes. */
static cufftResult measure(const Context *context, const TransformShape *shape, size_t *bytes) {
    *bytes = 0;
    if (largest_extent(shape) > context->options.profile->memory_bytes)
        return COMPLAIN(CUFFT_ALLOC_FAILED, "the device's memory does not hold as many numbers");
    enum { KEPT_MOST = 16384 };
    const size_t *n = shape->n, row = shape->kind == TRANSFORM_COMPLEX ? n[2] : n[2] / 2 + 1;
    if (n[0] > KEPT_MOST || n[1] > KEPT_MOST || n[2] > KEPT_MOST)
        *bytes = shape->batch * n[0] * n[1] * row * 2 * (shape->wide ? sizeof(double) : sizeof(float));
    return CUFFT_SUCCESS;
}

static cufftResult estimate(const Context *context, const FourierWish *wish, size_t *bytes) {
    TransformShape shape;
    if (!bytes) return COMPLAIN(CUFFT_INVALID_VALUE, "there is no place for the size");
    const cufftResult result = find_shape(wish, &shape);
    return result ? result : measure(context, &shape, bytes);
}

/* --- plans --- */

static FourierPlan *find_plan(const Context *context, cufftHandle handle) {
    FourierPlan *known = context->fourier_plans;
    while (known && known->handle != handle) known = known->next;
    if (!known) complain(CUFFT_INVALID_PLAN, "CUFFT_INVALID_PLAN", "there is no such plan, or it has been destroyed");
    return known;
}

static cufftResult create(Context *context, cufftHandle *handle) {
    if (!handle) return COMPLAIN(CUFFT_INVALID_VALUE, "there is no place for the plan");
    *handle = CUFFT_PLAN_NULL;
    if (!context->fourier) context->fourier = fourier_library_open();
    if (!context->fourier) {
        LOCAL_TEXT what = text_from("%s by FFTW, which cannot be opened,", callsite_name());
        if (library_refuse(context, text_string(&what), "CUFFT_INTERNAL_ERROR"))
            note_hint("install FFTW (Debian: libfftw3-double3), or name its libfftw3.so.3 by WARPSCOPE_LIBFFTW3");
        return CUFFT_INTERNAL_ERROR;
    }
    FourierPlan *made = alloc_zeroed(1, sizeof *made);
    *made = (FourierPlan){.next = context->fourier_plans, .handle = ++context->fourier_handle};
    context->fourier_plans = made;
    *handle = made->handle;
    return CUFFT_SUCCESS;
}

static void end_plan(FourierPlan *plan) {
    transform_release(plan->transform);
    free(plan);
}

static cufftResult destroy(Context *context, cufftHandle handle) {
    if (handle == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
    FourierPlan *gone = find_plan(context, handle), **at = &context->fourier_plans;
    if (!gone) return CUFFT_INVALID_PLAN;
    while (*at != gone) at = &(*at)->next;
    *at = gone->next;
    end_plan(gone);
    return CUFFT_SUCCESS;
}

void fourier_reset(Context *context) {
    for (FourierPlan *plan = context->fourier_plans; plan; plan = plan->next) {
        plan->was_reset |= plan->transform != NULL;
        transform_release(plan->transform);
        plan->transform = NULL;
    }
}

static cufftResult make(Context *context, cufftHandle handle, const FourierWish *wish, size_t *bytes) {
    TransformShape shape;
    cufftResult result = find_shape(wish, &shape);
    FourierPlan *plan = result ? NULL : find_plan(context, handle);
    if (!plan) return result ? result : CUFFT_INVALID_PLAN;
    if (plan->transform || plan->was_reset) return COMPLAIN(CUFFT_INVALID_PLAN, "the plan has been made already");
    if (!bytes) return COMPLAIN(CUFFT_INVALID_VALUE, "there is no place for the size");
    result = measure(context, &shape, bytes);
    if (result) return result;
    plan->transform = transform_new(context->fourier, &shape);
    plan->type = wish->type;
    plan->lacks_area = plan->brings_area;
    return plan->transform ? CUFFT_SUCCESS
                           : COMPLAIN(CUFFT_ALLOC_FAILED, "the host has no memory for a transform of this size");
}

static cufftResult plan_at_once(Context *context, cufftHandle *handle, const FourierWish *wish) {
    size_t bytes;
    cufftResult result = create(context, handle);
    if (result) return result;
    result = make(context, *handle, wish, &bytes);
    if (result) destroy(context, *handle);
    return result;
}

static cufftResult size_of_plan(const Context *context, cufftHandle handle, size_t *bytes) {
    const FourierPlan *plan = find_plan(context, handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    if (!plan->transform) return COMPLAIN(CUFFT_INVALID_PLAN, plan->was_reset ? RESET_SINCE : NOT_MADE);
    if (!bytes) return COMPLAIN(CUFFT_INVALID_VALUE, "there is no place for the size");
    return measure(context, transform_shape(plan->transform), bytes);
}

static cufftResult set_stream(const Context *context, cufftHandle handle, cudaStream_t stream) {
    FourierPlan *plan = find_plan(context, handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    plan->stream = stream;
    return CUFFT_SUCCESS;
}

static cufftResult set_allocation(const Context *context, cufftHandle handle, int allocates) {
    FourierPlan *plan = find_plan(context, handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    plan->brings_area = !allocates;
    return CUFFT_SUCCESS;
}

static cufftResult set_area(const Context *context, cufftHandle handle, const void *area) {
    FourierPlan *plan = find_plan(context, handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    plan->has_area = area;
    return CUFFT_SUCCESS;
}

/* --- use --- */

/* As an H200's has it, which does what a plan is for whichever call asks, if the direction agrees. */
static cufftResult check_direction(const FourierPlan *plan, cufftType type, int direction) {
    const TransformKind kind = transform_shape(plan->transform)->kind;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return COMPLAIN(CUFFT_INVALID_VALUE, "the direction is neither CUFFT_FORWARD nor CUFFT_INVERSE");
    if (kind == (direction == CUFFT_FORWARD ? TRANSFORM_TO_REAL : TRANSFORM_FROM_REAL))
        return COMPLAIN(CUFFT_INVALID_VALUE, "the plan is of the other direction: from real numbers forward, to them back");
    if (plan->type != type) note("%s: the plan is of another type, and does its own transform all the same", callsite_name());
    return CUFFT_SUCCESS;
}

static cufftResult check(const Context *context, const FourierPlan *plan, const void *from, const void *to) {
    if (!plan) return CUFFT_INVALID_PLAN;
    if (plan->was_reset) return COMPLAIN(CUFFT_EXEC_FAILED, RESET_SINCE);
    if (!plan->transform) return COMPLAIN(CUFFT_INVALID_PLAN, NOT_MADE);
    const TransformShape *shape = transform_shape(plan->transform);
    if (!to) return COMPLAIN(CUFFT_EXEC_FAILED, "the output is a null pointer");
    if (((uintptr_t)from | (uintptr_t)to) % (2 * (shape->wide ? sizeof(double) : sizeof(float))))
        return COMPLAIN(CUFFT_INVALID_VALUE,
                        "the input and the output must be aligned to complex numbers, even where they are real ones");
    size_t bytes = 0;
    if (plan->lacks_area && !plan->has_area && !measure(context, shape, &bytes) && bytes)
        return COMPLAIN(CUFFT_NO_WORKSPACE, "the plan allocates no work area, and cufftSetWorkArea has not given it one");
    return CUFFT_SUCCESS;
}

static LibraryOperand operand(const TransformShape *shape, unsigned side, bool in_place, const void *address) {
    const size_t extent = transform_extent(shape, side, in_place);
    return (LibraryOperand){.name = side == TRANSFORM_IN ? "the input" : "the output",
                            .at = {(uintptr_t)address, extent, 0},
                            .box = {extent, 1, 1},
                            .reads = side == TRANSFORM_IN,
                            .writes = side == TRANSFORM_OUT};
}

static cudaError_t submit(Context *context, FourierPlan *plan, bool inverse, const void *from, const void *to) {
    Stream *stream = stream_find(context, plan->stream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    const TransformShape *shape = transform_shape(plan->transform);
    LibraryWork *work = alloc_zeroed(1, sizeof *work);
    work->operands[TRANSFORM_IN] = operand(shape, TRANSFORM_IN, from == to, from);
    work->operands[TRANSFORM_OUT] = operand(shape, TRANSFORM_OUT, from == to, to);
    work->count = TRANSFORM_SIDES;
    work->transform = transform_hold(plan->transform);
    work->inverse = inverse;
    snprintf(work->call, sizeof work->call, "%s", callsite_name());
    return stream_submit(context, stream, &(Work){.kind = WORK_LIBRARY, .library = work});
}

static cufftResult execute(cufftHandle handle, cufftType type, const void *from, const void *to, int direction) {
    cudaError_t error;
    Context *context = context_lock();
    FourierPlan *plan = find_plan(context, handle);
    cufftResult result = check(context, plan, from, to);
    if (!result) result = check_direction(plan, type, direction);
    context_unlock(context);
    if (result) return result;
    context = api_begin(&error);
    if (context) {
        plan = find_plan(context, handle); /* another thread may have ended it meanwhile */
        result = plan && plan->transform ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
        if (!result) error = submit(context, plan, direction == CUFFT_INVERSE, from, to);
    }
    return api_end(context, error) ? CUFFT_EXEC_FAILED : result;
}

#define EXECUTE(ending, from_type, to_type, direction)                                           \
    FOURIER_WEAK cufftResult cufftExec##ending(cufftHandle plan, from_type *from, to_type *to) { \
        CALLSITE_BEGIN();                                                                        \
        return execute(plan, CUFFT_##ending, from, to, direction);                               \
    }
#define EXECUTE_COMPLEX(ending, type)                                                                   \
    FOURIER_WEAK cufftResult cufftExec##ending(cufftHandle plan, type *from, type *to, int direction) { \
        CALLSITE_BEGIN();                                                                               \
        return execute(plan, CUFFT_##ending, from, to, direction);                                      \
    }
EXECUTE_COMPLEX(C2C, cufftComplex)
EXECUTE_COMPLEX(Z2Z, cufftDoubleComplex)
EXECUTE(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
EXECUTE(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
EXECUTE(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
EXECUTE(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)

/* --- calls --- */

/* wish: NULL: the plan is made later. */
static cufftResult begin_plan(cufftHandle *handle, const FourierWish *wish) {
    cudaError_t error;
    cufftResult result = CUFFT_INTERNAL_ERROR;
    Context *context = api_begin(&error);
    if (handle) *handle = CUFFT_PLAN_NULL;
    if (context) result = wish ? plan_at_once(context, handle, wish) : create(context, handle);
    return api_end(context, error) ? CUFFT_INTERNAL_ERROR : result;
}

FOURIER_WEAK cufftResult cufftCreate(cufftHandle *plan) {
    CALLSITE_BEGIN();
    return begin_plan(plan, NULL);
}

/* A call of the locked context. */
#define FOURIER_CALL(name, parameters, action) \
    FOURIER_WEAK cufftResult name parameters { \
        CALLSITE_BEGIN();                      \
        Context *context = context_lock();     \
        const cufftResult result = action;     \
        context_unlock(context);               \
        return result;                         \
    }
/* The same of one that the device must be there for. */
#define DEVICE_CALL(name, parameters, action)                               \
    FOURIER_WEAK cufftResult name parameters {                              \
        CALLSITE_BEGIN();                                                   \
        cudaError_t error;                                                  \
        Context *context = api_begin(&error);                               \
        const cufftResult result = context ? action : CUFFT_INTERNAL_ERROR; \
        return api_end(context, error) ? CUFFT_INTERNAL_ERROR : result;     \
    }
FOURIER_CALL(cufftDestroy, (cufftHandle plan), destroy(context, plan))
FOURIER_CALL(cufftGetSize, (cufftHandle plan, size_t *bytes), size_of_plan(context, plan, bytes))
FOURIER_CALL(cufftSetStream, (cufftHandle plan, cudaStream_t stream), set_stream(context, plan, stream))
FOURIER_CALL(cufftSetAutoAllocation, (cufftHandle plan, int allocates), set_allocation(context, plan, allocates))
FOURIER_CALL(cufftSetWorkArea, (cufftHandle plan, void *area), set_area(context, plan, area))

/* What each kind of plan has: cufftMakePlan…, and cufftGetSize… of a plan that is not made yet. */
#define OF_WISH(ending, parameters, ...)                                                        \
    DEVICE_CALL(cufftMakePlan##ending, (cufftHandle plan, UNPACKED parameters, size_t * bytes), \
                make(context, plan, &(FourierWish){__VA_ARGS__}, bytes))                        \
    FOURIER_CALL(cufftGetSize##ending, (cufftHandle plan, UNPACKED parameters, size_t * bytes), \
                 find_plan(context, plan) ? estimate(context, &(FourierWish){__VA_ARGS__}, bytes) : CUFFT_INVALID_PLAN)
/* And of those that int describes all the rest. */
#define OF_PLAN(ending, parameters, ...)                                                 \
    OF_WISH(ending, parameters, __VA_ARGS__)                                             \
    FOURIER_WEAK cufftResult cufftPlan##ending(cufftHandle *plan, UNPACKED parameters) { \
        CALLSITE_BEGIN();                                                                \
        return begin_plan(plan, &(FourierWish){__VA_ARGS__});                            \
    }                                                                                    \
    FOURIER_CALL(cufftEstimate##ending, (UNPACKED parameters, size_t * bytes),           \
                 estimate(context, &(FourierWish){__VA_ARGS__}, bytes))
OF_PLAN(1d, (int nx, cufftType type, int batch), .rank = 1, .n = (int[]){nx}, .type = type, .batch = batch)
OF_PLAN(2d, (int nx, int ny, cufftType type), .rank = 2, .n = (int[]){nx, ny}, .type = type, .batch = 1)
OF_PLAN(3d, (int nx, int ny, int nz, cufftType type), .rank = 3, .n = (int[]){nx, ny, nz}, .type = type, .batch = 1)
OF_PLAN(Many,
        (int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType type,
         int batch),
        .rank = rank, .n = n, .type = type, .batch = batch, .embeds = {inembed, onembed}, .strides = {istride, ostride},
        .distances = {idist, odist})
OF_WISH(Many64,
        (int rank, long long *n, long long *inembed, long long istride, long long idist, long long *onembed, long long ostride,
         long long odist, cufftType type, long long batch),
        .rank = rank, .wide_n = n, .type = type, .batch = batch, .wide_embeds = {inembed, onembed},
        .strides = {istride, ostride}, .distances = {idist, odist})

FOURIER_WEAK cufftResult cufftGetVersion(int *version) {
    CALLSITE_BEGIN();
    if (version) *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

FOURIER_WEAK cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
    CALLSITE_BEGIN();
    static const int of[] = {
        [MAJOR_VERSION] = CUFFT_VER_MAJOR, [MINOR_VERSION] = CUFFT_VER_MINOR, [PATCH_LEVEL] = CUFFT_VER_PATCH};
    if (!value) return CUFFT_INVALID_VALUE;
    if ((size_t)type >= sizeof of / sizeof *of) return CUFFT_INVALID_TYPE;
    *value = of[type];
    return CUFFT_SUCCESS;
}
