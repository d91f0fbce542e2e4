#!/usr/bin/env node
/**
 * No false alarm on the services of this folder: whole runs at both levels, with and without tokens.
 *
 *     node tools/run.js conformance/self/services/run [--seeds N] [--seed N] [--runs N] [--service NAME] [--setting NAME]
 *
 * Names are given by a part of them.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadContract } from '../../engine/contract/load.ts';
import type { Level, Report } from '../../engine/run/result.ts';
import { GUARDED, OPEN, type Tokens } from '../mutant.ts';
import { alarmsIn } from '../no-false-alarm.ts';
import { TestBed } from '../test-bed.ts';
import { SERVICES } from './index.ts';

export interface Setting extends Tokens {
  name: string;
  level: Level;
}

export const SETTINGS: Setting[] = (['core', 'extended'] as const).flatMap((level) => [
  { name: `${level}, open`, level, ...OPEN },
  { name: `${level}, with tokens`, level, ...GUARDED },
]);

export interface Passed {
  report: Report;
  /** A line each; none where the service passes. */
  alarms: string[];
}

export async function tryService(
  bed: TestBed,
  name: string,
  seed: number,
  setting: Setting,
  runs?: number,
): Promise<Passed> {
  const { level, token, readOnlyToken } = setting;
  const service = SERVICES[name]!({ token, readOnlyToken });
  const report = await bed.run(service, {
    ...{ seed, level, origin: 'all', token, readOnlyToken },
    ...(runs === undefined ? {} : { runs }),
  });
  return { report, alarms: alarmsIn(report, { ...setting, origin: 'all' }) };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      seed: { type: 'string' },
      runs: { type: 'string', default: '20' },
      service: { type: 'string', default: '' },
      setting: { type: 'string', default: '' },
    },
  });
  const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed);
  const names = Object.keys(SERVICES).filter((name) => name.includes(values.service));
  const bed = new TestBed(loadContract());
  let alarmed = 0;
  let runs = 0;
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    for (const name of names) {
      for (const setting of SETTINGS.filter((one) => one.name.includes(values.setting))) {
        const { report, alarms } = await tryService(bed, name, seed, setting, Number(values.runs));
        runs++;
        if (alarms.length > 0) alarmed++;
        process.stdout.write(
          `seed ${seed}, ${name}, ${setting.name}: ${report.summary.pass} passed, ${report.requests} requests, ` +
            `sent again ${JSON.stringify(report.retries)}, ${report.duration_ms} ms` +
            `${alarms.length > 0 ? ', FALSE ALARM' : ''}\n${alarms.map((alarm) => `  ${alarm}\n`).join('')}`,
        );
      }
    }
  }
  process.stdout.write(`\n${runs} runs, ${alarmed} with a false alarm\n`);
  return alarmed === 0 && runs > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main();
