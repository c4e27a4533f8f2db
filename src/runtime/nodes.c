#include "runtime/nodes.h"

#include <stdlib.h>

#include "base/alloc.h"

void nodes_add(Nodes *nodes, size_t node) {
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->list[i] == node) return;
    nodes->list = alloc_more(nodes->list, nodes->count, sizeof *nodes->list);
    nodes->list[nodes->count++] = node;
}

void nodes_join(Nodes *nodes, const Nodes *other) {
    for (size_t i = 0; i < other->count; i++) nodes_add(nodes, other->list[i]);
}

void nodes_free(Nodes *nodes) {
    free(nodes->list);
    *nodes = (Nodes){0};
}
