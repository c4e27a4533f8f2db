// A sum of three neighbours whose edges are read from the neighbouring blocks of a cluster, of a size that the launch chooses: cudaLaunchKernelEx.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
enum { THREADS = 64, BLOCKS = 16 };

__global__ void sum3(int *out, const int *in) {
    extern __shared__ int tile[];
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    const unsigned rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
    tile[t] = in[i];
    cluster.sync();
    int left = 0, right = 0;
    if (t > 0) left = tile[t - 1];
    else if (rank > 0) left = *cluster.map_shared_rank(&tile[THREADS - 1], rank - 1);
    if (t < THREADS - 1) right = tile[t + 1];
    else if (rank < last) right = *cluster.map_shared_rank(&tile[0], rank + 1);
    out[i] = left + tile[t] + right;
    cluster.sync();
}

static bool with(unsigned size, int *d_out, int *d_in, const std::vector<int> &in) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = BLOCKS, config.blockDim = THREADS, config.dynamicSmemBytes = THREADS * sizeof(int);
    config.attrs = &attribute, config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, sum3, d_out, (const int *)d_in) != cudaSuccess) return false;
    std::vector<int> out(in.size());
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const size_t row = size * THREADS;
    for (size_t i = 0; i < in.size(); i++)
        if (out[i] != (i % row ? in[i - 1] : 0) + in[i] + (i % row != row - 1 ? in[i + 1] : 0)) return false;
    return true;
}

int main() {
    std::vector<int> in(BLOCKS * THREADS);
    for (size_t i = 0; i < in.size(); i++) in[i] = i * i % 1009;
    int *d_in, *d_out;
    cudaMalloc(&d_in, in.size() * sizeof(int));
    cudaMalloc(&d_out, in.size() * sizeof(int));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    bool fine = true;
    for (unsigned size : {1, 2, 4, 8}) fine &= with(size, d_out, d_in, in);
    fine &= !with(16, d_out, d_in, in) && cudaGetLastError() != cudaSuccess; // more than every device has
    cudaFuncSetAttribute(sum3, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    fine &= with(16, d_out, d_in, in);
    cudaFree(d_in);
    cudaFree(d_out);
    puts(fine ? "ok" : "wrong");
}
