/** Checks of a user: the module of the README, on the API of this package, and modules that cannot be used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { coreService, implementation } from './services.ts';
import { folderWith, reportOf, suite } from './suite.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const EXAMPLE = /```js\n\/\/ hooks\.js\n(.*?)```/s.exec(README)![1]!;

it('signs every request, checks every response and tries laws of its own', async () => {
  vi.stubEnv('SIGNING_KEY', 'key');
  const service = coreService();
  const unsigned: string[] = [];
  await using target = await implementation(async (request) => {
    if (!/^[0-9a-f]{64}$/.test(request.headers['x-signature'] ?? '')) {
      unsigned.push(request.target);
    }
    const response = await service(request);
    return { ...response, headers: { ...response.headers, 'x-request-id': '1' } };
  });
  using folder = folderWith({ 'hooks.mjs': EXAMPLE });
  const line = `${target.url} --hooks hooks.mjs --only own. --only getEdge.200 --only createEdge.415 --only protocol.404`;
  const { report, code } = await reportOf(`${line} --runs 2`, { cwd: folder.path });
  expect(report.requirements.map(({ id, status }) => [id, status])).toContainEqual([
    'own.two-edges',
    'pass',
  ]);
  expect([code, unsigned]).toEqual([0, []]);
});

it('fails what a check or a law says is wrong', async () => {
  await using target = await implementation();
  const laws = `laws: { bad: { sentence: 'It is good.', check: async (s) => (await s.call('createEdge', {json: {}})).text && 'It is bad.' } }`;
  using folder = folderWith({
    'hooks.mjs': `export default { checkResponse: ({ operationId }) => operationId + ' is odd', ${laws} }`,
    'broken.mjs': `export default { beforeRequest() { throw new Error('no key') } }`,
  });
  const { report } = await reportOf(`${target.url} --hooks hooks.mjs --only own. --runs 1`, {
    cwd: folder.path,
  });
  expect(report.requirements.map(({ failure }) => failure?.message)).toEqual(['createEdge is odd']);
  const { code, stderr } = await suite(`${target.url} --hooks broken.mjs`, { cwd: folder.path });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--hooks broken.mjs: beforeRequest failed: Error: no key'),
  ]);
});

it.each([
  ['export const a = 1', /its default export must be an object/],
  ['export default { laws: { a: {} } }', /the law a must have a sentence and a function check/],
  ['export default { before: 1 }', /before must be one of beforeRequest, checkResponse, laws/],
  ['export default {', /--hooks hooks\.mjs: \w/],
])('%s cannot be used', async (text, message) => {
  using folder = folderWith({ 'hooks.mjs': text });
  const { code, stderr } = await suite('http://127.0.0.1:1 --hooks hooks.mjs', {
    cwd: folder.path,
  });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
