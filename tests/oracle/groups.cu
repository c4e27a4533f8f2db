// Cooperative groups: grids whose blocks meet.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each round replaces every element by the sum of its two neighbours: no block may begin one before all have ended the last.
extern "C" __global__ void rounds(int *a, int *b, int n, int times) {
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < times; r++) {
        for (unsigned i = grid.thread_rank(); i < n; i += grid.num_threads()) b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
        grid.sync();
        int *other = a;
        a = b;
        b = other;
    }
}

// Between arriving and waiting a thread may do what needs no other block.
extern "C" __global__ void arrive_and_wait(int *a, int *b, int n) {
    auto grid = cg::this_grid();
    int i = grid.thread_rank();
    a[i] = i * 3;
    auto token = grid.barrier_arrive();
    int own = i + 100;
    grid.barrier_wait(std::move(token));
    b[i] = own + a[(i + 77) % n];
}

extern "C" __global__ void one_block_leaves(int *out) {
    cg::grid_group grid = cg::this_grid();
    if (blockIdx.x == 3) return;
    grid.sync(); // the others
    out[grid.thread_rank()] = 1;
}

// What a grid group says of itself, for one thread of a three-dimensional grid.
extern "C" __global__ void ranks(unsigned long long *out) {
    auto grid = cg::this_grid();
    if (grid.thread_rank() == 0) {
        out[0] = grid.is_valid();
        out[1] = grid.num_threads();
        out[2] = grid.num_blocks();
        out[3] = grid.size();
        out[4] = grid.dim_blocks().x * 100 + grid.dim_blocks().y * 10 + grid.dim_blocks().z;
        out[5] = grid.dim_threads().x * 10000 + grid.dim_threads().y * 100 + grid.dim_threads().z;
    }
    dim3 last = grid.block_index(), thread = grid.thread_index();
    if (last.x == 2 && last.y == 1 && last.z == 3 && threadIdx.x == 4 && threadIdx.y == 2 && threadIdx.z == 0) {
        out[6] = grid.block_rank();
        out[7] = grid.thread_rank();
        out[8] = thread.x * 10000 + thread.y * 100 + thread.z;
    }
}
