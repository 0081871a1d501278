# .ci/test and .ci/check source this file. They build programs, add commands that print TAP to a list, and let prove run
# the list.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"
export BUILD MAKE
word=${1:-}
steps=()

# step COMMAND: adds a command, if it has the word of the command line.
step() { [[ $1 != *"$word"* ]] || steps+=("$1"); }

# made TARGET VARIABLE...: builds the target, and prints the time. A build that fails is a step that fails.
made() {
  local began=$SECONDS
  build -k "$@" || steps+=("false # make $*")
  printf '%4d s  make %s\n' $((SECONDS - began)) "$*"
}

# suites ENVIRONMENT TARGET VARIABLE...: builds the programs of the target, each of which is a step.
suites() {
  local environment=$1 target=$2 before=${#steps[@]} program
  shift 2
  for program in $(build "${target/suites/list-suites}" "$@"); do
    step "${environment:+$environment }.ci/suite $program"
  done
  [ ${#steps[@]} = "$before" ] || made "$target" "$@"
}

run() { exec .ci/prove "${steps[@]}"; }
