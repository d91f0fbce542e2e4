/**
 * What a request costs the server that `npm start` runs, and others beside it:
 *
 *     npm run bench -- [--rounds N] [--seconds N] [--connections N,N] [--only NAME,NAME] [--against COMMIT]
 *
 * --against builds another commit of this project in a temporary folder, and measures it in the same rounds. The servers
 * run on the Node that runs this; another one: npx --package node@22 -- npm run bench. The exit code is 1 when a goal is
 * missed on Node 20, for which they are set.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Checkout, checkOut } from './against.ts';
import { BARE_EXPRESS, CACHE, OTHERS, OURS } from './candidates.ts';
import { compare } from './compare.ts';
import { goals, report } from './report.ts';
import type { Candidate } from './server.ts';

const say = (text: string): void => void process.stderr.write(`bench: ${text}\n`);

function read() {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const options = {
    rounds: text('5'),
    seconds: text('1'),
    connections: text('1,8,32'),
    only: { type: 'string' },
    against: { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  const number = (name: string, value: string): number => {
    if (/^[1-9]\d{0,4}$/.test(value)) return Number(value);
    throw new Error(`--${name} must be a number from 1, not ${JSON.stringify(value)}`);
  };
  return {
    rounds: number('rounds', values.rounds),
    seconds: number('seconds', values.seconds),
    connections: values.connections.split(',').map((one) => number('connections', one)),
    only: values.only?.split(','),
    against: values.against,
  };
}

function candidatesOf(only: readonly string[] | undefined, others: Candidate[]): Candidate[] {
  const all = [OURS, BARE_EXPRESS, ...others];
  for (const one of OTHERS) {
    try {
      all.push(one());
    } catch (error) {
      say(`not measured, because it cannot be installed: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  const unknown = only?.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`--only ${JSON.stringify(unknown)} is none of ${all.map(({ name }) => name).join(', ')}`);
  return all.filter(({ name }) => only === undefined || only.includes(name) || others.some((one) => one.name === name));
}

async function main(): Promise<number> {
  const { only, against, ...amounts } = read();
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'bench-'));
  let checkout: Checkout | undefined;
  try {
    if (against !== undefined) checkout = checkOut(against);
    const candidates = candidatesOf(only, checkout ? [checkout.candidate] : []);
    const result = await compare({ ...amounts, candidates, folder });
    const { rounds, seconds } = amounts;
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${rounds} rounds of ${seconds} s\n\n` +
        report(result, checkout?.candidate.name),
    );
    const missed = goals(result, checkout?.candidate.name).some(({ met }) => !met);
    return missed && process.version.startsWith('v20.') ? 1 : 0;
  } finally {
    checkout?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 2;
}
