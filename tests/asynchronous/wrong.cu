// Host code, and streams, that do not wait for each other. Above each: the kind | what is told | the value that comes of it as work is done at once | with
// --schedule late. FIRST and SECOND: the places. clang keeps managed variables among the host's own, where pages are not watched.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

__global__ void put(int *to, int value) { *to = value; }
__global__ void copy(const int *from, int *to) { *to = *from; }
__global__ void add(int *to, int value) { *to += value; }
__global__ void fill_page(int *to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] = value; }

static cudaStream_t s, t;   // s waits for the default stream, t for none
static int *d, *m, *pinned;    // one element of 4 bytes each; at first 1
__managed__ int variable = 1;

static int back(const int *from) { // when all is done
    int value;
    cudaDeviceSynchronize();
    cudaMemcpy(&value, from, sizeof value, cudaMemcpyDefault);
    return value;
}

// host race|reads 'to'+0, which kernel put|2|1
static int managed_read() {
    put<<<1, 1>>>(m, 2); // FIRST
    return *m; // SECOND
}
// host race|reads 'to'+0, which kernel put|2|1
static int mapped_read() {
    put<<<1, 1>>>(pinned, 2); // FIRST
    return *pinned; // SECOND
}
// host race|reads 'to'+0, which kernel put|2|1
static int managed_vector() {
    put<<<1, 1>>>(m, 2); // FIRST
    return std::vector<int>(m, m + 1)[0]; // SECOND
}
struct Box { int *data; };
// host race|reads 'to'+0, which kernel put|2|1
static int managed_string() {
    Box box{m};
    put<<<1, 1>>>(box.data, 2); // FIRST
    const std::string text((const char *)box.data, 4); // SECOND
    return text[0];
}
// host race|writes 'to'+0, which kernel put|0|2
static int managed_filled() {
    put<<<1, 1>>>(m, 2); // FIRST
    std::fill(m, m + 1, 0); // SECOND
    return back(m);
}
// host race of nvcc's|reads 'to'+0, which kernel put|2|1
static int managed_variable() {
    put<<<1, 1>>>(&variable, 2); // FIRST
    return variable; // SECOND
}
// host race|which kernel fill_page|2|1
static int registered_read() {
    int *mine = (int *)aligned_alloc(4096, 4096);
    *mine = 1;
    cudaHostRegister(mine, 4096, cudaHostRegisterMapped);
    fill_page<<<4, 256>>>(mine, 2); // FIRST
    return *mine; // SECOND
}
// host race|writes 'from'+0, which kernel copy|1|9
static int managed_write() {
    copy<<<1, 1>>>(m, d); // FIRST
    *m = 9; // SECOND
    return back(d);
}
// host race|, which the copy|2|1
static int copy_out() {
    put<<<1, 1, 0, s>>>(d, 2);
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s); // FIRST
    return *pinned; // SECOND
}
// host race|, which the copy|1|3
static int copy_in() {
    cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s); // FIRST
    *pinned = 3; // SECOND
    return back(d);
}
// host race|, which the memset|0|1
static int fill() {
    cudaMemsetAsync(m, 0, 4); // FIRST
    return *m; // SECOND
}
// host race|reads 'to'+0, which kernel put|2|1
static int asked_once() {
    cudaEvent_t done;
    cudaEventCreate(&done);
    put<<<1, 1, 0, s>>>(m, 2); // FIRST
    cudaEventRecord(done, s);
    cudaEventQuery(done); // "not yet", and nobody listens
    return *m; // SECOND
}
// host race|which kernel put|2|1
static int waited_for_another() {
    put<<<1, 1, 0, t>>>(m, 2); // FIRST
    cudaStreamSynchronize(s);
    return *m; // SECOND
}
// host race|which kernel put|2|1
static int by_library() {
    int value;
    put<<<1, 1>>>(m, 2); // FIRST
    memcpy(&value, m, 4); // SECOND
    return value;
}
// stream race|kernel copy reads 'from'+0, which kernel put writes|2|1
static int beside_default() {
    int *to;
    cudaMalloc(&to, 4);
    put<<<1, 1>>>(d, 2); // SECOND
    copy<<<1, 1, 0, t>>>(d, to); // FIRST
    return back(to);
}
// stream race|kernel add writes 'to'+0, which the memset writes|5|6
static int after_memset() {
    cudaMemset(d, 0, 4); // SECOND
    add<<<1, 1, 0, t>>>(d, 5); // FIRST
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, t);
    cudaStreamSynchronize(t);
    return *pinned;
}
// stream race|the copy reads 'to'+0, which kernel put writes|2|1
static int copied_beside() {
    cudaStream_t u;
    cudaStreamCreate(&u);
    put<<<1, 1, 0, s>>>(d, 2); // SECOND
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, u); // FIRST
    cudaStreamSynchronize(u);
    return *pinned;
}
// stream race|the copy reads 'to'+0, which kernel put writes|2|1
static int copied_beside_destroyed() {
    cudaStream_t u;
    cudaStreamCreate(&u);
    put<<<1, 1, 0, u>>>(d, 2); // SECOND
    cudaStreamDestroy(u);
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s); // FIRST
    cudaStreamSynchronize(s);
    return *pinned;
}
// stream race|kernel copy reads 'from'+0, which the copy writes|7|1
static int computed_beside() {
    *pinned = 7;
    cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s); // SECOND
    copy<<<1, 1, 0, t>>>(d, m); // FIRST
    cudaStreamSynchronize(t);
    return *m;
}
// stream race|kernel copy reads|2|1
static int event_too_early() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, s);
    put<<<1, 1, 0, s>>>(d, 2); // SECOND
    cudaStreamWaitEvent(t, event, 0);
    copy<<<1, 1, 0, t>>>(d, m); // FIRST
    cudaStreamSynchronize(t);
    return *m;
}

