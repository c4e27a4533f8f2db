/* Half precision as the C compiler has it, which host_half.cu compares with. */
#include <string.h>

static _Float16 half_from(unsigned short bits) {
    _Float16 value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned short bits_of(_Float16 value) {
    unsigned short bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

unsigned short oracle(char operation, unsigned short a, unsigned short b);
unsigned short oracle(char operation, unsigned short a, unsigned short b) {
    _Float16 x = half_from(a), y = half_from(b);
    switch (operation) {
    case '+': return bits_of(x + y);
    case '-': return bits_of(x - y);
    case '*': return bits_of(x * y);
    case '/': return bits_of(x / y);
    case '<': return x < y;
    case '=': return x == y;
    case '!': return x != y;
    default: return 0;
    }
}

float oracle_value(unsigned short bits);
float oracle_value(unsigned short bits) { return (float)half_from(bits); }
unsigned short oracle_bits(float value);
unsigned short oracle_bits(float value) { return bits_of((_Float16)value); }
