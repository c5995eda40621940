/// The script for bash; `PROGRAM` and `REQUEST` stand for the program's words.
let bashScript = #"""
  # Completes the command lines of PROGRAM in bash 4.4 and newer.
  _PROGRAM() {
    local program=$1 row wanted= is_files= typed= kept= prefix= start path name reply
    local -a rows ignored=() found=() others=()
    COMPREPLY=()
    [[ $program == '~/'* ]] && program=$HOME/${program:2}
    mapfile -d '' -t rows < <(
      "$program" REQUEST -- "${COMP_LINE:0:COMP_POINT}" "$2" 2> /dev/null)
    for row in "${rows[@]}"; do
      case $row in
        word:*) COMPREPLY+=("${row#word:}") ;;
        prefix:*) prefix=${row#prefix:} ;;
        typed:*) typed=${row#typed:} ;;
        kept:*) kept=${row#kept:} ;;
        files:) is_files=yes wanted='*' ;;
        files:*) is_files=yes wanted="*.@(${row#files:})" ;;
        folders:) is_files=yes ;;
        ignored:*) ignored+=("${row#ignored:}") ;;
      esac
    done
    [[ $is_files ]] || return 0

    start=$typed
    [[ $start == '~/'* ]] && start=$HOME/${start:2}
    for path in "$start"*; do
      reply=$prefix$typed${path:${#start}}
      reply=${reply#"$kept"}
      if [[ -d $path ]]; then
        found+=("$reply")
      elif [[ -e $path && ${path,,} == $wanted ]]; then
        for row in "${ignored[@]}"; do
          name=${path##*/}
          [[ ${name,,} == *$row ]] && { others+=("$reply"); continue 2; }
        done
        found+=("$reply")
      fi
    done
    # With this, bash puts quotes where a name needs them, and a slash after a folder.
    (( ${#found[@]} + ${#others[@]} )) && compopt -o filenames 2> /dev/null
    COMPREPLY+=("${found[@]}")
    (( ${#COMPREPLY[@]} )) || COMPREPLY=("${others[@]}")
  }
  complete -o nosort -F _PROGRAM PROGRAM
  """#

/// The script for zsh; `PROGRAM` and `REQUEST` stand for the program's words.
let zshScript = #"""
  #compdef PROGRAM
  # Completes the command lines of PROGRAM in zsh 5 and newer.
  _PROGRAM() {
    local program=${~${(Q)words[1]}} row word section= message= ret=1
    local -a rows list dashed ignored files
    rows=( "${(0@)$(
      "$program" REQUEST -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}" )
    for row in "${rows[@]}" section:; do
      case $row in
        (prefix:*) compset -P "${(b)row#prefix:}" ;;
        (section:*)
          if (( $#list )); then
            dashed=()
            [[ $list[1] == -* ]] && dashed=( -o )
            _describe $dashed -t "${${section:-values}// /-}" "${section:-value}" list && ret=0
          fi
          list=()
          section=${row#section:}
          ;;
        (word:*)
          word=${${row#word:}%%$'\t'*}
          list+=( "${${word//\\/\\\\}//:/\\:}${${row#*$'\t'}:+:}${row#*$'\t'}" )
          ;;
        (files:) files=( _files ) ;;
        (files:*) files=( _files -g "*.(#i)(${row#files:})(-.)" ) ;;
        (folders:) files=( _files -/ ) ;;
        (ignored:*) ignored+=( "*${row#ignored:}" ) ;;
        (message:*) message=${row#message:} ;;
      esac
    done
    if (( $#files )); then
      if (( $#ignored )) && $files -F ignored; then
        ret=0
      elif (( ret || ! $#ignored )) && $files; then
        ret=0
      fi
    fi
    [[ -n $message ]] && _message -e values "$message"
    return ret
  }
  # Read as a file of $fpath, it is the function; read with “source”, it is given to the system.
  if [[ $funcstack[1] == _PROGRAM ]]; then
    _PROGRAM "$@"
  elif (( $+functions[compdef] )); then
    compdef _PROGRAM PROGRAM
  fi
  """#

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
