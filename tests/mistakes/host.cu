// Mistakes of host code: sizes, pointers, shapes of launches, symbols, events. The form: tests/mistakes/program.
#include "program.h"

__global__ void twice(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
__global__ void fill(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
__global__ void reversed(float *a) {
    extern __shared__ float s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// --- sizes in bytes and in elements

// says has 1000 bytes, and argument 2, 'n', is as many elements: is * sizeof missing?
PROGRAM(allocated_by_elements) {
    float *a;
    cudaMalloc(&a, N); // HERE
    fill<<<4, 256>>>(a, N);
}
// fine
PROGRAM(allocated_by_bytes) {
    float *a;
    cudaMalloc(&a, N * sizeof *a);
    fill<<<4, 256>>>(a, N);
    cudaFree(a);
}
// says the first 1000 of the 4000 bytes of 'a' were written: cudaMemcpy counts bytes, not elements
PROGRAM(copied_by_elements) {
    std::vector<float> h(N);
    float *a;
    cudaMalloc(&a, bytes);
    cudaMemcpy(a, h.data(), N, cudaMemcpyHostToDevice);
    twice<<<4, 256>>>(a, N);
}
// says the first 8 bytes of 'a' were written, the size of a pointer
PROGRAM(copied_by_size_of_a_pointer) {
    float *h = (float *)calloc(N, sizeof *h), *a;
    cudaMalloc(&a, bytes);
    cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
    twice<<<4, 256>>>(a, N);
}
// says copy: 4000 bytes at 'cudaMalloc 1'+0 reach 3992 bytes past its end
// says has 8 bytes, the size of a pointer
PROGRAM(allocated_by_size_of_a_pointer) {
    float *h = (float *)calloc(N, sizeof *h), *a;
    cudaMalloc(&a, sizeof(h));
    cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice); // HERE
    twice<<<4, 256>>>(a, N);
}
// says copy: 8000 bytes at 'cudaMalloc 1'+0 reach 4000 bytes past its end
PROGRAM(copied_more_than_there_is) {
    std::vector<float> h(2 * N);
    cudaMemcpy(device(), h.data(), 2 * bytes, cudaMemcpyHostToDevice); // HERE
}
// says argument 1, 'a', points 4000 bytes past the end of 'cudaMalloc 1' already: pointer + n counts elements, not bytes
PROGRAM(offset_in_bytes) {
    float *a = device();
    twice<<<4, 256>>>(a + bytes / 2, N / 2);
}
// fine
PROGRAM(offset_in_elements) {
    float *a = device();
    twice<<<4, 256>>>(a + N / 2, N / 2);
}
__global__ void bytes_of(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 1;
}
// says has 1000 bytes, and argument 2, 'n', is as many elements
PROGRAM(ints_in_a_buffer_of_chars) {
    char *a;
    cudaMalloc(&a, N); // HERE
    bytes_of<<<4, 256>>>((int *)a, N);
}
__global__ void vectors(const float4 *in, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i]; // HERE
}
// says argument 3, 'n', is 1000, and 'in', allocated at
// says has room for as many elements of 4 bytes, not of 16
PROGRAM(vectors_counted_as_floats) { vectors<<<4, 256>>>((float4 *)device(), (float4 *)device(), N); }
// fine
PROGRAM(vectors_counted_as_vectors) { vectors<<<1, 256>>>((float4 *)device(), (float4 *)device(), N / 4); }
__global__ void doubled(double *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2; // HERE
}
// says has room for as many elements of 4 bytes, not of 8
PROGRAM(doubles_in_a_buffer_of_floats) { doubled<<<4, 256>>>((double *)device(), N); }
__global__ void rows_of(float *a, size_t pitch, int w, int h) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < w && y < h) a[y * pitch + x] = 1; // HERE
}
// says the rows of 'a' are 512 bytes apart, and a pitch counts bytes
PROGRAM(pitch_in_elements) {
    float *a;
    size_t pitch;
    cudaMallocPitch(&a, &pitch, 100 * sizeof(float), 10);
    rows_of<<<10, 128>>>(a, pitch, 100, 10);
}
// fine
PROGRAM(pitch_made_elements) {
    float *a;
    size_t pitch;
    cudaMallocPitch(&a, &pitch, 100 * sizeof(float), 10);
    rows_of<<<10, 128>>>(a, pitch / sizeof *a, 100, 10);
}
// unnamed the copy has a quarter of each row; what is told is the kernel that reads the rest
// says at 'a'+100, where byte 100 was never written
PROGRAM(width_in_elements) {
    std::vector<float> h(N);
    float *a;
    size_t pitch;
    cudaMallocPitch(&a, &pitch, 100 * sizeof(float), 10);
    cudaMemcpy2D(a, pitch, h.data(), 100 * sizeof(float), 100, 10, cudaMemcpyHostToDevice);
    twice<<<1, 100>>>(a, 100);
}
// says cudaMemcpy2D: cudaErrorInvalidPitchValue
PROGRAM(pitch_of_the_host_in_elements) {
    std::vector<float> h(N);
    float *a;
    size_t pitch;
    cudaMallocPitch(&a, &pitch, 100 * sizeof(float), 10);
    cudaMemcpy2D(a, pitch, h.data(), 100, 100 * sizeof(float), 10, cudaMemcpyHostToDevice); // HERE
}
// says copy to the host: of the 4000 bytes of 'a' 928 were never written, byte 3072 the first of them
// says do enough threads run
PROGRAM(blocks_rounded_down) {
    std::vector<float> h(N);
    float *a;
    cudaMalloc(&a, bytes);
    fill<<<N / 256, 256>>>(a, N);
    cudaMemcpy(h.data(), a, bytes, cudaMemcpyDeviceToHost); // HERE
}

