// Counts of loads that follow from what may be the same memory: a store through float * may change *n, but not a member of the
// same struct that stands elsewhere.
extern "C" __global__ void scalar_changes(float *out, const int *n) {
    out[n[0]] = 1.0f;
    out[n[0] + 1] = 2.0f; // n[0] is read again
}

struct Point {
    float x, y;
    int id;
};
extern "C" __global__ void member_stays(Point *p, Point *q) {
    int a = q->id;
    p->x = 1.0f;
    p->y = (float)(a + q->id); // q->id is not read again
}
