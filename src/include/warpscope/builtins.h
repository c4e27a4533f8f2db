/* builtins.h: threadIdx, blockIdx, blockDim, gridDim, warpSize. No such variable exists: reading a member reads a special register. */
#pragma once

#define WARPSCOPE_REGISTER(member, sreg)                                                             \
    __declspec(property(get = read_##member)) unsigned int member;                                   \
    static __inline__ __attribute__((device, always_inline, nodebug)) unsigned int read_##member() { \
        return __nvvm_read_ptx_sreg_##sreg##_##member();                                             \
    }
#define WARPSCOPE_REGISTERS(type, sreg, value)                             \
    struct type {                                                          \
        WARPSCOPE_REGISTER(x, sreg)                                        \
        WARPSCOPE_REGISTER(y, sreg)                                        \
        WARPSCOPE_REGISTER(z, sreg)                                        \
        WARPSCOPE_METHOD operator value() const { return value{x, y, z}; } \
    }

WARPSCOPE_REGISTERS(WarpscopeThreadIdx, tid, uint3);
WARPSCOPE_REGISTERS(WarpscopeBlockIdx, ctaid, uint3);
WARPSCOPE_REGISTERS(WarpscopeBlockDim, ntid, dim3);
WARPSCOPE_REGISTERS(WarpscopeGridDim, nctaid, dim3);

extern const __attribute__((device, weak)) WarpscopeThreadIdx threadIdx;
extern const __attribute__((device, weak)) WarpscopeBlockIdx blockIdx;
extern const __attribute__((device, weak)) WarpscopeBlockDim blockDim;
extern const __attribute__((device, weak)) WarpscopeGridDim gridDim;

#undef WARPSCOPE_REGISTERS
#undef WARPSCOPE_REGISTER

static constexpr int warpSize = 32;
