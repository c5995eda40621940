"""Random numbers and smooth noise that are the same on every machine."""

import math


class Random:
    """SplitMix64 (Steele, Lea and Flood, 2014): 64 random bits a step from any seed."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return z ^ (z >> 31)

    def unit(self):
        """A number from 0 up to, not including, 1."""
        return (self.bits() >> 11) / (1 << 53)

    def between(self, low, high):
        return low + (high - low) * self.unit()


_SIZE = 256
_random = Random(20240601)
_LATTICE = [_random.unit() for _ in range(_SIZE * _SIZE)]


def noise(x, y):
    """Smooth noise from 0 to 1 with features about one unit across; repeats after 256 units."""
    column, row = math.floor(x), math.floor(y)
    u, v = x - column, y - row
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    left, right = column & 255, (column + 1) & 255
    top, bottom = (row & 255) << 8, ((row + 1) & 255) << 8
    a, b = _LATTICE[top + left], _LATTICE[top + right]
    c, d = _LATTICE[bottom + left], _LATTICE[bottom + right]
    upper = a + (b - a) * u
    return upper + (c + (d - c) * u - upper) * v


def layered_noise(x, y, octaves):
    """Noise with detail at several sizes, each half as large and half as strong; 0 to 1."""
    total, strength, reach = 0.0, 0.5, 0.0
    for octave in range(octaves):
        total += strength * noise(x, y)
        reach += strength
        # Turned and shifted a little each time so that the lattices never line up.
        x, y = 1.6 * x + 1.2 * y + 17.3 * octave, 1.6 * y - 1.2 * x + 9.1
        strength *= 0.5
    return total / reach


def smoothstep(low, high, value):
    """0 below low, 1 above high, and a smooth rise between; also falls when low > high."""
    t = min(max((value - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


def mix(a, b, amount):
    """A colour between a (amount 0) and b (amount 1)."""
    return tuple(p + (q - p) * amount for p, q in zip(a, b))
