# .ci/test and .ci/check source this file. They build programs, add commands that print TAP to a list, and let prove run
# the list.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"
export BUILD MAKE
word=${1:-}
steps=()

# step COMMAND: adds a command, if it has the word of the command line and none of those of LEFT_OUT.
step() {
  local out
  [[ $1 == *"$word"* ]] || return 0
  for out in ${LEFT_OUT:-}; do [[ $1 != *"$out"* ]] || return 0; done
  steps+=("$1")
}

# made TARGET VARIABLE...: builds the target, and prints the time. A build that fails is a step that fails.
made() {
  local began=$SECONDS
  build -k "$@" || steps+=("false # make $*")
  printf '%4d s  make %s\n' $((SECONDS - began)) "$*"
}

# programs TARGET VARIABLE...: the paths of the programs that the target builds.
programs() {
  local target=$1 kind=
  shift
  case $target in sanitized-* | fuzzing-*) kind=${target%%-*}- target=${target#*-} ;; esac
  build "${kind}list-$target" "$@"
}

# suites COMMAND TARGET VARIABLE...: builds the programs of the target, and adds a step that runs each by the command.
suites() {
  local command=$1 before=${#steps[@]} program list
  shift
  list=$(programs "$@")
  [ "$list" ] || steps+=("false # no programs of make $*")
  for program in $list; do step "$command $program"; done
  [ ${#steps[@]} = "$before" ] || made "$@"
}

run() { exec .ci/prove "${steps[@]}"; }
