// Managed memory: one pointer for host and device. A list linked by pointers is made on the host, walked and changed on the
// device; a __managed__ variable and an array are handed to and fro.
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

#include "check.h"

// Objects of classes derived from this live in managed memory wherever they are made by `new`.
struct Managed {
    void *operator new(size_t bytes) {
        void *p = nullptr;
        CHECK(cudaMallocManaged(&p, bytes));
        CHECK(cudaDeviceSynchronize());
        return p;
    }
    void operator delete(void *p) {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(p));
    }
};

struct Node : Managed {
    int value;
    Node *next;
};

__managed__ int steps = 0;
__device__ __managed__ double table[5] = {1.0, 0.5, 0.25, 0.125, 0.0625};

// One thread walks the list: doubles the values, counts the steps, and turns the list around.
__global__ void reverse_list(Node **head) {
    Node *node = *head, *before = nullptr;
    while (node) {
        Node *after = node->next;
        node->value *= 2;
        node->next = before;
        before = node;
        node = after;
        steps++;
    }
    *head = before;
}

__global__ void scale(double *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= table[i % 5];
}

static int lists() {
    const int length = 37;
    Node **head;
    CHECK(cudaMallocManaged(&head, sizeof(Node *)));
    *head = nullptr;
    for (int i = 0; i < length; i++) { // the list is 36, 35, … 0
        Node *node = new Node;
        node->value = i;
        node->next = *head;
        *head = node;
    }
    reverse_list<<<1, 1>>>(head);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (steps != length) {
        printf("the list has %d nodes, expected %d\n", steps, length);
        return 1;
    }
    int i = 0;
    for (Node *node = *head, *next; node; node = next, i++) {
        if (node->value != 2 * i) {
            printf("node %d is %d, expected %d\n", i, node->value, 2 * i);
            return 1;
        }
        next = node->next;
        delete node;
    }
    CHECK(cudaFree(head));
    if (i != length) {
        printf("%d nodes came back, expected %d\n", i, length);
        return 1;
    }
    return 0;
}

int main() {
    if (lists()) return 1;

    const int n = 1003;
    double *data;
    CHECK(cudaMallocManaged((void **)&data, n * sizeof(double), cudaMemAttachGlobal));
    for (int i = 0; i < n; i++) data[i] = i;
    scale<<<(n + 63) / 64, 64>>>(data, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) data[i] += 1.0; // the host's turn
    table[3] = 8.0;
    scale<<<(n + 63) / 64, 64>>>(data, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        const double first[5] = {1.0, 0.5, 0.25, 0.125, 0.0625}, second[5] = {1.0, 0.5, 0.25, 8.0, 0.0625};
        double expected = (i * first[i % 5] + 1.0) * second[i % 5];
        if (data[i] != expected) {
            printf("element %d is %g, expected %g\n", i, data[i], expected);
            return 1;
        }
    }

    // Managed memory can be copied like any other.
    double *d_plain, back[3];
    CHECK(cudaMalloc(&d_plain, 3 * sizeof(double)));
    CHECK(cudaMemcpy(d_plain, data + 2, 3 * sizeof(double), cudaMemcpyDefault));
    CHECK(cudaMemcpy(back, d_plain, 3 * sizeof(double), cudaMemcpyDefault));
    for (int i = 0; i < 3; i++) {
        if (back[i] != data[i + 2]) {
            printf("copied element %d is %g, expected %g\n", i, back[i], data[i + 2]);
            return 1;
        }
    }
    cudaPointerAttributes managed, plain;
    CHECK(cudaPointerGetAttributes(&managed, data));
    CHECK(cudaPointerGetAttributes(&plain, d_plain));
    if (managed.type != cudaMemoryTypeManaged || plain.type != cudaMemoryTypeDevice) {
        printf("types of memory are %d and %d, expected %d and %d\n", managed.type, plain.type, cudaMemoryTypeManaged,
               cudaMemoryTypeDevice);
        return 1;
    }
    CHECK(cudaFree(d_plain));
    CHECK(cudaFree(data));
    printf("ok: a list of %d and %d numbers, shared\n", steps, n);
    return 0;
}
