"""What every other program is asked to do for a task: one command line each.

All write JPEG of quality 95; 4:4:4 wherever the program can be told so. What a program cannot do of
the work is in its note.
"""

import dataclasses
import pathlib
import shlex

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
QUALITY = 95
VIPS_SAVE = f"[Q={QUALITY},subsample_mode=off]"


@dataclasses.dataclass
class Contender:
    """One program at one task and photo.

    `tool` is its name in `Tools`. With `same_work` it does the same arithmetic as the reference,
    and is compared with it. `prepare` is a shell command before each run, which is not timed.
    """

    name: str
    tool: str
    command: list
    output: pathlib.Path
    note: str = ""
    same_work: bool = False
    prepare: str = ""

    def __post_init__(self):
        self.command = [str(word) for word in self.command]
        self.prepare = self.prepare or f"rm -f {shlex.quote(str(self.output))}"


class Peers:
    """The other programs' command lines for one photo, each with its own output in `folder`."""

    def __init__(self, tools, work, photo, folder):
        self.tools, self.work, self.photo, self.folder = tools, work, photo, folder

    def out(self, name):
        return self.folder / f"{name}.jpg"

    def python(self, tool, task, note="", same_work=False):
        module = tool.lower()
        command = [self.tools.python.get(tool, "python3"), PEERS / "run.py", module, task,
                   self.work["work.json"], self.photo, self.out(module)]
        return Contender(tool, tool, command, self.out(module), note, same_work)

    def shell(self, name, tool, text, output, note="", same_work=False):
        return Contender(name, tool, ["sh", "-c", text], output, note, same_work)

    def imagemagick(self, *words, note="", same_work=False, before=()):
        out = self.out("imagemagick")
        command = [self.tools.magick, *before, self.photo, *words, "-type", "TrueColor",
                   "-sampling-factor", "1x1", "-quality", QUALITY, out]
        return Contender("ImageMagick", "ImageMagick", command, out, note, same_work)

    def graphicsmagick(self, *words, note="", same_work=False, before=()):
        out = self.out("graphicsmagick")
        command = ["gm", "convert", *before, self.photo, *words, "-sampling-factor", "1x1",
                   "-quality", QUALITY, out]
        return Contender("GraphicsMagick", "GraphicsMagick", command, out, note, same_work)

    def gmic(self, *words, note="", same_work=False):
        out = self.out("gmic")
        command = ["gmic", "-v", "0", self.photo, *words, "output[0]", f"{out},{QUALITY}"]
        return Contender("gmic", "gmic", command, out, note, same_work)

    def darktable(self, *xmp, note):
        out = self.out("darktable")
        # Its own configuration folder and no library, so that nobody's settings take part.
        command = ["darktable-cli", self.photo, *xmp, out, "--apply-custom-presets", "false",
                   "--core", "--configdir", self.folder / "darktable", "--library", ":memory:",
                   "--conf", f"plugins/imageio/format/jpeg/quality={QUALITY}"]
        return Contender("darktable-cli", "darktable-cli", command, out, note)

    def rawtherapee(self, profile, note):
        out = self.out("rawtherapee")
        command = ["rawtherapee-cli", "-q", "-o", out, "-p", self.work[profile], f"-j{QUALITY}",
                   "-js3", "-Y", "-c", self.photo]
        return Contender("RawTherapee", "RawTherapee", command, out, note)

    def vips_copy(self):
        out = self.out("vips-copy")
        return Contender("vips copy", "vips", ["vips", "copy", self.photo, f"{out}{VIPS_SAVE}"],
                         out, "decode and encode, nothing else", True)

    # The tasks.

    def copy(self):
        out, pixels = self.out("jpeg-tools"), self.folder / "pixels.ppm"
        text = (f"djpeg -outfile {shlex.quote(str(pixels))} {shlex.quote(str(self.photo))} && "
                f"cjpeg -quality {QUALITY} -sample 1x1 -outfile {shlex.quote(str(out))} "
                f"{shlex.quote(str(pixels))}")
        return [
            self.shell("djpeg, cjpeg", "cjpeg", text, out, "libjpeg-turbo's own programs", True),
            self.graphicsmagick(note="decode and encode", same_work=True),
            self.imagemagick(note="decode and encode", same_work=True),
            self.darktable(note="no module on"),
        ]

    def noir(self):
        work, gray = self.work, " ".join(map(str, self.work.gray * 3))
        out, light, mixed = self.out("vips"), self.folder / "light.v", self.folder / "mixed.v"
        text = " && ".join(shlex.join(map(str, ["vips", *words])) for words in (
            ["maplut", self.photo, light, work["light.pgm"]],
            ["recomb", light, mixed, work["gray.mat"]],
            ["maplut", mixed, f"{out}{VIPS_SAVE}", work["curve-of-light.pgm"]]))
        same, less = "luminance and curve", "gray mix of codes, which is less work, and curve"
        return [
            self.python("pyvips", "noir", same, True),
            self.shell("vips, three commands", "vips", text, out, same + ", by way of files", True),
            self.python("Pillow", "noir", less),
            self.python("OpenCV", "noir", same, True),
            self.graphicsmagick("-recolor", gray, "-hald-clut", self.work["curve-hald.ppm"],
                                note=less + " as a Hald picture"),
            self.imagemagick("-color-matrix", gray, self.work["curve.pgm"], "-clut", note=less),
            self.gmic("mix_rgb", gray.replace(" ", ","), "round", "cut", "0,255",
                      self.work["curve.pgm"], "map[0]", "[1]", "keep[0]", note=less),
            self.darktable(self.work["darktable.xmp"],
                           note="contrast and color removed by its own module"),
            self.rawtherapee("rawtherapee.pp3", "its own black and white, and contrast"),
        ]

    def ten(self):
        work = self.work
        mix = " ".join(f"{value:.6f}" for row in work.mix for value in row)
        folded = "channel steps as one table, linear ones as one matrix, hue and color in HSV"
        magick = "channel steps as one table, one matrix, -modulate, table, Hald picture"
        out = self.out("ffmpeg")
        # Commas and colons part ffmpeg's filters; its own spellings of the ten steps follow.
        steps = ",".join([
            "format=gbrp", "colortemperature=temperature=6000", "exposure=exposure=0.3",
            "colorlevels=rimin=0.02:gimin=0.02:bimin=0.02", "colorcontrast=rc=0.1:rcw=1",
            "curves=all='0/0.02 0.25/0.22 0.75/0.79 1/1'", "selectivecolor=blues=0 0 0.1 0.1",
            "vibrance=intensity=0.2", "huesaturation=hue=5:saturation=0.1",
            "colorbalance=bs=0.03", f"lut3d=file={work['look.cube']}", "format=yuvj444p"])
        return [
            self.python("pyvips", "ten", folded + "; no 3-D table"),
            self.python("Pillow", "ten", folded + "; 3-D table"),
            self.python("OpenCV", "ten", folded + "; 3-D table by numpy"),
            Contender("ffmpeg", "ffmpeg",
                      ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", self.photo, "-vf",
                       steps, "-q:v", 2, "-update", 1, out], out,
                      "ten filters and lut3d; its own JPEG encoder at -q:v 2"),
            self.graphicsmagick("-hald-clut", work["tables-hald.ppm"], "-recolor", mix,
                                "-modulate", "100,105,101", "-hald-clut", work["look-hald.ppm"],
                                note=magick.replace("one table", "one Hald picture", 1)
                                .replace(" table,", "", 1)),
            self.imagemagick(work["tables.ppm"], "-clut", "-color-matrix", mix, "-modulate",
                             "100,105,101", work["grading.ppm"], "-clut", work["look-hald.ppm"],
                             "-hald-clut", note=magick),
            self.gmic("mix_rgb", mix.replace(" ", ","), "cut", "0,255", "adjust_colors",
                      "2,10,0,2,10", "input_cube", work["look.cube"], "map_clut[0]", "[1]",
                      "keep[0]", note="matrix, its five color adjustments, 3-D table"),
        ]

    def local(self):
        what = "shadows and highlights by a blurred base, clarity, sharpen"
        return [
            self.python("pyvips", "local", what),
            self.python("Pillow", "local", what),
            self.python("OpenCV", "local", what),
            self.imagemagick("(", "+clone", "-colorspace", "Gray", "-resize", "12.5%", "-blur",
                             "0x5", "-negate", "+level", "40%,60%", "-resize", "800%", ")",
                             "-compose", "SoftLight", "-composite", "-unsharp", "0x1+0.6+0",
                             note="a blurred base in soft light, sharpen; no clarity"),
            self.graphicsmagick("-unsharp", "0x5+0.3+0", "-unsharp", "0x1+0.6+0",
                                note="clarity and sharpen as unsharp masks; no shadows"),
        ]

    def preview(self):
        thumbnail = self.out("vipsthumbnail")
        box = f"{self.work.longest}x{self.work.longest}"
        return [
            Contender("vipsthumbnail", "vipsthumbnail",
                      ["vipsthumbnail", self.photo, "--size", box, "-o",
                       f"{thumbnail}{VIPS_SAVE}"], thumbnail, "unedited"),
            self.python("pyvips", "preview", "unedited"),
            self.python("Pillow", "preview", "unedited"),
            self.python("OpenCV", "preview", "unedited"),
            self.graphicsmagick("-resize", box, before=["-size", box],
                                note="unedited"),
            self.imagemagick("-resize", box, before=["-define", f"jpeg:size={box}"],
                             note="unedited"),
        ]
