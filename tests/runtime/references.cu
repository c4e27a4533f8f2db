/* Texture references, which programs for CUDA 11 and before have. */
#include <cstdio>
#include <cuda_runtime.h>

texture<float, 1, cudaReadModeElementType> line;
static texture<int2> pairs;
texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> picture;
texture<float, 2> between(1, cudaFilterModeLinear, cudaAddressModeBorder);
texture<float4, 2> rows;

texture<float> &first() { return line; }
#ifndef __clang__
void show(unsigned texture); /* as headers of graphics have it */
#endif

__global__ void look(float *to) {
    const int i = threadIdx.x;
    to[i] = tex1Dfetch(line, i) + tex1Dfetch(pairs, 3).y + tex2D(picture, i % 4, i / 4) + tex2D(rows, 1, 1).w +
            tex2D(between, 1, 0.5F); /* halfway from the last texel to the first, where coordinates wrap */
}

int main() {
    float numbers[8], lines[2][64] = {}, *data, *others, *pitched, *out;
    int2 couples[4];
    unsigned char points[2][4] = {{0, 255, 0, 0}, {0, 0, 255, 255}};
    const float two[] = {4, 8};
    size_t pitch, offset = 1;
    for (int i = 0; i < 8; i++) numbers[i] = 100.0F * i;
    for (int i = 0; i < 4; i++) couples[i] = make_int2(i, 10 * i);
    lines[1][7] = 0.5F; /* the fourth of texel 1 */
    int2 *few;
    cudaArray *array, *both;
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>(), fours = cudaCreateChannelDesc<float4>(),
                                single = cudaCreateChannelDesc<float>();
    cudaMalloc(&data, sizeof numbers);
    cudaMalloc(&others, sizeof numbers);
    cudaMalloc(&few, 1024 + sizeof couples);
    cudaMalloc(&out, sizeof numbers);
    cudaMallocPitch(&pitched, &pitch, sizeof lines[0], 2);
    cudaMallocArray(&array, &bytes, 4, 2);
    cudaMallocArray(&both, &single, 2, 1);
    cudaMemcpy2DToArray(both, 0, 0, two, sizeof two, sizeof two, 1, cudaMemcpyHostToDevice);
    cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    for (int i = 0; i < 8; i++) numbers[i] += 1000;
    cudaMemcpy(others, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(few, couples, sizeof couples, cudaMemcpyHostToDevice);
    cudaMemcpy2D(pitched, pitch, lines, sizeof lines[0], sizeof lines[0], 2, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(array, 0, 0, points, 4, 4, 2, cudaMemcpyHostToDevice);
    picture.normalized = false;
    between.addressMode[0] = between.addressMode[1] = cudaAddressModeWrap; /* 0, and not as it is declared */
    cudaBindTextureToArray(between, both);
    cudaBindTexture(NULL, first(), data, 2 * sizeof numbers); /* more than there is */
    cudaBindTexture(&offset, pairs, few, pairs.channelDesc, sizeof couples);
    cudaBindTextureToArray(picture, array);
    cudaBindTexture2D(0, rows, pitched, fours, 16, 2, pitch);
    for (int round = 0; round < 2; round++) {
        look<<<1, 8>>>(out);
        cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 8; i++) printf("%g%c", numbers[i], i < 7 ? ' ' : '\n');
        cudaBindTexture(NULL, line, others); /* another buffer, to its end */
    }
    size_t apart = 0;
    const textureReference *reference;
    printf("%d", cudaBindTexture(NULL, pairs, (char *)few + 520, 8) == cudaErrorInvalidValue); /* wants an offset */
    printf(" %d", cudaBindTexture(&offset, pairs, (char *)few + 520, 8) == cudaSuccess && offset == 8);
    printf(" %d", cudaGetTextureReference(&reference, &pairs) == cudaSuccess);
    printf(" %d", cudaGetTextureAlignmentOffset(&apart, reference) == cudaSuccess && apart == 8);
    printf(" %d", cudaUnbindTexture(pairs) == cudaSuccess);
    printf(" %d\n", cudaGetTextureAlignmentOffset(&apart, pairs) == cudaErrorInvalidTextureBinding);
    return cudaDeviceSynchronize();
}
