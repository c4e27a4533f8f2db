#include "gpu.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHARED_BYTES = 1 << 30, SECONDS_MOST = 100 };

typedef struct Device {
    Driver driver;
    DriverAddress values, masks, results;
    size_t values_bytes, masks_bytes, results_bytes;
} Device;

/* At the beginning of the shared memory. Behind it: PTX, values, masks, results. */
typedef struct Shared {
    Job job;
    size_t ptx_bytes;
    bool fine;
    Diag diag;
    char name[128];
    int version;
} Shared;

static bool good(const Device *device, DriverStatus status, const char *what, Diag *diag) {
    const char *name = NULL;
    if (status == DRIVER_SUCCESS) return true;
    device->driver.error_name(status, &name);
    return diag_say(diag, "%s: %s", what, name ? name : "unknown error");
}

static bool device_open(Device *device, Shared *shared, Diag *diag) {
    Handle context;
    int number;
    const Driver *driver = &device->driver;
    return driver_open(&device->driver, diag) && good(device, driver->init(0), "no GPU", diag) &&
           good(device, driver->version(&shared->version), "version", diag) &&
           good(device, driver->device(&number, 0), "device", diag) &&
           good(device, driver->device_name(shared->name, sizeof shared->name, number), "name", diag) &&
           good(device, driver->context_retain(&context, number), "context", diag) &&
           good(device, driver->context_use(context), "context", diag);
}

/* Room on the GPU, made greater where it is too small. */
static bool room(const Device *device, DriverAddress *address, size_t *have, size_t want, Diag *diag) {
    if (*have >= want) return true;
    if (*have) device->driver.release(*address);
    *have = want;
    return good(device, device->driver.allocate(address, want), "memory", diag);
}

static bool device_run(Device *device, const Job *job, const char *ptx, uint8_t *values, uint8_t *masks, uint8_t *results,
                       Diag *diag) {
    const Driver *driver = &device->driver;
    Handle module, function;
    char log[2048] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *option_values[] = {log, (void *)(intptr_t)sizeof log};
    if (!room(device, &device->values, &device->values_bytes, job->values_bytes, diag) ||
        !room(device, &device->masks, &device->masks_bytes, job->masks_bytes, diag) ||
        !room(device, &device->results, &device->results_bytes, job->results_bytes, diag))
        return false;
    if (!good(device, driver->module_load(&module, ptx, 2, options, option_values), "module", diag))
        return diag_hint(diag, "%s", log);
    uint64_t block[4];
    memcpy(block, line_block, sizeof block);
    void *params[] = {&device->values, &device->masks, &device->results, block};
    const uint32_t *g = job->grid, *b = job->block;
    const bool fine =
        good(device, driver->module_function(&function, module, "k"), "function", diag) &&
        good(device, driver->upload(device->values, values, job->values_bytes), "upload", diag) &&
        good(device, driver->upload(device->masks, masks, job->masks_bytes), "upload", diag) &&
        good(device, driver->upload(device->results, results, job->results_bytes), "upload", diag) &&
        good(device, driver->launch(function, g[0], g[1], g[2], b[0], b[1], b[2], job->shared_bytes, NULL, params, NULL),
             "launch", diag) &&
        good(device, driver->synchronize(), "run", diag) &&
        good(device, driver->download(results, device->results, job->results_bytes), "download", diag);
    driver->module_unload(module);
    return fine;
}

static void work(uint8_t *memory, int in, int out) {
    Shared *shared = (Shared *)memory;
    Device device = {0};
    char byte = 0;
    bool open = false;
    while (read(in, &byte, 1) == 1) {
        const Job *job = &shared->job;
        uint8_t *ptx = memory + sizeof *shared, *values = memory + ((sizeof *shared + shared->ptx_bytes + 63) & ~(size_t)63);
        shared->diag = (Diag){0};
        if (!open) open = device_open(&device, shared, &shared->diag);
        shared->fine = open && device_run(&device, job, (const char *)ptx, values, values + job->values_bytes,
                                          values + job->values_bytes + job->masks_bytes, &shared->diag);
        if (write(out, &byte, 1) != 1) break;
    }
    _exit(0);
}

static void worker_start(Gpu *gpu) {
    int to[2], from[2];
    if (!gpu->shared)
        gpu->shared = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (gpu->shared == MAP_FAILED || pipe(to) || pipe(from)) return;
    gpu->worker = fork();
    if (!gpu->worker) close(to[1]), close(from[0]), work(gpu->shared, to[0], from[1]);
    close(to[0]), close(from[1]);
    gpu->to = to[1], gpu->from = from[0];
}

void gpu_close(Gpu *gpu) {
    if (gpu->worker <= 0) return;
    kill(gpu->worker, SIGKILL);
    waitpid(gpu->worker, NULL, 0);
    close(gpu->to), close(gpu->from);
    gpu->worker = 0;
}

bool gpu_run(Gpu *gpu, const Job *job, Diag *diag) {
    if (!gpu->worker) worker_start(gpu);
    Shared *shared = (Shared *)gpu->shared;
    const char *ptx = text_string(&job->ptx);
    shared->job = *job;
    shared->ptx_bytes = job->ptx.length + 1;
    uint8_t *values = gpu->shared + ((sizeof *shared + shared->ptx_bytes + 63) & ~(size_t)63);
    memcpy(gpu->shared + sizeof *shared, ptx, shared->ptx_bytes);
    memcpy(values, job->values, job->values_bytes);
    memcpy(values + job->values_bytes, job->masks, job->masks_bytes);
    memcpy(values + job->values_bytes + job->masks_bytes, job->results, job->results_bytes);
    char byte = 1;
    struct pollfd answer = {.fd = gpu->from, .events = POLLIN};
    const bool answered =
        write(gpu->to, &byte, 1) == 1 && poll(&answer, 1, SECONDS_MOST * 1000) == 1 && read(gpu->from, &byte, 1) == 1;
    const bool fine = answered && shared->fine;
    if (fine)
        memcpy(job->results, values + job->values_bytes + job->masks_bytes, job->results_bytes);
    else
        *diag = answered ? shared->diag : (Diag){.set = true, .message = "no answer"};
    snprintf(gpu->name, sizeof gpu->name, "%s", shared->name);
    gpu->version = shared->version;
    if (!fine) gpu_close(gpu);
    return fine;
}
