import { expect, it } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { around, Session } from './session.ts';
import type { Implementation } from './implementation.ts';
import { Nonconformity } from './nonconformity.ts';
import { HttpResponse, ResponseLost } from './response.ts';

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
  ['updateEdge', 'each as it is', now, [now], true],
  ['updateEdge', 'the item as it was', was, [now], false],
  ['updateEdge', 'the item as it was in the list', now, [was], false],
  ['updateEdge', 'the item as it was beside the item as it is', now, [was, now], true],
  ['updateEdge', 'a list without it', now, [], true],
  ['deleteEdge', 'nothing', undefined, [], true],
  ['deleteEdge', 'the removed item in the list', undefined, [was], false],
])('%s leaves %s', async (operationId, _, item, items, isRight) => {
  const read =
    (shown: unknown, list: unknown) =>
    async ({ target }: { target: string }) =>
      responseOf(target.endsWith('/e') ? shown : { https_edges: list });
  for (let seed = 1; seed <= 20; seed++) {
    let send = read(was, [was]);
    const before = around(implementation, seed, (sending) => send(sending));
    const json = operationId === 'updateEdge' ? { description: 'b' } : undefined;
    const check = await before(operations.get(operationId)!, { path: { edge_id: 'e' }, json });
    send = read(item, items);
    const checked = check?.(responseOf(json ? now : {}));
    if (checked) {
      await (isRight ? checked : expect(checked).rejects.toThrow(Nonconformity));
    }
  }
});

it('in a race, the response to a request that was sent again says nothing', async () => {
  const send = async () => ({ status: 204, headers: {}, body: Buffer.alloc(0), resent: true });
  const sending = {
    send,
    authorized: (one: unknown) => one,
    headers: {},
    urlOf: (target: string) => `http://a${target}`,
  };
  const session = new Session({
    ...implementation,
    api: { track: () => ({}) },
    client: sending,
  } as never);
  const remove = () => session.send({ method: 'DELETE', target: '/a' });
  expect((await remove()).status).toBe(204);
  await expect(session.together(() => [remove()])).rejects.toThrow(ResponseLost);
});
