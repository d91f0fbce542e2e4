/**
 * One run of the suite, as a user starts it, against the reference server, as a user starts it:
 * they meet over HTTP.
 */
import { expect, test } from 'vitest';
import { build } from '../../tools/build.js';
import { startReferenceServer } from '../../tools/reference-server.ts';
import { folderWith } from './testing/folder.ts';
import { suite } from './testing/suite.ts';

const env = {
  CONFORMANCE_TOKEN: 'a-token-of-some-length',
  CONFORMANCE_READ_ONLY_TOKEN: 'a-reader-of-some-length',
};

test('the reference server conforms at the core level', async () => {
  await build();
  using folder = folderWith({
    tokens: `${env.CONFORMANCE_TOKEN}\n${env.CONFORMANCE_READ_ONLY_TOKEN} read-only\n`,
  });
  const args = ['--token-file', folder.file('tokens'), '--validate-responses'];
  await using server = await startReferenceServer(undefined, { args });
  const { code, stdout } = await suite(`${server.url} --level core --runs 5 --seed 1`, { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Conformant/m)]);
}, 120_000);
