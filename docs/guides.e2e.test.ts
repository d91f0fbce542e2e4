/** Every command of README.md and of the guides is run, and the responses that they show are those that come. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { load } from 'js-yaml';
import { createIndependentService } from '../conformance/self/independent/index.ts';
import { serve } from '../conformance/self/service.ts';
import { findPostgres, startPostgres } from '../tools/postgres.ts';
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

/** The service of a reader, on port 8080 of the guides: a correct one, of the core level. */
async function readersService(): Promise<{ url: string } & AsyncDisposable> {
  const { url, close } = await serve(createIndependentService({ level: 'core' }));
  return { url, [Symbol.asyncDispose]: () => close() };
}

/** Undefined: what needs a database is skipped. */
const postgres = findPostgres();

async function emptyDatabase(bin: string): Promise<{ url: string } & AsyncDisposable> {
  const cluster = await startPostgres({ bin, settings: ['fsync=off'] });
  return { url: await cluster.createDatabase(), [Symbol.asyncDispose]: () => cluster.close() };
}

/** Says that nothing is broken: oasdiff itself, which needs Go, is tried by docs/breaking/check.beyond.ts. */
function standInForOasdiff(scratch: string): string {
  const path = join(scratch, 'oasdiff');
  writeFileSync(path, '#!/bin/sh\necho "[]"\n', { mode: 0o755 });
  return path;
}

/** Without what is another one each time. */
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
      await using served = await readersService();
      const scratch = scratchFolder();
      const ports = new Map([...(await portsFor(['4010', '4011', '4012'])), ['8080', new URL(served.url).port]]);
      const played = await play(blocks, {
        cwd: checkout(),
        scratch,
        ports,
        database: cluster?.url,
        env: { OASDIFF: standInForOasdiff(scratch) },
      });
      const answers = shown(blocks);
      for (const { after, json } of answers)
        expect(steady(played.find(({ text }) => text === after.text)!.output)).toEqual(steady(json));
      // What is not shown to be refused is not refused.
      const expected = new Set(answers.map(({ after }) => after.text));
      for (const { text, output } of played)
        if (!expected.has(text) && /\bcurl\b/.test(text)) expect(output, text).not.toMatch(/"status":\s*[45]\d\d/);
    },
    600_000,
  );
});

describe('the workflows', () => {
  interface Workflow {
    env?: Record<string, string>;
    jobs: Record<string, { steps: { name?: string; run?: string; uses?: string }[] }>;
  }
  const stepsOf = (path: string) => Object.values((load(read(path)) as Workflow).jobs).flatMap(({ steps }) => steps);

  it('of a service checks it, and shows what was found', async () => {
    await using served = await readersService();
    const scratch = scratchFolder();
    const workflow = load(read('docs/workflows/conformance.yml')) as Workflow;
    const commands = stepsOf('docs/workflows/conformance.yml').flatMap(({ run }) => run ?? []);
    // The service runs already.
    const blocks = commands
      .filter((run) => !run.includes('start-my-service'))
      .map((text) => ({ language: 'sh', text: `${text}\n` }));
    expect(blocks).toHaveLength(commands.length - 1);
    const summary = join(scratch, 'summary.md');
    await play(blocks, {
      cwd: scratch,
      scratch,
      ports: new Map(),
      env: { ...workflow.env, SERVICE: served.url, GITHUB_STEP_SUMMARY: summary },
    });
    expect(readFileSync(summary, 'utf8')).toContain('# Conformant');
    expect(existsSync(join(scratch, 'reports', 'report.html'))).toBe(true);
  }, 300_000);
});
