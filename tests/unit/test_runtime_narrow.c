/* What the runtime tells and refuses just past an edge: of variables, of what a kernel touches, of graphs that are updated. */
#include "base/sanitized.h"
#include "runtime_test.h"

START_TEST(copies_past_a_variables_end_are_told_as_such)
{
    const float host[2] = {0};
    runtime_register();
    FILE *heard = listen();
    GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(factors, host, 1, 17, cudaMemcpyHostToDevice));
    said(heard, "warpscope: cudaMemcpyToSymbol: 1 byte from byte 17 of a variable of 16\n");
    heard = listen();
    GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(factors, host, 8, 12, cudaMemcpyHostToDevice));
    said(heard, "warpscope: cudaMemcpyToSymbol: 8 bytes from byte 12 of a variable of 16\n");
}
END_TEST

START_TEST(the_host_may_touch_beside_what_a_kernel_does)
{
    unsigned *managed;
    FINE(cudaMallocManaged((void **)&managed, 256, cudaMemAttachGlobal));
    runtime_register();
    FILE *heard = listen();
    FINE(launch_fill(managed, 1, 16)); /* the first 16 words */
    ((volatile unsigned *)managed)[16] = 2;
    FINE(cudaDeviceSynchronize());
    said(heard, "");
    if (SANITIZED) return; /* faults are the sanitizer's there, and nobody watches */
    heard = listen();
    FINE(launch_fill(managed, 1, 16));
    ((volatile unsigned *)managed)[15] = 2;
    FINE(cudaDeviceSynchronize());
    said(heard, "warpscope: host race: host code");
}
END_TEST

/* CUDA Runtime API, cudaGraphExecUpdate: cudaGraphExecUpdateErrorTopologyChanged where a node's dependencies are others, more or fewer. */
START_TEST(an_update_has_the_edges_that_were_there)
{
    enum { WITH, WITHOUT, GRAPHS };
    cudaGraph_t graphs[GRAPHS];
    cudaGraphNode_t nodes[GRAPHS][2];
    runtime_register();
    for (int g = 0; g < GRAPHS; g++) {
        FINE(cudaGraphCreate(&graphs[g], 0));
        FINE(cudaGraphAddEmptyNode(&nodes[g][0], graphs[g], NULL, 0));
        FINE(cudaGraphAddEmptyNode(&nodes[g][1], graphs[g], nodes[g], g == WITH));
    }
    for (int ready = 0; ready < GRAPHS; ready++)
        for (int given = 0; given < GRAPHS; given++) {
            cudaGraphExec_t executable;
            cudaGraphExecUpdateResultInfo info = {0};
            FINE(cudaGraphInstantiate(&executable, graphs[ready], 0));
            GIVES(ready == given ? cudaSuccess : cudaErrorGraphExecUpdateFailure,
                  cudaGraphExecUpdate(executable, graphs[given], &info));
            ck_assert_int_eq(info.result,
                             ready == given ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged);
            FINE(cudaGraphExecDestroy(executable));
        }
}
END_TEST

RUNTIME_MAIN("runtime narrow", copies_past_a_variables_end_are_told_as_such, the_host_may_touch_beside_what_a_kernel_does,
             an_update_has_the_edges_that_were_there)