// --- which memory

// says copy with cudaMemcpyDeviceToHost: the destination is device memory, the source host memory
// says are the pointers swapped, or is cudaMemcpyHostToDevice meant?
PROGRAM(direction_of_a_copy) {
    std::vector<float> h(N);
    cudaMemcpy(device(), h.data(), bytes, cudaMemcpyDeviceToHost); // HERE
}
// says are the pointers swapped, or is cudaMemcpyDeviceToHost meant?
PROGRAM(pointers_of_a_copy_swapped) {
    std::vector<float> h(N);
    cudaMemcpy(h.data(), device(), bytes, cudaMemcpyHostToDevice); // HERE
}
// says not to the pointer itself: a, not &a
PROGRAM(copied_over_the_pointer) {
    std::vector<float> h(N);
    float *a = device();
    cudaMemcpy(&a, h.data(), sizeof(float), cudaMemcpyHostToDevice); // HERE
}
// says argument 1, 'a', is a host pointer passed to a kernel
PROGRAM(vector_of_the_host) {
    std::vector<float> h(N);
    fill<<<4, 256>>>(h.data(), N);
}
__global__ void by_reference(float *a, const int &n) {
    if (threadIdx.x < n) a[threadIdx.x] = 1; // HERE
}
// says argument 2, 'n', is a host pointer passed to a kernel
PROGRAM(reference_to_the_host) {
    int n = 20;
    by_reference<<<1, 32>>>(device(), n);
}
__host__ __device__ float square(float x) { return x * x; }
typedef float Function(float);
__global__ void apply(float *a, Function *f) {
    a[threadIdx.x] = f(a[threadIdx.x]); // HERE
}
// says function pointers must be taken in device code
PROGRAM(function_of_the_host) { apply<<<1, 32>>>(device(), square); }
__device__ Function *kept = square;
// fine
PROGRAM(function_of_the_device) {
    Function *f;
    cudaMemcpyFromSymbol(&f, kept, sizeof f);
    apply<<<1, 32>>>(device(), f);
}
// says host code used a device pointer: byte 0 of 'cudaMalloc 1'
PROGRAM(summed_by_the_host) {
    float *a = device(), sum = 0;
    for (int i = 0; i < N; i++) sum += a[i]; // HERE
    printf("%g\n", sum);
}
// says host code used a device pointer
PROGRAM(copied_by_memcpy) {
    std::vector<float> h(N);
    float *a = device();
    memcpy(a, h.data(), bytes); // HERE
}
// says host code used a device pointer
PROGRAM(printed_by_the_host) {
    char *a = device<char>();
    printf("%s\n", a); // HERE
}
// says host code used a device pointer
PROGRAM(rows_allocated_in_device_memory) {
    float **rows;
    cudaMalloc(&rows, 4 * sizeof *rows);
    for (int i = 0; i < 4; i++) cudaMalloc(&rows[i], bytes); // HERE
}
// says argument 1, 'a', is a null pointer
static void allocate(float *a) { cudaMalloc(&a, bytes); }
PROGRAM(allocated_into_a_copy) {
    float *a = nullptr;
    allocate(a);
    fill<<<4, 256>>>(a, N);
}
// says cudaMalloc: cudaErrorInvalidValue
// says argument 1, 'a', is a null pointer
PROGRAM(allocated_without_an_address) {
    float *a = nullptr;
    cudaMalloc((void **)a, bytes); // HERE
    fill<<<4, 256>>>(a, N);
}
// says of the device's 141000000000 left
// says argument 1, 'a', is a null pointer
PROGRAM(allocation_refused) {
    float *a = nullptr;
    cudaMalloc(&a, (size_t)-4 * N); // HERE
    fill<<<4, 256>>>(a, N);
}
__device__ float *table;
__global__ void look_up(float *out) {
    out[threadIdx.x] = table[threadIdx.x]; // HERE
}
// says 'table' is a null pointer: cudaMemcpyToSymbol gives it one
PROGRAM(pointer_of_the_device_not_set) { look_up<<<1, 32>>>(device()); }
__global__ void follow(long long *addresses, int *o) {
    *o = *(int *)(int)addresses[0]; // HERE
}
// says the lower 32 bits of an address in
PROGRAM(pointer_kept_in_an_int) {
    long long *a = device<long long>();
    int *p = device<int>();
    cudaMemcpy(a, &p, sizeof p, cudaMemcpyHostToDevice);
    follow<<<1, 1>>>(a, p);
}

