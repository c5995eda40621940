"""luts/: lookup tables in the forms that they come in. All look a little warmer and softer."""

from .picture import Picture


def make(darkroom):
    darkroom.write("luts/warm.cube", _warm().encode())
    darkroom.write("luts/soft.cube", _soft().encode())
    darkroom.write("luts/shaped.cube", _shaped().encode())
    darkroom.write("luts/hald-warm.png", _hald(4).png())


def look(red, green, blue):
    """The look: more red, less blue, in the mid-tones, where two channels mix a little."""
    return (
        red + 0.3 * red * (1 - red) * (1 - blue / 2),
        green + 0.05 * green * (1 - green),
        0.03 + 0.92 * blue - 0.2 * blue * (1 - blue) * (1 - red / 2),
    )


def _row(colour):
    return " ".join(f"{number:.6f}" for number in colour) + "\n"


def _cube(size, low=0.0, high=1.0):
    """The places of a cube, red running fastest."""
    steps = [low + (high - low) * step / (size - 1) for step in range(size)]
    return [(red, green, blue) for blue in steps for green in steps for red in steps]


def _warm():
    rows = "".join(_row(look(*place)) for place in _cube(7, -0.1, 1.1))
    return (
        '# Seven places along each edge.\nTITLE "Warm"\n\nLUT_3D_SIZE 7\n'
        f"DOMAIN_MIN -0.1 -0.1 -0.1\nDOMAIN_MAX 1.1 1.1 1.1\n\n{rows}")


def _soft():
    """Curves, with the line ends and the byte order mark of another system."""
    tones = [step / 32 for step in range(33)]
    rows = "".join(_row((0.04 + 0.92 * tone, 0.03 + 0.94 * tone, tone ** 0.9)) for tone in tones)
    return f"\ufeffLUT_1D_SIZE 33\nLUT_1D_INPUT_RANGE 0.0 1.0\n{rows}".replace("\n", "\r\n")


def _shaped():
    """A square root that spreads the shadows, then a cube on what comes out of it."""
    curve = "".join(_row(((step / 16) ** 0.5,) * 3) for step in range(17))
    rows = "".join(_row(look(*(root * root for root in place))) for place in _cube(5))
    return (
        'TITLE "Shaped"\nLUT_1D_SIZE 17\nLUT_1D_INPUT_RANGE 0 1\n'
        f"LUT_3D_SIZE 5\nLUT_3D_INPUT_RANGE 0 1\n{curve}{rows}")


def _hald(level):
    """A HaldCLUT: the places of a cube, row after row, in a square picture."""
    side = level ** 3
    places = _cube(level ** 2)

    def paint(x, y):
        return tuple(
            round(255 * min(max(number, 0), 1)) for number in look(*places[y * side + x]))

    return Picture.painted(side, side, paint)
