// Launches that wait for the host, beside each other and beside calls of other threads.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

__global__ void wait_for(volatile int *flag, int *out) {
    while (*flag == 0) {}
    *out = 7;
}
__global__ void either(volatile int *flag, volatile int *other) {
    while (*flag == 0 && *other == 0) {}
}
__global__ void far_off(int *p) { p[1000] = 1; }

static volatile int *flag;
static int *out, *device;
static cudaStream_t a, b;

static void say(cudaError_t error) { puts(cudaGetErrorName(error)); }
static void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
static void launch() { wait_for<<<1, 1, 0, a>>>((int *)flag, out); }
static void leave(void *) {
    puts("leaves");
    exit(0);
}
static void finish() {
    say(cudaDeviceSynchronize());
    printf("%d\n", *out);
}

// An event may be destroyed before it has come to pass, and what waits for it waits nevertheless.
static void destroys() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    launch();
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    say(cudaEventDestroy(event));
    say(cudaEventQuery(event));
    *flag = 1;
    finish();
}

// What one thread waits for another one destroys, with the event next to it.
static void neighbours() {
    cudaEvent_t event, next, last;
    cudaEventCreate(&event);
    cudaEventCreate(&next);
    launch();
    cudaEventRecord(event, a);
    std::thread other([&] {
        sleep_ms(100);
        cudaEventDestroy(event);
        cudaEventDestroy(next);
        cudaEventCreate(&last);
        *flag = 1;
    });
    say(cudaEventSynchronize(event));
    other.join();
    say(cudaEventRecord(last, a));
    finish();
}

// The other thread's kernel begins while this one waits to free what that polls.
static void frees() {
    launch();
    std::thread other([] {
        sleep_ms(100);
        either<<<1, 1, 0, b>>>((int *)flag + 1, device);
        *flag = 1;
    });
    say(cudaFree(device));
    other.join();
    say(cudaDeviceSynchronize());
}

// A thread that might set the flag is there, and never does.
static void fails() {
    std::thread([] { sleep_ms(100000); }).detach();
    launch();
    far_off<<<1, 1, 0, b>>>(device);
    say(cudaStreamSynchronize(b));
    exit(0);
}

static void relays(bool sets) {
    launch();
    wait_for<<<1, 1, 0, b>>>(out, device);
    if (sets) *flag = 1;
    say(cudaDeviceSynchronize());
    if (!sets) return;
    int last;
    cudaMemcpy(&last, device, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    void *pinned;
    cudaMallocHost(&pinned, 4096);
    memset(pinned, 0, 4096);
    flag = (volatile int *)pinned;
    cudaMallocHost(&out, sizeof *out);
    *out = 0;
    cudaMalloc(&device, 64);
    cudaMemset(device, 0, 64);
    if (!strncmp(what, "relay", 5)) cudaMalloc(&out, sizeof *out), cudaMemset(out, 0, sizeof *out);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    if (!strcmp(what, "destroys")) destroys();
    if (!strcmp(what, "neighbours")) neighbours();
    if (!strcmp(what, "frees")) frees();
    if (!strcmp(what, "fails")) fails();
    if (!strcmp(what, "relays")) relays(true);
    if (!strcmp(what, "relay stops")) relays(false);
    if (!strcmp(what, "leaves")) {
        launch();
        cudaLaunchHostFunc(a, leave, nullptr);
        *flag = 1;
        cudaStreamSynchronize(a);
    }
}
