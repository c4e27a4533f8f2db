/* nodes.h: sets of nodes of a graph. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "runtime/api.h"

typedef struct Nodes {
    cudaGraphNode_t *list;
    size_t count;
} Nodes;

bool nodes_have(const Nodes *nodes, cudaGraphNode_t node);
void nodes_add(Nodes *nodes, cudaGraphNode_t node);
void nodes_remove(Nodes *nodes, cudaGraphNode_t node);
void nodes_join(Nodes *nodes, const Nodes *other);
void nodes_free(Nodes *nodes);
