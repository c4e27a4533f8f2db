/* groups_lanes.h: cooperative groups of lanes of one warp: tiles, coalesced lanes, and parts of both. */
#pragma once

namespace cooperative_groups {

/* A value of any size, by 4 bytes at a time. */
template <typename T, typename Shuffle> WARPSCOPE_DEVICE T warpscope_shuffled(const T &v, Shuffle shuffle) {
    static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T),
                  "only values of up to 32 bytes without constructors are shuffled");
    int words[(sizeof(T) + 3) / 4] = {};
    T result;
    __builtin_memcpy(words, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); i++) words[i] = shuffle(words[i]);
    __builtin_memcpy(&result, words, sizeof(T));
    return result;
}

/* The lanes that the mask names. */
class WarpscopeLanes {
  protected:
    unsigned int mask;
    WARPSCOPE_METHOD explicit WarpscopeLanes(unsigned int lanes) : mask(lanes) {}
    WARPSCOPE_METHOD static unsigned int lane() {
        unsigned int index;
        asm("mov.u32 %0, %%laneid;" : "=r"(index));
        return index;
    }

  public:
    WARPSCOPE_METHOD void sync() const { __syncwarp(mask); }
    WARPSCOPE_METHOD int any(int predicate) const { return __any_sync(mask, predicate); }
    WARPSCOPE_METHOD int all(int predicate) const { return __all_sync(mask, predicate); }
    WARPSCOPE_METHOD unsigned int warpscope_mask() const { return mask; }
};

/* Size lanes whose first lane's number is a multiple of Size: a power of two up to 32. */
template <unsigned int Size, typename Parent = void> class thread_block_tile : public WarpscopeLanes {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads (larger ones need nvcc)");
    static constexpr unsigned int low_mask = Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1;
    unsigned int meta_rank, meta_size; /* which tile of its parent, and of how many */
    template <unsigned int OtherSize, typename OtherParent> friend class thread_block_tile;
    WARPSCOPE_METHOD static unsigned int first_lane() { return Size == 32 ? 0 : lane() & ~(Size - 1); }
    WARPSCOPE_METHOD static unsigned int own(unsigned int lanes) { return lanes >> first_lane() & low_mask; }

  public:
    WARPSCOPE_METHOD thread_block_tile(unsigned int parent_rank, unsigned int parent_size)
        : WarpscopeLanes(low_mask << first_lane()), meta_rank(parent_rank / Size), meta_size((parent_size + Size - 1) / Size) {}
    /* A tile may be kept as one that has forgotten its parent. */
    template <typename Other>
    WARPSCOPE_METHOD thread_block_tile(const thread_block_tile<Size, Other> &other)
        : WarpscopeLanes(other), meta_rank(other.meta_rank), meta_size(other.meta_size) {}
    WARPSCOPE_METHOD static constexpr unsigned int size() { return Size; }
    WARPSCOPE_METHOD static constexpr unsigned int num_threads() { return Size; }
    WARPSCOPE_METHOD static unsigned int thread_rank() { return thread_block::thread_rank() & (Size - 1); }
    WARPSCOPE_METHOD unsigned int meta_group_rank() const { return meta_rank; }
    WARPSCOPE_METHOD unsigned int meta_group_size() const { return meta_size; }
    template <typename T> WARPSCOPE_METHOD T shfl(T v, int rank) const {
        unsigned int lanes = mask;
        return warpscope_shuffled(v, [=](int word) { return __shfl_sync(lanes, word, rank, Size); });
    }
    template <typename T> WARPSCOPE_METHOD T shfl_up(T v, unsigned int by) const {
        unsigned int lanes = mask;
        return warpscope_shuffled(v, [=](int word) { return __shfl_up_sync(lanes, word, by, Size); });
    }
    template <typename T> WARPSCOPE_METHOD T shfl_down(T v, unsigned int by) const {
        unsigned int lanes = mask;
        return warpscope_shuffled(v, [=](int word) { return __shfl_down_sync(lanes, word, by, Size); });
    }
    template <typename T> WARPSCOPE_METHOD T shfl_xor(T v, unsigned int by) const {
        unsigned int lanes = mask;
        return warpscope_shuffled(v, [=](int word) { return __shfl_xor_sync(lanes, word, (int)by, Size); });
    }
    WARPSCOPE_METHOD unsigned int ballot(int predicate) const { return own(__ballot_sync(mask, predicate)); }
    template <typename T> WARPSCOPE_METHOD unsigned int match_any(T v) const { return own(__match_any_sync(mask, v)); }
    template <typename T> WARPSCOPE_METHOD unsigned int match_all(T v, int &predicate) const {
        return own(__match_all_sync(mask, v, &predicate));
    }
};

