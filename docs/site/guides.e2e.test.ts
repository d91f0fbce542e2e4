/**
 * Every command of README.md and of the guides runs, those of a guide in a session, and gets the
 * response shown. Ports differ, so that tests do not meet; the suite has fewer runs; other tests or
 * steps of .ci/run run some commands.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPostgres, freePort, startPostgres } from '../../tools/postgres.ts';
import { startReferenceServer } from '../../tools/reference-server.ts';
import { run } from '../../tools/shell.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { type Block, blocksOf, GUIDES, read, ROOT } from './guides.ts';

/** A separate checkout, for commands that change files. */
async function checkout(): Promise<string> {
  const folder = await temporaryFolder();
  const left = new Set(['node_modules', 'dist', 'data', '.git', 'reports']);
  for (const name of readdirSync(ROOT).filter((one) => !left.has(one))) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '-A'], { cwd: folder });
  return folder;
}

const PRELUDE = readFileSync(join(import.meta.dirname, 'guides.e2e.sh'), 'utf8');

/** The database that guides name. */
const DATABASE = 'postgres://edge:password@db.example:5432/edges';

/**
 * The shell blocks, each with its stdout; guides expect `service` on port 8080.
 * @throws Error if a command fails
 */
async function play(blocks: readonly Block[], service: string, database = DATABASE) {
  const cwd = await checkout();
  const scratch = await temporaryFolder();
  const ports: Record<string, unknown> = { '8080': new URL(service).port };
  for (const name of ['4010', '4011', '4012']) {
    ports[name] = await freePort();
  }
  const mapped = (text: string): string =>
    text
      .replaceAll(/(?<=127\.0\.0\.1:|--port )\d+/g, (port) => String(ports[port] ?? port))
      .replaceAll(DATABASE, database);
  const scripts = blocks.filter(({ language }) => language === 'sh');
  const session = scripts.map(({ text }) => `printf '\\n%s\\n' ::block\n${mapped(text)}`);
  const env = { DATABASE_URL: '', ROOT, SCRATCH: scratch, DEFAULT_PORT: String(ports['4010']) };
  const { stdout } = await run({
    command: 'bash',
    args: ['-c', [PRELUDE, ...session].join('\n')],
    cwd,
    env,
  });
  const [, ...outputs] = stdout.split(/^::block$/m);
  return scripts.map(({ text }, index) => ({ text, output: outputs[index]!.trim() }));
}

/** Without ids, times and ports, which differ each time. */
function steady(text: string): unknown {
  const VARYING =
    /(?<=\b(?:edghts|rte|req))_[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=127\.0\.0\.1):\d+/g;
  return JSON.parse(text.replaceAll(VARYING, ''));
}

const guides = GUIDES.map((path): [string, Block[]] => [path, blocksOf(read(path))]);
const commands = guides.filter(([, blocks]) => blocks.some(({ language }) => language === 'sh'));

it.for(commands)(
  '%s has commands that work',
  { timeout: 600_000 },
  async ([, blocks], { skip }) => {
    const needsDatabase = blocks.some(({ text }) => text.includes(DATABASE));
    const bin = needsDatabase ? findPostgres() : undefined;
    skip(needsDatabase && bin === undefined, 'PostgreSQL is not installed');
    const cluster =
      bin === undefined ? undefined : await startPostgres({ bin, settings: ['fsync=off'] });
    onTestFinished(() => cluster?.close());
    await using served = await startReferenceServer();
    for (const { text, output } of await play(
      blocks,
      served.url,
      await cluster?.createDatabase(),
    )) {
      const next = blocks[blocks.findIndex((block) => block.text === text) + 1];
      if (next?.language === 'json') {
        expect(steady(output)).toEqual(steady(next.text));
      }
      // Other requests are not refused.
      else if (/\bcurl\b/.test(text)) {
        expect(output, text).not.toMatch(/"status":\s*[45]\d\d/);
      }
    }
  },
);