// --- what is freed, and when

// says has been freed already ('cudaMalloc 1')
PROGRAM(freed_twice) {
    float *a = device();
    cudaFree(a);
    cudaFree(a); // HERE
}
// says host code looked for malloc's notes in front of 'cudaMalloc 1', as free and realloc do
PROGRAM(freed_by_free) {
    free(device()); // HERE
}
// says cudaFreeHost what cudaMallocHost gave
PROGRAM(pinned_memory_freed_by_free) {
    float *h;
    cudaMallocHost(&h, bytes);
    free(h); // HERE
}
// says was not allocated with cudaMalloc: cudaFreeHost frees it
PROGRAM(pinned_memory_freed_by_cudafree) {
    float *h;
    cudaMallocHost(&h, bytes);
    cudaFree(h); // HERE
}
// says was never allocated with cudaMalloc: it is the host's own memory
PROGRAM(memory_of_malloc_freed_by_cudafree) {
    float *h = (float *)malloc(bytes);
    cudaFree(h); // HERE
}
// says only its beginning can be freed
PROGRAM(freed_from_the_middle) {
    cudaFree(device() + 1); // HERE
}
// says which has been freed
PROGRAM(freed_before_the_launch) {
    float *a = device();
    cudaFree(a);
    fill<<<4, 256>>>(a, N);
}
// says which has been freed
PROGRAM(freed_in_the_stream_before_the_launch) {
    float *a;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&a, bytes, s);
    cudaFreeAsync(a, s);
    fill<<<4, 256, 0, s>>>(a, N);
}
// says is in 'a', which has been freed
PROGRAM(reset_before_the_copy) {
    std::vector<float> h(N);
    float *a = device();
    fill<<<4, 256>>>(a, N);
    cudaDeviceReset();
    cudaMemcpy(h.data(), a, bytes, cudaMemcpyDeviceToHost); // HERE
}
__global__ void keep(float **p) {
    p[threadIdx.x] = (float *)malloc(64);
    p[threadIdx.x][0] = 1;
}
static float *of_a_kernel() {
    float **p = device<float *>(32), *one;
    keep<<<1, 32>>>(p);
    cudaMemcpy(&one, p, sizeof one, cudaMemcpyDeviceToHost);
    return one;
}
// says comes from malloc or new in a kernel: free or delete it there
PROGRAM(memory_of_a_kernel_freed_by_the_host) {
    cudaFree(of_a_kernel()); // HERE
}
// says comes from malloc or new in a kernel, and is no memory for the host's calls
PROGRAM(memory_of_a_kernel_copied_by_the_host) {
    float value;
    cudaMemcpy(&value, of_a_kernel(), sizeof value, cudaMemcpyDeviceToHost); // HERE
}
__global__ void many(float *out, int n) {
    float *mine = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) mine[i] = i; // HERE
    out[threadIdx.x] = mine[n - 1];
}
// says when the heap of 8388608 bytes is full
PROGRAM(heap_of_kernels_full) { many<<<1, 32>>>(device(), 1 << 20); }

