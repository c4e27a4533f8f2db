#include "runtime/nodes.h"

#include <stdlib.h>

#include "base/alloc.h"

void nodes_add(Nodes *nodes, size_t node) {
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->list[i] == node) return;
    ALLOC_ADD(nodes->list, nodes->count) = node;
}

void nodes_join(Nodes *nodes, const Nodes *other) {
    for (size_t i = 0; i < other->count; i++) nodes_add(nodes, other->list[i]);
}

void nodes_free(Nodes *nodes) {
    free(nodes->list);
    *nodes = (Nodes){0};
}
