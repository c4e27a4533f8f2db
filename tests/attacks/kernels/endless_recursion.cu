// 17 | in the solution | - | <=82 | -
    struct Deeper {
        static __device__ __noinline__ int sum(volatile const float *n) { return *n != 4711.25f ? sum(n) + sum(n + 1) + 1 : 0; }
    };
    if (Deeper::sum(in) == 7) return;
