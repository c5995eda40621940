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
