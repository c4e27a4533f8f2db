/* fake_cuda.c: a CUDA driver library without a GPU, for tests of what talks to the driver. Device memory is host memory at other
 * addresses (the top bit is set). Kernels do what lab 05 asks of those of their names (rotate, mirror, flip_small, patch_…); all others do
 * out[i] = 2 * in[i], given (in, out, count). A launch takes FAKE_MS milliseconds (0.125), a copy kernel 0.100, the driver's copy 0.080, and
 * cuBLAS's transpose, which is in here as well, 0.160.
 * What goes wrong is chosen by FAKE_CUDA or, since no variable comes into a sandbox, when this is compiled by MODE: no_device, old_driver,
 * fault, misaligned, hang, dies, memory, log, idle (kernels do nothing), scatter (every second launch takes twice as long), prints (a
 * kernel's printf is what a grader might say), no_flip (flip_small faults), stuck_flip (it never ends), shut (no confined process finds a
 * GPU), assigned (nor does one without CUDA_VISIBLE_DEVICES), spy (loading a kernel fails, with what its process can reach of what it should
 * not: SECRET, a file; OUTSIDE, a process). */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MODE
#define MODE "works"
#endif
#ifndef PLACE
#define PLACE "0000:00:00.0"
#endif
#ifndef SECRET
#define SECRET "/"
#define OUTSIDE 1
#endif

typedef int Status;
typedef uint64_t Address;

static const Address on_device = UINT64_C(1) << 63;
static Status broken; /* after a fault every call gives it again */
static double clock_ms;

static int is(const char *mode) {
    const char *chosen = getenv("FAKE_CUDA");
    return strcmp(chosen ? chosen : MODE, mode) == 0;
}

static void *host(Address address) {
    if (!(address & on_device)) {
        fprintf(stderr, "fake driver: %#llx is no device address\n", (unsigned long long)address);
        abort();
    }
    return (void *)(uintptr_t)(address & ~on_device);
}

Status cuInit(unsigned flags) {
    if (is("shut") && access("/etc/passwd", R_OK) != 0) return 304;
    return flags ? 1 : is("no_device") || (is("assigned") && !getenv("CUDA_VISIBLE_DEVICES")) ? 100 : 0;
}
Status cuDriverGetVersion(int *version) { return *version = 12040, 0; }
Status cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
Status cuDeviceGetName(char *name, int bytes, int device) { return snprintf(name, (size_t)bytes, "Fake GPU %d", device), 0; }
Status cuDeviceGetPCIBusId(char *bus, int bytes, int device) {
    return snprintf(bus, (size_t)bytes, "%s", PLACE), (void)device, 0;
}
Status cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    const int capability = is("older") ? 75 : 99;
    const int others = attribute == 75 ? capability / 10 : capability % 10;
    *value = attribute == 38 ? 1 << 20 : attribute == 13 ? 1500000 : attribute == 16 ? 80 : others;
    return 0;
}
Status cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &broken, (void)device, 0; }
Status cuCtxSetCurrent(void *context) { return context == &broken ? 0 : 201; }

/* To an address of documentation: no packet is sent, but there must be a way to it. */
static int has_network(void) {
    struct sockaddr_in far = {.sin_family = AF_INET, .sin_port = htons(9)};
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "192.0.2.1", &far.sin_addr);
    return in >= 0 && connect(in, (struct sockaddr *)&far, sizeof far) == 0;
}

static const char *spied;
static Status spy(void) {
    static const char made[] = SECRET ".made";
    if (open(SECRET, O_RDONLY) >= 0 || open("/grade/secret", O_RDONLY) >= 0) spied = "reads the secret";
    if (open("/etc/passwd", O_RDONLY) >= 0 || open("/etc/hostname", O_RDONLY) >= 0) spied = "reads /etc";
    if (open(made, O_WRONLY | O_CREAT, 0600) >= 0 || open("/usr/made", O_WRONLY | O_CREAT, 0600) >= 0) spied = "makes files";
    if (kill(OUTSIDE, 0) == 0) spied = "sends signals";
    if (has_network()) spied = "has a network";
    if (getenv("WARPSCOPE_SECRET")) spied = "knows where the secret is";
    if (getuid() == 0) spied = "is root";
    return 998;
}

