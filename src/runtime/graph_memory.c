#include "runtime/graph_memory.h"

#include "runtime/capture.h"
#include "runtime/graph_nodes.h"
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

cudaError_t graph_memory_is_free(Context *context, const Graph *graph, bool frees) {
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i]->work.kind != WORK_ALLOCATE) continue;
        const PlannedMemory *planned = planned_find(context, graph->nodes[i]->work.memory);
        if (!planned_live(context, planned)) continue;
        if (frees) {
            planned_end(context, planned->memory.address);
            continue;
        }
        note("cudaGraphLaunch: '%s', which the graph allocates, has not been freed since it was launched before",
             planned->memory.name);
        note_hint("free it by a node, by cudaFreeAsync, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch");
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
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
    if (!handle || !params || !params->bytesize || !graph_find(context, graph)) return cudaErrorInvalidValue;
    const cudaError_t unfit = check_pool(&params->poolProps);
    if (unfit) return unfit;
    if (!are_accesses(params->accessDescs, params->accessDescCount)) return cudaErrorInvalidValue;
    if (params->bytesize > context->options.profile->memory_bytes) return cudaErrorMemoryAllocation;
    NodeWork made = {.work = {.kind = WORK_ALLOCATE, .memory = planned_new(context, params->bytesize)}};
    const uint64_t address = made.work.memory;
    const cudaError_t error =
        graph_add_node(context, handle, graph, &(Nodes){(cudaGraphNode_t *)(uintptr_t)after, count}, &made);
    if (!error) params->dptr = (void *)address;
    return error;
}

static const Node *node_of(const Context *context, cudaGraphNode_t handle, WorkKind kind) {
    const Node *node = graph_find_node(context, handle);
    return node && node->work.kind == kind ? node : NULL;
}

API_CALL(cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t handle, struct cudaMemAllocNodeParams *params), (handle, params)) {
    const Node *node = node_of(context, handle, WORK_ALLOCATE);
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
    NodeWork made = {.work = {.kind = WORK_FREE, .memory = (uintptr_t)pointer}};
    return graph_add_node(context, handle, graph_handle, &(Nodes){(cudaGraphNode_t *)(uintptr_t)after, count}, &made);
}

API_CALL(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t handle, void *pointer), (handle, pointer)) {
    const Node *node = node_of(context, handle, WORK_FREE);
    if (!node || !pointer) return cudaErrorInvalidValue;
    *(void **)pointer = (void *)node->work.memory;
    return cudaSuccess;
}

cudaError_t graph_memory_capture(Context *context, Stream *stream, void **pointer, size_t bytes) {
    Work work = {.kind = WORK_ALLOCATE, .memory = planned_new(context, bytes)};
    const uint64_t address = work.memory;
    const cudaError_t error = capture_add(context, stream, &work);
    *pointer = error ? NULL : (void *)address;
    return error;
}

cudaError_t graph_memory_capture_free(Context *context, Stream *stream, void *pointer) {
    const PlannedMemory *planned = to_free(context, stream->capture->graph, pointer);
    if (planned) return capture_add(context, stream, &(Work){.kind = WORK_FREE, .memory = planned->memory.address});
    note("cudaFreeAsync: %p is not memory that a graph allocates, which a stream that is being captured can free alone",
         pointer);
    capture_invalidate(stream->capture);
    return cudaErrorInvalidValue;
}

/* --- what all of it takes --- */

API_CALL(cudaDeviceGraphMemTrim, (int device), (device)) {
    if (device) return cudaErrorInvalidDevice;
    context->planned_reserved = planned_chunks(planned_used(context));
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
