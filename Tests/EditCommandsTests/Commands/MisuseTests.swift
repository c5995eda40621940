import Testing

/// Command lines that are mistakes: each ends with 64 and its message before anything is done.
@Suite struct MisuseTests {
  @Test(arguments: [
    ("adjust @/1.jpg --saturation 300", "--saturation takes a number from -100 to 100, not 300."),
    (
      "adjust @/1.jpg --saturation=-150%", "--saturation takes a number from -100 to 100, not -150."
    ),
    ("adjust @/1.jpg --vibrance nan", "--vibrance takes a number from -100 to 100, not nan."),
    (
      "adjust @/1.jpg --tone-curve '0,0 0.5,2 1,1'",
      "--tone-curve takes numbers from 0 to 1, not 2."
    ),
    ("adjust @/1.jpg --tone-curve 0,0", "--tone-curve needs 2 to 64 points."),
    ("adjust @/1.jpg --fade 1 --quality 0", "--quality takes a number from 1 to 100, not 0."),
    ("apply noir @/1.jpg --intensity 7", "--intensity takes a number from 0 to 1, not 7."),
    ("apply noir @/1.jpg --intensity=-0.5", "--intensity takes a number from 0 to 1, not -0.5."),
    ("apply noir @/1.jpg --intensity nan", "--intensity takes a number from 0 to 1, not nan."),
    ("apply noir @/1.jpg --quality 101", "--quality takes a number from 1 to 100, not 101."),
    (
      "apply noir @/1.jpg --pixel-limit 0", "--pixel-limit takes a number from 1 to 1000000, not 0."
    ),
    ("auto @/1.jpg --strength 1.5", "--strength takes a number from 0 to 1, not 1.5."),
    (
      "auto @/1.jpg --gray 0.1,nan,0.5,0.5",
      "--gray does not lie inside the picture, whose sides are 1 long."
    ),
    ("straighten 46 @/1.jpg", "<degrees> takes a number from -45 to 45, not 46."),
    ("undo --steps 0 @/1.jpg", "--steps takes a number from 1 to 1000000, not 0."),
    ("redo --steps 0 @/1.jpg", "--steps takes a number from 1 to 1000000, not 0."),
    ("redo --quality 101 @/1.jpg", "--quality takes a number from 1 to 100, not 101."),
    (
      "render @/1.jpg -o @/out.png --longest-side 0",
      "--longest-side takes a number from 1 to 1000000, not 0."
    ),
    (
      "compare @/1.jpg -o @/out.jpg --longest-side 20",
      "--longest-side takes a number from 200 to 16383, not 20."
    ),
    (
      "compare @/1.jpg -o @/out.jpg --split --at 1.5", "--at takes a number from 0 to 1, not 1.5."
    ),
    (
      "filters --sheet @/1.jpg -o @/out.jpg --columns 0",
      "--columns takes a number from 1 to 1000, not 0."
    ),
    (
      "crop @/1.jpg --rect 0.5,0,0.6,1",
      "--rect does not lie inside the picture: in shares, left and width are at most 1 together, and "
        + "so are top and height."
    ),
  ])
  func aValueOutOfRangeIsSaidWithoutTheUsage(command: String, message: String) async throws {
    #expect(try await said(command) == "Error: " + message)
  }

