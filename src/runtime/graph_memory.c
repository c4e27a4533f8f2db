#include "runtime/graph_memory.h"

#include <inttypes.h>

#include "runtime/capture.h"
#include "runtime/graph_nodes.h"
#include "runtime/late.h"
#include "runtime/mempool.h"
#include "runtime/planned.h"

/* --- graphs --- */

cudaError_t graph_memory_may_run(const Context *context, const Graph *graph) {
    if (!graph_has_work(graph, WORK_ALLOCATE, 0)) return cudaSuccess;
    for (const GraphExec *ready = context->executables; ready; ready = ready->next) {
        if (ready->destroyed || ready->graph->copied != graph->number) continue;
        note("%s: a graph that allocates memory is ready to run once at a time", callsite_name());
        note_hint("cudaGraphExecDestroy the other one first");
        return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

cudaError_t graph_memory_is_free(Context *context, Stream *stream, const Graph *graph) {
    const VectorClock *ready = order_ready(context, stream);
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        if (work->kind != WORK_ALLOCATE || !graph_leaves(graph, work->memory)) continue;
        const PlannedMemory *planned = planned_find(context, work->memory);
        if (!planned || !late_leaves(context, ready, work->memory, planned_live(context, planned))) continue;
        note("cudaGraphLaunch: '%s', which the graph allocates, has not been freed since it was launched before",
             planned->memory.name);
        note_hint("free it by a node, by cudaFreeAsync, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch");
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* As an H100 has it of graphs that come to be child graphs. */
static cudaError_t check_graph(const Graph *graph) {
    if (!graph->parent) return cudaSuccess;
    note("%s: a child graph can neither allocate nor free memory", callsite_name());
    note_hint("allocate and free in the graph that it is in");
    return cudaErrorNotSupported;
}

static cudaError_t check_bytes(const Context *context, uint64_t bytes) {
    const uint64_t all = context->options.profile->memory_bytes;
    if (bytes <= all) return cudaSuccess;
    note("%s: %" PRIu64 " bytes asked for, and the device has %" PRIu64, callsite_name(), bytes, all);
    return cudaErrorMemoryAllocation;
}

/* --- nodes --- */

static cudaError_t check_pool(const struct cudaMemPoolProps *pool) {
    if (pool->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (pool->location.type == cudaMemLocationTypeDevice && pool->location.id) return cudaErrorInvalidValue;
    return pool->location.type != cudaMemLocationTypeDevice || pool->handleTypes ? cudaErrorNotSupported : cudaSuccess;
}

static bool are_accesses(const struct cudaMemAccessDesc *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!list || list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id) return false;
    return true;
}

API_CALL(cudaGraphAddMemAllocNode,
         (cudaGraphNode_t * handle, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
          struct cudaMemAllocNodeParams *params),
         (handle, graph, after, count, params)) {
    const Graph *into = graph_find(context, graph);
    if (!handle || !params || !params->bytesize || !into) return cudaErrorInvalidValue;
    cudaError_t error = check_pool(&params->poolProps);
    if (!error) error = check_graph(into);
    if (error) return error;
    if (!are_accesses(params->accessDescs, params->accessDescCount)) return cudaErrorInvalidValue;
    error = check_bytes(context, params->bytesize);
    if (error) return error;
    NodeWork made = {.work = {.kind = WORK_ALLOCATE, .memory = planned_new(context, params->bytesize)}};
    const uint64_t address = made.work.memory;
    error = graph_add_node(context, handle, graph, &(Nodes){(cudaGraphNode_t *)(uintptr_t)after, count}, &made);
    if (!error) params->dptr = (void *)address;
    return error;
}

API_CALL(cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t handle, struct cudaMemAllocNodeParams *params), (handle, params)) {
    const Node *node = graph_find_node_of(context, handle, WORK_ALLOCATE);
    if (!node || !params) return cudaErrorInvalidValue;
    const PlannedMemory *planned = planned_find(context, node->work.memory);
    *params = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
        .bytesize = planned->memory.bytes,
        .dptr = (void *)planned->memory.address};
    return cudaSuccess;
}

/* Memory of graphs, which each frees once at most. */
static const PlannedMemory *to_free(const Context *context, const Graph *graph, const void *pointer) {
    const PlannedMemory *planned = planned_find(context, (uintptr_t)pointer);
    const bool begins = planned && planned->memory.address == (uintptr_t)pointer;
    return begins && !graph_has_work(graph, WORK_FREE, planned->memory.address) ? planned : NULL;
}

API_CALL(cudaGraphAddMemFreeNode,
         (cudaGraphNode_t * handle, cudaGraph_t graph_handle, const cudaGraphNode_t *after, size_t count, void *pointer),
         (handle, graph_handle, after, count, pointer)) {
    const Graph *graph = graph_find(context, graph_handle);
    if (!handle || !graph || !to_free(context, graph, pointer)) return cudaErrorInvalidValue;
    const cudaError_t unfit = check_graph(graph);
    if (unfit) return unfit;
    NodeWork made = {.work = {.kind = WORK_FREE, .memory = (uintptr_t)pointer}};
    return graph_add_node(context, handle, graph_handle, &(Nodes){(cudaGraphNode_t *)(uintptr_t)after, count}, &made);
}

API_CALL(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t handle, void *pointer), (handle, pointer)) {
    const Node *node = graph_find_node_of(context, handle, WORK_FREE);
    if (!node || !pointer) return cudaErrorInvalidValue;
    *(void **)pointer = (void *)node->work.memory;
    return cudaSuccess;
}

