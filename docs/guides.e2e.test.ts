/** Every command of README.md and of the guides runs, and gets the response that they show. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { load } from 'js-yaml';
import { findPostgres, startPostgres } from '../tools/postgres.ts';
import { startReferenceServer } from '../tools/reference-server.ts';
import { type Block, blocksOf, GUIDES, needsDatabase, play, portsFor, read, ROOT } from './testing/guide.ts';

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edge-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A checkout of its own, for commands that change files. */
function checkout(): string {
  const folder = scratchFolder();
  const left = new Set(['node_modules', 'dist', 'data', '.git', 'reports']);
  for (const name of readdirSync(ROOT).filter((one) => !left.has(one)))
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '-A'], { cwd: folder });
  return folder;
}

/** If undefined, guides that need a database are skipped. */
const postgres = findPostgres();

async function emptyDatabase(bin: string): Promise<{ url: string } & AsyncDisposable> {
  const cluster = await startPostgres({ bin, settings: ['fsync=off'] });
  return { url: await cluster.createDatabase(), [Symbol.asyncDispose]: () => cluster.close() };
}

/** Without ids, times and ports, which differ each time. */
function steady(text: string): unknown {
  return JSON.parse(
    text
      .replaceAll(/\b(edghts|rte|req)_[\w-]+/g, '$1')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'host'),
  );
}

/** Each block of JSON with the commands that it follows. */
function shown(blocks: readonly Block[]): { after: Block; json: string }[] {
  return blocks.flatMap((block, index) =>
    block.language === 'json' ? [{ after: blocks[index - 1]!, json: block.text }] : [],
  );
}

describe.each(GUIDES)('%s', (path) => {
  const blocks = blocksOf(read(path));

  const database = needsDatabase(blocks);
  it.runIf(blocks.some(({ language }) => language === 'sh') && !(database && postgres === undefined))(
    'has commands that work',
    async () => {
      await using cluster = database ? await emptyDatabase(postgres!) : undefined;
      await using served = await startReferenceServer();
      const ports = new Map([...(await portsFor(['4010', '4011', '4012'])), ['8080', new URL(served.url).port]]);
      const played = await play(blocks, {
        cwd: checkout(),
        scratch: scratchFolder(),
        ports,
        database: cluster?.url,
      });
      const answers = shown(blocks);
      for (const { after, json } of answers)
        expect(steady(played.find(({ text }) => text === after.text)!.output)).toEqual(steady(json));
      // Other requests are not refused.
      const expected = new Set(answers.map(({ after }) => after.text));
      for (const { text, output } of played)
        if (!expected.has(text) && /\bcurl\b/.test(text)) expect(output, text).not.toMatch(/"status":\s*[45]\d\d/);
    },
    600_000,
  );
});

it('the workflow for a service runs the suite, and shows its report', async () => {
  await using served = await startReferenceServer();
  const scratch = scratchFolder();
  const { env, jobs } = load(read('docs/workflows/conformance.yml')) as {
    env: Record<string, string>;
    jobs: { conformance: { steps: { run?: string }[] } };
  };
  // The service runs already.
  const commands = jobs.conformance.steps
    .flatMap(({ run }) => run ?? [])
    .filter((run) => !run.includes('start-my-service'));
  const blocks = commands.map((text) => ({ language: 'sh', text: `${text}\n` }));
  const summary = join(scratch, 'summary.md');
  const environment = { ...env, SERVICE: served.url, GITHUB_STEP_SUMMARY: summary };
  await play(blocks, { cwd: scratch, scratch, ports: new Map(), env: environment });
  expect(readFileSync(summary, 'utf8')).toContain('# Conformant');
  expect(existsSync(join(scratch, 'reports', 'report.html'))).toBe(true);
}, 300_000);
