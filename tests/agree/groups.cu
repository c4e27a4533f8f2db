//run blocks --grid 2 --block 96 --arg buf:i32:2048:zero
//run tiles --grid 1 --block 96 --arg buf:i32:4096:zero
//run reductions --grid 1 --block 64 --arg buf:i32:1024:zero
//run coalesced_lanes --grid 1 --block 64 --arg buf:i32:1024:zero
//run partitions --grid 1 --block 64 --arg buf:i32:1024:zero
//run scans --grid 1 --block 64 --arg buf:i32:1024:zero
//run one_for_all --grid 1 --block 64 --arg buf:i32:256:zero
//run copies --grid 1 --block 64 --arg buf:i32:512:zero --arg buf:i32:512:iota
//run any_group --grid 1 --block 64 --arg buf:i32:64:zero
//run whole_grid --grid 3 --block 64 --arg buf:i32:192:zero --cooperative
// Cooperative groups: what they say of themselves, and what their threads tell each other.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void blocks(int *out) {
    cg::thread_block block = cg::this_thread_block();
    out += (blockIdx.x * block.size() + block.thread_rank()) * 8;
    *out++ = block.num_threads();
    *out++ = block.group_index().x * 1000 + block.thread_index().x;
    *out++ = block.dim_threads().x + block.group_dim().x;
    *out++ = cg::group_size(block) + cg::thread_rank(block);
    block.sync();
    cg::sync(block);
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
}

struct Odd {
    int a, b;
    short c;
};

template <int N> __device__ void tile_of(int *&out) {
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    int v = threadIdx.x, same;
    *out++ = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size() + tile.size() + tile.num_threads();
    *out++ = tile.shfl(v, 0) + tile.shfl_up(v, 1) + tile.shfl_down(v, 1) + tile.shfl_xor(v, N / 2);
    *out++ = tile.ballot(v % 3 == 0);
    *out++ = tile.any(v == 5) + 2 * tile.all(v < 50);
    *out++ = tile.match_any(v / 3);
    *out++ = tile.match_all(v / 64, same) + same;
    *out++ = (int)tile.shfl((double)v, N - 1);
    Odd odd = tile.shfl(Odd{v, 2, 3}, 0);
    *out++ = odd.a + odd.b + odd.c;
    tile.sync();
}

extern "C" __global__ void tiles(int *out) {
    out += threadIdx.x * 40;
    auto block = cg::this_thread_block();
    tile_of<32>(out);
    tile_of<16>(out);
    tile_of<4>(out);
    tile_of<1>(out);
    auto inner = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
    *out++ = inner.meta_group_rank() + 10 * inner.meta_group_size();
    cg::thread_block_tile<8> forgets_its_parent = cg::tiled_partition<8>(block);
    *out++ = forgets_its_parent.meta_group_rank();
    auto chosen_at_run_time = cg::tiled_partition(block, 8);
    *out++ = chosen_at_run_time.thread_rank() + chosen_at_run_time.size() * 10;
}

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

extern "C" __global__ void reductions(int *out) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(block);
    int v = threadIdx.x * 7919 % 101 - 50;
    out += threadIdx.x * 16;
    *out++ = cg::reduce(warp, v, cg::plus<int>());
    *out++ = cg::reduce(warp, v, cg::less<int>());
    *out++ = cg::reduce(warp, v, cg::greater<int>());
    *out++ = cg::reduce(warp, v, cg::bit_and<int>());
    *out++ = cg::reduce(warp, v, cg::bit_or<int>());
    *out++ = cg::reduce(warp, v, cg::bit_xor<int>());
    *out++ = cg::reduce(warp, v, [](int a, int b) { return a > b ? a : b; });
    *out++ = cg::reduce(warp, v, Larger());
    *out++ = (int)cg::reduce(warp, (float)v, cg::plus<float>());
    *out++ = cg::reduce(eight, v, cg::plus<int>());
    *out++ = (int)cg::reduce(eight, (long long)v, cg::plus<long long>());
    *out++ = (int)cg::reduce(eight, (double)v, cg::less<double>());
    if (threadIdx.x % 3) return;
    auto some = cg::coalesced_threads();
    *out++ = cg::reduce(some, v, cg::plus<int>());
    *out++ = cg::reduce(some, v, cg::greater<int>());
}

