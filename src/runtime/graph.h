/* graph.h: graphs: work with its dependencies, captured from streams (capture.h) or made node by node (graph_nodes.c), and run as a whole any number
 * of times. Internal to src/runtime. */
#pragma once

#include "runtime/nodes.h"
#include "runtime/order.h"
#include "runtime/work.h"

typedef struct CUgraphNode_st Node;

struct CUgraphNode_st {
    Graph *graph;
    uint64_t number, copied; /* each node's own; that of the node which it is a copy of, or 0 */
    Work work;
    Nodes after;      /* what it waits for */
    bool disabled;    /* by cudaGraphNodeSetEnabled */
    void **arguments; /* into the work's parameter block, for who asks; else NULL */
    union {           /* as the program described it, where it has */
        struct cudaMemcpy3DParms copy;
        struct cudaMemsetParams fill;
    } given;
    bool described;
    double end;     /* on the timeline, while the graph runs */
    Node *twin;     /* while the graph is copied */
    bool is_marked; /* while it is walked */
};

struct CUgraph_st {
    Graph *next;
    Node **nodes; /* in the order in which they were added */
    size_t count;
    Node *parent; /* of which it is the child graph, or NULL */
    uint64_t copied;
    uint64_t number;
    struct CUuserObject_st **objects; /* once for each reference */
    size_t n_objects;
    GraphExec *launched; /* whose launch it is, and which it uses; else NULL */
};

struct CUgraphExec_st {
    GraphExec *next;
    Graph *graph; /* a copy of its own */
    unsigned long long flags;
    VectorClock clock; /* of its last launch, which the next one comes after */
    double end;        /* of its launches so far, on the timeline */
    unsigned users;    /* launches that are left, and calls that use it while the context may be unlocked */
    bool destroyed;    /* removed when the last of them ends */
};

Graph *graph_new(Context *context);

/* Takes the work over. Returns the new node, which runs after those of `after`. */
Node *graph_add(Context *context, Graph *graph, Work work, const Nodes *after);

void graph_remove(Context *context, Node *node);

/* Whether a node does such work; of memory, that at this address, or any at 0. */
bool graph_has_work(const Graph *graph, WorkKind kind, uint64_t memory);

/* Whether it allocates this and does not free it itself. */
bool graph_leaves(const Graph *graph, uint64_t memory);

/* Whether nodes of the graph allocate or free: it stays as it is then. */
bool graph_has_memory(const Graph *graph);

/* With its child graphs; each node knows which it is a copy of. */
Graph *graph_copy(Context *context, const Graph *graph);

/* What a launch runs: a copy that has a use of the executable graph, which graph_free ends. */
Graph *graph_launch_copy(Context *context, GraphExec *executable);

/* Whether each of the nodes is in `last` or runs before a node that is. */
bool graph_leads_to(const Graph *graph, const Nodes *nodes, const Nodes *last);

/* Whether the graph is the other one, or a child graph somewhere in it. */
bool graph_is_within(const Graph *graph, const Graph *other);

/* Nodes that wait for each other, here or in a child graph: such a graph is not run. */
bool graph_has_circle(const Graph *graph);

/* The nodes, each behind those that it waits for, and else as they were added. To be freed. */
Node **graph_order(const Graph *graph);

/* Which of the graph's nodes it is. */
size_t graph_place(const Graph *graph, const Node *node);

/* The node of these that is a copy of that, or NULL. */
Node *graph_copy_of(const Graph *graph, const Node *node);

/* Whether the host may go on before it is done: a kernel of it may have to wait for the host, or it has host functions. */
bool graph_may_last(const Context *context, const Graph *graph);

/* Does what the nodes of a launch do, at its place in the order, behind the launches of the same executable graph. What these have left is freed first, where that is asked for. */
cudaError_t graph_run(Context *context, Stream *stream, const WorkOrder *submission, const Graph *graph);

/* Takes new work for the node, whose old work is freed. */
void graph_node_take(Context *context, Node *node, Work work);

/* What the program's handles stand for; NULL where that is nothing. */
Graph *graph_find(const Context *context, cudaGraph_t handle);
Node *graph_find_node(const Context *context, cudaGraphNode_t handle);
Node *graph_find_node_of(const Context *context, cudaGraphNode_t handle, WorkKind kind);
GraphExec *graph_find_executable(const Context *context, cudaGraphExec_t handle);

/* The nodes of a program's list, which are the graph's; false where one is not, or stands there twice. */
bool graph_take_list(const Graph *graph, const cudaGraphNode_t *list, size_t count, Nodes *nodes);

/* Whether edges say no more than that one node waits for the whole of another; NULL: they do not. */
bool graph_edges_are_whole(const cudaGraphEdgeData *edges, size_t count);

/* Makes the graph one that the program can name; the context frees it then. */
void graph_publish(Context *context, Graph *graph);

void graph_free(Context *context, Graph *graph); /* one that was not published */
void graph_destroy(Context *context, Graph *graph);

/* What a launch's copy keeps of the graph that is ready to run is kept no longer; what that graph alone still kept is the program's destructors' by then. */
void graph_end_launch(Context *context, Graph *graph);

/* Ends one use of a graph that is ready to run; the last one frees what has been destroyed. */
void graph_release_executable(Context *context, GraphExec *executable);
void graph_destroy_executable(Context *context, GraphExec *executable);

/* All but what runs, which goes when it ends. Calls the functions of the program's objects that no graph keeps any more, with the context unlocked. */
void graphs_free(Context *context);