// --- launches

// says launch of fill(float*, int) refused: a grid of 0 x 1 x 1
// says n / threads is rounded down, and 0 where n is less
PROGRAM(no_blocks) {
    int n = 100;
    fill<<<n / 256, 256>>>(device(), n); // HERE
}
// says a block of 0 x 1 x 1: no extent may be 0
PROGRAM(no_threads) {
    fill<<<4, 0>>>(device(), N); // HERE
}
// says <<<blocks, threads>>>: the number of blocks comes first
PROGRAM(blocks_and_threads_swapped) {
    fill<<<256, 4000>>>(device(), N); // HERE
}
// says a block of 2048 threads: a block has at most 1024
PROGRAM(threads_of_three_dimensions) {
    fill<<<1, dim3(32, 32, 2)>>>(device(), N); // HERE
}
// says at most 65535 in y
// says the largest extent is x's
PROGRAM(grid_too_high) {
    fill<<<dim3(1, 70000), 1>>>(device(), N); // HERE
}
__global__ void __launch_bounds__(128) bounded(float *a) { a[threadIdx.x] = 1; }
// says the kernel is compiled for at most 128 (__launch_bounds__)
PROGRAM(more_threads_than_launch_bounds) {
    bounded<<<1, 256>>>(device()); // HERE
}
// says extern __shared__ has as many bytes as the launch's third argument says, and it says 0
PROGRAM(dynamic_shared_memory_forgotten) { reversed<<<1, 256>>>(device()); }
// says the block's 256 bytes of shared memory are 0 static and 256 dynamic
PROGRAM(dynamic_shared_memory_in_elements) { reversed<<<1, 256, 256>>>(device()); }
// fine
PROGRAM(dynamic_shared_memory_in_bytes) { reversed<<<1, 256, 256 * sizeof(float)>>>(device()); }
// says is no stream, or one that was destroyed
// says the third is the bytes of dynamic shared memory
PROGRAM(dynamic_shared_memory_as_the_stream) {
    reversed<<<1, 256, 0, (cudaStream_t)(256 * sizeof(float))>>>(device()); // HERE
}
// says 65536 bytes of dynamic and 0 of static shared memory, of at most 49152
// says cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) first
PROGRAM(dynamic_shared_memory_of_64_kib) {
    reversed<<<1, 256, 65536>>>(device()); // HERE
}
// fine
PROGRAM(dynamic_shared_memory_opted_in) {
    cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    reversed<<<1, 256, 65536>>>(device());
}
// says is no stream, or one that was destroyed
PROGRAM(stream_destroyed) {
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    fill<<<4, 256, 0, s>>>(device(), N); // HERE
}
// says cudaLaunchKernel was given a device pointer, 'cudaMalloc 1', for an address of the host's
// says an array of arguments has their addresses: {&a, &n}
PROGRAM(arguments_by_value) {
    float *a = device();
    int n = N;
    void *args[] = {a, &n};
    cudaLaunchKernel((void *)fill, dim3(4), dim3(256), args, 0, 0); // HERE
}
// fine
PROGRAM(arguments_by_address) {
    float *a = device();
    int n = N;
    void *args[] = {&a, &n};
    cudaLaunchKernel((void *)fill, dim3(4), dim3(256), args, 0, 0);
}
// says cudaSetDevice: cudaErrorInvalidDevice: invalid device ordinal
PROGRAM(device_that_is_not_there) {
    cudaSetDevice(1); // HERE
}