extern "C" __global__ void coalesced_lanes(int *out) {
    if (threadIdx.x % 5 >= 3) return;
    auto some = cg::coalesced_threads();
    int v = threadIdx.x, same;
    out += threadIdx.x * 16;
    *out++ = some.size() + 100 * some.thread_rank() + 10000 * some.meta_group_rank() + 100000 * some.meta_group_size();
    *out++ = some.num_threads();
    *out++ = some.shfl(v, 2);
    *out++ = some.shfl_up(v, 2);
    *out++ = some.shfl_down(v, 3);
    *out++ = some.ballot(v & 1);
    *out++ = some.any(v == 2) + 2 * some.all(v < 40);
    *out++ = some.match_any(v / 7);
    *out++ = some.match_all(1, same) + same;
    auto part = cg::tiled_partition(some, 4);
    *out++ = part.thread_rank() + 10 * part.size() + 1000 * part.meta_group_rank() + 10000 * part.meta_group_size();
    some.sync();
}

extern "C" __global__ void partitions(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    out += threadIdx.x * 16;
    auto third = cg::labeled_partition(warp, threadIdx.x % 3);
    *out++ = third.size() + 100 * third.thread_rank() + 10000 * third.meta_group_rank() + 100000 * third.meta_group_size();
    *out++ = cg::reduce(third, (int)threadIdx.x, cg::plus<int>());
    auto half = cg::binary_partition(warp, threadIdx.x % 7 == 2);
    *out++ = half.size() + 100 * half.thread_rank() + 10000 * half.meta_group_rank() + 100000 * half.meta_group_size();
    auto all = cg::binary_partition(warp, true);
    *out++ = all.meta_group_rank() + 10 * all.meta_group_size();
    if (threadIdx.x % 2 == 0) return;
    auto some = cg::coalesced_threads();
    auto ten = cg::labeled_partition(some, threadIdx.x / 10);
    *out++ = ten.size() * 10 + ten.thread_rank();
    auto two = cg::binary_partition(some, threadIdx.x % 3 == 0);
    *out++ = two.size() * 10 + two.thread_rank();
}

extern "C" __global__ void scans(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = threadIdx.x * 3 % 11;
    out += threadIdx.x * 8;
    *out++ = cg::inclusive_scan(warp, v, cg::plus<int>());
    *out++ = cg::exclusive_scan(warp, v, cg::plus<int>());
    *out++ = cg::inclusive_scan(warp, v);
    *out++ = cg::inclusive_scan(warp, v, cg::greater<int>());
    if (threadIdx.x % 3 == 0) return;
    auto some = cg::coalesced_threads();
    *out++ = cg::exclusive_scan(some, v);
}

extern "C" __global__ void one_for_all(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::invoke_one(warp, [=] { atomicAdd(out, 1); });
    out[8 + threadIdx.x] = cg::invoke_one_broadcast(warp, [=] { return atomicAdd(out + 1, 5); });
    cg::invoke_one(cg::this_thread_block(), [=] { atomicAdd(out + 2, 1); });
}

extern "C" __global__ void copies(int *out, const int *in) {
    __shared__ int tile[256];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = tile[255 - i];
    block.sync();
    cg::memcpy_async(block, tile + 1, in + 1, sizeof(int) * 77); // no more than 4 bytes at a time fit
    cg::wait(block);
    for (int i = threadIdx.x; i < 77; i += blockDim.x) out[256 + i] = tile[77 - i];
}

__device__ int about(cg::thread_group group, int v) {
    group.sync();
    return (int)(group.size() * 100 + group.thread_rank()) + v;
}
extern "C" __global__ void any_group(int *out) {
    auto block = cg::this_thread_block();
    out[threadIdx.x] = about(block, 1) + about(cg::tiled_partition<16>(block), 2) + about(cg::tiled_partition(block, 4), 3);
}

extern "C" __global__ void whole_grid(int *out) {
    auto grid = cg::this_grid();
    int i = grid.thread_rank();
    out[i] = i * grid.is_valid();
    grid.sync();
    int other = out[(i + 70) % grid.num_threads()];
    grid.sync();
    out[i] = other + grid.block_rank() + grid.num_blocks();
}
