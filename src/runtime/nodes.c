#include "runtime/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static size_t place_of(const Nodes *nodes, cudaGraphNode_t node) {
    size_t i = 0;
    while (i < nodes->count && nodes->list[i] != node) i++;
    return i;
}

bool nodes_have(const Nodes *nodes, cudaGraphNode_t node) { return place_of(nodes, node) < nodes->count; }

void nodes_add(Nodes *nodes, cudaGraphNode_t node) {
    if (!nodes_have(nodes, node)) ALLOC_ADD(nodes->list, nodes->count) = node;
}

void nodes_remove(Nodes *nodes, cudaGraphNode_t node) {
    const size_t at = place_of(nodes, node);
    if (at == nodes->count) return;
    nodes->count--;
    memmove(nodes->list + at, nodes->list + at + 1, (nodes->count - at) * sizeof *nodes->list);
}

void nodes_join(Nodes *nodes, const Nodes *other) {
    for (size_t i = 0; i < other->count; i++) nodes_add(nodes, other->list[i]);
}

void nodes_free(Nodes *nodes) {
    free(nodes->list);
    *nodes = (Nodes){0};
}
