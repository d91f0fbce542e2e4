/**
 * What a request costs this server and others, all in one run:
 *
 *     npm run bench -- [--rounds N] [--requests N] [--only SERVER,SERVER] [--out DIR]
 *
 * The servers run side by side and are asked in turn, so that whatever else the machine does hits all alike. What counts
 * is the CPU time of the server's process, which a neighbour disturbs little; times of the clock are told beside it.
 * Writes bench.json and bench.svg. Ends with `N passed, N failed`, over the targets and the refusals.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { kinds, manyOperations, SERVER } from './kinds.ts';
import { writeManyOperations } from './many-operations.ts';
import { CONNECTIONS, measure, type Sample } from './measure.ts';
import { notRefused, REFUSAL_COUNT } from './refusals.ts';
import { figuresOf, type Result } from './result.ts';
import { SCENARIOS } from './scenarios.ts';
import { measureStart, type Start } from './start.ts';
import { type Kind, Subject } from './subject.ts';
import { tables } from './table.ts';
import { targets } from './targets.ts';

/** Before anything is counted, so that every server runs compiled code. */
const WARM_UP = 5000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '2000' },
    out: { type: 'string', default: 'reports' },
    only: { type: 'string' },
  },
});
const rounds = count('rounds', values.rounds);
const requests = count('requests', values.requests);

function count(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  process.stderr.write(`bench: --${name} must be a whole number from 1, not ${text}\n`);
  process.exit(2);
}

function choose(all: readonly Kind[]): Kind[] {
  if (values.only === undefined) return [...all];
  const names = values.only.split(',');
  const unknown = names.find((one) => !all.some(({ name }) => name === one));
  if (unknown === undefined) return all.filter(({ name }) => names.includes(name));
  process.stderr.write(
    `bench: --only ${JSON.stringify(unknown)} names no server that can be measured; there are ${all.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}

const left: string[] = [];
const chosen = choose(kinds(left));

async function run(folder: string): Promise<Result> {
  const logFile = join(folder, 'log');
  const starts = new Map<string, Start[]>(chosen.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const kind of rotated(chosen, round)) starts.get(kind.name)!.push(await measureStart(kind, logFile));
  }
  const running: Subject[] = [];
  try {
    const many = manyOperations(writeManyOperations(folder));
    for (const kind of [...chosen, many]) running.push(await Subject.spawn(kind, logFile));
    const scenarios = await measureAll(running);
    const own = running.find(({ kind }) => kind === SERVER);
    const peaks = await Promise.all(
      running.map(async (subject) => [subject.kind.name, (await subject.usage()).peakBytes / 1e6] as const),
    );
    return {
      rounds,
      requests,
      connections: CONNECTIONS,
      node: process.version,
      cpu: cpus()[0]?.model ?? 'unknown',
      scenarios,
      starts: Object.fromEntries([...starts].map(([name, list]) => [name, figuresOf(list)])),
      peakMegabytes: Object.fromEntries(peaks),
      refusals: { checked: REFUSAL_COUNT, wrong: own ? await notRefused(() => own.connect()) : [] },
      left,
    };
  } finally {
    for (const subject of running) await subject.end();
  }
}

async function measureAll(running: readonly Subject[]): Promise<Result['scenarios']> {
  const all: Result['scenarios'] = {};
  for (const scenario of SCENARIOS) {
    const asked = running.filter(
      ({ kind }) => (kind.judges || !scenario.refusal) && (kind.only ?? [scenario.name]).includes(scenario.name),
    );
    const samples = new Map<string, Sample[]>(asked.map(({ kind }) => [kind.name, []]));
    for (const subject of asked) await measure(subject, scenario, WARM_UP);
    for (let round = 0; round < rounds; round++) {
      for (const subject of rotated(asked, round))
        samples.get(subject.kind.name)!.push(await measure(subject, scenario, requests));
    }
    all[scenario.name] = Object.fromEntries([...samples].map(([name, list]) => [name, figuresOf(list)]));
  }
  return all;
}

/** So that nobody always runs in the wake of the same one. */
function rotated<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by % list.length), ...list.slice(0, by % list.length)];
}

const folder = mkdtempSync(join(tmpdir(), 'edge-contract-bench-'));
try {
  const result = await run(folder);
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(join(values.out, 'bench.svg'), chart(result));
  process.stdout.write(`${tables(result)}\n`);
  for (const wrong of result.refusals.wrong) process.stdout.write(`NOT REFUSED: ${wrong}\n`);
  const missed = targets(result).filter(({ value, most }) => value > most).length;
  const failed = missed + result.refusals.wrong.length;
  process.stdout.write(`${targets(result).length + result.refusals.checked - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
