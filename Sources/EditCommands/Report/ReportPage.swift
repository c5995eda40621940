/// The page around the entries of a report.
enum ReportPage {
  /// How a report begins, to tell it from other pages.
  static let mark = "<!doctype html><!-- A report of Safelight -->"

  /// Everything before the first entry.
  ///
  /// The policy lets the page load nothing but its pictures, and run nothing but its own script,
  /// whatever a photo may be called.
  static func head(title: String) -> String {
    let title = HTMLText.escaped(title.onOneLine)
    return """
      \(mark)
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      img-src 'self' file:; style-src 'unsafe-inline'; script-src '\(ReportScript.hash)'; \
      base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(title)</title>
      <style>\(style)</style>
      <script>\(ReportScript.text)</script>
      </head><body>
      <header><h1><bdi>\(title)</bdi></h1><p id="totals" aria-live="polite"></p>
      <form id="choice" hidden role="search">
      <label>Name <input id="name" type="search" autocomplete="off" spellcheck="false"></label>
      <label>Status <select id="status"><option value="">all</option></select></label>
      <label>Filter <select id="filter"><option value="">all</option></select></label>
      </form></header>
      <main id="entries">

      """
  }

  /// Everything after the last entry.
  static let end = "</main><div id=\"end\" hidden></div></body></html>\n"

  private static let style = """

    :root { color-scheme: light dark; --back: #f4f4f4; --card: #fff; --ink: #1c1c1c;
      --quiet: #5c5c5c; --line: #d4d4d4; --bad: #b3261e; --accent: #0b57d0; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #1c1c1c; --card: #262626; --ink: #ececec; --quiet: #a8a8a8;
        --line: #404040; --bad: #ff8a80; --accent: #8ab4f8; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--ink);
      font: 15px/1.45 system-ui, sans-serif; }
    header { position: sticky; top: 0; z-index: 2; padding: .8rem 1.2rem;
      background: var(--back); border-bottom: 1px solid var(--line); }
    h1 { margin: 0; font-size: 1.1rem; overflow-wrap: anywhere; }
    #totals { margin: .2rem 0 .5rem; color: var(--quiet); }
    #choice { display: flex; flex-wrap: wrap; gap: .4rem 1rem; }
    #choice[hidden] { display: none; }
    input[type=search], select { font: inherit; padding: .2rem .4rem; }
    main { display: grid; gap: 1rem; padding: 1.2rem;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
    article { background: var(--card); border: 1px solid var(--line); border-radius: 6px;
      overflow: hidden; padding-bottom: .6rem;
      content-visibility: auto; contain-intrinsic-size: auto 20rem; }
    article[hidden] { display: none; }
    .failed { order: -1; border-color: var(--bad); }
    article > h2, article > p { margin: .5rem .8rem 0; overflow-wrap: anywhere; }
    h2 { font-size: 1rem; }
    .facts, .hint, ul { color: var(--quiet); }
    .error { color: var(--bad); }
    ul { margin: .5rem .8rem 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
    .view { position: relative; aspect-ratio: 3 / 2; background: #1c1c1c; --at: 50%; }
    .view img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain;
      color: #ececec; font-size: .8rem; }
    .pair .before { clip-path: inset(0 calc(100% - var(--at)) 0 0); background: #1c1c1c; }
    .pair::after { content: ""; position: absolute; top: 0; bottom: 0; left: var(--at);
      width: 2px; margin-left: -1px; background: #fff; box-shadow: 0 0 0 1px #0008;
      pointer-events: none; }
    .pair input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0;
      opacity: 0; cursor: ew-resize; }
    .pair:focus-within { outline: 3px solid var(--accent); outline-offset: -3px; z-index: 1; }

    """
}
