/* graph_nodes.h: work for nodes, as the program describes it. Each function refuses what a node cannot have. Internal to src/runtime. */
#pragma once

#include "runtime/graph.h"

/* What a node is to have: its work, and the description where there is more than the work says. */
typedef struct NodeWork {
    Work work;
    bool described;
    struct cudaMemcpy3DParms copy;
    struct cudaMemsetParams fill;
} NodeWork;

cudaError_t nodework_kernel(Context *context, const struct cudaKernelNodeParams *params, NodeWork *made);
cudaError_t nodework_copy(Context *context, const struct cudaMemcpy3DParms *params, NodeWork *made);
cudaError_t nodework_fill(Context *context, const struct cudaMemsetParams *params, NodeWork *made);
cudaError_t nodework_host(const struct cudaHostNodeParams *params, NodeWork *made);
cudaError_t nodework_event(Context *context, WorkKind kind, cudaEvent_t event, NodeWork *made);

/* Adds a node that waits for those given, and takes its work over, also when it fails. */
cudaError_t graph_add_node(Context *context, cudaGraphNode_t *handle, cudaGraph_t graph, const Nodes *given, NodeWork *made);

/* A copy of so many bytes in a row. */
struct cudaMemcpy3DParms nodework_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);

/* The address of bytes of a variable; an error where it has not so many. */
cudaError_t nodework_symbol(Context *context, const void *symbol, size_t bytes, size_t offset, void **address);

/* Whether a graph that is ready to run can have this work in the other's place, both of one kind: a copy goes where it went, and a fill has one row, or has several,
 * as an H100 has it. */
bool nodework_fits(const Work *before, const Work *after);

/* The node of its kind takes this work over. */
cudaError_t nodework_set(Context *context, Node *node, NodeWork *made);