/* The lanes that were active where it was made, or a part of a group; ranks count them from the lowest. */
class coalesced_group : public WarpscopeLanes {
    unsigned int meta_rank, meta_size;
    /* The lane that has this rank. */
    WARPSCOPE_METHOD int lane_of(unsigned int rank) const {
        if (mask == 0xffffffffu) return (int)rank;
        unsigned int left = mask;
        for (; rank > 0; rank--) left &= left - 1;
        return __ffs((int)left) - 1;
    }
    /* Lanes as ranks. */
    WARPSCOPE_METHOD unsigned int packed(unsigned int lanes) const {
        if (mask == 0xffffffffu) return lanes;
        unsigned int bits = 0, rank = 0;
        for (unsigned int left = mask; left; left &= left - 1, rank++)
            if (lanes & left & -left) bits |= 1u << rank;
        return bits;
    }
    template <typename T> WARPSCOPE_METHOD T from(const T &v, unsigned int rank) const {
        unsigned int lanes = mask;
        int source = lane_of(rank);
        return warpscope_shuffled(v, [=](int word) { return __shfl_sync(lanes, word, source); });
    }

  public:
    WARPSCOPE_METHOD explicit coalesced_group(unsigned int lanes, unsigned int rank = 0, unsigned int of = 1)
        : WarpscopeLanes(lanes), meta_rank(rank), meta_size(of) {}
    WARPSCOPE_METHOD unsigned int size() const { return (unsigned int)__popc(mask); }
    WARPSCOPE_METHOD unsigned int num_threads() const { return size(); }
    WARPSCOPE_METHOD unsigned int thread_rank() const { return (unsigned int)__popc(mask & __lanemask_lt()); }
    WARPSCOPE_METHOD unsigned int meta_group_rank() const { return meta_rank; }
    WARPSCOPE_METHOD unsigned int meta_group_size() const { return meta_size; }
    template <typename T> WARPSCOPE_METHOD T shfl(T v, unsigned int rank) const { return from(v, rank % size()); }
    template <typename T> WARPSCOPE_METHOD T shfl_up(T v, unsigned int by) const {
        unsigned int rank = thread_rank();
        return from(v, rank >= by ? rank - by : rank);
    }
    template <typename T> WARPSCOPE_METHOD T shfl_down(T v, unsigned int by) const {
        unsigned int rank = thread_rank();
        return from(v, rank + by < size() ? rank + by : rank);
    }
    WARPSCOPE_METHOD unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask, predicate)); }
    template <typename T> WARPSCOPE_METHOD unsigned int match_any(T v) const { return packed(__match_any_sync(mask, v)); }
    template <typename T> WARPSCOPE_METHOD unsigned int match_all(T v, int &predicate) const {
        return packed(__match_all_sync(mask, v, &predicate));
    }
};
WARPSCOPE_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* Any group, where its kind is not known at compile time: a block, or lanes of a warp. */
class thread_group {
    unsigned int mask; /* 0: the block */

  public:
    WARPSCOPE_METHOD thread_group(const thread_block &) : mask(0) {}
    WARPSCOPE_METHOD thread_group(const WarpscopeLanes &lanes) : mask(lanes.warpscope_mask()) {}
    WARPSCOPE_METHOD void sync() const {
        if (mask)
            __syncwarp(mask);
        else
            __syncthreads();
    }
    WARPSCOPE_METHOD unsigned long long size() const { return mask ? (unsigned int)__popc(mask) : thread_block::size(); }
    WARPSCOPE_METHOD unsigned long long num_threads() const { return size(); }
    WARPSCOPE_METHOD unsigned long long thread_rank() const {
        return mask ? (unsigned int)__popc(mask & __lanemask_lt()) : thread_block::thread_rank();
    }
    WARPSCOPE_METHOD unsigned int warpscope_mask() const { return mask; }
};

