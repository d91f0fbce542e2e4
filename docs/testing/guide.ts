/**
 * Plays a guide: all its shell commands in one session, in their order, as a reader would type them.
 *
 * These differ from a reader's machine: ports, so that tests do not meet; fewer runs of the conformance suite; and a few
 * commands that other tests or steps of .ci/run run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/postgres.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The paths of READMEs and guides. */
export const GUIDES = [
  'README.md',
  'clients/typescript/README.md',
  'server/README.md',
  ...['docs', 'docs/maintainers'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

export interface Block {
  language: string;
  text: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** Bash functions that stand in front of the commands of the same name. */
const PRELUDE = String.raw`
set -euo pipefail
npm() {
  case "$*" in
    ci*|install*|test*|pack*|'run client'*|audit*) ;;
    start*) shift; [ "$*" = "" ] || shift; serve "$@" ;;
    'run conformance'*) shift 3; conformance "$@" ;;
    'run docs') [ -s "$ROOT/openapi.yaml" ] ;;
    *) command npm "$@" ;;
  esac
}
node() {
  case "$*" in
    'tools/run.js server/testing/'*|'tools/run.js docs/breaking/'*|'tools/run.js clients/round-trip/'*) ;;
    *) command node "$@" ;;
  esac
}
npx() {
  while [ $1 != edge-conformance ] && [ $1 != edge-server ]; do shift; done
  case "$*" in
    edge-conformance*) shift; conformance "$@" ;;
    'edge-server export'*|'edge-server import'*) shift; node "$ROOT/dist/server/main.js" "$@" ;;
    'edge-server salvage'*) ;; # It needs a damaged folder that no server uses.
    edge-server*) shift; serve "$@" ;;
  esac
}
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
`;

/** The database that guides name. */
export const DATABASE = 'postgres://edge:password@db.example:5432/edges';

export interface Play {
  /** The folder in which the commands run. */
  cwd: string;
  /** A folder that the session may fill. */
  scratch: string;
  /** The address of the service that guides expect on port 8080. */
  service: string;
  /** The URL of an empty database, if the guide names one. */
  database?: string | undefined;
}

/**
 * The shell blocks, each with what its commands wrote to stdout.
 * @throws Error with the end of what was printed, if a command fails
 */
export async function play(
  blocks: readonly Block[],
  { cwd, scratch, service, database = DATABASE }: Play,
): Promise<{ text: string; output: string }[]> {
  const ports: Record<string, unknown> = { '8080': new URL(service).port };
  for (const name of ['4010', '4011', '4012']) ports[name] = await freePort();
  const mapped = (text: string): string =>
    text
      .replaceAll(/(?<=127\.0\.0\.1:|--port )\d+/g, (port) => String(ports[port] ?? port))
      .replaceAll(DATABASE, database);
  const scripts = blocks.filter(({ language }) => language === 'sh');
  const session =
    PRELUDE + scripts.map(({ text }, index) => `printf '\\n%s\\n' '::block ${index}'\n${mapped(text)}`).join('\n');
  const child = spawn('bash', ['-c', session], {
    cwd,
    env: { ...process.env, DATABASE_URL: '', ROOT, SCRATCH: scratch, DEFAULT_PORT: String(ports['4010']) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`the session ended with ${code}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  const outputs = stdout.split(/^::block \d+$/m).slice(1);
  return scripts.map(({ text }, index) => ({ text, output: outputs[index]!.trim() }));
}
