// Loops that end by either of two comparisons of their variable.
#define LOOP(name, loop)                                                                 \
    extern "C" __global__ void name(const float *from, float *to, int n, int m, int b) { \
        float s = 0;                                                                     \
        loop *to = s;                                                                    \
    }

LOOP(
    by_one, for (int i = 0; i < n; i++) {
        if (i >= m) break;
        s += from[i];
    })
LOOP(
    by_two, for (int i = 0; i < n; i += 2) {
        if (i >= m) break;
        s += from[i];
    })
LOOP(
    by_warp, for (int i = threadIdx.x; i < n; i += 32) {
        if (i >= m) break;
        s += from[i];
    })
LOOP(by_warp_at_head, for (int i = threadIdx.x; i < n && b + i < m; i += 32) s += from[b + i];)
LOOP(
    by_warp_named, for (int i = threadIdx.x; i < n; i += 32) {
        int j = b + i;
        if (j >= m) break;
        s += from[j];
    })
LOOP(
    by_block, for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (i >= m) break;
        s += from[i];
    })
LOOP(at_head, for (int i = 0; i < n && b + i < m; i++) s += from[b + i];)
LOOP(
    named, for (int i = 0; i < n; i++) {
        int j = b + i;
        if (j >= m) break;
        s += from[j];
    })
LOOP(known, for (int i = 0; i < 16 && b + i < m; i++) s += from[b + i];)
