import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveApp } from '../../testing/serve.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { policyFor } from './docs-page.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const scriptsOf = (policy: string) => /script-src ([^;]*)/.exec(policy)![1];

describe('the policy of the page', () => {
  test('names each script by its hash, and allows no other', () => {
    const policy = policyFor(
      '<html><script>one()</script><SCRIPT type="module">\r\ntwo("<script>")\n</SCRIPT ><script src="x.js"></script>',
    );
    expect(scriptsOf(policy)).toBe(`${hash('one()')} ${hash('\ntwo("<script>")\n')}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('names a script behind letters that get longer in lower case', () => {
    expect(policyFor('<p>İİİ</p><SCRIPT>one()</SCRIPT>')).toContain(scriptsOf(policyFor('<script>one()</script>')));
  });

  test('allows none where there is none', () => {
    expect(scriptsOf(policyFor('<p>No script.</p>'))).toBe("'none'");
  });
});

test('the policy follows the file, which may come and go', async () => {
  const docsFile = join(await temporaryFolder(), 'index.html');
  const { send } = await serveApp({ docsFile });
  expect((await send({ path: '/docs' })).status).toBe(404);
  for (const script of ['first()', 'the second, which is longer()']) {
    await writeFile(docsFile, `<script>${script}</script>`);
    const answer = await send({ path: '/docs' });
    expect([answer.status, scriptsOf(String(answer.headers['content-security-policy']))]).toEqual([200, hash(script)]);
  }
  await rm(docsFile);
  expect((await send({ path: '/docs' })).json.detail).toMatch(/npm run docs/);
});
