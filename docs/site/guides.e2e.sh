# Bash functions that stand in front of the commands of the same name (guides.e2e.test.ts).
set -euo pipefail
npm() {
  case "$*" in
    ci*|install*|test*|pack*|'run client'*) ;;
    start*) shift; [ "$*" = "" ] || shift; serve "$@" ;;
    'run conformance'*) shift 3; conformance "$@" ;;
    'run docs') [ -s "$ROOT/openapi.yaml" ] ;;
    *) command npm "$@" ;;
  esac
}
node() {
  case "$*" in
    'tools/run.js server/testing/'*|'tools/run.js docs/site/breaking/'*|'tools/run.js clients/round-trip/'*) ;;
    *) command node "$@" ;;
  esac
}
npx() {
  while [ $1 != @edge-contract/conformance ] && [ $1 != edge-server ]; do shift; done
  case "$*" in
    @edge-contract/conformance*) shift; conformance "$@" ;;
    'edge-server export'*|'edge-server import'*) shift; node "$ROOT/dist/server/main.js" "$@" ;;
    'edge-server salvage'*) ;; # It needs a damaged folder that no server uses.
    edge-server*) shift; serve "$@" ;;
  esac
}
# The contract that a reader brings: a small one, which the reference server keeps, too.
cat >petstore.yaml <<'CONTRACT'
openapi: 3.1.0
info: {title: Edges, version: 1.0.0}
paths:
  /edges/https:
    get:
      operationId: listEdges
      responses:
        '200': {description: A page., content: {application/json: {schema: {type: object}}}}
CONTRACT
conformance() { node "$ROOT/dist/conformance/main.js" "$@" --runs 2; }
serve() {
  # In the background, where a reader would use another terminal.
  local data=
  if [ -z "$DATABASE_URL" ]; then data=$(mktemp -d "$SCRATCH/data.XXXXXX"); ln -sfn "$data" data; fi
  # By env, because the function "node" would put a shell around the server, which outlives it.
  PORT=$DEFAULT_PORT DATA_DIR=$data env node "$ROOT/dist/server/main.js" "$@" >>"$SCRATCH/log" 2>>"$SCRATCH/servers" &
  local pid=$! before; before=$(grep -c '^Data' "$SCRATCH/servers" || true)
  until [ "$(grep -c '^Data' "$SCRATCH/servers")" -gt "$before" ]; do kill -0 "$pid"; sleep 0.1; done
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
touch "$SCRATCH/servers"