Status cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
    if (is("old_driver")) return 222;
    if (is("spy")) return spy();
    for (unsigned i = 0; i < count; i++)
        if (is("log") && options[i] == 5) strcpy(values[i], "ptxas application ptx input, line 7; fatal   : something\nmore");
    if (is("log")) return 218;
    if (!strstr(image, ".version")) return 200; /* no PTX */
    const char *target = strstr(image, ".target sm_");
    if (is("older") && target && atoi(target + strlen(".target sm_")) > 75) return 209;
    *module = strdup(image);
    return 0;
}
Status cuModuleUnload(void *module) { return free(module), 0; }
Status cuModuleGetFunction(void **function, void *module, const char *name) {
    char entry[300];
    snprintf(entry, sizeof entry, ".entry %s", name);
    const char *at = strstr(module, entry); /* its name stands before in those of its variables */
    *function = at ? (char *)at + strlen(".entry ") : NULL;
    return at ? 0 : 500;
}
/* In the mode "clusters" a kernel is launched in clusters of 2 x 1 x 1 blocks or not at all; in "no_clusters" there are none. Those that the PTX
 * names cannot be set, and more than 8 blocks must be allowed first. */
static int cluster[3], wide_clusters;
static int has_own_clusters(const char *function, int own[3]) {
    const char *word = strstr(function, ".reqnctapercluster"), *body = strchr(function, '{');
    own[0] = own[1] = own[2] = 1;
    return word && word < body && sscanf(word, ".reqnctapercluster %d, %d, %d", &own[0], &own[1], &own[2]) > 0;
}
static Status cluster_status(const char *function, const unsigned grid[3]) {
    int own[3];
    const int *has = has_own_clusters(function, own) ? own : cluster;
    if (is("clusters") && (has[0] != 2 || has[1] != 1 || has[2] != 1)) return 912;
    for (int axis = 0; has[0] && axis < 3; axis++)
        if (grid[axis] % (unsigned)has[axis]) return 912;
    return has[0] * has[1] * has[2] > (wide_clusters ? 16 : 8) ? 912 : 0;
}
Status cuFuncSetAttribute(void *function, int attribute, int value) {
    int own[3];
    if (attribute == 14) return wide_clusters = value, 0;
    if (attribute < 11 || attribute > 13) return function && attribute == 8 && value <= 232448 ? 0 : 1;
    if (has_own_clusters(function, own)) return 800;
    cluster[attribute - 11] = value;
    return is("no_clusters") ? 801 : 0;
}
/* Of one form: an element's bytes follow from the sizes of a row that is all of it. The map is the address, and 4711. */
Status cuTensorMapEncodeTiled(uint64_t *map, int element, unsigned rank, Address address, const uint64_t *sizes,
                              const uint64_t *strides, const unsigned *box, const unsigned *steps, int interleave, int swizzle,
                              int promotion, int fill) {
    if (is("no_maps") || (uintptr_t)map % 64 || !host(address)) return 1;
    if (element != 7 || rank != 2 || sizes[0] != 4 || sizes[1] != 2 || strides[0] != 16 || box[0] != 4 || box[1] != 1 ||
        steps[0] != 1 || steps[1] != 1 || interleave || swizzle != 1 || promotion || fill != 1)
        return 1;
    memset(map, 0, 128);
    map[0] = address;
    map[15] = 4711;
    return 0;
}
Status cuMemAlloc_v2(Address *address, size_t bytes) {
    if (is("memory")) return 2;
    *address = (Address)(uintptr_t)malloc(bytes) | on_device;
    return 0;
}
Status cuMemFree_v2(Address address) { return free(host(address)), 0; }
Status cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) { return memcpy(host(to), from, bytes), broken; }
Status cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) { return memcpy(to, host(from), bytes), broken; }
Status cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void *stream) {
    clock_ms += 0.080;
    return memcpy(host(to), host(from), bytes), (void)stream, broken;
}
Status cuMemsetD8Async(Address to, unsigned char value, size_t bytes, void *stream) {
    return memset(host(to), value, bytes), (void)stream, broken;
}

static void lab_kernel(const char *function, Address in, Address out, int32_t rows, int32_t cols) {
    if (strncmp(function, "flip_small", 10) == 0) { /* (matrices, count) */
        for (float *m = host(in), *end = m + (int64_t)(int32_t)out * 144; m < end; m += 144)
            for (int row = 1; row < 12; row++)
                for (int col = 0; col < row; col++) {
                    float kept = m[row * 12 + col];
                    m[row * 12 + col] = m[col * 12 + row], m[col * 12 + row] = kept;
                }
        return;
    }
    const float *from = host(in);
    float *to = host(out);
    if (strncmp(function, "rotate", 6) == 0) {
        for (int64_t row = 0; row < rows; row++)
            for (int64_t col = 0; col < cols; col++) to[col * rows + rows - 1 - row] = from[row * cols + col];
    } else if (strncmp(function, "mirror", 6) == 0) {
        for (int64_t row = 0; row < rows; row++)
            for (int64_t col = 0; col <= row; col++) to[row * rows + col] = to[col * rows + row] = *from++;
    } else if (strncmp(function, "patch_", 6) == 0) { /* (in, out, width) */
        size_t size = strncmp(function, "patch_doubles", 13) == 0 ? 8 : 4;
        for (int32_t lane = 0; lane < 32; lane++)
            memcpy((char *)to + (lane % rows * 32 + lane / rows) * size,
                   (const char *)from + (lane / rows * 32 + lane % rows) * size, size);
    } else {
        for (int32_t i = 0; i < rows; i++) to[i] = 2 * from[i];
    }
}

