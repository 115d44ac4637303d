#!/bin/sh
# Everything `npm run check` looks at, side by side: one line each, and the output of those that failed.
cd "$(dirname "$0")/.." || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
PATH=$PWD/node_modules/.bin:$PATH

# Lockfiles must name no download address, and no file a package registry or a place on somebody's machine.
addresses() {
  ! grep -n '"resolved": *"[a-z+]*:' package-lock.json || return 1
  set -- -e 'registry\.[a-z0-9-]+\.(com|org|net|io|dev)\b' -e 'npmjs\.(com|org)' -e '://[^/ ]*registry'
  parent=${PWD%/*}
  case $parent in
    '' | /home | /mnt | /opt | /root | /srv | /tmp | /usr/* | /var/*) ;;
    *) set -- "$@" -e "(^|[^A-Za-z0-9_./-])$parent/" ;;
  esac
  ! grep -rInE "$@" . --exclude-dir=node_modules --exclude-dir=dist --exclude-dir=.git --exclude-dir=.conclave
}

names=
pids=
start() {
  name=$1
  shift
  "$@" >"$out/$name" 2>&1 &
  names="$names $name"
  pids="$pids $!"
}

start types tsc -p .
start core-types tsc -p tsconfig.core.json
start web-types tsc -p tsconfig.web.json
start lint oxlint
start format oxfmt --check
start boundaries sh scripts/node.sh scripts/check-boundaries.ts
start scenarios sh scripts/node.sh scripts/check-scenarios.ts
start addresses addresses

failed=0
set -- $pids
for name in $names; do
  if wait "$1"; then
    echo "$name: ok"
  else
    echo "$name: FAILED"
    sed 's/^/  /' "$out/$name"
    failed=1
  fi
  shift
done
exit $failed
