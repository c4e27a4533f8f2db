/* reduce.h: what a group's values come to, and the operations for it and for scan.h. Each thread gets the result. */
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define WARPSCOPE_OPERATION(name, expression)                                                      \
    template <typename T = void> struct name {                                                     \
        template <typename U> WARPSCOPE_METHOD U operator()(U a, U b) const { return expression; } \
    };
WARPSCOPE_OPERATION(plus, a + b)
WARPSCOPE_OPERATION(less, b < a ? b : a)
WARPSCOPE_OPERATION(greater, a < b ? b : a)
WARPSCOPE_OPERATION(bit_and, a &b)
WARPSCOPE_OPERATION(bit_or, a | b)
WARPSCOPE_OPERATION(bit_xor, a ^ b)
#undef WARPSCOPE_OPERATION

template <unsigned int Size, typename Parent, typename T, typename Op>
WARPSCOPE_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T v, Op op) {
    for (unsigned int by = Size / 2; by > 0; by /= 2) v = op(v, tile.shfl_xor(v, by));
    return v;
}
/* After each step a thread's value stands for twice as many threads from its own on. */
template <typename T, typename Op> WARPSCOPE_DEVICE T reduce(const coalesced_group &group, T v, Op op) {
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int by = 1; by < size; by *= 2) {
        T other = group.shfl_down(v, by);
        if (rank + by < size) v = op(v, other);
    }
    return group.shfl(v, 0);
}

} // namespace cooperative_groups
