/** A service that stops is brought back: by a command, or by somebody else while a run waits. */
import { describe, expect, it } from 'vitest';
import type { Service } from '../self-test/service.ts';
import { contractOf } from './testing/contracts.ts';
import { folderWith } from './testing/folder.ts';
import { segmentsOf } from './testing/requests.ts';
import { implementation, respondWith } from './testing/services.ts';
import { reportOf } from './testing/suite.ts';

const CONTRACT = contractOf('dying');

type Kills = (method: string, name: string, isFound: boolean) => boolean;

/**
 * Items in memory. A request that kills is its last one, until a POST to `/up`, or until so many
 * others came.
 */
function dying(kills: Kills, asleepFor = Infinity): Service {
  let items = new Map<string, object>();
  let last = 0;
  let missed: number | undefined;
  return async (request) => {
    const { method, target } = request;
    const [, id] = segmentsOf(request);
    if (target === '/up' || missed === asleepFor) {
      missed = undefined;
      items = new Map();
    }
    if (target === '/up') {
      return respondWith(204);
    }
    if (missed !== undefined) {
      missed++;
      throw new Error('it is dead');
    }
    const { name } = nameIn(request.body);
    const isValid = typeof name === 'string' && name.length <= 10;
    const isKilled = kills(method, typeof name === 'string' ? name : '', items.has(id ?? ''));
    if (isKilled) {
      missed = 0;
      throw new Error('it dies');
    }
    if (id === undefined) {
      if (method !== 'POST') {
        return respondWith(200, [...items.values()]);
      }
      if (!isValid) {
        return respondWith(400);
      }
      const item = { id: ++last, name };
      items.set(String(last), item);
      return respondWith(201, item);
    }
    const item = items.get(id);
    if (item === undefined) {
      return respondWith(404);
    }
    if (method === 'DELETE') {
      items.delete(id);
      return respondWith(204);
    }
    return respondWith(200, item);
  };
}

function nameIn(body: Buffer): { name?: unknown } {
  try {
    return JSON.parse(String(body)) ?? {};
  } catch {
    return {};
  }
}

async function runOf(service: Service, line: (url: string) => string) {
  using folder = folderWith({ 'contract.json': JSON.stringify(CONTRACT) });
  await using served = await implementation(service);
  const only = ['listItems.', 'addItem.', 'readItem.', 'removeItem.'].map((id) => `--only ${id}`);
  const contract = `--contract ${folder.file('contract.json')} --seed 1 --runs 2 ${only.join(' ')}`;
  const finished = await reportOf(`${served.url} ${contract} ${line(served.url)}`);
  const { findings, requirements, warnings } = finished.report;
  const statuses = new Map(requirements.map(({ id, status }) => [id, status]));
  return {
    ...finished,
    findings,
    requirements,
    statuses,
    warnings,
    ids: findings.map(({ id }) => id),
  };
}

/** The command of a service that only this request brings back. */
const byCommand = (url: string) => `--restart "curl -sS -X POST ${url}/up"`;

describe('a service that stops is brought back by --restart, and the request is found', () => {
  const CASES: [string, Kills, string, RegExp][] = [
    ['with one body', (_, name) => name.length === 10, 'addItem', /name/],
    ['with each item', (method, name) => method === 'POST' && name !== '', 'addItem', /POST/],
    ['in a read', (method, _, isFound) => method === 'GET' && isFound, 'readItem', /GET/],
    ['in a clean-up', (method, _, isFound) => method === 'DELETE' && isFound, 'removeItem', /DEL/],
    ['at what is not there', (m, _, isFound) => m === 'DELETE' && !isFound, 'removeItem', /DEL/],
  ];

  it.each(CASES)('%s', async (_, kills, operation, text) => {
    const found = await runOf(dying(kills), byCommand);
    const { code, findings, requirements, statuses, warnings } = found;
    const [first] = findings;
    expect([code, first?.id]).toEqual([1, `stopped:${operation}:service-stops`]);
    const shown = requirements.find(({ id }) => id === first?.example)?.failure ?? first?.failure;
    expect(JSON.stringify(shown?.exchanges.at(-1))).toMatch(text);
    expect(first?.notes ?? []).toEqual([]);
    expect(statuses.get('listItems.200')).toBe('pass');
    expect(warnings[0]).toMatch(/^The service stopped (once|\d+ times), and was brought back\.$/);
  });
});

it('a service that comes back by itself is waited for', async () => {
  const service = dying((_, name) => name.length === 10, 60);
  const { ids, statuses } = await runOf(service, () => '--wait 20');
  expect(ids[0]).toBe('stopped:addItem:service-stops');
  expect(statuses.get('listItems.200')).toBe('pass');
});

it('a service that stops and is not brought back ends the run, with advice', async () => {
  const kills: Kills = (_, name) => name.length === 10;
  const { code, ids, warnings } = await runOf(dying(kills), () => '--restart "exit 3"');
  expect([code, ids[0]?.split(':')[0]]).toEqual([1, 'stopped']);
  expect(warnings.join()).toMatch(/--restart failed with exit code 3\. It stopped (while|during) /);
  const without = await runOf(dying(kills), () => '');
  expect(without.warnings.join()).toMatch(/--restart COMMAND finds out which request it is/);
});
