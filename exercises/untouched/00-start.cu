// Lab 00: a thread's number
//
// Five minutes, to see how a lab goes. A kernel is executed by many threads at once, and all of them run the same
// lines. What differs is each thread's number: threadIdx.x in its block, blockIdx.x that of its block.
//
//   1. Predict three numbers of a launch.
//   2. add() gives every block the same first elements, and the others to nobody. Give each thread one of its own.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=00
// It says what is wrong, and where; edit and grade again, as often as you like.

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// A kernel that gives each thread one element is launched for 5000 elements with blocks of 192 threads.
//
//     blocks     how many blocks it takes, so that every element has a thread
//     idle       how many threads of the last block have no element
//     element    which element thread 7 of block 3 has

#define PREDICT(what, number)                   \
    extern "C" {                                \
    __constant__ int predicted_##what = number; \
    }

// Put your numbers in place of the zeros.
// BEGIN YOUR CODE
PREDICT(blocks,  0)
PREDICT(idle,    0)
PREDICT(element, 0)
// END YOUR CODE

// ---- 2. A number of its own --------------------------------------------------------------------------------
//
// out[i] = a[i] + b[i] for all i from 0 to n - 1. It is launched with as many blocks as it takes, of any number of
// threads, so that there are at least n threads; those for which there is no element must leave memory alone.
extern "C" __global__ void add(const float *a, const float *b, float *out, int n) {
    // BEGIN YOUR CODE
    int i = threadIdx.x;
    out[i] = a[i] + b[i];
    // END YOUR CODE
}
