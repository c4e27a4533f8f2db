#!/usr/bin/env python3
"""operands: writes what approximate.cu reads: for each function edges of its type, random bits, and random numbers of the range that it is meant for.
check GPU OURS: the emulator's results are a GPU's, or no farther from them than PTX allows a result to be from the true value (PTX ISA 9.0,
"Floating Point Instructions"), and half a unit in the last place; ours are rounded once. Prints how many are, how many of these to the bit, and how many are not."""
import math
import struct
import sys

FORMS = {16: ('e', 'H'), 32: ('f', 'I'), 64: ('d', 'Q')}


def bits_of(value, width):
    floating, whole = FORMS[width]
    return struct.unpack('<' + whole, struct.pack('<' + floating, value))[0]


def random_bits(seed):
    """SplitMix64."""
    while True:
        seed = (seed + 0x9e3779b97f4a7c15) % 2**64
        z = seed
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
        yield z ^ z >> 31


RANGES = {'sin': [(-2 * math.pi, 2 * math.pi), (-100 * math.pi, 100 * math.pi)], 'cos': [(-2 * math.pi, 2 * math.pi), (-100 * math.pi, 100 * math.pi)],
          'lg2': [(0.5, 2), (0, 1e6)], 'ex2': [(-1, 1), (-150, 130)], 'rcp': [(1, 2), (0, 1e6)], 'sqrt': [(1, 4), (0, 1e6)], 'rsqrt': [(1, 4), (0, 1e6)],
          'tanh': [(-1, 1), (-10, 10)]}
SINGLES = [f'{f}.approx{z}.f32' for f in ('sin', 'cos', 'lg2', 'ex2', 'rcp', 'sqrt', 'rsqrt') for z in ('', '.ftz')] + ['tanh.approx.f32']
HALVES = [f'{f}{x}' for f in ('tanh.approx.f16', 'tanh.approx.bf16', 'ex2.approx.f16', 'ex2.approx.ftz.bf16') for x in ('', 'x2')]
DOUBLES = ['rcp.approx.ftz.f64', 'rsqrt.approx.f64', 'rsqrt.approx.ftz.f64']
QUOTIENTS = [f'div.{f}{z}.f32' for f in ('approx', 'full') for z in ('', '.ftz')]


def edges(mantissa, exponent):
    """Zero, subnormals, powers of two with their neighbours, infinity, NaN; with both signs."""
    one = (1 << exponent - 1) - 1
    special = (1 << exponent) - 1
    whole = [0, 1, 1 << mantissa - 1, (1 << mantissa) - 1, 1 << mantissa, (1 << mantissa) + 1]
    whole += [p << mantissa for p in (one - 9, one - 2, one - 1, one, one + 1, one + 2, one + 4)] + [(one << mantissa) - 1, (one << mantissa) + 1]
    whole += [special - 3 << mantissa, special - 2 << mantissa, special - 1 << mantissa, (special << mantissa) - 1, special << mantissa,
              (special << mantissa) + (1 << mantissa - 1) + 5]
    return [sign << mantissa + exponent | w for w in whole for sign in (0, 1)]


def operands(name):
    """The operands of a function, always the same ones."""
    random = random_bits(1 + sum(name.replace('.ftz', '').encode()))
    if name in SINGLES:
        ranged = [bits_of(low + (high - low) * (next(random) >> 44) / 2**20, 32) for low, high in RANGES[name.split('.')[0]] for _ in range(56)]
        return edges(23, 8) + [next(random) >> 32 for _ in range(48)] + ranged
    if name in HALVES:
        one = edges(10, 5) if 'bf' not in name else edges(7, 8)
        one += [(i * 411 + 17) % 65536 for i in range(160)]
        return one if 'x2' not in name else [a | b << 16 for a, b in zip(one, reversed(one))]
    if name in DOUBLES:
        return edges(52, 11) + [next(random) for _ in range(80)] + [bits_of(1 + 3 * (next(random) >> 11) / 2**53, 64) for _ in range(60)]
    some = edges(23, 8)
    pairs = [(a, b) for a in some[::3] for b in some[1::5]] + [(next(random) >> 32, next(random) >> 32) for _ in range(60)]
    near = [(bits_of(1 + (next(random) >> 44) / 2**20, 32), bits_of(1 + (next(random) >> 44) / 2**20, 32)) for _ in range(60)]
    return [a | b << 32 for a, b in pairs + near]


def value_of(bits, name):
    """A number of so many bits; of a pair the lower half."""
    if 'bf16' in name:
        return struct.unpack('<f', struct.pack('<I', (bits & 0xffff) << 16))[0]
    width = 64 if 'f64' in name else 16 if 'f16' in name else 32
    floating, whole = FORMS[width]
    return struct.unpack('<' + floating, struct.pack('<' + whole, bits & 2**width - 1))[0]


def allowed(name, operand, result):
    """How far from this result, which is nearly right, another may be: PTX ISA, in the sections of the instructions. None: no word on it."""
    function, size = name.split('.')[0], abs(result)
    ulp = 2.0**(max(math.frexp(size)[1], -125) - 24)
    if function in ('sin', 'cos'):
        return 2**-20.5 if abs(operand) <= 2 * math.pi else 2**-14.7 if abs(operand) <= 100 * math.pi else None
    if function == 'lg2':
        return 2**-22 if 0.5 < operand < 2 else 2**-22 * size
    if function == 'tanh':
        return 2**-8 * size if 'bf16' in name else 2**-10.987 if 'f16' in name else 2**-11 * size
    if function == 'ex2' and 'f16' in name:
        return (2**-7 if 'bf16' in name else 2**-9.9) * size + 2**-24
    if 'f64' in name:
        return (2**-20 if 'ftz' in name else 2**-51) * size
    if function == 'rsqrt':
        return 2**-22.9 * size
    return {'sqrt': 2**-23 * size, 'rcp': ulp, 'div': 2 * ulp, 'ex2': 2 * ulp}[function]


def halves(name, operand, result):
    """The numbers that a function made of numbers: one, or the two of a pair."""
    if 'x2' not in name:
        return [(operand, result)]
    return [(operand & 0xffff, result & 0xffff), (operand >> 16, result >> 16)]


def is_near(name, operand, gpus, ours):
    """Whether both may be what the function gives."""
    if gpus == ours:
        return True
    a, b = value_of(gpus, name), value_of(ours, name)
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    far = allowed(name, value_of(operand, name), b)
    return far is None or abs(a - b) <= far + 2.0**(math.frexp(b)[1] - (53 if 'f64' in name else 8 if 'bf16' in name else 11 if 'f16' in name else 24) - 1)


def read(path):
    with open(path) as file:
        return {line.split()[0]: [int(word, 16) for word in line.split()[1:]] for line in file}


if sys.argv[1] == 'operands':
    for name in SINGLES + HALVES + DOUBLES + QUOTIENTS:
        print(name, len(operands(name)), *('%x' % o for o in operands(name)))
else:
    gpus, ours = read(sys.argv[2]), read(sys.argv[3])
    good = same = bad = 0
    for name in SINGLES + HALVES + DOUBLES + QUOTIENTS:
        for operand, a, b in zip(operands(name), gpus[name], ours.get(name, []), strict=True):
            pairs = zip(halves(name, operand, a), halves(name, operand, b))
            fine = all(is_near(name, o, g, w) for (o, g), (_, w) in pairs)
            good, same, bad = good + fine, same + (a == b), bad + (not fine)
            if not fine:
                print(f'{name} of {operand:x}: {b:x}, on the GPU {a:x}')
    print(good, same, bad)
