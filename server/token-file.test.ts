import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError } from './config.ts';
import type { Token } from './http/security/tokens.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { followTokenFile, isTooOpen, readTokenFile } from './token-file.ts';

async function tokenFile(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'tokens');
  await writeFile(path, text);
  return path;
}

describe('a token file', () => {
  test('has one token a line, comments and empty lines', async () => {
    const path = await tokenFile('# deployment\nabc\n\n  # dashboard\r\n  def== \t read-only  \r\nx.y~z');
    expect(readTokenFile(path)).toEqual([
      { text: 'abc', readOnly: false },
      { text: 'def==', readOnly: true },
      { text: 'x.y~z', readOnly: false },
    ]);
  });

  test.for([
    ['', /has no token$/],
    ['# nothing\n', /has no token$/],
    ['ok\nhüsh\n', /^line 2 of the token file \S+ is not a token/],
    ['hush read_only', /^line 1 .* must be a token, optionally followed by the word read-only$/],
    ['hush read-only hush', /^line 1 .* must be a token/],
    ['hush # comment', /^line 1 .* must be a token/],
    ['hush\nhush read-only', /^line 2 .* repeats a token$/],
    [Array.from({ length: 1001 }, (_, n) => `t${n}`).join('\n'), /more than 1000 tokens$/],
  ] as const)('%j is refused in one line that repeats nothing of it', async ([text, message]) => {
    const path = await tokenFile(text);
    expect(() => readTokenFile(path)).toThrow(ConfigError);
    expect(() => readTokenFile(path)).toThrow(message);
    expect(() => readTokenFile(path)).not.toThrow(/h.sh|\n/);
  });

  test('does not hold the test token', async () => {
    const path = await tokenFile('abc\nhush');
    expect(() => readTokenFile(path, 'hush')).toThrow(/^line 2 .* is the test token/);
    expect(() => readTokenFile(path, 'hush')).not.toThrow(/hush/);
  });

  test('that is not there is named', () => {
    expect(() => readTokenFile('/nowhere/tokens')).toThrow('the token file /nowhere/tokens cannot be read (ENOENT)');
    expect(isTooOpen('/nowhere/tokens')).toBe(false);
  });

  test.for([
    [0o600, false],
    [0o640, false],
    [0o400, false],
    [0o644, true],
    [0o660, true],
    [0o602, true],
  ] as const)('of mode %o is too open: %s', async ([mode, expected]) => {
    const path = await tokenFile('abc');
    await chmod(path, mode);
    expect(isTooOpen(path)).toBe(expected);
  });
});

test('a token file is followed: what is broken or gone is told, and what is well again counts', async () => {
  const path = await tokenFile('first');
  const events: (string | Token[])[] = [];
  const { tokens, stop } = followTokenFile(path, 'for-tests', {
    changed: (changed) => events.push(changed),
    broken: (message) => events.push(message),
  });
  onTestFinished(stop);
  const next = async (change: () => Promise<void>): Promise<unknown> => {
    const before = events.length;
    await change();
    await vi.waitFor(() => expect(events.length).toBeGreaterThan(before), { timeout: 60_000, interval: 20 });
    return events.at(-1);
  };
  expect(tokens).toEqual([{ text: 'first', readOnly: false }]);
  expect(await next(() => writeFile(path, 'second read-only'))).toEqual([{ text: 'second', readOnly: true }]);
  expect(await next(() => writeFile(path, 'two words'))).toMatch(/must be a token/);
  expect(await next(() => writeFile(path, 'second\nfor-tests'))).toMatch(/^line 2 .* is the test token/);
  expect(await next(() => rm(path))).toMatch(/cannot be read \(ENOENT\)/);
  // As tools that replace secrets do it.
  await writeFile(`${path}.new`, 'third');
  expect(await next(() => rename(`${path}.new`, path))).toEqual([{ text: 'third', readOnly: false }]);
});
