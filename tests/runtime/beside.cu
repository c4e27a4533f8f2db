// What kernels that wait for the host end with where the host does not set it, and where it sets it late. The program does not look at errors.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

__global__ void wait_for(volatile int *flag) {
    while (*flag == 0) {}
}
__global__ void give_up(volatile int *flag, int *looks, int most) {
    int n = 0;
    while (*flag == 0 && n < most) n++;
    *looks = n;
}
__global__ void work_until(volatile int *stop, volatile unsigned long long *done) {
    while (*stop == 0) *done += 1;
}
__global__ void set(volatile int *flag) { *flag = 1; }

static unsigned long long *done;
static int *flag, *looks, limit = 1 << 30;
static bool is(const char *given, const char *name) { return strcmp(given, name) == 0; }
static void say(cudaError_t error) { puts(cudaGetErrorName(error)); }
static void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

static void graph() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    wait_for<<<1, 1, 0, stream>>>(flag);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    say(cudaDeviceSynchronize());
}

// The second kernel says what the first waits for, and the third what another one waits for that comes before it.
static void kernels(bool in_order, bool loads) {
    cudaStream_t s, t;
    cudaFuncAttributes loaded;
    if (loads) cudaFuncGetAttributes(&loaded, set);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    wait_for<<<1, 1, 0, s>>>(flag);
    wait_for<<<1, 1, 0, t>>>(flag + 1);
    set<<<1, 1, 0, in_order ? s : t>>>(flag + 1);
    set<<<1, 1, 0, in_order ? s : cudaStreamLegacy>>>(in_order ? flag + 2 : flag);
    if (in_order) *(volatile int *)flag = 1;
    say(cudaStreamSynchronize(t));
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    cudaMallocHost(&flag, 4096);
    cudaMallocManaged(&looks, sizeof *looks);
    memset(flag, 0, 4096);
    cudaMalloc(&done, sizeof *done);
    cudaMemset(done, 0, sizeof *done);
    if (argc > 2) limit = atoi(argv[2]);
    if (is(what, "graph")) return graph(), 0;
    if (is(what, "kernels")) return kernels(true, true), 0;
    if (is(what, "lazy")) return kernels(true, false), 0;
    if (is(what, "crossed")) return kernels(false, true), 0;
    if (is(what, "counts"))
        give_up<<<1, 1>>>(flag, looks, limit);
    else if (is(what, "stops"))
        work_until<<<1, 1>>>(flag + 5, done);
    else
        wait_for<<<3, 40>>>(flag + 5);
    puts("launched");
    fflush(stdout);
    if (is(what, "thread")) std::thread([] { sleep_ms(100000); }).detach();
    if (is(what, "late")) std::thread([] { sleep_ms(1500), ((volatile int *)flag)[5] = 1; }).detach();
    if (is(what, "stops")) ((volatile int *)flag)[5] = 1;
    if (is(what, "slow")) sleep_ms(1500), ((volatile int *)flag)[5] = 1;
    if (is(what, "free")) say(cudaFreeHost(flag));
    if (is(what, "copy")) say(cudaMemcpy(looks, flag, 4, cudaMemcpyDefault));
    if (!is(what, "end")) say(cudaDeviceSynchronize());
    if (is(what, "counts")) printf("%d looks\n", *looks);
}
