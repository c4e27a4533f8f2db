#define _GNU_SOURCE /* dlmopen */
#include "runtime/transform.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What is used of FFTW's interface for doubles, as its manual describes it. */
struct FourierLibrary {
    void *(*plan_complex)(int rank, const int *n, void *in, void *out, int sign, unsigned flags);
    void *(*plan_from_real)(int rank, const int *n, double *in, void *out, unsigned flags);
    void *(*plan_to_real)(int rank, const int *n, void *in, double *out, unsigned flags);
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
};

enum { SIGN_FORWARD = -1, SIGN_BACKWARD = 1, FLAG_ESTIMATE = 1 << 6 };

/* A copy of our own, which no other library's functions of FFTW's names get into; and FFTW's planner, which the program may use as well, has a state
 * that nothing locks. */
static void *open_own(const char *name) {
    void *opened = NULL;
#ifdef LM_ID_NEWLM
    opened = dlmopen(LM_ID_NEWLM, name, RTLD_NOW | RTLD_LOCAL);
#endif
    return opened ? opened : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

FourierLibrary *fourier_library_open(void) {
    const char *chosen = getenv("WARPSCOPE_LIBFFTW3");
    void *opened = open_own(chosen && *chosen ? chosen : "libfftw3.so.3");
    if (!opened) return NULL;
    FourierLibrary library;
    *(void **)&library.plan_complex = dlsym(opened, "fftw_plan_dft");
    *(void **)&library.plan_from_real = dlsym(opened, "fftw_plan_dft_r2c");
    *(void **)&library.plan_to_real = dlsym(opened, "fftw_plan_dft_c2r");
    *(void **)&library.execute = dlsym(opened, "fftw_execute");
    *(void **)&library.destroy = dlsym(opened, "fftw_destroy_plan");
    if (!library.plan_complex || !library.plan_from_real || !library.plan_to_real || !library.execute || !library.destroy)
        return NULL;
    FourierLibrary *made = alloc_bytes(sizeof *made);
    *made = library;
    return made;
}

/* --- where numbers lie --- */

static bool is_real(const TransformShape *shape, unsigned side) {
    return shape->kind == (side == TRANSFORM_IN ? TRANSFORM_FROM_REAL : TRANSFORM_TO_REAL);
}

static size_t number_parts(const TransformShape *shape, unsigned side) { return is_real(shape, side) ? 1 : 2; }

static size_t bytes_of_one(const TransformShape *shape, unsigned side) {
    return number_parts(shape, side) * (shape->wide ? sizeof(double) : sizeof(float));
}

/* Of a row of real numbers about half of the spectrum is there, which the other half mirrors. */
static size_t half_of(const TransformShape *shape) { return shape->n[2] / 2 + 1; }

static size_t row_numbers(const TransformShape *shape, unsigned side) {
    return shape->kind == TRANSFORM_COMPLEX || is_real(shape, side) ? shape->n[2] : half_of(shape);
}

static TransformLayout layout_of(const TransformShape *shape, unsigned side, bool in_place) {
    if (!shape->dense) return shape->layouts[side];
    const size_t row = in_place && is_real(shape, side) ? 2 * half_of(shape) : row_numbers(shape, side);
    return (TransformLayout){{shape->n[0], shape->n[1], row}, 1, shape->n[0] * shape->n[1] * row};
}

size_t transform_extent(const TransformShape *shape, unsigned side, bool in_place) {
    const TransformLayout layout = layout_of(shape, side, in_place);
    const double plane = (double)layout.embed[1] * (double)layout.embed[2];
    const double line = (double)(shape->n[0] - 1) * plane + (double)(shape->n[1] - 1) * (double)layout.embed[2];
    const double last = (double)(shape->batch - 1) * (double)layout.distance +
                        (double)layout.stride * (line + (double)(row_numbers(shape, side) - 1));
    const double most = 0x1p56;
    if (!(last < most) || !((double)shape->n[0] * (double)shape->n[1] * (double)shape->n[2] < most)) return SIZE_MAX;
    const size_t lines = ((shape->n[0] - 1) * layout.embed[1] + shape->n[1] - 1) * layout.embed[2];
    return ((shape->batch - 1) * layout.distance + layout.stride * (lines + row_numbers(shape, side) - 1) + 1) *
           bytes_of_one(shape, side);
}

/* So many of what is inside, so many bytes apart. */
typedef struct TransformLevel {
    size_t count, apart;
} TransformLevel;

enum { LEVELS = 4 };

/* The levels of a side, those closest together inside, without those that lie side by side or overlap evenly. Returns how many; *width is of the bytes
 * inside of all. */
static size_t find_levels(const TransformShape *shape, unsigned side, bool in_place, TransformLevel levels[LEVELS],
                          size_t *width) {
    const TransformLayout layout = layout_of(shape, side, in_place);
    const size_t one = bytes_of_one(shape, side), line = layout.embed[2] * layout.stride * one;
    const TransformLevel all[LEVELS] = {{row_numbers(shape, side), layout.stride * one},
                                        {shape->n[1], line},
                                        {shape->n[0], layout.embed[1] * line},
                                        {shape->batch, layout.distance * one}};
    TransformLevel sorted[LEVELS];
    size_t n_sorted = 0, count = 0;
    for (size_t i = 0; i < LEVELS; i++) {
        if (all[i].count == 1 || !all[i].apart) continue;
        size_t at = n_sorted++;
        for (; at > 0 && sorted[at - 1].apart > all[i].apart; at--) sorted[at] = sorted[at - 1];
        sorted[at] = all[i];
    }
    *width = one;
    for (size_t i = 0; i < n_sorted; i++) {
        const size_t apart = sorted[i].apart, more = sorted[i].count - 1;
        TransformLevel *last = count ? &levels[count - 1] : NULL;
        if (!last && apart <= *width)
            *width += more * apart;
        else if (last && apart % last->apart == 0 && apart / last->apart <= last->count)
            last->count += more * (apart / last->apart);
        else
            levels[count++] = sorted[i];
    }
    return count;
}

bool transform_box(const TransformShape *shape, unsigned side, bool in_place, size_t index, Side *at, Box *box) {
    TransformLevel levels[LEVELS];
    size_t width, count = find_levels(shape, side, in_place, levels, &width);
    const bool sliced = count > 1 && levels[1].apart >= (levels[0].count - 1) * levels[0].apart + width;
    *box = (Box){width, count > 0 ? levels[0].count : 1, sliced ? levels[1].count : 1};
    at->pitch = count > 0 ? levels[0].apart : width;
    at->slice = sliced ? levels[1].apart : 0;
    for (size_t i = 1 + sliced; i < count; index /= levels[i].count, i++)
        at->address += index % levels[i].count * levels[i].apart;
    return index == 0;
}

/* --- computing --- */

struct Transform {
    unsigned users;
    TransformShape shape;
    const FourierLibrary *library;
    void *plans[2];  /* of the library's: forward and inverse; NULL until one is needed */
    double *numbers; /* of one transform, before and after */
};

/* A row in the library's hands: real numbers and the half of their spectrum take turns in one place. */
static size_t row_parts(const TransformShape *shape) {
    return 2 * (shape->kind == TRANSFORM_COMPLEX ? shape->n[2] : half_of(shape));
}

static bool make_plan(Transform *transform, bool inverse) {
    const FourierLibrary *library = transform->library;
    const int n[] = {(int)transform->shape.n[0], (int)transform->shape.n[1], (int)transform->shape.n[2]};
    double *numbers = transform->numbers;
    void **plan = &transform->plans[inverse];
    switch (transform->shape.kind) {
    case TRANSFORM_COMPLEX:
        *plan = library->plan_complex(TRANSFORM_DIMENSIONS, n, numbers, numbers, inverse ? SIGN_BACKWARD : SIGN_FORWARD,
                                      FLAG_ESTIMATE);
        break;
    case TRANSFORM_FROM_REAL: *plan = library->plan_from_real(TRANSFORM_DIMENSIONS, n, numbers, numbers, FLAG_ESTIMATE); break;
    case TRANSFORM_TO_REAL: *plan = library->plan_to_real(TRANSFORM_DIMENSIONS, n, numbers, numbers, FLAG_ESTIMATE); break;
    }
    return *plan;
}

Transform *transform_new(const FourierLibrary *library, const TransformShape *shape) {
    Transform *made = alloc_zeroed(1, sizeof *made);
    *made = (Transform){.users = 1, .shape = *shape, .library = library};
    made->numbers = malloc(shape->n[0] * shape->n[1] * row_parts(shape) * sizeof *made->numbers);
    const bool inverse_alone = shape->kind == TRANSFORM_TO_REAL;
    if (made->numbers && make_plan(made, inverse_alone) && (shape->kind != TRANSFORM_COMPLEX || make_plan(made, true)))
        return made;
    transform_release(made);
    return NULL;
}

Transform *transform_hold(Transform *transform) {
    if (transform) transform->users++;
    return transform;
}

void transform_release(Transform *transform) {
    if (!transform || --transform->users) return;
    for (size_t i = 0; i < 2; i++)
        if (transform->plans[i]) transform->library->destroy(transform->plans[i]);
    free(transform->numbers);
    free(transform);
}

const TransformShape *transform_shape(const Transform *transform) { return &transform->shape; }

bool transform_work_box(const LibraryWork *work, unsigned side, size_t index, Side *at, Box *box) {
    const LibraryOperand *operands = work->operands;
    *at = operands[side].at;
    return transform_box(&work->transform->shape, side, operands[TRANSFORM_IN].at.address == operands[TRANSFORM_OUT].at.address,
                         index, at, box);
}

static void load_row(const TransformShape *shape, const uint8_t *row, size_t apart, double *parts) {
    const size_t each = number_parts(shape, TRANSFORM_IN), count = row_numbers(shape, TRANSFORM_IN);
    for (size_t i = 0; i < count; i++, row += apart, parts += each) {
        float narrow[2];
        memcpy(shape->wide ? (void *)parts : narrow, row, bytes_of_one(shape, TRANSFORM_IN));
        for (size_t j = 0; !shape->wide && j < each; j++) parts[j] = narrow[j];
    }
}

static void store_row(const TransformShape *shape, uint8_t *row, size_t apart, const double *parts) {
    const size_t each = number_parts(shape, TRANSFORM_OUT), count = row_numbers(shape, TRANSFORM_OUT);
    for (size_t i = 0; i < count; i++, row += apart, parts += each) {
        float narrow[2];
        for (size_t j = 0; !shape->wide && j < each; j++) narrow[j] = (float)parts[j];
        memcpy(row, shape->wide ? (const void *)parts : narrow, bytes_of_one(shape, TRANSFORM_OUT));
    }
}

void transform_run(Transform *transform, bool inverse, const uint8_t *from, uint8_t *to) {
    const TransformShape *shape = &transform->shape;
    const bool in_place = from == to;
    const TransformLayout in = layout_of(shape, TRANSFORM_IN, in_place), out = layout_of(shape, TRANSFORM_OUT, in_place);
    const size_t in_bytes = bytes_of_one(shape, TRANSFORM_IN), out_bytes = bytes_of_one(shape, TRANSFORM_OUT);
    const size_t lines = shape->n[0] * shape->n[1];
    for (size_t b = 0; b < shape->batch; b++) {
        for (size_t i = 0; i < lines; i++) {
            const size_t line = (i / shape->n[1] * in.embed[1] + i % shape->n[1]) * in.embed[2];
            load_row(shape, from + (b * in.distance + line * in.stride) * in_bytes, in.stride * in_bytes,
                     transform->numbers + i * row_parts(shape));
        }
        transform->library->execute(transform->plans[inverse]);
        for (size_t i = 0; i < lines; i++) {
            const size_t line = (i / shape->n[1] * out.embed[1] + i % shape->n[1]) * out.embed[2];
            store_row(shape, to + (b * out.distance + line * out.stride) * out_bytes, out.stride * out_bytes,
                      transform->numbers + i * row_parts(shape));
        }
    }
}
