#include "device/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "base/alloc.h"
#include "device/gpu_worker.h"
#include "host/now.h"

struct Gpu {
    pid_t worker; /* 0: none is running */
    int socket;
    bool silent;
};

Gpu *gpu_new(void) {
    Gpu *gpu = alloc_zeroed(1, sizeof *gpu);
    return gpu;
}

void gpu_silence(Gpu *gpu) { gpu->silent = true; }

static void stop_worker(Gpu *gpu, bool at_once) {
    if (!gpu->worker) return;
    if (at_once) kill(gpu->worker, SIGKILL);
    close(gpu->socket);
    while (waitpid(gpu->worker, NULL, 0) < 0 && errno == EINTR) continue;
    gpu->worker = 0;
}

void gpu_free(Gpu *gpu) {
    if (gpu) stop_worker(gpu, false);
    free(gpu);
}

/* The worker is no grader: a handler that says why a grader ended says nothing here. The driver writes what kernels print. */
static void become_worker(bool silent) {
    static const int signals[] = {SIGXCPU, SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a kernel without an end would let it wait for ever */
#endif
    int nowhere = silent ? open("/dev/null", O_WRONLY) : -1;
    if (silent && dup2(nowhere, STDOUT_FILENO) < 0) close(STDOUT_FILENO);
}

static bool start_worker(Gpu *gpu, Diag *diag) {
    int ends[2];
    if (gpu->worker) return true;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 || (gpu->worker = fork()) < 0) {
        gpu->worker = 0;
        return diag_say(diag, "no process for the GPU can be started: %s", strerror(errno));
    }
    if (gpu->worker == 0) {
        close(ends[0]);
        become_worker(gpu->silent);
        gpu_worker(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    gpu->socket = ends[0];
    return true;
}

/* --- a launch ------------------------------------------------------------------------------------------------------------- */

/* A kernel that writes variables of its module leaves them changed for the next launch. */
static bool has_variables(const Program *program) {
    for (uint32_t i = 0; i < program->n_variables; i++)
        if (program->variables[i].space == SPACE_GLOBAL) return true;
    return false;
}

/* Clusters that the kernel was compiled for the driver has from its PTX, and does not let be set, be it to the same. */
static void choose_cluster(const Launch *launch, WorkerRequest *header) {
    const uint32_t *own = launch->kernel->function->cluster, *cluster = own[0] ? own : launch->cluster;
    header->wide_clusters = (uint64_t)cluster[0] * cluster[1] * cluster[2] > CLUSTER_BLOCKS_PORTABLE;
    if (!own[0]) memcpy(header->cluster, cluster, sizeof header->cluster);
}

/* Where each parameter stands. */
static bool send_places(Gpu *gpu, const Launch *launch) {
    const Function *function = launch->kernel->function;
    for (uint32_t i = 0; i < function->n_params; i++) {
        const uint32_t place = (uint32_t)launch->kernel->program->variables[function->params[i]].offset;
        if (!worker_send(gpu->socket, &place, sizeof place)) return false;
    }
    return true;
}

/* A worker that is gone is noticed where it does not answer. */
static void send_request(Gpu *gpu, const GpuRequest *request) {
    const Launch *launch = &request->launch->launch;
    WorkerRequest header = {.shared_bytes = launch->shared_bytes,
                            .name_bytes = (uint32_t)strlen(launch->kernel->function->name) + 1,
                            .ptx_bytes = (uint32_t)strlen(request->ptx) + 1,
                            .param_bytes = launch->kernel->function->param_bytes,
                            .n_params = launch->kernel->function->n_params,
                            .n_buffers = (uint32_t)memory_count(launch->memory),
                            .optimization = (uint32_t)request->optimization,
                            .warmup = request->warmup,
                            .repeats = request->repeats,
                            .l1 = request->launch->l1,
                            .fresh = has_variables(launch->kernel->program),
                            .discard = request->discard,
                            .copy_bytes = request->copy_bytes};
    memcpy(header.grid, launch->grid, sizeof header.grid);
    memcpy(header.block, launch->block, sizeof header.block);
    choose_cluster(launch, &header);
    if (!worker_send(gpu->socket, &header, sizeof header) ||
        !worker_send(gpu->socket, launch->kernel->function->name, header.name_bytes) ||
        !worker_send(gpu->socket, request->ptx, header.ptx_bytes) ||
        !worker_send(gpu->socket, launch->params, header.param_bytes) || !send_places(gpu, launch))
        return;
    for (uint32_t i = 0; i < header.n_buffers; i++) {
        const Allocation *allocation = memory_at(launch->memory, i);
        WorkerBuffer buffer = {allocation->address, allocation->bytes, allocation->initialized || !request->discard};
        if (!worker_send(gpu->socket, &buffer, sizeof buffer) ||
            (buffer.filled && !worker_send(gpu->socket, allocation->host, buffer.bytes)))
            return;
    }
}

/* False when the time is over before the worker answers or is gone. */
static bool answers_within(Gpu *gpu, unsigned timeout_s) {
    struct pollfd file = {.fd = gpu->socket, .events = POLLIN};
    const double end = now_s() + timeout_s;
    do {
        if (poll(&file, 1, 1000) > 0) return true;
    } while (now_s() <= end);
    return false;
}

static bool receive_times(Gpu *gpu, uint32_t repeats, bool yardsticks, GpuResult *result) {
    Timing *timings[] = {&result->kernel, &result->copy, &result->library};
    FREED double *times = alloc_zeroed(repeats, sizeof *times);
    bool good = true;
    for (int i = 0; good && repeats && i < (yardsticks ? 3 : 1); i++) {
        good = worker_receive(gpu->socket, times, repeats * sizeof *times);
        if (good) *timings[i] = timing_of(times, repeats);
    }
    return good;
}

static bool receive_results(Gpu *gpu, const GpuRequest *request, GpuResult *result) {
    const Launch *launch = &request->launch->launch;
    for (size_t i = 0; !request->discard && i < memory_count(launch->memory); i++) {
        Allocation *allocation = memory_at(launch->memory, i);
        if (!worker_receive(gpu->socket, allocation->host, allocation->bytes)) return false;
    }
    return receive_times(gpu, request->repeats, request->copy_bytes, result);
}

static FaultKind fault_kind(DriverStatus status) {
    switch (status) {
    case DRIVER_ILLEGAL_ADDRESS: return FAULT_out_of_bounds;
    case DRIVER_MISALIGNED: return FAULT_misaligned;
    case DRIVER_ASSERT: return FAULT_assert_failed;
    case DRIVER_LAUNCH_TIMEOUT: return FAULT_step_limit;
    default: return FAULT_trap;
    }
}

static bool fail(Gpu *gpu, GpuResult *result, FaultKind kind, const char *message) {
    stop_worker(gpu, true);
    fault_set(&result->fault, kind, NO_INSN, "%s", message);
    snprintf(result->fault.hint, sizeof result->fault.hint, "run it on the emulated device, which names the lane and the line");
    return true;
}

/* What the worker says when it could do nothing: it ends by itself then. One that says nothing may never end. */
static bool refuse(Gpu *gpu, const WorkerReply *reply, Diag *diag) {
    stop_worker(gpu, !reply);
    if (!reply) return diag_say(diag, "the process that talks to the GPU's driver has died");
    diag_say(diag, "%s", reply->message);
    return reply->hint[0] ? diag_hint(diag, "%s", reply->hint) : false;
}

bool gpu_probe(Gpu *gpu, GpuInfo *info, Diag *diag) {
    WorkerRequest request = {.probe = true};
    WorkerReply reply;
    if (!start_worker(gpu, diag)) return false;
    worker_send(gpu->socket, &request, sizeof request);
    if (!answers_within(gpu, GPU_TIMEOUT_S)) {
        stop_worker(gpu, true);
        return diag_say(diag, "the GPU's driver did not answer within %d seconds", GPU_TIMEOUT_S);
    }
    if (!worker_receive(gpu->socket, &reply, sizeof reply)) return refuse(gpu, NULL, diag);
    if (reply.stage != STAGE_done) return refuse(gpu, &reply, diag);
    *info = reply.info;
    return true;
}

/* What came of a request that was sent: its reply is in the result, or the fault or the message why there is none. */
static bool receive_reply(Gpu *gpu, unsigned timeout_s, GpuResult *result, Diag *diag) {
    WorkerReply reply;
    if (!answers_within(gpu, timeout_s)) {
        char message[100];
        snprintf(message, sizeof message, "the GPU was not done after %u second%s", timeout_s, timeout_s == 1 ? "" : "s");
        return fail(gpu, result, FAULT_step_limit, message);
    }
    if (!worker_receive(gpu->socket, &reply, sizeof reply)) return refuse(gpu, NULL, diag);
    result->info = reply.info;
    if (reply.stage == STAGE_run) return fail(gpu, result, fault_kind(reply.status), reply.message);
    return reply.stage == STAGE_done || refuse(gpu, &reply, diag);
}

bool gpu_launch(Gpu *gpu, const GpuRequest *request, GpuResult *result, Diag *diag) {
    *result = (GpuResult){0};
    if (!device_has_own_cluster(&request->launch->launch, diag) || !start_worker(gpu, diag)) return false;
    send_request(gpu, request);
    if (!receive_reply(gpu, request->timeout_s ? request->timeout_s : GPU_TIMEOUT_S, result, diag)) return false;
    return result->fault.kind != FAULT_none || receive_results(gpu, request, result) || refuse(gpu, NULL, diag);
}

bool gpu_geam(Gpu *gpu, const GpuGeam *geam, uint32_t repeats, GpuResult *result, Diag *diag) {
    WorkerRequest request = {
        .warmup = 3, .repeats = repeats, .geam = *geam, .copy_bytes = (uint64_t)geam->element_bytes * geam->rows * geam->cols};
    *result = (GpuResult){0};
    if (!start_worker(gpu, diag)) return false;
    worker_send(gpu->socket, &request, sizeof request);
    if (!receive_reply(gpu, GPU_TIMEOUT_S, result, diag)) return false;
    return result->fault.kind != FAULT_none || receive_times(gpu, repeats, true, result) || refuse(gpu, NULL, diag);
}
