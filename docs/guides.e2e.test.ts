/** Every command of README.md and of the guides runs, and gets the response that they show. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { load } from 'js-yaml';
import { findPostgres, startPostgres } from '../tools/postgres.ts';
import { startReferenceServer } from '../tools/reference-server.ts';
import { temporaryFolder } from '../tools/temporary-folder.ts';
import { type Block, blocksOf, DATABASE, GUIDES, play, read, ROOT } from './testing/guide.ts';

/** A checkout of its own, for commands that change files. */
async function checkout(): Promise<string> {
  const folder = await temporaryFolder();
  const left = new Set(['node_modules', 'dist', 'data', '.git', 'reports']);
  for (const name of readdirSync(ROOT).filter((one) => !left.has(one)))
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '-A'], { cwd: folder });
  return folder;
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

/** The commands of the workflow that guides offer to services, whose service runs already. */
function workflowBlocks(): Block[] {
  const { env, jobs } = load(read('docs/workflows/conformance.yml')) as {
    env: Record<string, string>;
    jobs: { conformance: { steps: { run?: string }[] } };
  };
  const settings = Object.entries(env).map(([name, value]) => `export ${name}=${value}`);
  const steps = jobs.conformance.steps
    .flatMap(({ run }) => run ?? [])
    .filter((run) => !run.includes('start-my-service'));
  return [...settings, 'GITHUB_STEP_SUMMARY=summary.md', ...steps].map((text) => ({
    language: 'sh',
    text: `${text}\n`,
  }));
}

const guides = GUIDES.map((path): [string, Block[]] => [path, blocksOf(read(path))]);
const commands = [...guides, ['docs/workflows/conformance.yml', workflowBlocks()] as const].filter(([, blocks]) =>
  blocks.some(({ language }) => language === 'sh'),
);

it.for(commands)('%s has commands that work', { timeout: 600_000 }, async ([, blocks], { skip }) => {
  const needsDatabase = blocks.some(({ text }) => text.includes(DATABASE));
  const bin = needsDatabase ? findPostgres() : undefined;
  skip(needsDatabase && bin === undefined, 'PostgreSQL is not installed');
  const cluster = bin === undefined ? undefined : await startPostgres({ bin, settings: ['fsync=off'] });
  onTestFinished(() => cluster?.close());
  await using served = await startReferenceServer();
  const played = await play(blocks, {
    cwd: await checkout(),
    scratch: await temporaryFolder(),
    service: served.url,
    database: await cluster?.createDatabase(),
  });
  for (const { text, output } of played) {
    const next = blocks[blocks.findIndex((block) => block.text === text) + 1];
    if (next?.language === 'json') expect(steady(output)).toEqual(steady(next.text));
    // Other requests are not refused.
    else if (/\bcurl\b/.test(text)) expect(output, text).not.toMatch(/"status":\s*[45]\d\d/);
  }
});
