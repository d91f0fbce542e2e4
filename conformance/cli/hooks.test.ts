/**
 * Checks of a user: the module of the README, on the API of this package, and modules that cannot
 * be used.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { folderWith } from './testing/folder.ts';
import { coreService, implementation } from './testing/services.ts';
import { only, reportOf, suite } from './testing/suite.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const [, EXAMPLE = ''] = /```js\n\/\/ hooks\.js\n(.*?)```/s.exec(README) ?? [];

it('the module of the README signs requests, checks responses and has a law', async () => {
  vi.stubEnv('SIGNING_KEY', 'key');
  const service = coreService();
  const unsigned: string[] = [];
  await using served = await implementation(async (request) => {
    if (!/^[0-9a-f]{64}$/.test(request.headers['x-signature'] ?? '')) {
      unsigned.push(request.target);
    }
    const response = await service(request);
    return { ...response, headers: { ...response.headers, 'x-request-id': '1' } };
  });
  using folder = folderWith({ 'hooks.mjs': EXAMPLE });
  const some = only('own.', 'getEdge.200', 'createEdge.415', 'protocol.404');
  const line = `${served.url} --hooks hooks.mjs ${some} --runs 2`;
  const { report, code } = await reportOf(line, { cwd: folder.path });
  const statuses = report.requirements.map(({ id, status }) => [id, status]);
  expect(statuses).toContainEqual(['own.two-edges', 'pass']);
  expect([code, unsigned]).toEqual([0, []]);
});

const ODD_RESPONSES = `
export default {
  checkResponse({ operationId }) {
    return operationId + ' is odd';
  },
  laws: {
    bad: {
      sentence: 'It is good.',
      async check(service) {
        await service.call('createEdge', { json: {} });
      },
    },
  },
};
`;

const BAD_LAW = `
export default {
  laws: {
    bad: {
      sentence: 'It is good.',
      async check() {
        return 'It is bad.';
      },
    },
  },
};
`;

it.each([
  ['a check of responses', ODD_RESPONSES, 'createEdge is odd'],
  ['a law', BAD_LAW, 'It is bad.'],
])('%s fails a requirement', async (_, module, message) => {
  await using served = await implementation();
  using folder = folderWith({ 'hooks.mjs': module });
  const line = `${served.url} --hooks hooks.mjs --only own. --runs 1`;
  const { report } = await reportOf(line, { cwd: folder.path });
  expect(report.requirements.map(({ failure }) => failure?.message)).toEqual([message]);
});

it('a run has no verdict if the signature cannot be made', async () => {
  await using served = await implementation();
  using folder = folderWith({
    'hooks.mjs': `export default { beforeRequest() { throw new Error('no key') } }`,
  });
  const line = `${served.url} --hooks hooks.mjs`;
  const { code, stderr } = await suite(line, { cwd: folder.path });
  expect(code).toBe(2);
  expect(stderr).toContain('--hooks hooks.mjs: beforeRequest failed: Error: no key');
});

it.each([
  ['export const a = 1', /its default export must be an object/],
  ['export default { laws: { a: {} } }', /the law a must have a sentence and a function check/],
  [
    'export default { laws: { "a b": { sentence: "", check() {} } } }',
    /the law a b must have a sentence and a function check/,
  ],
  ['export default { before: 1 }', /before must be one of beforeRequest, checkResponse, laws/],
  ['export default { checkResponse: 1 }', /checkResponse must be a function/],
  ['export default {', /--hooks hooks\.mjs: \w/],
])('%s cannot be used', async (text, message) => {
  using folder = folderWith({ 'hooks.mjs': text });
  const line = 'http://127.0.0.1:1 --hooks hooks.mjs';
  const { code, stderr } = await suite(line, { cwd: folder.path });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