Status cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, void *stream, void **params, void **extra) {
    (void)shared, (void)stream;
    if (!gx || !gy || !gz || bx * by * bz > 1024) return 1;
    if (extra) return 1;
    if (strncmp(function, "copy(", 5) == 0) { /* (to, from, count of float4) */
        clock_ms += 0.100;
        memcpy(host(*(Address *)params[0]), host(*(Address *)params[1]), *(uint64_t *)params[2] * 16);
        return broken;
    }
    static int launches;
    const char *ms = getenv("FAKE_MS");
    clock_ms += (ms ? atof(ms) : 0.125) * (is("scatter") && launches++ % 2 ? 2 : 1);
    if (is("dies")) _exit(3);
    const Status refused = cluster_status(function, (const unsigned[]){gx, gy, gz});
    if (refused) return refused;
    if (is("hang") || (is("stuck_flip") && strncmp(function, "flip_small", 10) == 0))
        for (;;) pause();
    if (is("fault")) broken = 700;
    if (is("misaligned")) broken = 716;
    if (is("no_flip") && strncmp(function, "flip_small", 10) == 0) broken = 700;
    if (is("prints")) dprintf(STDOUT_FILENO, "{\"device\": \"forged\", \"kernels\": []}\n");
    if (broken || is("idle")) return 0;
    struct {
        Address in, out;
        int32_t rows, cols;
    } arguments = {0};
    const char *text = function, *end = strchr(text, ')');
    uint64_t *const map = params[0];
    void *const to[] = {&arguments.in, &arguments.out, &arguments.rows, &arguments.cols};
    if (strstr(text, ".align 64 .b8") && strstr(text, ".align 64 .b8") < end && map[15] != 4711)
        return 1; /* in place of `in` */
    for (size_t i = 0; i < 4 && (text = strstr(text, ".param .")) && text < end; i++, text++)
        memcpy(to[i], params[i], strncmp(text, ".param .u32", 11) == 0 ? 4 : 8);
    lab_kernel(function, arguments.in, arguments.out, arguments.rows, arguments.cols);
    return 0;
}
Status cublasCreate_v2(void **handle) { return *handle = &clock_ms, is("no_handle"); }
/* C (m x n, column by column) = A transposed; a leading dimension that is too small is refused, as the library does. */
Status cublasSgeam(void *handle, int ta, int tb, int m, int n, const float *alpha, Address a, int lda, const float *beta,
                   Address b, int ldb, Address c, int ldc) {
    if (handle != &clock_ms || ta != 1 || tb != 0 || *alpha != 1 || *beta != 0 || lda < n || ldb < m || ldc < m || b != c)
        return 7;
    clock_ms += 0.160;
    const float *from = host(a);
    float *to = host(c);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) to[j * ldc + i] = from[i * lda + j];
    return 0;
}
Status cublasDgeam(void *handle, int ta, int tb, int m, int n, const double *alpha, Address a, int lda, const double *beta,
                   Address b, int ldb, Address c, int ldc) {
    (void)handle, (void)ta, (void)tb, (void)m, (void)n, (void)alpha, (void)a, (void)lda, (void)beta, (void)b, (void)ldb,
        (void)c;
    return ldc ? 14 : 0; /* an error of the library's */
}
Status cuCtxSynchronize(void) { return broken; }

Status cuEventCreate(void **event, unsigned flags) { return *event = calloc(1, sizeof(double)), (int)flags; }
Status cuEventRecord(void *event, void *stream) { return *(double *)event = clock_ms, (void)stream, broken; }
Status cuEventSynchronize(void *event) { return event ? broken : 1; }
Status cuEventElapsedTime(float *ms, void *start, void *stop) {
    *ms = (float)(*(double *)stop - *(double *)start);
    return broken;
}
Status cuGetErrorName(Status status, const char **name) {
    return *name = status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER", 0;
}
Status cuGetErrorString(Status status, const char **text) {
    return *text = status == 700             ? "an illegal memory access"
                   : status == 998 && !spied ? "nothing is within reach"
                   : status == 998           ? spied
                                             : "something else",
           0;
}
