# What the scripts of this folder share; to be sourced with CMAKE SOURCE BUILD.
# shellcheck shell=bash
cmake=$1 source=$2 build=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# expect WHAT COMMAND...: the command succeeds; what it prints is shown when not.
expect() {
  local what=$1 text
  shift
  if text=$("$@" 2>&1); then
    echo "ok      $what"
  else
    printf 'FAILED  %s\n%s\n' "$what" "$text"
    failures=$((failures + 1))
  fi
}

says() { grep -qF -- "$2" "$1" || { echo "'$2' is not in:" && tail -n 20 "$1" && false; }; }
not() { ! "$@"; }
finish() { [ "$failures" -eq 0 ]; }
