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
