/* What the runtime tells and refuses just past an edge: of variables, of what a kernel touches, of graphs that are updated. */
#include "include/cublas_v2.h"
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
    if (!HOST_WATCHED) return;
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

/* Runtime API, cudaMemRangeAttributePreferredLocationId: of a place of the type HostNuma the number of a node of the host's memory. */
START_TEST(a_place_in_a_node_of_the_hosts_memory_has_its_number)
{
    const struct cudaMemLocation places[] = {
        {cudaMemLocationTypeHostNuma, 3}, {cudaMemLocationTypeHost, 0}, {cudaMemLocationTypeDevice, 0}};
    const int ids[] = {3, cudaCpuDeviceId, 0};
    void *p;
    FINE(cudaMallocManaged(&p, 4096, cudaMemAttachGlobal));
    for (int i = 0; i < 3; i++) {
        int preferred = 77, prefetched = 77;
        FINE(cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, places[i]));
        FINE(cudaMemPrefetchAsync(p, 4096, places[i], 0, NULL));
        FINE(cudaMemRangeGetAttribute(&preferred, sizeof preferred, cudaMemRangeAttributePreferredLocationId, p, 4096));
        FINE(cudaMemRangeGetAttribute(&prefetched, sizeof prefetched, cudaMemRangeAttributeLastPrefetchLocationId, p, 4096));
        ck_assert_int_eq(preferred, ids[i]);
        ck_assert_int_eq(prefetched, ids[i]);
    }
}
END_TEST

/* Runtime API, cudaMemRangeAttributeReadMostly: 1 where all of the range is, else 0. */
START_TEST(advice_of_a_part_leaves_the_other_parts_theirs)
{
    enum { PART = 1 << 16, PARTS = 4 };
    char *p;
    FINE(cudaMallocManaged((void **)&p, PARTS * PART, cudaMemAttachGlobal));
    for (int part = 0; part < PARTS; part++) {
        FINE(cudaMemAdvise(p, PARTS * PART, cudaMemAdviseSetReadMostly, (struct cudaMemLocation){0}));
        FINE(cudaMemAdvise(p + part * PART, PART, cudaMemAdviseUnsetReadMostly, (struct cudaMemLocation){0}));
        for (int of = 0; of < PARTS; of++) {
            int mostly = 77;
            FINE(cudaMemRangeGetAttribute(&mostly, sizeof mostly, cudaMemRangeAttributeReadMostly, p + of * PART, PART));
            ck_assert_msg(mostly == (of != part), "part %d without part %d: %d", of, part, mostly);
        }
    }
}
END_TEST

START_TEST(a_graphs_picture_names_what_libraries_do)
{
    char path[SUITE_PATH], text[2000] = "";
    const float two = 2;
    cudaStream_t stream;
    cudaGraph_t graph;
    cublasHandle_t blas;
    float *p = device_memory(64);
    FINE(cudaStreamCreate(&stream));
    ck_assert_int_eq(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasSetStream(blas, stream), CUBLAS_STATUS_SUCCESS);
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ck_assert_int_eq(cublasSscal(blas, 16, &two, p, 1), CUBLAS_STATUS_SUCCESS);
    FINE(cudaStreamEndCapture(stream, &graph));
    suite_file(path, "graph.dot");
    FINE(cudaGraphDebugDotPrint(graph, path, 0));
    FILE *file = fopen(path, "r");
    ck_assert(file && fread(text, 1, sizeof text - 1, file));
    fclose(file);
    ck_assert_msg(strstr(text, "cublasSscal"), "%s", text);
}
END_TEST

RUNTIME_MAIN("runtime narrow", copies_past_a_variables_end_are_told_as_such, the_host_may_touch_beside_what_a_kernel_does,
             an_update_has_the_edges_that_were_there, a_place_in_a_node_of_the_hosts_memory_has_its_number,
             advice_of_a_part_leaves_the_other_parts_theirs, a_graphs_picture_names_what_libraries_do)
