#!/usr/bin/env node
/**
 * A correct service must pass: whole runs against the independent service, open and with tokens, by the rules of the
 * source document alone and by all. With `--url`, against another service that is known to be right; its token, if it
 * needs one, is in the environment as CONFORMANCE_TOKEN, and one that may only read as CONFORMANCE_READ_ONLY_TOKEN.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadContract } from '../engine/contract/load.ts';
import type { Level, Report } from '../engine/run/result.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { isBroken } from '../engine/run/broken.ts';
import { TestBed } from './test-bed.ts';
import { GUARDED, OPEN, type Tokens } from './mutant.ts';
import { createIndependentService } from './independent/index.ts';

export interface Setting extends Tokens {
  name: string;
  level: Level;
  origin: Implementation['origin'];
}

const ORIGINS: Implementation['origin'][] = ['all', 'source'];
const LEVELS: Level[] = ['core', 'extended'];

export const SETTINGS: Setting[] = [
  ...ORIGINS.flatMap((origin): Setting[] => [
    { name: `open, origin ${origin}`, level: 'core', origin, ...OPEN },
    { name: `with tokens, origin ${origin}`, level: 'core', origin, ...GUARDED },
  ]),
  { name: 'with tokens, level extended', level: 'extended', origin: 'all', ...GUARDED },
];

/** Runs the suite against a correct service. Without a URL it is the independent one. */
export function runOnCorrect(
  bed: TestBed,
  seed: number,
  { level, origin, token, readOnlyToken }: Setting,
  url?: string,
): Promise<Report> {
  const options = { seed, level, origin, token, readOnlyToken };
  return url === undefined
    ? bed.run(createIndependentService({ token, readOnlyToken }), options)
    : bed.runAt(url, options);
}

/** What is wrong with a report on a correct service, a line each; none where nothing is. */
export function alarmsIn(report: Report, { token, readOnlyToken }: Setting): string[] {
  const lacking = [
    token === undefined ? 'needs --token' : 'a token is given: this is about services that run open',
    ...(readOnlyToken === undefined ? ['needs --read-only-token'] : []),
  ];
  const alarms = report.requirements
    .filter(
      ({ status, reason }) =>
        isBroken({ status }) ||
        status === 'error' ||
        (status === 'skip' && !lacking.some((need) => reason?.startsWith(need))),
    )
    .map(
      ({ id, status, reason, failure }) =>
        `${id}: ${status}, ${failure ? `${failure.message} Expected ${failure.expected}, got ${failure.got}` : reason}`,
    );
  return report.verdict === 'conformant' || alarms.length > 0 ? alarms : [`${report.verdict}: ${report.reason}`];
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '5' }, seed: { type: 'string' }, url: { type: 'string' } },
  });
  const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed);
  const given: Tokens = {
    token: process.env['CONFORMANCE_TOKEN'] || undefined,
    readOnlyToken: process.env['CONFORMANCE_READ_ONLY_TOKEN'] || undefined,
  };
  const settings =
    values.url === undefined
      ? SETTINGS
      : LEVELS.flatMap((level) =>
          ORIGINS.map((origin) => ({ name: `level ${level}, origin ${origin}`, level, origin, ...given })),
        );
  const bed = new TestBed(loadContract());
  let failed = 0;
  let passed = 0;
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    for (const setting of settings) {
      const report = await runOnCorrect(bed, seed, setting, values.url);
      const alarms = alarmsIn(report, setting);
      if (alarms.length === 0) passed++;
      else failed++;
      process.stdout.write(
        `seed ${seed}, ${setting.name}: ${report.summary.pass} passed, ${report.requests} requests, ` +
          `${report.duration_ms} ms${alarms.length > 0 ? ', FALSE ALARM' : ''}\n`,
      );
      for (const alarm of alarms) process.stdout.write(`  ${alarm}\n`);
    }
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main();
