/* warp.h: barriers, and what the lanes of a warp tell each other: shuffles, votes, matches. */
#pragma once

/* What orders memory is inline assembly with a clobber, not a builtin function of clang's: clang 14 takes it that those leave alone a
 * __shared__ variable whose address nobody takes, and moves reads of it from behind the barrier to before it. */
WARPSCOPE_DEVICE void warpscope_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() warpscope_syncthreads()
WARPSCOPE_DEVICE void __barrier_sync(unsigned int id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
WARPSCOPE_DEVICE void __barrier_sync_count(unsigned int id, unsigned int threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

WARPSCOPE_DEVICE int __syncthreads_count(int predicate) {
    int count;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(count)
                 : "r"(predicate)
                 : "memory");
    return count;
}
#define WARPSCOPE_BARRIER_VOTE(function, op)                                                                         \
    WARPSCOPE_DEVICE int function(int predicate) {                                                                   \
        int vote;                                                                                                    \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." op ".pred q, 0, p; selp.s32 %0, 1, 0, q; }" \
                     : "=r"(vote)                                                                                    \
                     : "r"(predicate)                                                                                \
                     : "memory");                                                                                    \
        return vote;                                                                                                 \
    }
WARPSCOPE_BARRIER_VOTE(__syncthreads_and, "and")
WARPSCOPE_BARRIER_VOTE(__syncthreads_or, "or")
#undef WARPSCOPE_BARRIER_VOTE
WARPSCOPE_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory"); }

WARPSCOPE_DEVICE unsigned int __activemask() {
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
WARPSCOPE_DEVICE int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
WARPSCOPE_DEVICE int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
WARPSCOPE_DEVICE int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
WARPSCOPE_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}

#define WARPSCOPE_LANEMASK(which)                               \
    WARPSCOPE_DEVICE unsigned int __lanemask_##which() {        \
        unsigned int mask;                                      \
        asm("mov.u32 %0, %%lanemask_" #which ";" : "=r"(mask)); \
        return mask;                                            \
    }
WARPSCOPE_LANEMASK(eq)
WARPSCOPE_LANEMASK(lt)
WARPSCOPE_LANEMASK(le)
WARPSCOPE_LANEMASK(gt)
WARPSCOPE_LANEMASK(ge)
#undef WARPSCOPE_LANEMASK

/* The last operand of shfl: which lanes form a segment, and the lane at which a segment ends (PTX ISA, "shfl.sync"). */
WARPSCOPE_DEVICE int warpscope_segment(int width, int end) { return ((warpSize - width) << 8) | end; }

#define WARPSCOPE_SHUFFLE(function, mode, operand_type, end)                                                                  \
    WARPSCOPE_DEVICE int function(unsigned int mask, int v, operand_type operand, int width = warpSize) {                     \
        return __nvvm_shfl_sync_##mode##_i32(mask, v, (int)operand, warpscope_segment(width, end));                           \
    }                                                                                                                         \
    WARPSCOPE_DEVICE unsigned int function(unsigned int mask, unsigned int v, operand_type operand, int width = warpSize) {   \
        return (unsigned int)function(mask, (int)v, operand, width);                                                          \
    }                                                                                                                         \
    WARPSCOPE_DEVICE float function(unsigned int mask, float v, operand_type operand, int width = warpSize) {                 \
        return __builtin_bit_cast(float, function(mask, __builtin_bit_cast(int, v), operand, width));                         \
    }                                                                                                                         \
    WARPSCOPE_DEVICE unsigned long long function(unsigned int mask, unsigned long long v, operand_type operand,               \
                                                 int width = warpSize) {                                                      \
        unsigned int low = function(mask, (unsigned int)v, operand, width);                                                   \
        unsigned int high = function(mask, (unsigned int)(v >> 32), operand, width);                                          \
        return (unsigned long long)high << 32 | low;                                                                          \
    }                                                                                                                         \
    WARPSCOPE_DEVICE long long function(unsigned int mask, long long v, operand_type operand, int width = warpSize) {         \
        return (long long)function(mask, (unsigned long long)v, operand, width);                                              \
    }                                                                                                                         \
    WARPSCOPE_DEVICE unsigned long function(unsigned int mask, unsigned long v, operand_type operand, int width = warpSize) { \
        return (unsigned long)function(mask, (unsigned long long)v, operand, width);                                          \
    }                                                                                                                         \
    WARPSCOPE_DEVICE long function(unsigned int mask, long v, operand_type operand, int width = warpSize) {                   \
        return (long)function(mask, (unsigned long long)v, operand, width);                                                   \
    }                                                                                                                         \
    WARPSCOPE_DEVICE double function(unsigned int mask, double v, operand_type operand, int width = warpSize) {               \
        return __builtin_bit_cast(double, function(mask, __builtin_bit_cast(unsigned long long, v), operand, width));         \
    }
WARPSCOPE_SHUFFLE(__shfl_sync, idx, int, 31)
WARPSCOPE_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
WARPSCOPE_SHUFFLE(__shfl_down_sync, down, unsigned int, 31)
WARPSCOPE_SHUFFLE(__shfl_xor_sync, bfly, int, 31)
#undef WARPSCOPE_SHUFFLE

/* clang 14's builtin functions give match.any.sync.b64 a result of 64 bits, which PTX does not know. */
#define WARPSCOPE_MATCH(type, bits, size, constraint)                                                \
    WARPSCOPE_DEVICE unsigned int __match_any_sync(unsigned int mask, type v) {                      \
        unsigned int lanes;                                                                          \
        asm volatile("match.any.sync." size " %0, %1, %2;"                                           \
                     : "=r"(lanes)                                                                   \
                     : constraint(__builtin_bit_cast(bits, v)), "r"(mask));                          \
        return lanes;                                                                                \
    }                                                                                                \
    WARPSCOPE_DEVICE unsigned int __match_all_sync(unsigned int mask, type v, int *predicate) {      \
        unsigned int lanes;                                                                          \
        int all;                                                                                     \
        asm volatile("{ .reg .pred p; match.all.sync." size " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                     : "=r"(lanes), "=r"(all)                                                        \
                     : constraint(__builtin_bit_cast(bits, v)), "r"(mask));                          \
        *predicate = all;                                                                            \
        return lanes;                                                                                \
    }
WARPSCOPE_MATCH(int, unsigned int, "b32", "r")
WARPSCOPE_MATCH(unsigned int, unsigned int, "b32", "r")
WARPSCOPE_MATCH(float, unsigned int, "b32", "r")
WARPSCOPE_MATCH(long, unsigned long long, "b64", "l")
WARPSCOPE_MATCH(unsigned long, unsigned long long, "b64", "l")
WARPSCOPE_MATCH(long long, unsigned long long, "b64", "l")
WARPSCOPE_MATCH(unsigned long long, unsigned long long, "b64", "l")
WARPSCOPE_MATCH(double, unsigned long long, "b64", "l")
#undef WARPSCOPE_MATCH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPSCOPE_REDUCE(function, type, op, suffix)                                            \
    WARPSCOPE_DEVICE type function(unsigned int mask, type v) {                                 \
        type r;                                                                                 \
        asm volatile("redux.sync." op "." suffix " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask)); \
        return r;                                                                               \
    }
WARPSCOPE_REDUCE(__reduce_add_sync, int, "add", "s32")
WARPSCOPE_REDUCE(__reduce_add_sync, unsigned int, "add", "u32")
WARPSCOPE_REDUCE(__reduce_min_sync, int, "min", "s32")
WARPSCOPE_REDUCE(__reduce_min_sync, unsigned int, "min", "u32")
WARPSCOPE_REDUCE(__reduce_max_sync, int, "max", "s32")
WARPSCOPE_REDUCE(__reduce_max_sync, unsigned int, "max", "u32")
WARPSCOPE_REDUCE(__reduce_and_sync, unsigned int, "and", "b32")
WARPSCOPE_REDUCE(__reduce_or_sync, unsigned int, "or", "b32")
WARPSCOPE_REDUCE(__reduce_xor_sync, unsigned int, "xor", "b32")
#undef WARPSCOPE_REDUCE
#endif
