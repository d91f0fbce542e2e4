import { expect, it } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import type { Implementation } from './implementation.ts';
import { Nonconformity } from './nonconformity.ts';
import { ReadsAround } from './read-around.ts';
import { HttpResponse } from './response.ts';

const contract = loadContract();
const operations = new Map(operationsOf(contract).map((one) => [one.operationId, one]));
const client = { headers: {} };
const implementation = {
  contract,
  operations,
  level: 'extended',
  client,
} as unknown as Implementation;

const [was, now] = ['a', 'b'].map((description) => ({ id: 'e', description }));
const responseOf = (json?: unknown) =>
  new HttpResponse({
    status: json ? 200 : 404,
    headers: {},
    body: Buffer.from(JSON.stringify(json ?? {})),
  });

it.each([
  ['updateEdge', 'each as it is', true, now, [now]],
  ['updateEdge', 'the item as it was', false, was, [now]],
  ['updateEdge', 'the item as it was in the list', false, now, [was]],
  ['updateEdge', 'the item as it was beside the item as it is', true, now, [was, now]],
  ['updateEdge', 'a list without it', true, now, []],
  ['deleteEdge', 'nothing', true, undefined, []],
  ['deleteEdge', 'the removed item in the list', false, undefined, [was]],
])('after %s, %s is right: %s', async (...row) => {
  const [operationId, , isRight, item, items] = row;
  const read =
    (shown: unknown, list: unknown) =>
    async ({ target }: { target: string }) =>
      responseOf(target.endsWith('/e') ? shown : { https_edges: list });
  let checks = 0;
  for (let seed = 1; seed <= 20; seed++) {
    let send = read(was, [was]);
    const around = new ReadsAround(implementation, seed, (sending) => send(sending));
    const json = operationId === 'updateEdge' ? { description: 'b' } : undefined;
    const input = { path: { edge_id: 'e' }, json };
    const check = await around.before(operations.get(operationId)!, input);
    send = read(item, items);
    const checked = check?.(responseOf(json ? now : {}));
    if (checked) {
      checks++;
      await (isRight ? checked : expect(checked).rejects.toThrow(Nonconformity));
    }
  }
  expect(checks).toBeGreaterThan(0);
});

it.each([
  ['after no change', '1.3', false],
  ['after a change that the reads do not show', '1.2', true],
])('members that the contract does not know are not compared %s', async (...row) => {
  const [, changedTo, isStale] = row;
  const edge = (min_version: string, more = {}) => {
    return { id: 'e', tls_termination: { enabled: true, min_version, ...more } };
  };
  let reads = 0;
  const send = async ({ target }: { target: string }) => {
    const shown = edge('1.3', isStale ? { reads: ++reads } : {});
    return responseOf(target.endsWith('/e') ? shown : { https_edges: [shown] });
  };
  const input = { path: { edge_id: 'e' }, json: { tls_termination: { enabled: true } } };
  let checks = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const around = new ReadsAround(implementation, seed, send);
    const check = await around.before(operations.get('updateEdge')!, input);
    const checked = check?.(responseOf(edge(changedTo, { changes: 1 })));
    if (checked) {
      checks++;
      await (isStale ? expect(checked).rejects.toThrow(Nonconformity) : checked);
    }
  }
  expect(checks).toBeGreaterThan(0);
});

it('a list that did not show the item before a change may show it afterwards', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    let isRemoved = false;
    const send = async ({ target }: { target: string }) => {
      if (target.endsWith('/e')) {
        return responseOf(isRemoved ? undefined : was);
      }
      return responseOf({ https_edges: isRemoved ? [was] : [] });
    };
    const around = new ReadsAround(implementation, seed, send);
    const input = { path: { edge_id: 'e' } };
    const check = await around.before(operations.get('deleteEdge')!, input);
    isRemoved = true;
    await check?.(responseOf({}));
  }
});

it('a GET that changes the response to the next GET is reported', async () => {
  let sent = 0;
  const send = async () => responseOf(++sent === 1 ? now : undefined);
  const around = new ReadsAround(implementation, 1, send);
  const input = { path: { edge_id: 'e' }, headers: { authorization: 'Bearer x' } };
  const check = await around.before(operations.get('getEdge')!, input);
  await expect(check?.(responseOf(now))).rejects.toThrow('A GET has changed');
});
