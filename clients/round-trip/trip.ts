/** One language: make the client, build the example and the samples with it, run it against a server, compare what it prints. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { type Client, clientFolder, contract } from '../command/languages.ts';
import { type SampleLanguage, samplesOf } from '../samples/index.ts';
import { classOf } from '../samples/java.ts';
import type { Json } from '../samples/json.ts';
import { ruledColumns } from '../../tools/columns.ts';
import { startReferenceServer } from '../../tools/reference-server.ts';
import { CommandError, missing, run } from '../../tools/shell.ts';

const TOKEN = 'round-trip-token';
/** For clients without a file of their own. */
const EXPECTED = join(clientFolder('round-trip'), 'expected.txt');

export interface Trip {
  language: Client;
  result: 'passed' | 'failed' | 'skipped';
  /** Seconds; undefined where it did not come so far. */
  generateS?: number;
  buildS?: number;
  /** The failure, or the reason why it was skipped. */
  detail?: string;
}

/** Never rejects for what a language does: that is its result. */
export async function trip(language: Client, path = process.env['PATH'] ?? ''): Promise<Trip> {
  const absent = missing([...new Set([...language.toGenerate, ...language.toRun])], path);
  if (absent.length > 0) return { language, result: 'skipped', detail: `${absent.join(', ')} missing` };
  const done: Trip = { language, result: 'failed' };
  const folder = mkdtempSync(join(tmpdir(), 'edge-client-'));
  const server = await startReferenceServer(TOKEN);
  try {
    await makeAndRun(language, folder, server.url, done);
    return { ...done, result: 'passed' };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { ...done, detail: error.message };
  } finally {
    // No "await using", which Node 20 does not know: tests alone are transpiled for it.
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws {CommandError} where it does not do what it should */
async function makeAndRun(language: Client, folder: string, url: string, done: Trip): Promise<void> {
  cpSync(clientFolder(language.name), folder, {
    recursive: true,
    filter: (path) => !/[\\/](dist|node_modules)$/.test(path),
  });
  const samples = writeSamples(language.name, folder, url);
  const client = join(folder, 'client');
  mkdirSync(client, { recursive: true });
  done.generateS = await seconds(() => language.generate(client));
  done.buildS = await seconds(async () => {
    for (const step of language.build(folder)) {
      const { output } = await run(step);
      const warning = output.split('\n').find((line) => /warning/i.test(line));
      if (warning !== undefined) throw new CommandError(`${step.command} warns: ${output}`);
    }
  });
  const step = language.example(folder);
  const { stdout } = await run({ ...step, env: { ...step.env, EDGE_URL: url, EDGE_TOKEN: TOKEN } });
  const own = join(folder, 'expected.txt');
  const detail = difference(stdout, existsSync(own) ? own : EXPECTED);
  if (detail !== undefined) throw new CommandError(detail);
  // The one that docs/generate-a-client.md shows. All are compiled above.
  const shown = samples.find((name) => name.startsWith('CreateEdge'));
  if (shown === undefined || language.sample === undefined) return;
  const sample = language.sample(folder, shown);
  const { output } = await run({ ...sample, env: { ...sample.env, API_TOKEN: TOKEN } });
  if (!output.includes('Public storefront')) throw new CommandError(`the sample ${shown} printed:\n${output}`);
}

/** Where the build of a language looks for programs. */
const PLACES: Record<string, { samples: SampleLanguage; file: (name: string) => string }> = {
  typescript: { samples: 'TypeScript', file: (name) => join('client', 'samples', `${name}.ts`) },
  python: { samples: 'Python', file: (name) => join('samples', `${name}.py`) },
  go: { samples: 'Go', file: (name) => join('samples', name, 'main.go') },
  java: { samples: 'Java', file: (name) => join('samples', `${name}.java`) },
  rust: { samples: 'Rust', file: (name) => join('examples', `${name}.rs`) },
};

/** Puts the samples beside the example, so that they are compiled with it. @returns their names; none of a public client */
function writeSamples(language: string, folder: string, url: string): string[] {
  const place = PLACES[language];
  if (place === undefined) return [];
  const document = load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA }) as Json;
  return samplesOf(document, place.samples).map(({ request, source }) => {
    const name = classOf(request);
    const file = join(folder, place.file(name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source.replaceAll(request.base, url));
    return name;
  });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The first line that is not as expected; undefined where all are. */
export function difference(stdout: string, file = EXPECTED): string | undefined {
  const expected = readFileSync(file, 'utf8').trimEnd().split('\n');
  const lines = stdout.trimEnd().split(/\r?\n/);
  const index = [...expected, ...lines].findIndex((_, at) => expected[at] !== lines[at]);
  return expected[index] === lines[index]
    ? undefined
    : `line ${index + 1}\n  expected ${expected[index] ?? '(no more)'}\n  printed  ${lines[index] ?? '(no more)'}`;
}

/** A table, what went wrong, and a last line `N passed, N failed`, with `, N skipped` where there are some. */
export function table(trips: readonly Trip[]): string {
  const time = (value?: number) => value?.toFixed(1) ?? '-';
  const head = ['language', 'generator', 'version', 'generate s', 'build s', 'result'];
  const rows = trips.map(({ language: { name, generator, version }, result, generateS, buildS }) => [
    name,
    generator,
    version,
    time(generateS),
    time(buildS),
    result,
  ]);
  const details = trips.flatMap(({ language, result, detail }) =>
    detail === undefined ? [] : [`${language.name} ${result}: ${detail}`],
  );
  const count = (result: Trip['result']) => trips.filter((one) => one.result === result).length;
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  return [
    ruledColumns([head, ...rows], [3, 4]),
    '',
    ...details,
    ...(details.length > 0 ? [''] : []),
    `${count('passed')} passed, ${count('failed')} failed${skipped}`,
    '',
  ].join('\n');
}
