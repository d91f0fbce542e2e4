/**
 * Plays a guide: all its shell commands in one session, in their order, as a reader would type them.
 *
 * What differs from a reader's machine: ports, so that tests do not meet; and the few commands of `npm` that would run
 * the tests within the tests, or that .ci/run runs for real.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Of each README and of each guide, the path. */
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

export interface Played extends Block {
  /** What the commands of this block wrote to stdout. */
  output: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** Of each port that a guide names, the one that is used in its place. */
export async function portsFor(names: readonly string[]): Promise<Map<string, string>> {
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = new Map(names.map((name, index) => [name, String((servers[index]!.address() as AddressInfo).port)]));
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Bash functions that stand in front of the commands of the same name. */
const PRELUDE =
  String.raw`
set -euo pipefail
npm() {
  case "$1 ` +
  '${2:-}' +
  String.raw`" in
    'ci '*|'install '*|'test '*|'pack '*|'run client'*|'audit ') ;; # Installed; running; tried by tests of their own, some beyond Node.
    'start '*) shift; [ "` +
  '${1:-}' +
  String.raw`" != -- ] || shift; serve "$@" ;;
    'run conformance') shift 3; node "$ROOT/dist/conformance/main.js" "$@" ;;
    'run docs') [ -s "$ROOT/openapi.yaml" ] ;;
    *) command npm "$@" ;;
  esac
}
node() {
  case "$*" in
    'tools/run.js server/testing/'*|'tools/run.js docs/breaking/'*|'tools/run.js clients/round-trip/'*) ;; # Steps of .ci/run.
    *) command node "$@" ;;
  esac
}
npx() {
  while [ $# -gt 0 ]; do
    case "$1" in
      edge-conformance) shift; node "$ROOT/dist/conformance/main.js" "$@"; return ;;
      edge-server)
        shift
        case "` +
  '${1:-}' +
  String.raw`" in
          export|import) node "$ROOT/dist/server/main.js" "` +
  '${@/#.\\/data/$DATA}' +
  String.raw`" ;;
          salvage) ;; # Of a folder that is damaged, and that no server holds.
          *) serve "$@" ;;
        esac
        return ;;
      *) shift ;;
    esac
  done
  return 1
}
serve() {
  # In the background, where a reader would take another terminal.
  local data=; [ -n "` +
  '${DATABASE_URL:-}' +
  String.raw`" ] || data=$(mktemp -d "$SCRATCH/data.XXXXXX")
  DATA=$data
  # By env: the function of the name would be a shell around the server, which outlives it.
  PORT=$DEFAULT_PORT DATA_DIR=$data env node "$ROOT/dist/server/main.js" "$@" >>"$SCRATCH/log" 2>>"$SCRATCH/servers" &
  local pid=$! before; before=$(grep -c '^Data' "$SCRATCH/servers" || true)
  until [ "$(grep -c '^Data' "$SCRATCH/servers")" -gt "$before" ]; do kill -0 "$pid"; sleep 0.1; done
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
touch "$SCRATCH/servers"
`;

/** The database that guides name. */
const DATABASE = 'postgres://edge:password@db.example:5432/edges';

export function needsDatabase(blocks: readonly Block[]): boolean {
  return blocks.some(({ text }) => text.includes(DATABASE));
}

export interface Play {
  /** Where the commands run. */
  cwd: string;
  /** A folder that the session may fill. */
  scratch: string;
  ports: ReadonlyMap<string, string>;
  /** The URL of an empty one, where the guide names one. */
  database?: string | undefined;
  env?: Record<string, string>;
}

/** @throws Error with what was printed, where a command fails */
export async function play(
  blocks: readonly Block[],
  { cwd, scratch, ports, database = DATABASE, env = {} }: Play,
): Promise<Played[]> {
  const mapped = (text: string): string =>
    text.replaceAll(/(?<=127\.0\.0\.1:|--port )\d+/g, (port) => ports.get(port) ?? port).replaceAll(DATABASE, database);
  const scripts = blocks.filter(({ language }) => language === 'sh');
  const session =
    PRELUDE + scripts.map(({ text }, index) => `printf '\\n%s\\n' '::block ${index}'\n${mapped(text)}`).join('\n');
  const child = spawn('bash', ['-c', session], {
    cwd,
    env: { ...process.env, ...env, ROOT, SCRATCH: scratch, DEFAULT_PORT: ports.get('4010') ?? '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`the session ended with ${code}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  const outputs = stdout.split(/^::block \d+$/m).slice(1);
  return scripts.map((block, index) => ({ ...block, output: outputs[index]!.trim() }));
}