  @Test(arguments: [
    // Words that are nearly others, and what is missing.
    ("aply noir @/1.jpg", "Unknown subcommand 'aply'. Did you mean 'apply'?"),
    ("revret", "Unknown subcommand 'revret'. Did you mean 'revert'?"),
    ("filters sav x --from @/1.jpg", "Unknown subcommand 'sav'. Did you mean 'save'?"),
    (
      "apply noir @/1.jpg --intensty 1", "Unknown option '--intensty'. Did you mean '--intensity'?"
    ),
    ("render @/1.jpg --ouput b", "Unknown option '--ouput'. Did you mean '--output'?"),
    (
      "adjust @/1.jpg --saturaton 0.5", "Unknown option '--saturaton'. Did you mean '--saturation'?"
    ),
    ("show -a.jpg", "Unknown option '-a.jpg'. Put '--' before names that begin with a dash."),
    (
      "show @/1.jpg --json=yes",
      "The flag '--json' takes no value, but was given 'yes'. Write '--json' alone."
    ),
    ("apply noir", "Name the photos, or a list of them with --files-from."),
    (
      "render @/1.jpg", "Say where to write with --output, or --stale to renew renders in place."
    ),
    ("adjust @/1.jpg", "Say what to adjust, such as --exposure 0.5, or --reset."),
    (
      "sync --from @/1.jpg @/2.jpg --only filer",
      "There is no adjustment called “filer”. Did you mean “filter”?"
    ),
    // Values that cannot be read.
    (
      "apply noir @/1.jpg --intensity much",
      "The value 'much' is invalid for '--intensity <intensity>'. Expected a number, such as 0.5."
    ),
    (
      "adjust @/1.jpg --saturation much",
      "The value 'much' is invalid for '--saturation <percent>'. Expected a number, such as 0.5."
    ),
    (
      "show @/1.jpg --shard 3/2",
      "The value '3/2' is invalid for '--shard <i/n>'. Expected a share and their number, such as "
        + "2/8."
    ),
    ("crop @/1.jpg", "Give one of --rect, --aspect, --size and --none."),
    ("crop @/1.jpg --none --size 1x1", "Give only one of --rect, --aspect, --size and --none."),
    (
      "crop @/1.jpg --none --gravity top", "--gravity goes with --aspect or --size; leave it out."
    ),
    (
      "crop @/1.jpg --size 20",
      "The value '20' is invalid for '--size <wxh>'. Expected width and height in pixels, such as "
        + "1920x1080."
    ),
    (
      "crop @/1.jpg --rect 1,2,3px,0.5",
      "The value '1,2,3px,0.5' is invalid for '--rect <x,y,w,h>'. Expected left, top, width and "
        + "height, such as 0.1,0,0.8,1 or 40,0,320,240px."
    ),
    (
      "crop @/1.jpg --aspect wide",
      "The value 'wide' is invalid for '--aspect <w:h>'. Expected width and height, such as 3:2 or "
        + "16:9."
    ),
    (
      "rotate 45 @/1.jpg",
      "The value '45' is invalid for '<degrees>'. Expected 0, 90, 180, 270, left or right."
    ),
    ("show --together @/1.jpg", "--together is for commands that change the edits of photos."),
    ("verify --gone @/1.jpg", "--gone says what to put right: give --fix too."),
    ("verify --fix --yes @/1.jpg", "--in and --yes go with --fix --gone."),
    ("relink -y @", "--yes goes with --accept."),
    ("verify --dry-run @", "--dry-run goes with --fix."),
    (
      "history --dry-run @/1.jpg",
      "--quality and --dry-run say how to go to a step: name it with --to."
    ),
    ("show @/1.jpg -o @/out.png", "--output and --overwrite need --histogram."),
    ("compare @/1.jpg -o @/out.jpg --at 0.4", "--at needs --split."),
    ("filters --sheet @/1.jpg", "--sheet needs a picture to write: -o FILE."),
    (
      "filters -o @/out.jpg", "--output, --columns, --longest-side and --overwrite need --sheet."
    ),
    (
      "render --stale @/1.jpg -o out.jpg",
      "--stale renews renders in place, as they were made; leave --output out."
    ),
    (
      "render --stale @/1.jpg --format png",
      "--stale renews renders in place, as they were made; leave --format out."
    ),
    (
      "render --stale @/1.jpg --longest-side 100",
      "--stale renews renders in place, as they were made; leave --longest-side out."
    ),
    (
      "render --stale @/1.jpg --quality 80",
      "--stale renews renders in place, as they were made; leave --quality out."
    ),
    (
      "render --stale @/1.jpg --overwrite",
      "--stale renews renders in place, as they were made; leave --overwrite out."
    ),
    (
      "render @/1.jpg -o @/out.gif",
      "No format has the ending “.gif”: use .jpg, .png, .tif, .webp, .avif or .jxl."
    ),
    (
      "filters --sheet @/1.jpg -o @/out.gif",
      "No format has the ending “.gif”: use .jpg, .png, .tif, .webp, .avif or .jxl."
    ),
    (
      "render @/1.jpg -o @/out.png --format jpeg",
      "@/out.png has the ending of another format than jpeg: change one of them."
    ),
    (
      "render @/1.jpg -o @/out --format gif",
      "The value 'gif' is invalid for '--format <format>'. Expected "
    ),
    (
      "render @/1.jpg @/2.jpg -o @/out.jpg",
      "There is no folder @/out.jpg, and several photos need one: make it first."
    ),
    (
      "render @/1.jpg @/2.jpg -o -",
      "“-” is standard output, which takes one photo; name a folder for several."
    ),
    (
      "render @/1.jpg -o - --json",
      "--json and “-o -” both write to standard output; leave one out."
    ),
    (
      "render @/1.jpg -o - --newer",
      "“-o -” writes no file, so --newer says nothing; leave it out."
    ),
    (
      "render @/1.jpg -o - --skip-existing",
      "“-o -” writes no file, so --skip-existing says nothing; leave it out."
    ),
    (
      "render @/1.jpg -o @/out.png --quality 80",
      "“quality” is for formats that lose something; png has none."
    ),
    ("compare @/1.jpg -o -", "Only “edit render” writes to standard output."),
    ("show --histogram @/1.jpg -o -", "Only “edit render” writes to standard output."),
    ("filters --sheet @/1.jpg -o -", "Only “edit render” writes to standard output."),
  ])
  func aMistakeIsSaidWithTheUsage(command: String, message: String) async throws {
    let said = try await said(command)
    #expect(said.hasPrefix("Error: " + message) && said.contains("\nUsage: edit "), "\(said)")
    #expect(said.hasSuffix("--help' for more information."), "\(said)")
  }

  /// The message of a command line, which changes nothing.
  private func said(_ command: String) async throws -> String {
    let folder = CommandFolder()
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    let before = folder.contents
    let transcript = await folder.edit(command.words)
    #expect(transcript.code == 64 && transcript.results.isEmpty && transcript.messages.count == 1)
    #expect(folder.contents == before)
    return transcript.messages.first ?? ""
  }
}
