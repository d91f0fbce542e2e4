#!/usr/bin/env node
/**
 * Whole runs against each service of `services/`, which must pass. Names are given by a part; `--service ''` takes all:
 *     node tools/run.js conformance/self-test/correct [--seed N] [--seeds N] [--runs N] [--service NAME] [--setting NAME]
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Level, Report } from '../engine/run/result.ts';
import { isBroken } from '../engine/run/verdict.ts';
import { GUARDED, OPEN, type Tokens } from './service.ts';
import { SERVICES } from './services/index.ts';
import { run } from './test-bed.ts';

interface Setting extends Tokens {
  name: string;
  level: Level;
  origin: 'all' | 'source';
}

/** Whole runs at both levels, by all rules and by those of the source document alone. */
export const SETTINGS: Setting[] = Object.entries({ open: OPEN, 'with tokens': GUARDED }).flatMap(
  ([name, tokens]) =>
    (['core', 'extended'] as const).flatMap((level) =>
      (['all', 'source'] as const).map((origin) => ({
        name: `${level}, ${name}, ${origin}`,
        level,
        origin,
        ...tokens,
      })),
    ),
);

export function runOn(
  service: string,
  seed: number,
  setting: Setting,
  runs?: number,
): Promise<Report> {
  const { name: _, ...options } = setting;
  return run(SERVICES[service]!(setting), { ...options, seed, runs });
}

/** The errors of a report on a correct service, a line each. */
export function alarmsIn(
  { requirements, verdict, reason }: Report,
  { token, readOnlyToken }: Setting,
): string[] {
  const lacking = [
    token === undefined
      ? 'needs --token'
      : 'a token is given: this is about services that run open',
    ...(readOnlyToken === undefined ? ['needs --read-only-token'] : []),
    // A service with a public URL names that one.
    'needs a `metadata_url` on the host',
  ];
  const isAlarm = (status: string, why = '') =>
    status === 'error' || (status === 'skip' && !lacking.some((need) => why.startsWith(need)));
  const alarms = requirements
    .filter((one) => isBroken(one) || isAlarm(one.status, one.reason))
    .map(({ id, status, reason: why, failure }) => {
      const what = failure && `${failure.message} Expected ${failure.expected}, got ${failure.got}`;
      return `${id}: ${status}, ${what ?? why}`;
    });
  if (verdict === 'conformant' || alarms.length > 0) {
    return alarms;
  }
  return [`${verdict}: ${reason}`];
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
      seeds: { type: 'string', default: '1' },
      runs: { type: 'string', default: '20' },
      service: { type: 'string', default: 'independent' },
      setting: { type: 'string', default: '' },
    },
  });
  const settings = SETTINGS.filter(({ name }) => name.includes(values.setting));
  const names = Object.keys(SERVICES).filter((one) => one.includes(values.service));
  const counts = { passed: 0, failed: 0 };
  for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.seeds); seed++) {
    for (const setting of settings) {
      for (const name of names) {
        const report = await runOn(name, seed, setting, Number(values.runs));
        const alarms = alarmsIn(report, setting);
        counts[alarms.length === 0 ? 'passed' : 'failed']++;
        process.stdout.write(
          `seed ${seed}, ${name}, ${setting.name}: ${report.summary.pass} passed, ${report.requests} requests, ` +
            `${report.duration_ms} ms\n${alarms.map((alarm) => `  ${alarm}\n`).join('')}`,
        );
      }
    }
  }
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await main();
}
