/* nodes.h: sets of nodes of a graph that is being captured. Internal to src/runtime. */
#pragma once

#include <stddef.h>

/* A set of a graph's nodes, by index. */
typedef struct Nodes {
    size_t *list, count;
} Nodes;

void nodes_add(Nodes *nodes, size_t node);
void nodes_join(Nodes *nodes, const Nodes *other);
void nodes_free(Nodes *nodes);
