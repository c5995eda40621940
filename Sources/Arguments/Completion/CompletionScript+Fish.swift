/// The script for fish; `PROGRAM` and `REQUEST` stand for the program's words.
let fishScript = #"""
  # Completes the command lines of PROGRAM in fish 3.4 and newer.
  function __PROGRAM_answer
    set -l words (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -e words[1]
    set -l token (commandline -ct | string collect)
    # A word whose quote is still open can be unescaped only once it is closed.
    set -l typed ''
    for end in '' \' \"
      set typed (string unescape -- "$token$end" | string collect)
      test -n "$typed"; and break
    end
    set -l prefix ''
    set -l ends ''
    set -l finds ''
    set -l ignored
    for row in ($program REQUEST -- $words "$typed" 2>/dev/null | string split0)
      set -l text (string replace -r '^[a-z]+:' '' -- $row | string collect)
      switch $row
        case 'prefix:*'
          set prefix "$text"
        case 'word:*'
          printf '%s%s\0' "$prefix" "$text"
        case 'files:*'
          set finds files
          test -n "$text"; and set ends "\.($text)\$"
        case folders:
          set finds folders
        case 'ignored:*'
          set -a ignored "$text"
      end
    end
    test -n "$finds"; or return

    set typed (string sub -s (math (string length -- "$prefix") + 1) -- "$typed" | string collect)
    set -l start (string replace -r '^~/' "$HOME/" -- "$typed" | string collect)
    set -l found
    set -l others
    for path in "$start"*
      set -l rest (string sub -s (math (string length -- "$start") + 1) -- "$path" | string collect)
      set -l name "$prefix$typed$rest"
      if test -d $path
        set -a found "$name/"
      else if test $finds = files; and string match -qir "$ends" -- $path
        set -l list found
        for ending in $ignored
          string match -qi -- "*$ending" (string replace -r '.*/' '' -- "$path"); and set list others
        end
        set -a $list "$name"
      end
    end
    if set -q found[1]
      printf '%s\0' $found
    else if set -q others[1]
      printf '%s\0' $others
    end
  end
  complete -c PROGRAM -f -a '(__PROGRAM_answer | string split0)'
  """#
