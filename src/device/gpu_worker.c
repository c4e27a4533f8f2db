#include "device/gpu_worker.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "device/cublas.h"
#include "machine/tensormap.h"

/* One float4 a thread. The bound is in float4s. */
static const char copy_ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                               ".visible .entry copy(.param .u64 to, .param .u64 from, .param .u64 count) {\n"
                               ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<7>;\n.reg .f32 %f<4>;\n"
                               "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"
                               "mul.wide.u32 %d0, %r0, %r1;\ncvt.u64.u32 %d1, %r2;\nadd.u64 %d0, %d0, %d1;\n"
                               "ld.param.u64 %d2, [count];\nsetp.ge.u64 %p, %d0, %d2;\n@%p bra DONE;\n"
                               "ld.param.u64 %d3, [to];\nld.param.u64 %d4, [from];\n"
                               "cvta.to.global.u64 %d3, %d3;\ncvta.to.global.u64 %d4, %d4;\n"
                               "shl.b64 %d0, %d0, 4;\nadd.u64 %d3, %d3, %d0;\nadd.u64 %d4, %d4, %d0;\n"
                               "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d4];\n"
                               "st.global.v4.f32 [%d3], {%f0, %f1, %f2, %f3};\nDONE:\nret;\n}\n";
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* macOS; no CUDA driver is there */
#endif
enum { COPY_BLOCK = 256, LOG_BYTES = 4096, BUFFERS_MOST = 64 };

typedef struct GpuWorker {
    int socket;
    Driver cuda;
    Cublas cublas;
    Handle module, copy_module, copy_function, start, stop;
    char *loaded; /* PTX of module, NULL before the first */
    int loaded_optimization;
    bool loaded_l1;
    uint32_t clustered[3]; /* as its function was set to be */
    WorkerReply reply;
    char log[LOG_BYTES]; /* of the driver's compiler */
} GpuWorker;

/* One request, as received. */
typedef struct GpuJob {
    WorkerRequest request;
    char *name, *ptx;
    uint8_t *params;
    uint32_t *places; /* of each parameter */
    void **given;     /* likewise, its address: a GPU may have it elsewhere than behind the one before it */
    WorkerBuffer *buffers;
    uint8_t **bytes;
    DriverAddress *addresses, scratch, from, to;
    uint64_t scratch_bytes;
    Handle function;
    double *times; /* of kernel, copy and library, repeats each */
} GpuJob;

