/* graph.h: graphs: work with its dependencies, captured from streams (capture.h), and run as a whole any number of times. Internal to
 * src/runtime. */
#pragma once

#include "runtime/nodes.h"
#include "runtime/work.h"

Graph *graph_new(void);

/* Takes the work over. Returns the new node, which runs after those of `after`. */
size_t graph_add(Graph *graph, Work work, const Nodes *after);

/* Whether each of the nodes is in `last` or runs before a node that is. */
bool graph_leads_to(const Graph *graph, const Nodes *nodes, const Nodes *last);

/* Makes the graph one that the program can name; the context frees it then. */
void graph_publish(Context *context, Graph *graph);

void graph_free(Graph *graph); /* one that was not published */
void graphs_free(Context *context);