/* --- parts of groups --- */

template <unsigned int Size> WARPSCOPE_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return thread_block_tile<Size, thread_block>(thread_block::thread_rank(), thread_block::size());
}
template <unsigned int Size, unsigned int Whole, typename Parent>
WARPSCOPE_DEVICE thread_block_tile<Size, thread_block_tile<Whole, Parent>>
tiled_partition(const thread_block_tile<Whole, Parent> &) {
    static_assert(Size <= Whole, "a tile cannot be larger than what it is cut from");
    return thread_block_tile<Size, thread_block_tile<Whole, Parent>>(thread_block_tile<Whole, Parent>::thread_rank(), Whole);
}

/* Those of the group whose rank divided by the size is this thread's, and which of how many such groups they are. */
WARPSCOPE_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned int size) {
    unsigned int lanes = 0, rank = 0, tile = group.thread_rank() / size;
    for (unsigned int left = group.warpscope_mask(); left; left &= left - 1, rank++)
        if (rank / size == tile) lanes |= left & -left;
    return coalesced_group(lanes, tile, (group.size() + size - 1) / size);
}
WARPSCOPE_DEVICE thread_group tiled_partition(const thread_block &, unsigned int size) {
    unsigned int rank = thread_block::thread_rank(), first = rank & 31 & ~(size - 1),
                 left = thread_block::size() - (rank & ~31u);
    unsigned int lanes = left >= 32 ? 0xffffffffu : (1u << left) - 1;
    return coalesced_group(lanes & (size >= 32 ? 0xffffffffu : ((1u << size) - 1) << first));
}
WARPSCOPE_DEVICE thread_group tiled_partition(const thread_group &group, unsigned int size) {
    if (!group.warpscope_mask()) return tiled_partition(thread_block(), size);
    return tiled_partition(coalesced_group(group.warpscope_mask()), size);
}

template <typename Group, typename Label> WARPSCOPE_DEVICE coalesced_group labeled_partition(const Group &group, Label label) {
    unsigned int mask = group.warpscope_mask(), lanes = __match_any_sync(mask, label), first = lanes & -lanes;
    unsigned int leaders = __ballot_sync(mask, first == __lanemask_eq());
    return coalesced_group(lanes, (unsigned int)__popc(leaders & (first - 1)), (unsigned int)__popc(leaders));
}
/* Where all agree, one group: nvcc then calls it number 0 of 1 as well. */
template <typename Group> WARPSCOPE_DEVICE coalesced_group binary_partition(const Group &group, bool predicate) {
    unsigned int mask = group.warpscope_mask(), yes = __ballot_sync(mask, predicate);
    if (yes == mask || yes == 0) return coalesced_group(mask);
    return coalesced_group(predicate ? yes : mask & ~yes, predicate, 2);
}
template <typename Group> WARPSCOPE_DEVICE coalesced_group labeled_partition(const Group &group, bool label) {
    return binary_partition(group, label);
}

/* --- one thread for all --- */

template <typename Group, typename Function, typename... Args>
WARPSCOPE_DEVICE void invoke_one(const Group &group, Function &&function, Args &&...args) {
    if (group.thread_rank() == 0) function(static_cast<Args &&>(args)...);
}
template <typename Group, typename Function, typename... Args>
WARPSCOPE_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function, Args &&...args)
    -> decltype(function(static_cast<Args &&>(args)...)) {
    decltype(function(static_cast<Args &&>(args)...)) result{};
    if (group.thread_rank() == 0) result = function(static_cast<Args &&>(args)...);
    return group.shfl(result, 0);
}

template <typename Group> WARPSCOPE_DEVICE void sync(const Group &group) { group.sync(); }
template <typename Group> WARPSCOPE_DEVICE unsigned long long thread_rank(const Group &group) { return group.thread_rank(); }
template <typename Group> WARPSCOPE_DEVICE unsigned long long group_size(const Group &group) { return group.size(); }

} // namespace cooperative_groups
