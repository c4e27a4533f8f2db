/* memcpy_async.h: a group copies together, as many bytes at a time as both ends are aligned to. On sm_80 and newer copies to shared memory are
 * asynchronous; others are made at once, by plain loads and stores. wait() waits for all, and for the group's other threads. */
#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline.h"

namespace cooperative_groups {

template <typename Unit, typename Group>
WARPSCOPE_DEVICE void warpscope_copy(const Group &group, void *to, const void *from, size_t bytes) {
    const bool async = sizeof(Unit) >= 4 && __isShared(to) && __isGlobal(from);
    for (size_t i = group.thread_rank(); i < bytes / sizeof(Unit); i += group.size())
        if (async)
            __pipeline_memcpy_async((Unit *)to + i, (const Unit *)from + i, sizeof(Unit));
        else
            ((Unit *)to)[i] = ((const Unit *)from)[i];
    __pipeline_commit();
}
template <typename Group>
WARPSCOPE_DEVICE void warpscope_copy_bytes(const Group &group, void *to, const void *from, size_t bytes) {
    size_t bits = (size_t)to | (size_t)from | bytes;
    if (bits % 16 == 0)
        warpscope_copy<uint4>(group, to, from, bytes);
    else if (bits % 4 == 0)
        warpscope_copy<unsigned int>(group, to, from, bytes);
    else
        warpscope_copy<unsigned char>(group, to, from, bytes);
}
template <typename Group, typename T>
WARPSCOPE_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    warpscope_copy_bytes(group, to, from, bytes);
}
template <typename Group> WARPSCOPE_DEVICE void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
    warpscope_copy_bytes(group, to, from, bytes);
}
/* With layouts: how many elements there are at each end. */
template <typename Group, typename T>
WARPSCOPE_DEVICE void memcpy_async(const Group &group, T *to, size_t to_count, const T *from, size_t from_count) {
    warpscope_copy_bytes(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <typename Group> WARPSCOPE_DEVICE void wait(const Group &group) {
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned int Stage, typename Group> WARPSCOPE_DEVICE void wait_prior(const Group &group) {
    __pipeline_wait_prior(Stage);
    group.sync();
}

} // namespace cooperative_groups
