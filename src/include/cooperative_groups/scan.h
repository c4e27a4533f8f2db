/* scan.h: running totals over the ranks of a group of lanes. */
#pragma once

#include "reduce.h"

namespace cooperative_groups {

template <typename Group, typename T, typename Op> WARPSCOPE_DEVICE T inclusive_scan(const Group &group, T v, Op op) {
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int by = 1; by < size; by *= 2) {
        T other = group.shfl_up(v, by);
        if (rank >= by) v = op(other, v);
    }
    return v;
}
template <typename Group, typename T> WARPSCOPE_DEVICE T inclusive_scan(const Group &group, T v) {
    return inclusive_scan(group, v, plus<T>());
}

/* What comes before the first thread: zero, or for the other operations, as far as CUDA says nothing of it, a value without effect. */
template <typename T, typename Op> struct WarpscopeNeutral {
    WARPSCOPE_METHOD static T value(T) { return T(); }
};
template <typename T, typename U> struct WarpscopeNeutral<T, bit_and<U>> {
    WARPSCOPE_METHOD static T value(T) { return ~T(); }
};
template <typename T, typename U> struct WarpscopeNeutral<T, less<U>> {
    WARPSCOPE_METHOD static T value(T own) { return own; }
};
template <typename T, typename U> struct WarpscopeNeutral<T, greater<U>> {
    WARPSCOPE_METHOD static T value(T own) { return own; }
};
template <typename Group, typename T, typename Op> WARPSCOPE_DEVICE T exclusive_scan(const Group &group, T v, Op op) {
    T before = group.shfl_up(inclusive_scan(group, v, op), 1);
    return group.thread_rank() == 0 ? WarpscopeNeutral<T, Op>::value(v) : before;
}
template <typename Group, typename T> WARPSCOPE_DEVICE T exclusive_scan(const Group &group, T v) {
    return exclusive_scan(group, v, plus<T>());
}

} // namespace cooperative_groups
