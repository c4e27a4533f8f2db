/* graph_objects.c: the calls that have graphs keep the program's objects. */
#include "base/alloc.h"
#include "runtime/graph.h"
#include "runtime/userobject.h"

static size_t references_of(const Graph *graph, const UserObject *object) {
    size_t count = 0;
    for (size_t i = 0; i < graph->n_objects; i++) count += graph->objects[i] == object;
    return count;
}

/* With those of its child graphs. */
static size_t references_within(const Graph *graph, const UserObject *object) {
    size_t count = references_of(graph, object);
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->work.kind == WORK_GRAPH) count += references_within(graph->nodes[i]->work.child, object);
    return count;
}

/* References that the program has itself. */
static size_t own_references(const Context *context, const UserObject *object) {
    size_t count = object->references;
    for (const Graph *graph = context->graphs; graph; graph = graph->next) count -= references_within(graph, object);
    for (const GraphExec *executable = context->executables; executable; executable = executable->next)
        count -= references_within(executable->graph, object);
    return count;
}

static void release(Context *context, UserObject *object, size_t count) {
    UserObject *gone = NULL;
    userobject_release(context, object, count, &gone);
    userobjects_end(context, gone);
}

API_CALL(cudaUserObjectCreate,
         (cudaUserObject_t * handle, void *data, cudaHostFn_t destroy, unsigned references, unsigned flags),
         (handle, data, destroy, references, flags));
static cudaError_t cudaUserObjectCreate_locked(Context *context, cudaUserObject_t *handle, void *data, cudaHostFn_t destroy,
                                               unsigned references, unsigned flags) {
    if (!handle || !destroy || !references || flags != cudaUserObjectNoDestructorSync) return cudaErrorInvalidValue;
    UserObject *object = alloc_zeroed(1, sizeof *object);
    *object = (UserObject){context->user_objects, data, destroy, references};
    *handle = context->user_objects = object;
    return cudaSuccess;
}

API_CALL(cudaUserObjectRetain, (cudaUserObject_t handle, unsigned count), (handle, count));
static cudaError_t cudaUserObjectRetain_locked(Context *context, cudaUserObject_t handle, unsigned count) {
    UserObject *object = *userobject_place(context, handle);
    if (!object || !count) return cudaErrorInvalidValue;
    userobject_retain(object, count);
    return cudaSuccess;
}

API_CALL(cudaUserObjectRelease, (cudaUserObject_t handle, unsigned count), (handle, count));
static cudaError_t cudaUserObjectRelease_locked(Context *context, cudaUserObject_t handle, unsigned count) {
    UserObject *object = *userobject_place(context, handle);
    if (!object || !count || count > own_references(context, object)) return cudaErrorInvalidValue;
    release(context, object, count);
    return cudaSuccess;
}

API_CALL(cudaGraphRetainUserObject, (cudaGraph_t graph_handle, cudaUserObject_t handle, unsigned count, unsigned flags),
         (graph_handle, handle, count, flags));
static cudaError_t cudaGraphRetainUserObject_locked(Context *context, cudaGraph_t graph_handle, cudaUserObject_t handle,
                                                    unsigned count, unsigned flags) {
    Graph *graph = graph_find(context, graph_handle);
    UserObject *object = *userobject_place(context, handle);
    if (!graph || !object || !count || flags > cudaGraphUserObjectMove) return cudaErrorInvalidValue;
    if (flags == cudaGraphUserObjectMove && count > own_references(context, object)) return cudaErrorInvalidValue;
    if (flags != cudaGraphUserObjectMove) userobject_retain(object, count);
    for (unsigned i = 0; i < count; i++) ALLOC_ADD(graph->objects, graph->n_objects) = object;
    return cudaSuccess;
}

API_CALL(cudaGraphReleaseUserObject, (cudaGraph_t graph_handle, cudaUserObject_t handle, unsigned count),
         (graph_handle, handle, count));
static cudaError_t cudaGraphReleaseUserObject_locked(Context *context, cudaGraph_t graph_handle, cudaUserObject_t handle,
                                                     unsigned count) {
    Graph *graph = graph_find(context, graph_handle);
    UserObject *object = *userobject_place(context, handle);
    if (!graph || !object || !count || count > references_of(graph, object)) return cudaErrorInvalidValue;
    size_t kept = 0, left = count;
    for (size_t i = 0; i < graph->n_objects; i++)
        if (graph->objects[i] != object || !left)
            graph->objects[kept++] = graph->objects[i];
        else
            left--;
    graph->n_objects = kept;
    release(context, object, count);
    return cudaSuccess;
}
