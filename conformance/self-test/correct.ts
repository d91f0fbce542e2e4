#!/usr/bin/env node
/**
 * Whole runs against the services of `services/`, which must pass:
 *
 *     node tools/run.js conformance/self-test/correct [--seed N] [--seeds N] [--runs N]
 *         [--service NAME] [--setting NAME]
 *
 * A name that no service has may be a part of names: `--service ''` runs all services. By default,
 * one run of the independent service in each setting, with a random seed. Exits with 1 if a service
 * fails, or if no service has such a name.
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

/** Both levels, by all rules and by those of the source document alone, without and with tokens. */
export const SETTINGS: readonly Setting[] = allSettings();

function allSettings(): Setting[] {
  const settings: Setting[] = [];
  for (const [access, tokens] of Object.entries({ open: OPEN, 'with tokens': GUARDED })) {
    for (const level of ['core', 'extended'] as const) {
      for (const origin of ['all', 'source'] as const) {
        settings.push({ name: `${level}, ${access}, ${origin}`, level, origin, ...tokens });
      }
    }
  }
  return settings;
}

/** @param service a name of `services/` @throws Error for another name */
export function runOn(
  service: string,
  seed: number,
  setting: Setting,
  runs?: number,
): Promise<Report> {
  const create = SERVICES[service];
  if (!create) {
    throw new Error(`there is no service ${service}`);
  }
  const { name: _, ...options } = setting;
  return run(create(setting), { ...options, seed, runs });
}

/** The false alarms in a report on a correct service, a line each. */
export function alarmsIn(report: Report, setting: Setting): string[] {
  const expected = expectedSkips(setting);
  const isUnexpectedSkip = (reason = '') => !expected.some((start) => reason.startsWith(start));
  const alarms: string[] = [];
  for (const result of report.requirements) {
    const { id, status, reason, failure } = result;
    if (isBroken(result) || status === 'error' || (status === 'skip' && isUnexpectedSkip(reason))) {
      const details = failure
        ? `${failure.message} Expected ${failure.expected}, got ${failure.got}`
        : reason;
      alarms.push(`${id}: ${status}, ${details}`);
    }
  }
  if (alarms.length === 0 && report.verdict !== 'conformant') {
    return [`${report.verdict}: ${report.reason}`];
  }
  return alarms;
}

/** The beginnings of the reasons for which a requirement may be skipped in this setting. */
function expectedSkips({ token, readOnlyToken }: Setting): string[] {
  // A service with a public URL shows that one.
  const expected = ['needs a `metadata_url` on the host'];
  if (token === undefined) {
    expected.push('needs --token');
  } else {
    expected.push('a token is given: this is about services that run open');
  }
  if (readOnlyToken === undefined) {
    expected.push('needs --read-only-token');
  }
  return expected;
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
  const names = namesOf(values.service);
  const firstSeed = Number(values.seed);
  const endSeed = firstSeed + Number(values.seeds);
  let passed = 0;
  const failed: string[] = [];
  for (let seed = firstSeed; seed < endSeed; seed++) {
    for (const setting of settings) {
      for (const name of names) {
        const report = await runOn(name, seed, setting, Number(values.runs));
        const alarms = alarmsIn(report, setting);
        const title = `seed ${seed}, ${name}, ${setting.name}`;
        printRun(title, report, alarms);
        if (alarms.length === 0) {
          passed++;
        } else {
          failed.push(`FAILED ${title}: ${alarms[0]}`);
        }
      }
    }
  }
  // Again, where the reader of a long log looks first.
  process.stdout.write(`\n${failed.map((line) => `${line}\n`).join('')}`);
  process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  return failed.length === 0 && passed > 0 ? 0 : 1;
}

/** The services with this name, which may be a part of their names. */
function namesOf(name: string): string[] {
  const all = Object.keys(SERVICES);
  if (name in SERVICES) {
    return [name];
  }
  return all.filter((one) => one.includes(name));
}

function printRun(title: string, report: Report, alarms: readonly string[]): void {
  const { summary, requests, duration_ms: duration } = report;
  process.stdout.write(`${title}: ${summary.pass} passed, ${requests} requests, ${duration} ms\n`);
  for (const alarm of alarms) {
    process.stdout.write(`  ${alarm}\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await main();
}
