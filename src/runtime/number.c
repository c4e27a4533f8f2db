#include "runtime/number.h"

#include <string.h>

#include "machine/halves.h"

size_t number_bytes(NumberType type) {
    static const unsigned char bytes[] = {
        [NUMBER_F16] = 2, [NUMBER_BF16] = 2, [NUMBER_F32] = 4, [NUMBER_F64] = 8, [NUMBER_I8] = 1, [NUMBER_I32] = 4};
    return bytes[type];
}

double number_load(NumberType type, const void *from) {
    union {
        uint16_t half;
        float single;
        double twice;
        int8_t byte;
        int32_t integer;
    } stored;
    memcpy(&stored, from, number_bytes(type));
    switch (type) {
    case NUMBER_F16: return (double)f16_to_f32(stored.half);
    case NUMBER_BF16: return (double)bf16_to_f32(stored.half);
    case NUMBER_F32: return (double)stored.single;
    case NUMBER_F64: return stored.twice;
    case NUMBER_I8: return stored.byte;
    case NUMBER_I32: return stored.integer;
    }
    return 0;
}

void number_store(NumberType type, void *to, double value) {
    const size_t bytes = number_bytes(type);
    switch (type) {
    case NUMBER_F16: memcpy(to, &(uint16_t){(uint16_t)f16_round_f64(value)}, bytes); break;
    case NUMBER_BF16: memcpy(to, &(uint16_t){(uint16_t)bf16_round_f64(value)}, bytes); break;
    case NUMBER_F32: memcpy(to, &(float){(float)value}, bytes); break;
    case NUMBER_F64: memcpy(to, &value, bytes); break;
    case NUMBER_I8: memcpy(to, &(int8_t){(int8_t)value}, bytes); break;
    case NUMBER_I32: memcpy(to, &(int32_t){(int32_t)value}, bytes); break;
    }
}
