/* What nodes of graphs are given to do. */
#include <string.h>

#include "base/alloc.h"
#include "runtime/copy.h"
#include "runtime/event.h"
#include "runtime/graph_nodes.h"
#include "runtime/launch_kernel.h"

/* Either pointers to the arguments, or one block of them. */
static cudaError_t pack_arguments(const ImageKernel *kernel, const struct cudaKernelNodeParams *params, uint8_t **packed) {
    const size_t wanted = kernel->function->param_bytes;
    if (params->kernelParams && params->extra) return cudaErrorInvalidValue;
    if (!params->extra) {
        if (kernel->function->n_params && !params->kernelParams) return cudaErrorInvalidValue;
        *packed = kernel_pack(kernel, params->kernelParams);
        return cudaSuccess;
    }
    PackedParameters given = {0};
    if (!kernel_read_extra(params->extra, &given) || !given.bytes || given.count < wanted) return cudaErrorInvalidValue;
    *packed = alloc_zeroed(1, wanted + 8);
    memcpy(*packed, given.bytes, wanted);
    return cudaSuccess;
}

cudaError_t nodework_kernel(Context *context, const struct cudaKernelNodeParams *params, NodeWork *made) {
    if (!params) return cudaErrorInvalidValue;
    cudaError_t error;
    ImageKernel *kernel = image_kernel(context, params->func, &error);
    if (!kernel) return error;
    *made = (NodeWork){.work = {.kind = WORK_KERNEL,
                                .kernel = {.kernel = kernel,
                                           .grid = {params->gridDim.x, params->gridDim.y, params->gridDim.z},
                                           .block = {params->blockDim.x, params->blockDim.y, params->blockDim.z},
                                           .shared_bytes = params->sharedMemBytes}}};
    if (!kernel_shared_fits(context, &made->work.kernel, params->sharedMemBytes)) return cudaErrorInvalidValue;
    error = pack_arguments(kernel, params, &made->work.kernel.params);
    if (error) return error;
    error = kernel_check(context, &made->work.kernel);
    if (error) work_free(&made->work);
    return error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error; /* as an H100 has it */
}

cudaError_t nodework_copy(Context *context, const struct cudaMemcpy3DParms *params, NodeWork *made) {
    *made = (NodeWork){.described = true};
    const cudaError_t error = copy_described(context, params, true, &made->work);
    if (error) return error;
    made->copy = *params;
    return work_check_node(context, &made->work);
}

struct cudaMemcpy3DParms nodework_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                      .dstPtr = {to, bytes, bytes, 1},
                                      .extent = {bytes, 1, 1},
                                      .kind = kind};
}

cudaError_t nodework_symbol(Context *context, const void *symbol, size_t bytes, size_t offset, void **address) {
    cudaError_t error;
    const DeviceVariable *variable = image_variable(context, symbol, &error);
    if (!variable) return error;
    if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
    *address = (void *)(variable->allocation->address + offset);
    return cudaSuccess;
}

cudaError_t nodework_fill(Context *context, const struct cudaMemsetParams *params, NodeWork *made) {
    if (!params) return cudaErrorInvalidValue;
    const unsigned element = params->elementSize;
    size_t width;
    if ((element != 1 && element != 2 && element != 4) || !params->width || !params->height ||
        __builtin_mul_overflow(params->width, element, &width))
        return cudaErrorInvalidValue;
    const size_t pitch = params->height > 1 ? params->pitch : width;
    *made = (NodeWork){.described = true,
                       .fill = *params,
                       .work = {.kind = WORK_FILL,
                                .fill = {.to = {.address = (uintptr_t)params->dst, .pitch = pitch},
                                         .box = {width, params->height, 1},
                                         .value = (int)params->value,
                                         .element = element,
                                         .async = true}}};
    return work_check_node(context, &made->work);
}

cudaError_t nodework_host(const struct cudaHostNodeParams *params, NodeWork *made) {
    if (!params || !params->fn) return cudaErrorInvalidValue;
    *made = (NodeWork){.work = {.kind = WORK_HOST, .host = {.function = params->fn, .data = params->userData}}};
    return cudaSuccess;
}

cudaError_t nodework_event(Context *context, WorkKind kind, cudaEvent_t event, NodeWork *made) {
    *made = (NodeWork){.work = {.kind = kind, .event = event_find(context, event)}};
    return made->work.event ? cudaSuccess : cudaErrorInvalidValue;
}

bool nodework_fits(const Work *before, const Work *after) {
    if (before->kind == WORK_FILL) return (before->fill.box.height > 1) == (after->fill.box.height > 1);
    if (before->kind != WORK_COPY) return true;
    const enum cudaMemcpyKind first = before->copy.kind, second = after->copy.kind;
    return first == second || first == cudaMemcpyDefault || second == cudaMemcpyDefault;
}

cudaError_t nodework_set(Context *context, Node *node, NodeWork *made) {
    if (!node || node->work.kind != made->work.kind) {
        work_free(&made->work);
        return cudaErrorInvalidValue;
    }
    if (made->work.kind == WORK_KERNEL) { /* attributes stay */
        made->work.kernel.cooperative = node->work.kernel.cooperative;
        memcpy(made->work.kernel.cluster, node->work.kernel.cluster, sizeof node->work.kernel.cluster);
        made->work.kernel.attributes = node->work.kernel.attributes;
    }
    graph_node_take(context, node, made->work);
    node->described = made->described;
    if (made->work.kind == WORK_COPY) node->given.copy = made->copy;
    if (made->work.kind == WORK_FILL) node->given.fill = made->fill;
    return cudaSuccess;
}