// stream race|kernel put writes 'to'+0, which kernel put writes|3|2
static int two_writers() {
    put<<<1, 1, 0, s>>>(d, 2); // SECOND
    put<<<1, 1, 0, t>>>(d, 3); // FIRST
    return back(d);
}
// stream race|kernel copy reads|2|1
static int event_never_recorded() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    put<<<1, 1, 0, s>>>(d, 2); // SECOND
    cudaStreamWaitEvent(t, event, 0);
    copy<<<1, 1, 0, t>>>(d, m); // FIRST
    cudaStreamSynchronize(t);
    return *m;
}
// host race|, which the copy|5|6
static int one_buffer() {
    int *both;
    cudaMalloc(&both, 8);
    for (int i = 0; i < 2; i++) {
        *pinned = 5 + i; // SECOND
        cudaMemcpyAsync(both + i, pinned, 4, cudaMemcpyHostToDevice, t); // FIRST
    }
    return back(both);
}
// host race|reads 'to'+0, which kernel put|2|1
static int graph_launched() {
    cudaGraph_t made;
    cudaGraphExec_t run;
    cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal);
    put<<<1, 1, 0, t>>>(m, 2);
    cudaStreamEndCapture(t, &made);
    cudaGraphInstantiate(&run, made, 0);
    cudaGraphLaunch(run, t); // FIRST
    return *m; // SECOND
}
// host race|reads 'from'+0, which the copy|2|1
static int destroyed_stream() {
    put<<<1, 1, 0, s>>>(m, 1);
    copy<<<1, 1, 0, s>>>(m, d);
    cudaStreamSynchronize(s);
    put<<<1, 1, 0, s>>>(d, 2);
    cudaMemcpyAsync(m, d, 4, cudaMemcpyDefault, s); // FIRST
    cudaStreamDestroy(s);
    return *m; // SECOND
}

static const struct {
    const char *name;
    int (*run)();
} cases[] = {
#define CASE(name) {#name, name}
    CASE(managed_read), CASE(mapped_read), CASE(managed_vector), CASE(managed_string), CASE(managed_filled), CASE(managed_variable), CASE(registered_read), CASE(managed_write), CASE(copy_out),
    CASE(copy_in), CASE(fill), CASE(asked_once), CASE(waited_for_another), CASE(by_library), CASE(beside_default),
    CASE(after_memset), CASE(copied_beside), CASE(copied_beside_destroyed), CASE(computed_beside), CASE(event_too_early), CASE(two_writers),
    CASE(event_never_recorded), CASE(one_buffer), CASE(graph_launched), CASE(destroyed_stream),
};

int main(int, char **argv) {
    const int one = 1;
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&d, 4);
    cudaMallocManaged(&m, 4);
    cudaMallocHost(&pinned, 4);
    cudaMemcpy(d, &one, 4, cudaMemcpyHostToDevice);
    *m = *pinned = 1;
    for (auto &c : cases)
        if (strcmp(c.name, argv[1]) == 0) printf("%d\n", c.run());
    return cudaDeviceSynchronize();
}
