import PhotoEditing

/// What help says of the commands that are operations, besides what their table says.
enum OperationHelp {
  /// The words that name an operation's command.
  static func words(of operation: String) -> [String] { names[operation] ?? [operation] }

  /// Commands that have other names than their operations.
  private static let names = [
    "copy": ["sync"], "save-version": ["version", "save"], "use-version": ["version", "use"],
    "remove-version": ["version", "remove"], "key-photo": ["live", "key"],
  ]

  /// Operations that are options of other commands, or have a command of their own that asks first.
  static let elsewhere = [
    "go-to-step": "history --to", "merge-edits": "history --merge", "revert": "revert",
    "render-again": "render --stale", "relink": "relink", "accept-original": "relink --accept",
  ]

  /// The explanations, by operation.
  static let texts: [String: String] = [
    "apply": """
    Renders each photo beside its original and stores the edit. The filter takes the place of \
    one that is there; --add puts it on top. Doing the same again changes nothing.

    A lookup table works like a filter: a .cube file, 1D or 3D, or a HaldCLUT picture. The edit \
    keeps the table, so the file is not needed any more.

    Example:
      edit apply noir beach.jpg
      edit apply vivid-warm --intensity 0.6 holiday/*.jpg
      edit apply kodak.cube beach.jpg
      edit apply noir --album Holidays
    """,
    "adjust": """
    Renders each photo beside its original and stores the edit. An option sets a value, however \
    often it is given; the photo's other adjustments and its filter stay. At its neutral value \
    an adjustment is removed. An edit that has nothing left keeps its history: “edit undo” brings \
    it back, and “edit revert” drops it.

    A curve is written as points from dark to light, each with what goes in and what comes out: \
    "0,0 0.5,0.6 1,1" brightens the mid-tones.

    Example:
      edit adjust beach.jpg --exposure 0.5 --contrast 12 --temperature 5200
      edit adjust *.jpg --tone-curve "0,0 0.5,0.6 1,1"
      edit adjust beach.jpg --reset --saturation -20
    """,
    "auto": """
    Measures each photo without its edit and sets ordinary parameters, which “edit show” prints and \
    “edit adjust” changes: exposure, shadows, and the black and white points of levels (--tone), \
    temperature and tint (--white-balance), the angle that makes long edges level (--straighten), \
    and noise reduction by the noise that is there (--denoise). Without any of the four, tone and \
    white balance are set. --gray sets temperature and tint by a place instead, such as a gray card: it becomes gray. \
    --strength takes every value back towards neutral. A good photo hardly changes, and the same again changes nothing.

    Example:
      edit auto beach.jpg
      edit auto --straighten holiday/*.jpg
      edit auto --strength 0.5 holiday/*.jpg
      edit auto --tone --white-balance --denoise night.jpg
      edit auto --gray 0.4,0.6 card.jpg
    """,
    "crop": """
    Sets what is kept of each photo, as it is turned and straightened: the same again changes \
    nothing, another crop takes the place of the first, and --none gives the whole picture back.

    The numbers of --rect are shares of the width and height when none is above 1, and pixels of \
    the full-size picture otherwise, or when they are followed by px; 10% is a share too. The crop \
    is stored in shares, so it stays the same part in a preview.

    Example:
      edit crop beach.jpg --rect 0.1,0,0.8,1
      edit crop beach.jpg --rect 40,0,320,240px
      edit crop *.jpg --aspect 16:9 --gravity top
      edit crop beach.jpg --size 300x300
      edit crop beach.jpg --size 300x300 --lossless
      edit crop beach.jpg --none
    """,
    "straighten": """
    Sets by how many degrees each photo is turned clockwise, or counterclockwise below 0: the \
    same again changes nothing, and 0 takes it back. The largest rectangle of the photo's own \
    aspect is kept. “edit auto --straighten” finds the angle itself.

    Example:
      edit straighten 1.5 beach.jpg
      edit straighten -2 beach.jpg
    """,
    "rotate": """
    Sets how far each photo is turned clockwise from how it was taken: the same again changes \
    nothing, and 0 turns it back. -90 and left are 270, right is 90. A crop turns with the \
    picture, and so do its straightening and perspective.

    Example:
      edit rotate 90 beach.jpg
      edit rotate left portraits/*.jpg
      edit rotate 0 beach.jpg
    """,
    "flip": """
    Sets how each photo is mirrored: the same again changes nothing, and none takes it back. \
    Horizontal exchanges left and right, vertical top and bottom, of the picture as it stands \
    after “edit rotate”.

    Example:
      edit flip horizontal beach.jpg
      edit flip none *.jpg
    """,
    "perspective": """
    Sets how much lines converge, of the photo as it is turned: the same again changes nothing, and 0 \
    takes it back. The largest rectangle without empty corners is kept.

    Example:
      edit perspective --vertical -35 tower.jpg
      edit perspective --vertical 0 --horizontal 0 tower.jpg
    """,
    "replace": """
    The adjustments are a JSON list, as “edit show --json” has them under “adjustments”, such as \
    [{"id": "exposure", "amount": 0.5}]; one without a \
    version has the fields of the present one. An edit with adjustments of a newer Safelight is replaced \
    only when these are named with --dropping.

    Example:
      edit replace beach.jpg --adjustments []
    """,
    "copy": """
    The others get the adjustments and filters of the photo in place of their own. Crop, \
    straightening and other geometry belong to what is in a photo: they are copied only with \
    --geometry, and those of the others stay without it. With --only, just the \
    adjustments named are copied; those that the photo does not have are removed from the others.

    Example:
      edit sync --from beach.jpg holiday/*.jpg
      edit sync --from beach.jpg --only filter,vibrance harbour.jpg
    """,
    "adopt": """
    Apple Photos leaves IMG_1234.AAE and IMG_E1234.HEIC beside IMG_1234.HEIC, Google Takeout IMG-edited.jpg and a \
    description. Where every adjustment of Apple's is known exactly, such as a crop, the original gets the same from \
    Safelight; otherwise the other program's picture is kept, and later edits start from it. --render and \
    --translate choose; “edit show” says what was done elsewhere, and --dry-run what would become of it.

    The other program's files are only read, and “edit revert” gives everything back.

    Example:
      edit adopt --recursive photos
      edit adopt --dry-run IMG_1234.HEIC
      edit adopt --translate IMG_1234.HEIC
    """,
    "key-photo": """
    The frame becomes the picture that edits start from, upright and in the size of the video; the camera's still \
    stays as it is. Adjustments and filters of the photo are done to the frame. The moment of the still in the \
    edited video becomes that of the frame. Undo does not cross a change of the picture: --original takes the camera's \
    still again, with the same adjustments, and “edit revert” drops the whole edit. ffmpeg must be there.

    Example:
      edit live key IMG_1.HEIC --at 1.2
      edit live key IMG_1.HEIC --original
    """,
    "undo": """
    Renders the edit before the present one again; “edit redo” brings the present one back. \
    Undoing the first edit shows the original again: the render goes, and the record stays for redo; \
    “edit revert” drops the record, too.

    The last \(EditHistory.limit) edits are kept. Another program's edit cannot be rendered \
    again, so undoing ends there.

    Example:
      edit undo beach.jpg
      edit undo --steps 3 holiday/*.jpg
    """,
    "redo": """
    Renders the edit that was undone last again. After another edit, undone ones can no longer \
    be brought back.

    Example:
      edit redo beach.jpg
      edit redo --steps 3 holiday/*.jpg
    """,
    "save-version": """
    The present edit and its history stay as they are. Saving the same edit again changes \
    nothing. With --from the edit is another machine's: that in the copy of the photo's sidecar \
    which a program that syncs folders made; “edit history” lists such copies.

    Example:
      edit version save warm beach.jpg
      edit version save warm --replace holiday/*.jpg
      edit version save laptop --from beach.jpg.sync-conflict-20240101.aae beach.jpg
    """,
    "use-version": """
    The version stays. The edit that the photo had goes into its history; “edit undo” brings it back.

    Example:
      edit version use warm beach.jpg
    """,
    "remove-version": """
    The version's render is removed; the photo's edit stays, even when it is the same. A render that \
    somebody retouched is not removed.

    Example:
      edit version remove warm beach.jpg
    """,
  ]
}
