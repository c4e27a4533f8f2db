/* transform.h: discrete Fourier transforms of memory. FFTW computes them, which is opened when a program first asks for one: it is no part of this
 * library. Internal to src/runtime. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/work.h"

typedef enum TransformKind { TRANSFORM_COMPLEX, TRANSFORM_FROM_REAL, TRANSFORM_TO_REAL } TransformKind;

enum { TRANSFORM_IN, TRANSFORM_OUT, TRANSFORM_SIDES, TRANSFORM_DIMENSIONS = 3 };

/* Where the numbers of a side lie: the one at x of the transform b is behind distance * b + stride * ((x[0] * embed[1] + x[1]) * embed[2] + x[2]) others. */
typedef struct TransformLayout {
    size_t embed[TRANSFORM_DIMENSIONS], stride, distance;
} TransformLayout;

/* Of how many numbers, in so many dimensions, of which the first are 1 where there are fewer; a batch of such. */
typedef struct TransformShape {
    TransformKind kind;
    bool wide;  /* of doubles */
    bool dense; /* without gaps, which in place means another layout of real numbers: layouts say nothing */
    size_t n[TRANSFORM_DIMENSIONS], batch;
    TransformLayout layouts[TRANSFORM_SIDES];
} TransformShape;

typedef struct FourierLibrary FourierLibrary; /* FFTW */
typedef struct Transform Transform;

/* The library that $WARPSCOPE_LIBFFTW3 names, else libfftw3.so.3; NULL: it cannot be opened. It stays open. */
FourierLibrary *fourier_library_open(void);

/* Bytes from a side's first number to behind its last; SIZE_MAX: no memory is as large. */
size_t transform_extent(const TransformShape *shape, unsigned side, bool in_place);

/* Has one user, its maker; the last to release it frees it. NULL: there is no memory, or the library has no plan for it. */
Transform *transform_new(const FourierLibrary *library, const TransformShape *shape);
Transform *transform_hold(Transform *transform);
void transform_release(Transform *transform);
const TransformShape *transform_shape(const Transform *transform);

/* Computes it: where both sides are the same memory, in place. Sums are of doubles, whatever the numbers are. */
void transform_run(Transform *transform, bool inverse, const uint8_t *from, uint8_t *to);

/* The bytes of a side as few boxes, no byte twice in one: the one of this index, from 0. False: there are no more. */
bool transform_box(const TransformShape *shape, unsigned side, bool in_place, size_t index, Side *at, Box *box);

/* The same of work that is a transform's, whose operand of this side says where it begins. */
bool transform_work_box(const LibraryWork *work, unsigned side, size_t index, Side *at, Box *box);