// --- variables of the device

__constant__ float weights[16], others[16];
__device__ int counter;
__global__ void weigh(float *a) { a[threadIdx.x] *= weights[threadIdx.x % 16] + others[threadIdx.x % 16]; }
__global__ void weigh_by(float *a, const float *w) {
    a[threadIdx.x] *= w[threadIdx.x % 16];
}
__global__ void count() { atomicAdd(&counter, 1); }
static float sixteen[32];
// says cudaMemcpyToSymbol: 128 bytes from byte 0 of a variable of 64
PROGRAM(more_than_the_symbol_holds) {
    cudaMemcpyToSymbol(weights, sixteen, sizeof sixteen); // HERE
}
// says the device has a 'weights' of its own: cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy it
PROGRAM(symbol_written_by_memcpy) {
    cudaMemcpy(weights, sixteen, 64, cudaMemcpyHostToDevice); // HERE
}
// says the device has a 'counter' of its own
PROGRAM(symbol_read_by_memcpy) {
    int n;
    count<<<1, 32>>>();
    cudaMemcpy(&n, &counter, sizeof n, cudaMemcpyDeviceToHost); // HERE
}
// says cudaMemcpyToSymbol: a variable is wanted, and not its name in quotes: weights
PROGRAM(symbol_by_its_name) {
    cudaMemcpyToSymbol("weights", sixteen, 64); // HERE
}
// says argument 2, 'w', is the host's address of 'weights', which the device has elsewhere
PROGRAM(symbol_as_an_argument) { weigh_by<<<1, 32>>>(device(), weights); }
// fine
PROGRAM(symbol_by_its_address) {
    float *w;
    cudaGetSymbolAddress((void **)&w, weights);
    weigh_by<<<1, 32>>>(device(), w);
}
// unnamed a variable that the host never writes is 0, and may be meant to be
// fine
PROGRAM(symbol_of_another_name) {
    cudaMemcpyToSymbol(others, sixteen, 64);
    weigh<<<1, 32>>>(device());
}

// --- events

// says cudaEventElapsedTime: nobody has recorded the second event
PROGRAM(event_not_recorded) {
    cudaEvent_t start, stop;
    float ms = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    fill<<<4, 256>>>(device(), N);
    cudaEventElapsedTime(&ms, start, stop); // HERE
}
// says nobody has waited for the event: cudaEventSynchronize(end) first
PROGRAM(event_not_waited_for) {
    cudaEvent_t start, stop;
    float ms = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    fill<<<4, 256>>>(device(), N);
    cudaEventRecord(stop);
    cudaEventElapsedTime(&ms, start, stop); // HERE
}
// says cudaEventRecord: cudaErrorInvalidResourceHandle
PROGRAM(event_not_created) {
    cudaEvent_t start = nullptr;
    cudaEventRecord(start); // HERE
}
