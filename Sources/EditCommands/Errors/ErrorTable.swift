/// A row of the table of errors: what a code means, and what to do about it.
///
/// Libraries name what happened and give values. The advice that goes with a code stands here, and
/// “edit help errors” prints it. Where an error's values allow better advice, Hints.swift gives that
/// instead. Messages end with the advice.
struct ErrorExplanation: Sendable, Hashable {
  /// The code that JSON has under `error.code`, such as `original-missing`.
  let code: String
  /// What happened, and what is as before.
  let meaning: String
  /// What to do, in one sentence or two.
  let advice: Advice

  var json: JSONValue {
    .object(["code": code, "meaning": meaning, "advice": advice.text])
  }

  /// What to do about an error of a code; `nil` for a code that is not in the table.
  static func advice(for code: String) -> Advice? { byCode[code]?.advice }

  /// Every code. Codes that belong together are beside each other.
  static let all: [ErrorExplanation] = {
    var rows: [String] = []
    for line in table.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix(" ") {
        rows[rows.count - 1] += line.dropFirst()
      } else {
        rows.append(String(line))
      }
    }
    return rows.map { row in
      let parts = row.split(separator: ": ", maxSplits: 1)
      let texts = parts[1].split(separator: " → ").map(String.init)
      return ErrorExplanation(code: String(parts[0]), meaning: texts[0], advice: advice(texts[1]))
    }
  }()

  private static func advice(_ text: String) -> Advice {
    let texts = text.split(separator: " ⇒ ").map(String.init)
    guard texts.count == 2 else { return Advice(stringLiteral: text) }
    return Advice(texts[0], elsewhere: texts[1] == "nothing" ? nil : texts[1])
  }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

  /// A row is a code, what it means, and the advice behind an arrow. Behind a double arrow stands what is said instead
  /// where there are no options, or `nothing`. Lines that begin with a space continue a row, and `#` begins a heading.
  private static let table = """
    # Reading and rendering a photo.
    original-missing: There is no file of this name, or it is a symbolic link that leads nowhere.
      → Check the name, and that the disk is mounted.
    original-not-a-file: The name is that of a folder, a device or a pipe, not of a photo.
      → Name the photos in it instead, for instance as “folder/*.jpg”.
    original-unreadable: The system does not let this user read the photo, or the disk reported an error.
      → Change the file's permissions, or work as a user who may read it.
    original-changed: The photo is not the picture that its edit was made for: another file has
      taken its name, or another program has changed its pixels.
      → “edit relink” moves the edit to the edited picture; -r and --in search wider. If the photo
      was changed on purpose, “edit relink --accept” goes on with it; “edit revert” drops the edit.
      ⇒ If the photo was changed on purpose, accept it as it is or revert it; “edit relink” moves the edit
      to the edited picture.
    original-touched: While the photo was edited, another program replaced it, wrote into it or set
      its time. The old edit stands.
      → Try again when the other program is done.
    empty: The photo has no bytes at all.
      → Copy it again from where it came from.
    not-a-picture: The file's content is of no kind of picture that Safelight knows, whatever its name says.
      → Safelight edits JPEG, PNG, TIFF, WebP, HEIC and AVIF; it goes by the content, not the name.
    unsupported-format: The file is a picture of a kind that Safelight does not edit, such as a
      camera raw file or a JPEG of 12 bits. Nothing is wrong with the file.
      → Convert a copy to JPEG, PNG or TIFF and edit that.
    missing-decoder: The libvips of this machine was built without the decoder for this kind of picture.
      → Install the package that the message names.
    damaged: The picture is truncated or damaged, so that it cannot be decoded to its end.
      → Look for an intact copy, or take what there is of it with --allow-damaged.
      ⇒ Look for an intact copy.
    too-many-pixels: The picture's header announces more pixels than the limit, which keeps a
      small file from filling the memory. Nothing was decoded.
      → If you trust the file, raise the limit with --pixel-limit MEGAPIXELS.
      ⇒ nothing
    cannot-encode: The edited picture could not be written in the format asked for; JPEG has
      room for 65,500 pixels along a side, and WebP for 16,383.
      → Render it smaller with “edit render --longest-side”, or as PNG or TIFF.
    unusable-file: A file that the output names, a color profile or the picture of a watermark, cannot be used
      for this picture. Nothing was written.
      → Choose another file, as the message says.
    unusable-watermark: The text of the watermark cannot be drawn onto this picture. Nothing was written.
      → Choose a shorter text, or as the message says.
    render-failed: The imaging library, libvips, failed while the picture was rendered. The old edit stands.
      → Try again; if it fails again, please report it with the message.
    out-of-memory: There is not enough memory for the picture, or --memory-limit does not allow it.
      The old edit stands.
      → Allow more with --memory-limit, or work on fewer photos at the same time with --jobs.
      ⇒ Try again when less is being done, or with a smaller copy of the photo.
    not-upright: Another program's render has an orientation tag other than 1.
      → In that program, turn the pixels upright and set the tag to 1, or leave it out.
    # Files beside a photo.
    busy: Another program has worked on the same photo for as long as this one waited.
      → Try again when the other program is done.
    locking-unavailable: The photo is on a disk without file locks, or on a network disk that
      locks only photos which may be written to.
      → Give yourself the right to write to the photo, or copy it to a local disk.
    record-unreadable: The sidecar cannot be read: it is empty, damaged, or written by a newer
      Safelight. It is left as it is.
      → Restore it from a backup, or move it away to start with an unedited photo.
    record-changed: Another program replaced the sidecar while this one worked. The edit of the other program stays.
      → See with “edit show” what it did, then try again.
    record-too-large: The sidecar, with the photo's earlier edits, would be larger than allowed.
      → Drop the earlier edits with “edit revert”, then edit the photo again.
    record-of-another-photo: The sidecar beside the photo was written for a photo of another name and content.
      → Let “edit relink” move the edit to its own photo, or move the sidecar away.
    foreign-sidecar: The sidecar is another program's, so “edit revert” does not remove it.
      → Remove the sidecar yourself if its edit is not wanted.
    edited-elsewhere: Another photo program edited the photo and left its edit beside it. Safelight has no edit of it.
      → Take the edit over with “edit adopt”, or leave it as it is.
    invalid-adjustments: The edit in the sidecar, or the one to be stored, breaks a rule of the adjustments.
      → See the parameters with “edit adjustments”; if the sidecar is at fault, restore it from
      a backup or drop it with “edit revert”.
    unknown-adjustment: The edit uses an adjustment of a newer Safelight. It is kept as it is.
      → Update Safelight, or drop the edit with “edit revert”.
    damaged-lookup-table: The lookup table that the edit holds cannot be read.
      → Apply the look again from its file, or drop the edit with “edit revert”.
    render-changed: The file that the edited picture goes to is not the one that Safelight
      wrote: somebody retouched or replaced it. It is left as it is.
      → Move it away to keep it; the photo can then be edited or reverted. “edit revert
      --keep-render” leaves it where it is.
    render-missing: The edited picture that another edit starts from is missing.
      → Put it back, or drop the edit with “edit revert” and edit the photo again.
    base-missing: The “_base.jpg” that an edit starts from is not there. Another program made it, so
      it cannot be made again, and edits wait for it.
      → Wait when a sync still brings it; otherwise restore it from a backup, or drop the edit with “edit revert”.
    base-changed: The “_base.jpg” that the edit starts from is not the one that Safelight kept:
      somebody changed or replaced it.
      → Restore it from a backup, or move it away.
    name-taken: Other files have both names that the edited picture may have.
      → Rename or move one of the files that the message names.
    name-too-long: With the ending that Safelight adds, the file's name would be longer than Linux allows.
      → Give the photo a shorter name.
    hidden-name-taken: A folder, a link, a pipe or a file that Safelight did not write has the name of
      a hidden file that it makes while it changes the photo. “edit verify” finds it too.
      → See what it is, and move it away.
    change-of-another-user: Another user, who is not the original's owner, decided a change of this
      photo that is not finished. It is not carried out for you.
      → Let that user run “edit verify --fix” to finish it, or the original's owner to give it up.
    file-of-another-user: In this folder only a file's owner may replace it, and the edit would
      replace a file of another user. Nothing was changed.
      → Let the file's owner edit the photo, or edit a copy of it in a folder of yours.
    staged-file-lost: A change was decided and not finished, and one of its hidden files is missing or was changed.
      → “edit verify --fix” finishes the change without the file; “edit render --stale” then makes
      a missing render again.
    destination-taken: The output, as of “edit render”, exists already. Photos and the files of
      their edits are never replaced.
      → Choose another name, or allow it with --overwrite.
      ⇒ Choose another name, or allow it with “overwrite”.
    invalid-operation: What was asked for is no operation on a photo's edit, or says nothing to do.
      → Operations and their parameters are those of the commands; see “edit help”.
    # Filters and looks.
    unknown-filter: There is no filter of this name, neither shipped nor your own, and no file of a filter.
      → “edit filters” lists them; a file is named with its ending, such as look.cube.
    unusable-filter: The filter's file is not JSON, or not the JSON of a filter.
      → “edit filters noir --json” shows what a filter looks like.
    unusable-lookup-table: The file is no lookup table: the message says on which line a .cube file is wrong.
      → Correct the line or get the file again; a HaldCLUT must have its original size.
    invalid-filter-name: This cannot be the name of a filter.
      → Use at most 100 lower case letters, digits and hyphens, such as “my-look”.
    filter-name-taken: A filter of this name ships with Safelight, or you saved one before.
      → Choose another name, or allow it with --replace.
      ⇒ Choose another name, or allow it with “replace”.
    # Presets.
    unknown-preset: There is no preset of this name.
      → “edit presets” lists them.
    unusable-preset: The file of a preset is damaged, or cannot be read.
      → Save the preset anew with “edit presets save --replace”, or remove it.
    invalid-preset-name: This cannot be the name of a preset.
      → Use at most 100 lower case letters, digits and hyphens, such as “for-web”.
    preset-name-taken: There is a preset of this name already.
      → Choose another name, or allow it with --replace.
      ⇒ Choose another name, or allow it with “replace”.
    # Copies and comparisons.
    nothing-to-copy: The photo has no edit that could be copied to others or saved as a filter.
      → Name a photo that “edit apply” or “edit adjust” has edited.
    nothing-to-compare: The photo has no edit, so there is nothing to show beside the original.
      → Name a look with “edit compare --filter”, or edit the photo first.
    no-video: The photo has no video: no movie is in its file, and none beside it belongs to it.
      → “edit show” says which video a photo has. A Live Photo's video must have the identifier of its
      still, or both none and the same name.
    # History and versions.
    no-such-step: The photo's history has no step of this number.
      → “edit history” lists the steps.
    step-unavailable: The photo cannot be brought to that step of its history: on the way is an
      edit of another program, or of a newer Safelight, that cannot be rendered again.
      → “edit revert” gives the original back, and another program's sidecar that was there
      first.
    no-such-version: The photo has no version of this name.
      → “edit version list” lists the versions.
    version-unusable: The photo has the version, but giving it the version's edit would lose
      pixels that cannot be made again: another program's edit is below one of the two.
      → Keep the present edit with “edit version save”, or take the version's render as a
      picture.
    not-a-conflict-copy: The file that --from names is not a copy of the photo's sidecar that a sync made of a conflict.
      → “edit history” lists such copies; name one of these.
    version-exists: The photo has a version of this name already.
      → Choose another name, or allow it with --replace.
      ⇒ Choose another name, or allow it with “replace”.
    invalid-version-name: This cannot be the name of a version.
      → Use 1 to 64 letters, digits, hyphens, underscores and dots, with no dot in front.
    has-versions: A revert would drop the photo's named versions too.
      → “edit revert --versions” drops them too; “edit history --to 0” shows the original and keeps them.
      ⇒ Revert it with “versions” to drop them too; step 0 of the history shows the original and keeps them.
    not-adoptable: What another program did to the photo cannot be taken over exactly, or its picture is not there.
      → Put its picture beside the photo, or take what is known with “edit adopt --translate”.
    crop-outside: The part of the picture to keep does not lie inside it.
      → Choose a part of the picture; the message says how large the picture is.
    not-lossless: A crop without loss was asked for, and this photo cannot have it.
      → Crop it as usual, with a little loss.
    # Anything.
    disk-full: There is no room left on the disk, or in your quota. The old edit stands.
      → Free some space and try again.
    file-system: The system refused a step on one of the files. The old edit stands.
      → Do what the message says; often the folder's permissions need to change.
    output-refused: An editor other than the “edit” commands handed in an edit without data,
      without a rendered JPEG, or with a text that a sidecar cannot carry.
      → Correct the program that made it, as the message says.
    input-outdated: The photo was edited, reverted or replaced after the editor had asked for it.
      → Ask for the photo again and repeat the edit.
    cancelled: The work was interrupted. The old edit stands.
      → Start it again when you like.
    internal: Safelight took steps in the wrong order. The old edit stands.
      → Please report it, with what you did.
    unexpected: Something failed that Safelight has no name for. The old edit stands; the
      message has the detail.
      → Please report it, with the message and what you did.
    # “edit relink” and “edit verify”.
    original-not-found: “edit relink” found no file with the content of the photo that the
      sidecar is about.
      → Name another folder to search with --in.
      ⇒ nothing
    original-elsewhere: “edit relink --accept” was to give an edit to the picture that has the photo's
      name now, and found the picture that was edited under another name. Nothing was changed.
      → Move the edit to that photo with “edit relink” without --accept. To give it to the other picture
      nevertheless, add --yes.
      ⇒ nothing
    ambiguous-original: “edit relink” found several files with the content of the photo that the
      sidecar is about, or only one that may be a backup of it.
      → Move all but one of them elsewhere, and put them back afterwards.
    target-has-an-edit: “edit relink” found the photo that the sidecar is about, and it has
      another edit already.
      → Keep the photo's edit with “edit version save” before you revert it for this one, or put this one
      into the trash with “edit verify --fix --gone” and the sidecar's name.
    version-missing: “edit verify” misses the render of a named version.
      → Make it again with “edit render --stale”. When the photo's present edit is another
      program's, “edit version use NAME” renders it; another program's version needs a backup.
    record-newer: “edit verify” found a sidecar that a newer Safelight wrote, and did not check
      it.
      → Update Safelight.
    not-synced-yet: A render is Safelight's own and shows another edit than the sidecar has, because a
      sync brought one of the two first. Nothing is damaged; the render counts as missing.
      → Wait until the other file has come, or make the render again with “edit render --stale”. The
      next edit does that too.
    conflict-copy: A program that syncs folders made a copy of a sidecar or of a render, because two
      machines edited the photo. It has another machine's edit.
      → “edit history --merge” keeps that edit as a version of the photo; “edit verify --fix” puts copies
      into .safelight-trash that have nothing new.
    metadata-written: Another program wrote metadata, such as a rating, into a photo that has an
      edit. The picture is the same, so the edit stands; its render has the earlier metadata.
      → “edit render --stale” gives them to the render, and so does the next edit.
    metadata-outdated: A render has metadata that its original had before another program wrote
      into it, such as a place that was removed.
      → “edit render --stale” gives it the present metadata.
    original-turned: Another program changed the orientation of a photo that has an edit. The edit
      turns with the photo; its render is not turned yet.
      → “edit render --stale” turns it, and so does the next edit.
    edit-unreadable: An edit in a sidecar breaks a rule of the adjustments, so that it cannot be
      rendered.
      → Restore the sidecar from a backup, or make another edit.
    orphan-render: “edit verify” found a render that no sidecar names.
      → Look at it first: it may be somebody's retouch, or the picture of an edit that was dropped. Put its
      sidecar back, or move it to another folder to keep it. Walks pass it over there; commands take it when it is
      named, and once it has an edit it is a photo like others.
    render-copy: “edit verify” found a picture with the content of a render or base photo that a sidecar
      knows, under a name that no sidecar names.
      → Keep it. If its photo was renamed, “edit relink” finds both; if only the picture was, give it its former
      name back.
    earlier-render: A picture has the name of a photo's render and shows an edit that the photo had before. The photo
      shows the original now, or has its render under another name. Syncing a folder and renaming photos leave
      such files.
      → “edit verify --fix” puts it into .safelight-trash; an edit that needs the place replaces it.
    leftover: “edit verify” found a hidden file that a program left behind when it died.
      → Remove it with “edit verify --fix”.
    # Agents.
    outside-folders: An agent named a file that is hidden, or lies outside of the folders that “edit mcp” was
      started with. Nothing was read or written.
      → Name a photo in one of these folders; list_photos lists them.
    read-only: A change was asked of “edit serve” or “edit mcp”, which was started with --read-only.
      → Start it without --read-only to let its clients edit.
      ⇒ Whoever started it can let its clients edit.
    invalid-arguments: An agent called a tool with arguments that the tool does not take. Nothing was done.
      → Call it again as its description says; list_adjustments has the names and ranges of adjustments.
    no-such-plan: An agent wanted to carry out a batch by a token that is not that of its plan: the
      other arguments are different, or the plan was carried out or dropped.
      → Call the tool without dryRunToken for a new plan, and then with the token that it gives.
    not-confirmed: An agent wanted to drop edits that cannot be brought back. Nothing was done.
      → Ask the user, and call it again with “confirm”; undo_edit goes back by one edit only.
    # Batches.
    folder: The name is that of a folder.
      → Take the photos in it with --recursive, or name them as “folder/*.jpg”.
      ⇒ Name the photos in it.
    interrupted: The command was interrupted before the photo was done. The old edit stands.
      → Give the same command again; photos that are done stay as they are.
    timed-out: The photo took longer than --timeout allows, and was given up.
      → Give it more time with --timeout; 0 sets no limit.
      ⇒ It may be damaged, or too large for this machine.
    worker-crashed: The process that worked on the photo ended early: a decoder crashed, or the
      memory that --memory-limit allows was used up. Other photos are not touched by it.
      → If the photo is a large one, allow more with --memory-limit. If not, its file may be
      damaged: see whether another program opens it.
      ⇒ Its file may be damaged: see whether another program opens it.
    worker-unavailable: No process could be started to work on the photo or to decode it.
      → Free memory, or work on fewer photos at the same time with --jobs. A program that links the
      library needs “edit” where it runs: beside itself, in PATH, or named by SAFELIGHT_EDIT.
      ⇒ Try again when less is being done.
    bad-job: A line that “edit worker” read is not a job that it can do.
      → Write a line as “edit worker --help” shows it, with a command on photos.
    # Changing a library.
    change-refused: The library cannot be changed in this way; the message says why. Nothing was
      done.
      → Do what the message says, and try again.
    token-expired: The history of the library does not go back to the token, or it is another
      library's.
      → Read the whole library again, and go on from what “edit library changes --now” prints.
    cannot-ask: The command would ask something, and there is no terminal.
      → Give the answer as the message says: --yes, or “edit library access grant”.
      ⇒ The owner of the library can allow it with “edit library access grant”.
    # Access to a library.
    access-denied: The program that the command acts for was not allowed to do this.
      → The owner of the library can allow it with “edit library access grant”.
    access-undecided: Nobody has said yet whether the program that the command acts for may do
      this.
      → Answer the question on the terminal, or use “edit library access grant”.
    access-restricted: The program that the command acts for may not do this, and asking does
      not help.
      → The owner of the library can allow it with “edit library access grant”.
    usage-missing: A program asks for a library and does not say why.
      → Say it in one sentence with --usage, which the user is shown.
      ⇒ Say it in one sentence, which the user is shown.
    no-such-client: No program of this name has ever asked for the library.
      → “edit library access list” lists those that have.
    # Opening a library.
    no-library: There is no library in the folder.
      → Make one with “edit library init”.
    catalog-missing: The library's catalog is gone, but the export beside it is there.
      → Make the catalog again with “edit library rebuild”.
    library-folder-taken: A library was to be made in a folder that holds other files.
      → Choose a new or empty folder; folders with photos are added to it afterwards.
    library-newer: A newer Safelight wrote the library's catalog. It was not touched.
      → Update Safelight.
    library-older: An older Safelight wrote the library's catalog, and it was opened only to be read.
      → Any command that changes the library brings it up to date, such as “edit library scan”. When its disk may not be
      written to, copy the whole folder of the library to another disk, and use the copy.
    library-damaged: The library's catalog cannot be read.
      → Make it again with “edit library rebuild”, which reads the export beside it and the
      photos.
    export-damaged: The catalog is to be made again, and the JSON beside it cannot be read.
      → Put a backup of the JSON in its place, or let “edit library rebuild --salvage” take what is
      left; the damaged files are kept.
    library-of-another-user: The library, or a file of its catalog, belongs to another user. Whoever
      wrote the catalog decides over files.
      → When you trust that user, open the library with --trust-owner.
      ⇒ nothing
    library-busy: Another program has been writing to the library for too long.
      → Try again when the other program is done.
    library-unusable: The system does not let the library's files be read or written.
      → Do what the message says; often the folder's permissions need to change.
    folder-unusable: A folder to take photos from is no folder that can be read.
      → Check its name, its permissions, and that its disk is mounted.
    # Naming photos and albums.
    not-in-library: The library has no photo at this path or of this identifier.
      → Take its folder in with “edit library add”, or scan again with “edit library scan”.
    not-in-trash: The photo is not in the library's trash.
      → “edit library trash list” lists what is.
    invalid-predicate: What --where or --sort says cannot be understood; the message names the
      column.
      → Correct it there; “edit library list --help” lists the keys and the comparisons.
    invalid-value: A value has no meaning, such as the size of a picture without pixels.
      → Correct the value that the message names.
    no-such-album: The library has no album, or no folder of albums, of this name.
      → “edit library album list” lists them.
    ambiguous-album: Several albums have this name.
      → Name one with its folder as “folder/name”, or by its identifier.
    album-exists: An album or folder of this name is there already.
      → Choose another name.
    folder-not-empty: A folder of albums that is to be deleted has albums in it.
      → Delete or move these first, or delete them too with --recursive.
      ⇒ Delete or move these first.
    not-in-album: The photo does not show in the album: it is not in it, or hidden.
      → “edit library album add” adds it.
    # “edit library verify”.
    catalog-damaged: “edit library verify” found the catalog damaged.
      → Make it again with “edit library rebuild”.
    counts-wrong: “edit library verify” counted the photos and found other numbers than the
      catalog has.
      → Make the catalog again with “edit library rebuild”.
    export-unreadable: The JSON beside the catalog is damaged.
      → Write it again with “edit library verify --fix”.
    export-outdated: The JSON beside the catalog does not agree with the catalog.
      → Write it again with “edit library verify --fix”.
    folder-missing: A folder of the library is not there, or cannot be read.
      → Check that its disk is mounted.
    photo-missing: A photo is not where the library expects it.
      → “edit library scan” finds it where it was moved to, or takes it out of the library.
    photo-changed: A photo was changed or replaced since the library read it.
      → Scan again with “edit library scan”.
    edit-outdated: A photo's edit is not the one that the library knows.
      → Scan again with “edit library scan”.
    change-unfinished: A change of the library that moves or edits a photo was interrupted.
      → “edit library verify --fix” finishes it, and so does the next command that changes the library.
    change-unproven: The catalog asks for a change of a photo's files, and nothing proves that this user decided it
      on this computer. It is not made.
      → Open the library on the computer, and as the user, that made the change, or finish it with “edit library
      verify --finish-changes” when you trust whoever gave you the library.
    # A server.
    unauthorized: The request came without the token of this server, or with another one.
      → Open the address that “edit serve” printed, or send its token as “Authorization: Bearer”.
    request-refused: The request is for another host name, or comes from a page of another site.
      → Use the address that “edit serve” printed; name a proxy's host with --host.
      ⇒ Use the address that “edit serve” printed.
    bad-request: The request is not as the interface describes it. Nothing changed.
      → Compare the request with /v1/openapi.json.
    unknown-address: The interface has nothing at this address.
      → Compare the address with /v1/openapi.json.
    method-not-allowed: The address is there and takes other methods.
      → Use one of those that the field Allow names.
    no-such-photo: No photo in the folders that are served has this identifier, or it lies outside
      of them.
      → List the photos again.
    not-edited: The photo has no edit, and so no render.
      → Ask for the original: with “kind=original”, or without “kind”.
    no-such-folder: No folder that is served has this identifier.
      → List the folders again.
    no-such-job: The server has no job of this identifier; it forgets old ones, and all when it stops.
      → List the jobs again.
    request-too-large: The request is larger than the server takes. Nothing changed.
      → Send fewer photos or a smaller edit at once.
    not-json: The body of the request is not said to be JSON.
      → Send it with “Content-Type: application/json”.
    key-reused: The Idempotency-Key was used for another request before. Nothing changed.
      → Take a new key for each request.
    superseded: A newer preview of the same session took the place of this one.
      → Show the newer one.
    server-busy: The server has as much to do as it takes on, or is about to stop.
      → Try again in a moment.
    """
}
