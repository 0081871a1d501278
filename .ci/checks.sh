# For the scripts of this folder to source: counts checks. It leaves them in the repository's root.
# shellcheck shell=bash
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
BUILD=${BUILD:-build}
MAKE=${MAKE:-make}
passed=0 failed=0 skipped=0

# check NAME COMMAND...: one check, by the command's exit status.
check() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "skipped: $1: $2"
}

# add COMMAND...: runs a command that ends with such a line as finish writes, and adds to the counts.
add() {
  local output counts='^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$'
  output=$("$@" 2>&1)
  printf '%s\n' "$output"
  if [[ $(grep -E "$counts" <<<"$output" | tail -n 1) =~ $counts ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
  else
    check "$* ran to its end" false
  fi
}

# same FILE COMMAND...: whether the command prints what is in the file.
same() {
  local expected got
  expected=$(cat "$1") && got=$("${@:2}") || return
  [ "$got" = "$expected" ] || { echo "got $got, expected $expected" && false; }
}

# The last line of every step, and its exit status.
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
}

# Makes targets, with as many jobs as there are processors; where `make -j` leads, there are jobs already.
build() {
  local jobs=
  case ${MAKEFLAGS:-} in *jobserver*) ;; *) jobs=-j$(getconf _NPROCESSORS_ONLN) ;; esac
  "$MAKE" -s --no-print-directory $jobs "$@"
}

have() { command -v "$1" >/dev/null 2>&1; }