bool worker_send(int socket, const void *bytes, size_t count) {
    for (const char *at = bytes; count;) {
        ssize_t sent = send(socket, at, count < (1 << 20) ? count : 1 << 20, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        count -= (size_t)sent;
    }
    return true;
}

bool worker_receive(int socket, void *bytes, size_t count) {
    for (char *at = bytes; count;) {
        ssize_t got = recv(socket, at, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

/* --- the driver ----------------------------------------------------------------------------------------------------------- */

/* True for success; otherwise the reply says at which stage which call gave what. */
static bool good(GpuWorker *worker, WorkerStage stage, DriverStatus status, const char *what) {
    const char *name = NULL, *text = NULL;
    if (status == DRIVER_SUCCESS) return true;
    worker->cuda.error_name(status, &name);
    worker->cuda.error_text(status, &text);
    worker->reply.stage = stage;
    worker->reply.status = status;
    snprintf(worker->reply.message, sizeof worker->reply.message, "%s: %s (%s)", what, name ? name : "unknown error",
             text ? text : "the driver does not say more");
    return false;
}

static bool cannot_open(GpuWorker *worker, const Diag *diag) {
    worker->reply.stage = STAGE_open;
    snprintf(worker->reply.message, sizeof worker->reply.message, "%s", diag->message);
    snprintf(worker->reply.hint, sizeof worker->reply.hint, "%s", diag->hint);
    return false;
}

static bool open_device(GpuWorker *worker) {
    Driver *cuda = &worker->cuda;
    GpuInfo *info = &worker->reply.info;
    Diag diag = {0};
    Handle context;
    int device;
    if (!driver_open(cuda, &diag)) return cannot_open(worker, &diag);
    const struct {
        int *value, attribute;
    } attributes[] = {{&info->sms, ATTRIBUTE_SMS},
                      {&info->clock_khz, ATTRIBUTE_CLOCK_KHZ},
                      {&info->memory_clock_khz, ATTRIBUTE_MEMORY_CLOCK_KHZ},
                      {&info->l2_bytes, ATTRIBUTE_L2_BYTES},
                      {&info->compute_major, ATTRIBUTE_COMPUTE_MAJOR},
                      {&info->compute_minor, ATTRIBUTE_COMPUTE_MINOR}};
    if (!good(worker, STAGE_device, cuda->init(0), "no GPU can be used") ||
        !good(worker, STAGE_device, cuda->version(&info->driver_version), "the driver's version") ||
        !good(worker, STAGE_device, cuda->device(&device, 0), "no GPU can be used") ||
        !good(worker, STAGE_device, cuda->device_name(info->name, sizeof info->name, device), "the GPU's name") ||
        !good(worker, STAGE_device, cuda->device_bus(info->bus, sizeof info->bus, device), "the GPU's place"))
        return false;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (!good(worker, STAGE_device, cuda->device_attribute(attributes[i].value, attributes[i].attribute, device),
                  "the GPU's properties"))
            return false;
    return good(worker, STAGE_device, cuda->context_retain(&context, device), "no context on the GPU") &&
           good(worker, STAGE_device, cuda->context_use(context), "no context on the GPU") &&
           good(worker, STAGE_device, cuda->event_new(&worker->start, 0), "no event") &&
           good(worker, STAGE_device, cuda->event_new(&worker->stop, 0), "no event");
}

static bool load(GpuWorker *worker, Handle *module, const char *ptx, int optimization, bool l1) {
    int options[] = {JIT_OPTIMIZATION, JIT_CACHE_MODE, JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {(void *)(intptr_t)optimization, (void *)(intptr_t)(l1 ? CACHE_MODE_DEFAULT : CACHE_MODE_L2_ONLY),
                      worker->log, (void *)(intptr_t)LOG_BYTES};
    worker->log[0] = 0;
    DriverStatus status = worker->cuda.module_load(module, ptx, 4, options, values);
    if (good(worker, STAGE_module, status, "the GPU's driver refuses the PTX")) return true;
    WorkerReply *reply = &worker->reply;
    if (status == DRIVER_UNSUPPORTED_PTX)
        snprintf(reply->hint, sizeof reply->hint,
                 "the PTX is newer than this driver (CUDA %d.%d): install a newer driver, or compile with an older nvcc or "
                 "with clang",
                 reply->info.driver_version / 1000, reply->info.driver_version % 1000 / 10);
    else
        snprintf(reply->hint, sizeof reply->hint, "%.*s", (int)strcspn(worker->log, "\n"), worker->log);
    return false;
}

/* A GPU older than the PTX's target is given it as its own: what it lacks, its driver's assembler names. */
static void target_fit(char *ptx, const GpuInfo *info) {
    static const char key[] = "\n.target sm_"; /* a line's beginning: comments name it, too */
    const unsigned has = 10 * (unsigned)info->compute_major + (unsigned)info->compute_minor;
    char *digits = strstr(ptx, key), *end, word[16];
    if (!digits || strtoul(digits += sizeof key - 1, &end, 10) <= has || isalpha((unsigned char)*end)) return;
    if ((size_t)(end - digits) >= sizeof word) return;
    snprintf(word, sizeof word, "%-*u", (int)(end - digits), has);
    memcpy(digits, word, (size_t)(end - digits));
}

/* The kernel's module stays loaded for the next launch of the same text. */
static bool load_kernel(GpuWorker *worker, GpuJob *job) {
    const WorkerRequest *request = &job->request;
    target_fit(job->ptx, &worker->reply.info);
    bool same = worker->loaded && !request->fresh && strcmp(worker->loaded, job->ptx) == 0 &&
                worker->loaded_optimization == (int)request->optimization && worker->loaded_l1 == request->l1 &&
                !memcmp(worker->clustered, request->cluster, sizeof worker->clustered);
    if (!same) {
        if (worker->loaded) worker->cuda.module_unload(worker->module);
        free(worker->loaded);
        worker->loaded = NULL;
        if (!load(worker, &worker->module, job->ptx, (int)request->optimization, request->l1)) return false;
        worker->loaded = alloc_copy(job->ptx);
        worker->loaded_optimization = (int)request->optimization;
        worker->loaded_l1 = request->l1;
        memcpy(worker->clustered, request->cluster, sizeof worker->clustered);
    }
    return good(worker, STAGE_module, worker->cuda.module_function(&job->function, worker->module, job->name),
                "the kernel is not in the PTX");
}

/* A function keeps what was set as long as its module is loaded. */
static bool set_cluster(GpuWorker *worker, const GpuJob *job) {
    if (job->request.wide_clusters &&
        !good(worker, STAGE_launch, worker->cuda.function_set(job->function, FUNCTION_WIDE_CLUSTERS, 1),
              "clusters of so many blocks are impossible"))
        return false;
    for (int axis = 0; job->request.cluster[0] && axis < 3; axis++)
        if (!good(worker, STAGE_launch,
                  worker->cuda.function_set(job->function, FUNCTION_CLUSTER_WIDTH + axis, (int)job->request.cluster[axis]),
                  "clusters of blocks are impossible"))
            return false;
    return true;
}

/* --- a launch ------------------------------------------------------------------------------------------------------------- */

static bool allocate(GpuWorker *worker, DriverAddress *address, uint64_t bytes) {
    return good(worker, STAGE_memory, worker->cuda.allocate(address, bytes ? bytes : 1), "not enough memory on the GPU");
}

/* Of a place in one of the buffers; what is none stays as it is. */
static uint64_t address_on_gpu(const GpuJob *job, uint64_t word) {
    for (uint32_t i = 0; i < job->request.n_buffers; i++)
        if (word - job->buffers[i].address <= job->buffers[i].bytes)
            return job->addresses[i] + (word - job->buffers[i].address);
    return word;
}

/* A tensor map of the emulated device's, which has a form of its own, becomes the GPU's. */
static bool make_map(GpuWorker *worker, GpuJob *job, uint32_t at, bool *is_map) {
    TensorMap map;
    *is_map = at % TENSORMAP_ALIGN == 0 && at + TENSORMAP_BYTES <= job->request.param_bytes &&
              tensormap_decode((const uint8_t *)job->params + at, &map);
    if (!*is_map) return true;
    if (!worker->cuda.tensor_map)
        return snprintf(worker->reply.message, sizeof worker->reply.message, "the GPU's driver has no tensor maps"),
               worker->reply.stage = STAGE_memory, false;
    _Alignas(TENSORMAP_ALIGN) uint8_t made[TENSORMAP_BYTES];
    const DriverStatus status =
        worker->cuda.tensor_map(made, (int)map.element, map.rank, address_on_gpu(job, map.address), map.size, map.stride + 1,
                                map.box, map.step, (int)map.interleave, (int)map.swizzle, (int)map.promotion, (int)map.fill);
    memcpy(job->params + at, made, sizeof made);
    return good(worker, STAGE_memory, status, "a tensor map");
}

static bool upload(GpuWorker *worker, GpuJob *job) {
    for (uint32_t i = 0; i < job->request.n_buffers; i++) {
        const WorkerBuffer *buffer = &job->buffers[i];
        if (!allocate(worker, &job->addresses[i], buffer->bytes)) return false;
        DriverStatus status = buffer->filled  ? worker->cuda.upload(job->addresses[i], job->bytes[i], buffer->bytes)
                              : buffer->bytes ? worker->cuda.fill(job->addresses[i], 0, buffer->bytes, NULL)
                                              : DRIVER_SUCCESS;
        if (!good(worker, STAGE_memory, status, "copying to the GPU")) return false;
    }
    for (uint32_t at = 0; at + 8 <= job->request.param_bytes; at += 8) {
        bool is_map;
        if (!make_map(worker, job, at, &is_map)) return false;
        uint64_t word;
        memcpy(&word, job->params + at, sizeof word);
        word = address_on_gpu(job, word);
        if (!is_map) memcpy(job->params + at, &word, sizeof word);
        if (is_map) at += TENSORMAP_BYTES - 8;
    }
    return true;
}

static DriverStatus launch(GpuWorker *worker, const GpuJob *job) {
    const WorkerRequest *request = &job->request;
    if (request->geam.element_bytes) return cublas_transpose(&worker->cublas, &request->geam, job->from, job->to);
    return worker->cuda.launch(job->function, request->grid[0], request->grid[1], request->grid[2], request->block[0],
                               request->block[1], request->block[2], request->shared_bytes, NULL, job->given, NULL);
}

static DriverStatus launch_copy(GpuWorker *worker, GpuJob *job) {
    uint64_t count = job->request.copy_bytes / 16;
    void *params[] = {&job->to, &job->from, &count};
    return worker->cuda.launch(worker->copy_function, (unsigned)((count + COPY_BLOCK - 1) / COPY_BLOCK), 1, 1, COPY_BLOCK, 1, 1,
                               0, NULL, params, NULL);
}

/* contender: 0 the kernel, 1 the copy kernel, 2 the driver's copy. */
static bool time_one(GpuWorker *worker, GpuJob *job, int contender, double *us) {
    const Driver *cuda = &worker->cuda;
    float ms = 0;
    if (job->scratch && !good(worker, STAGE_run, cuda->fill(job->scratch, 0, job->scratch_bytes, NULL), "flushing the cache"))
        return false;
    if (!good(worker, STAGE_run, cuda->event_record(worker->start, NULL), "timing")) return false;
    DriverStatus status = contender == 0   ? launch(worker, job)
                          : contender == 1 ? launch_copy(worker, job)
                                           : cuda->copy(job->to, job->from, job->request.copy_bytes, NULL);
    if (!good(worker, STAGE_launch, status, "the launch is impossible") ||
        !good(worker, STAGE_run, cuda->event_record(worker->stop, NULL), "timing") ||
        !good(worker, STAGE_run, cuda->event_wait(worker->stop), "the GPU stopped the kernel") ||
        !good(worker, STAGE_run, cuda->event_elapsed(&ms, worker->start, worker->stop), "timing"))
        return false;
    if (us) *us = (double)ms * 1e3;
    return true;
}

static bool prepare_timing(GpuWorker *worker, GpuJob *job) {
    const WorkerRequest *request = &job->request;
    uint64_t in_use = 0;
    for (uint32_t i = 0; i < request->n_buffers; i++) in_use += job->buffers[i].bytes;
    job->scratch_bytes = 4 * (uint64_t)worker->reply.info.l2_bytes;
    if (in_use < job->scratch_bytes && !allocate(worker, &job->scratch, job->scratch_bytes)) return false;
    if (!request->copy_bytes) return true;
    if (!worker->copy_function &&
        (!load(worker, &worker->copy_module, copy_ptx, 4, true) ||
         !good(worker, STAGE_module, worker->cuda.module_function(&worker->copy_function, worker->copy_module, "copy"),
               "the copy kernel")))
        return false;
    return allocate(worker, &job->from, request->copy_bytes) && allocate(worker, &job->to, request->copy_bytes) &&
           good(worker, STAGE_memory, worker->cuda.fill(job->from, 1, request->copy_bytes, NULL), "filling memory");
}

static bool time_all(GpuWorker *worker, GpuJob *job) {
    const WorkerRequest *request = &job->request;
    int contenders = request->copy_bytes ? 3 : 1;
    if (!request->repeats) return true;
    if (!prepare_timing(worker, job)) return false;
    for (uint32_t i = 0; i < request->warmup + request->repeats; i++)
        for (int c = 0; c < contenders; c++) {
            double *us = i < request->warmup ? NULL : &job->times[(size_t)c * request->repeats + (i - request->warmup)];
            if (!time_one(worker, job, c, us)) return false;
        }
    return true;
}

static bool run_geam(GpuWorker *worker, GpuJob *job) {
    Diag diag = {0};
    return cublas_open(&worker->cublas, &diag) ? time_all(worker, job) : cannot_open(worker, &diag);
}

static bool run(GpuWorker *worker, GpuJob *job) {
    const Driver *cuda = &worker->cuda;
    if (job->request.geam.element_bytes) return run_geam(worker, job);
    if (!load_kernel(worker, job) || !set_cluster(worker, job) || !upload(worker, job)) return false;
    if (job->request.shared_bytes > 48 << 10 &&
        !good(worker, STAGE_launch, cuda->function_set(job->function, FUNCTION_DYNAMIC_SHARED, (int)job->request.shared_bytes),
              "so much shared memory is impossible"))
        return false;
    if (!good(worker, STAGE_launch, launch(worker, job), "the launch is impossible") ||
        !good(worker, STAGE_run, cuda->synchronize(), "the GPU stopped the kernel"))
        return false;
    for (uint32_t i = 0; !job->request.discard && i < job->request.n_buffers; i++)
        if (!good(worker, STAGE_memory, cuda->download(job->bytes[i], job->addresses[i], job->buffers[i].bytes),
                  "copying from the GPU"))
            return false;
    return time_all(worker, job);
}

static void release(GpuWorker *worker, GpuJob *job) {
    for (uint32_t i = 0; i < job->request.n_buffers; i++)
        if (job->addresses[i]) worker->cuda.release(job->addresses[i]);
    if (job->scratch) worker->cuda.release(job->scratch);
    if (job->from) worker->cuda.release(job->from);
    if (job->to) worker->cuda.release(job->to);
}

/* --- requests ------------------------------------------------------------------------------------------------------------- */

/* NUL-terminated where it is text. */
static void *room_for(size_t bytes) { return alloc_zeroed(1, bytes + 1); }

static bool receive(GpuWorker *worker, GpuJob *job) {
    WorkerRequest *request = &job->request;
    if (!worker_receive(worker->socket, request, sizeof *request)) return false;
    job->name = room_for(request->name_bytes);
    job->ptx = room_for(request->ptx_bytes);
    job->params = room_for(request->param_bytes);
    job->places = room_for(request->n_params * sizeof *job->places);
    job->given = room_for(request->n_params * sizeof *job->given);
    job->buffers = room_for(request->n_buffers * sizeof *job->buffers);
    job->bytes = room_for(request->n_buffers * sizeof *job->bytes);
    job->addresses = room_for(request->n_buffers * sizeof *job->addresses);
    job->times = room_for((size_t)request->repeats * 3 * sizeof *job->times);
    if (!worker_receive(worker->socket, job->name, request->name_bytes) ||
        !worker_receive(worker->socket, job->ptx, request->ptx_bytes) ||
        !worker_receive(worker->socket, job->params, request->param_bytes) ||
        !worker_receive(worker->socket, job->places, request->n_params * sizeof *job->places))
        return false;
    for (uint32_t i = 0; i < request->n_params; i++) job->given[i] = job->params + job->places[i];
    for (uint32_t i = 0; i < request->n_buffers; i++) {
        if (!worker_receive(worker->socket, &job->buffers[i], sizeof *job->buffers)) return false;
        job->bytes[i] = room_for(job->buffers[i].bytes);
        if (job->buffers[i].filled && !worker_receive(worker->socket, job->bytes[i], job->buffers[i].bytes)) return false;
    }
    return true;
}

static bool answer(GpuWorker *worker, const GpuJob *job) {
    const WorkerRequest *request = &job->request;
    if (!worker_send(worker->socket, &worker->reply, sizeof worker->reply)) return false;
    if (worker->reply.stage != STAGE_done) return false; /* the context may be broken: the next worker has a new one */
    for (uint32_t i = 0; !request->discard && i < request->n_buffers; i++)
        if (!worker_send(worker->socket, job->bytes[i], job->buffers[i].bytes)) return false;
    return worker_send(worker->socket, job->times, request->repeats * (request->copy_bytes ? 3 : 1) * sizeof *job->times);
}

static void job_free(GpuJob *job) {
    for (uint32_t i = 0; job->bytes && i < job->request.n_buffers; i++) free(job->bytes[i]);
    free(job->name);
    free(job->ptx);
    free(job->params);
    free(job->places);
    free(job->given);
    free(job->buffers);
    free(job->bytes);
    free(job->addresses);
    free(job->times);
}

void gpu_worker(int socket) {
    GpuWorker worker = {.socket = socket};
    bool opened = false, going = true;
    while (going) {
        GpuJob job = {0};
        going = receive(&worker, &job);
        if (going) {
            if (!opened) opened = open_device(&worker);
            bool ran = opened && (job.request.probe || run(&worker, &job));
            if (ran) worker.reply.stage = STAGE_done;
            going = answer(&worker, &job);
            if (ran) release(&worker, &job);
        }
        job_free(&job);
    }
    free(worker.loaded);
}
