/* Planes and boxes of the runtime: what is copied and filled of pitched memory, and where it may begin. */
#include "runtime_test.h"

START_TEST(planes_keep_their_pitch)
{
    unsigned char host[4][8], back[4][5] = {{0}};
    size_t pitch;
    void *p;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++) host[y][x] = (unsigned char)(10 * y + x);
    FINE(cudaMallocPitch(&p, &pitch, 5, 4));
    FINE(cudaMemcpy2D(p, pitch, host, 8, 5, 4, cudaMemcpyHostToDevice));
    FINE(cudaMemset2D((char *)p + pitch, pitch, 99, 2, 2));
    FINE(cudaMemcpy2DAsync(back, 5, p, pitch, 5, 4, cudaMemcpyDeviceToHost, NULL));
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++) ck_assert_uint_eq(back[y][x], (y == 1 || y == 2) && x < 2 ? 99 : 10 * y + x);
    GIVES(cudaErrorInvalidValue, cudaMemset2D(p, 4, 0, 5, 2));
    FINE(cudaMemset2D(p, 4, 0, 5, 1));
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 4, host, 8, 5, 2, cudaMemcpyHostToDevice));
}
END_TEST

/* 2 x 3 x 2 bytes out of the middle of a box of 4 x 4 x 3 on the host, into one of 4 x 5 x 3 on the device. */
START_TEST(boxes_keep_pitch_and_slices)
{
    unsigned char host[3][4][4], back[3][5][4];
    struct cudaPitchedPtr box;
    for (int i = 0; i < 48; i++) ((unsigned char *)host)[i] = (unsigned char)(i + 1);
    FINE(cudaMalloc3D(&box, make_cudaExtent(4, 5, 3)));
    ck_assert_uint_eq(box.xsize, 4);
    ck_assert_uint_eq(box.ysize, 5);
    FINE(cudaMemset3D(box, 200, make_cudaExtent(4, 5, 3)));
    struct cudaMemcpy3DParms to_device = {.srcPtr = make_cudaPitchedPtr(host, 4, 4, 4),
                                          .srcPos = make_cudaPos(1, 0, 1),
                                          .dstPtr = box,
                                          .dstPos = make_cudaPos(2, 1, 0),
                                          .extent = make_cudaExtent(2, 3, 2),
                                          .kind = cudaMemcpyHostToDevice};
    FINE(cudaMemcpy3D(&to_device));
    struct cudaMemcpy3DParms whole = {.srcPtr = box,
                                      .dstPtr = make_cudaPitchedPtr(back, 4, 4, 5),
                                      .extent = make_cudaExtent(4, 5, 3),
                                      .kind = cudaMemcpyDeviceToHost};
    FINE(cudaMemcpy3DAsync(&whole, NULL));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 4; x++) {
                bool inside = z < 2 && y >= 1 && y < 4 && x >= 2;
                ck_assert_uint_eq(back[z][y][x], inside ? host[z + 1][y - 1][x - 1] : 200);
            }
    /* A slice is the allocation's five rows, however few of them are filled. */
    FINE(cudaMemset3D(box, 100, make_cudaExtent(2, 3, 2)));
    FINE(cudaMemcpy3D(&whole));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 2; x++) ck_assert_uint_eq(back[z][y][x], z < 2 && y < 3 ? 100 : 200);
    to_device.dstPos.z = 2;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&to_device));
    to_device.srcPtr.ptr = NULL;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&to_device));
    GIVES(cudaErrorInvalidValue, cudaMemset3DAsync(box, 0, make_cudaExtent(4, 5, 4), NULL));
}
END_TEST

/* Where boxes begin, and what an H100 says of it: memory on the host of 5 rows of 4 bytes, on the device of rows of the pitch. It was asked for each x,
 * for y on the way to the host, for z on the way to the device. */
START_TEST(boxes_end_within_rows_and_slices)
{
    static const struct {
        size_t host_x, host_y, x, y, z;
        cudaError_t of_each; /* to the device and from there */
    } rows[] = {
        {2, 0, 0, 0, 0, cudaSuccess},           {3, 0, 0, 0, 0, cudaErrorInvalidValue},
        {4, 0, 0, 0, 0, cudaErrorInvalidValue}, {0, 4, 0, 0, 0, cudaErrorInvalidValue},
        {0, 6, 0, 0, 0, cudaErrorInvalidValue}, {0, 0, 0, 4, 0, cudaErrorInvalidValue},
        {0, 0, 510, 0, 0, cudaSuccess},         {0, 0, 511, 0, 0, cudaErrorInvalidValue},
        {0, 0, 0, 0, 3, cudaErrorInvalidValue},
    };
    unsigned char host[3][5][4] = {0};
    struct cudaPitchedPtr box;
    FINE(cudaMalloc3D(&box, make_cudaExtent(4, 5, 3)));
    ck_assert_uint_eq(box.pitch, 512);
    FINE(cudaMemset3D(box, 0, make_cudaExtent(512, 5, 3)));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cudaMemcpy3DParms to = {.srcPtr = make_cudaPitchedPtr(host, 4, 4, 5),
                                       .srcPos = make_cudaPos(rows[i].host_x, rows[i].host_y, 0),
                                       .dstPtr = box,
                                       .dstPos = make_cudaPos(rows[i].x, rows[i].y, rows[i].z),
                                       .extent = make_cudaExtent(2, 2, 1),
                                       .kind = cudaMemcpyHostToDevice};
        struct cudaMemcpy3DParms from = {.srcPtr = box,
                                         .srcPos = to.dstPos,
                                         .dstPtr = to.srcPtr,
                                         .dstPos = to.srcPos,
                                         .extent = to.extent,
                                         .kind = cudaMemcpyDeviceToHost};
        cudaError_t put = cudaMemcpy3D(&to), got = cudaMemcpy3D(&from);
        ck_assert_msg(put == rows[i].of_each, "row %zu: to the device: %s", i, cudaGetErrorName(put));
        ck_assert_msg(got == rows[i].of_each, "row %zu: to the host: %s", i, cudaGetErrorName(got));
    }
}
END_TEST

RUNTIME_MAIN("runtime boxes", planes_keep_their_pitch, boxes_keep_pitch_and_slices, boxes_end_within_rows_and_slices)