cudaError_t graph_memory_capture(Context *context, Stream *stream, void **pointer, size_t bytes) {
    *pointer = NULL;
    cudaError_t error = check_graph(stream->capture->graph);
    if (!error) error = check_bytes(context, bytes);
    if (error) {
        capture_invalidate(stream->capture);
        return error;
    }
    Work work = {.kind = WORK_ALLOCATE, .memory = planned_new(context, bytes)};
    const uint64_t address = work.memory;
    error = capture_add(context, stream, &work);
    if (!error) *pointer = (void *)address;
    return error;
}

cudaError_t graph_memory_capture_free(Context *context, Stream *stream, void *pointer) {
    const Graph *graph = stream->capture->graph;
    const PlannedMemory *planned = to_free(context, graph, pointer);
    const cudaError_t unfit = planned ? check_graph(graph) : cudaSuccess;
    if (unfit) {
        capture_invalidate(stream->capture);
        return unfit;
    }
    if (planned) return capture_add(context, stream, &(Work){.kind = WORK_FREE, .memory = planned->memory.address});
    note("cudaFreeAsync: %p is not memory that a graph allocates, which a stream that is being captured can free alone",
         pointer);
    capture_invalidate(stream->capture);
    return cudaErrorInvalidValue;
}

/* --- what all of it takes --- */

API_CALL(cudaDeviceGraphMemTrim, (int device), (device)) {
    if (device) return cudaErrorInvalidDevice;
    context->planned_reserved = mempool_chunks(planned_used(context));
    return cudaSuccess;
}

/* What is used is what is reserved, as an H200 has it: whole chunks, also of what has been freed. */
API_CALL(cudaDeviceGetGraphMemAttribute, (int device, enum cudaGraphMemAttributeType attribute, void *value),
         (device, attribute, value)) {
    if (device) return cudaErrorInvalidDevice;
    if (!value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh) return cudaErrorInvalidValue;
    const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    *(uint64_t *)value = high ? context->planned_high[attribute == cudaGraphMemAttrReservedMemHigh] : context->planned_reserved;
    return cudaSuccess;
}

/* The highest values can be set to 0 alone, which begins them anew. */
API_CALL(cudaDeviceSetGraphMemAttribute, (int device, enum cudaGraphMemAttributeType attribute, void *value),
         (device, attribute, value)) {
    const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (device) return cudaErrorInvalidDevice;
    if (!value || *(const uint64_t *)value || !high) return cudaErrorInvalidValue;
    context->planned_high[attribute == cudaGraphMemAttrReservedMemHigh] = context->planned_reserved;
    return cudaSuccess;
}
