# Other scripts of this folder source this file, and then write TAP by its functions. The working directory is then the
# root of the repository.
# shellcheck shell=bash
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
BUILD=${BUILD:-build}
MAKE=${MAKE:-make}
count=0 failed=0

# result WORDS NAME: one line of TAP.
result() {
  count=$((count + 1))
  [ "$1" = ok ] || failed=$((failed + 1))
  echo "$1 $count - $2"
}

# check NAME COMMAND...: one test, which passes if the command succeeds. The output of a failed command is shown.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    result ok "$name"
  else
    result 'not ok' "$name"
    sed 's/^/# /' <<<"$output"
  fi
}

skip() { result ok "$1 # SKIP $2"; }

# counted NAME OUTPUT: adds as many tests as the last line "N passed, N failed[, N skipped]" of the output counts.
counted() {
  local counts='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$' i names
  if [[ $(grep -E "$counts" <<<"$2" | tail -n 1) =~ $counts ]] && [ "${BASH_REMATCH[0]//[^1-9]/}" ]; then
    local passed=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[4]:-0}
    for ((i = 0; i < passed; i++)); do result ok "$1"; done
    for ((i = 0; i < bad; i++)); do result 'not ok' "$1"; done
    [ "$bad" = 0 ] || sed 's/^/# /' <<<"$2"
    # A line "skipped NAME: REASON" belongs to each skipped test.
    mapfile -t names < <(sed -nE 's/^ *skipped:? //p' <<<"$2")
    for ((i = 0; i < skipped; i++)); do skip "$1" "${names[i]:-without a name}"; done
  else
    result 'not ok' "$1 has not run to its end"
    sed 's/^/# /' <<<"$2"
  fi
}

# add COMMAND...: runs a command that ends with a line of counts, and adds them.
add() {
  local output
  output=$("$@" 2>&1)
  counted "$*" "$output"
}

# same FILE COMMAND...: whether the command prints the text of the file.
same() {
  local expected got
  expected=$(cat "$1") && got=$("${@:2}") || return
  [ "$got" = "$expected" ] || { echo "got $got, expected $expected" && false; }
}

# Every script ends with this.
finish() {
  echo "1..$count"
  [ "$failed" = 0 ]
  exit
}

# Makes targets, with as many jobs as there are processors, unless `make -j` has started this script.
build() {
  local jobs=
  case ${MAKEFLAGS:-} in *jobserver*) ;; *) jobs=-j$(getconf _NPROCESSORS_ONLN) ;; esac
  "$MAKE" -s --no-print-directory $jobs "$@"
}

# What the library says of itself, and what a native part for this machine is called.
version=$(sed -n 's/^#define SAT_VERSION "\(.*\)"$/\1/p' csrc/sat.h)
here="Linux on $(uname -m | sed 's/x86_64/x86-64/; s/aarch64/AArch64/')"

# tells SAID TEXT...: whether all of these are in what was said.
tells() {
  local text
  for text in "${@:2}"; do [[ $1 == *"$text"* ]] || { printf 'not said: %s\n%s\n' "$text" "$1" && return 1; }; done
}

# alone HOME COMMAND...: with nothing of the user's, neither their modules nor their settings.
alone() {
  env -u DISPLAY -u WAYLAND_DISPLAY -u LUA_PATH -u LUA_CPATH HOME="$1" XDG_RUNTIME_DIR="$1" XDG_DATA_HOME="$1/data" \
    SDL_AUDIODRIVER=dummy LIBGL_ALWAYS_SOFTWARE=1 timeout 120 "${@:2}" 2>&1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Makes the folder `work`, which is gone when the script ends.
temporary() { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }

# The Luas that the checks are about, and Lua 5.5 where it is found, since Debian does not have it: see .ci/lua5.5.
luas=(lua5.1 lua5.2 lua5.3 lua5.4 luajit)
if have lua5.5 && pkg-config --exists lua5.5; then luas+=(lua5.5); fi
known() { [[ " ${luas[*]} " == *" $1 "* ]]; }
