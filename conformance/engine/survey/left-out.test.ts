import { expect, it } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { whyLeftOut } from './left-out.ts';

/** Why the POST at the first path is left out of a contract with all of these paths. */
function whyPost(...paths: string[]): string | undefined {
  const items = paths.map((path, index) => [
    path,
    { post: { operationId: `do${index}`, responses: { '200': { description: 'Done.' } } } },
  ]);
  const info = { title: 'Actions', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(items) };
  const contract = parseContract(JSON.stringify(document));
  const operation = operationsOf(contract).find(({ path }) => path === paths[0]);
  return whyLeftOut(contract, operation!);
}

it.each([
  ['/recordings/start', '/recordings/stop'],
  ['/window/begin', '/window/end'],
  ['/profiler/enable', '/profiler/disable'],
])('%s, which %s ends, switches the whole service', (on, off) => {
  expect(whyPost(on, off)).toBe('it may switch a mode of the service');
});

it('an action that nothing ends is tried', () => {
  expect(whyPost('/recordings/start')).toBeUndefined();
  expect(whyPost('/recordings/start', '/games/stop')).toBeUndefined();
});
