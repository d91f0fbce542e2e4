/** Options that cannot be used: each has one line that names it, and never repeats what may be a secret. */
import { describe, expect, it } from 'vitest';
import { folderWith } from './command/suite.ts';
import { OptionError, readOptions } from './options.ts';

const NOWHERE = 'http://127.0.0.1:9';

function refusal(args: string[], env: Record<string, string> = {}): string {
  try {
    readOptions(args, env);
  } catch (error) {
    if (error instanceof OptionError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('the command line refuses', () => {
  const wrong: [string, string[], RegExp][] = [
    ['no URL', [], /give the base URL of the service/],
    ['two URLs', [NOWHERE, 'secret-argument'], /give one URL, not 2/],
    ['a URL that is none', ['localhost'], /"localhost" is not the base URL/],
    ['another protocol', ['ftp://localhost'], /is not the base URL/],
    ['a query', [`${NOWHERE}/?key=secret-argument`], /has no query/],
    ['credentials in the URL', ['http://user:secret-argument@localhost/?a'], /credentials do not belong into the URL/],
    ['a typo', [NOWHERE, '--tokn', 'secret-argument'], /Unknown option '--tokn'/],
    ['an option without its value', [NOWHERE, '--seed'], /--seed/],
    ['a switch with a value', [NOWHERE, '--bail=yes'], /--bail/],
    ['a level that is none', [NOWHERE, '--level', 'basic'], /--level must be core or extended, not "basic"/],
    ['an origin that is none', [NOWHERE, '--origin', 'mine'], /--origin must be source or all/],
    [
      'a format that is none',
      [NOWHERE, '--format', 'xml'],
      /--format must be text or json or junit or markdown or html/,
    ],
    ['a list as JUnit', ['--list', '--format', 'junit'], /--list is shown as text or json/],
    ['a seed that is no number', [NOWHERE, '--seed', 'x'], /--seed must be a whole number/],
    ['no runs', [NOWHERE, '--runs', '0'], /--runs must be a whole number from 1/],
    ['half a run', [NOWHERE, '--runs', '1.5'], /--runs must be a whole number/],
    ['no concurrency', [NOWHERE, '--concurrency', '0'], /--concurrency must be/],
    ['no time', [NOWHERE, '--timeout-ms', '0'], /--timeout-ms must be/],
    ['no rate', [NOWHERE, '--rate', '0'], /--rate must be/],
    ['a token with a line break', [NOWHERE, '--token', 'secret-argument\n'], /--token must be made of visible ASCII/],
    [
      'a read-only token with a space',
      [NOWHERE, '--token', 't', '--read-only-token', 'secret-argument x'],
      /--read-only-token must be made of visible ASCII/,
    ],
    [
      'a read-only token alone',
      [NOWHERE, '--read-only-token', 'secret-argument'],
      /--read-only-token needs --token beside it/,
    ],
    [
      'one token as both',
      [NOWHERE, '--token', 'secret-argument', '--read-only-token', 'secret-argument'],
      /--read-only-token must be another one than --token/,
    ],
    ['a header without a value', [NOWHERE, '--header', 'secret-argument'], /--header must be NAME:VALUE/],
    ['a header with a line break', [NOWHERE, '--header', 'x: secret-argument\r\ny: 1'], /--header must be NAME:VALUE/],
    ['a header twice', [NOWHERE, '--header', 'X: 1', '--header', 'x: 2'], /--header x is there twice/],
    [
      'a header that frames',
      [NOWHERE, '--header', 'Content-Length: 5'],
      /--header Content-Length is for the suite to set/,
    ],
    ['a skip without a reason', [NOWHERE, '--skip', 'getEdge'], /--skip "getEdge" must be ID-PREFIX=REASON/],
    ['a skip with an empty reason', [NOWHERE, '--skip', 'getEdge= '], /must be ID-PREFIX=REASON/],
    ['a missing config file', [NOWHERE, '--config', '/nowhere/c.yaml'], /--config \/nowhere\/c\.yaml cannot be read/],
  ];

  it.each(wrong)('%s', (_, args, line) => {
    const message = refusal(args);
    expect(message).toMatch(line);
    expect(message).not.toMatch(/\n|secret-argument/);
  });

  it('a token from the environment that cannot be one', () => {
    const message = refusal([NOWHERE], { CONFORMANCE_TOKEN: 'secret-argument\n' });
    expect(message).toMatch(/--token must be made of visible ASCII/);
    expect(message).not.toContain('secret-argument');
  });

  it('a read-only token from the environment that is alone, or the same', () => {
    const environment = { CONFORMANCE_READ_ONLY_TOKEN: 'secret-argument' };
    expect(refusal([NOWHERE], environment)).toMatch(/--read-only-token needs --token beside it/);
    const same = refusal([NOWHERE, '--token', 'secret-argument'], environment);
    expect(same).toMatch(/--read-only-token must be another one than --token/);
    expect(same).not.toContain('secret-argument');
  });
});

describe('the config file must not have', () => {
  it.each([
    ['levle: core', /there is no option levle/],
    ['help: true', /there is no option help/],
    ['bail: "yes"', /bail must be true or false/],
    ['seed: [1, 2]', /seed takes one value/],
    ['only: {a: 1}', /only must be a text or a list of texts/],
    ['url: 5', /url must be a text/],
    ['- 1', /is not a map of options/],
    ['a: b: c', /cannot be read/],
  ])('%s', (content, line) => {
    using folder = folderWith({ 'c.yaml': content });
    const message = refusal([NOWHERE, '--config', folder.file('c.yaml')]);
    expect(message).toMatch(line);
    expect(message).not.toContain('\n');
  });
});

const token = (args: string[], env: Record<string, string>) =>
  (readOptions([NOWHERE, ...args], env) as { token: unknown }).token;

const readOnlyToken = (args: string[], env: Record<string, string>) =>
  (readOptions([NOWHERE, '--token', 't', ...args], env) as { readOnlyToken: unknown }).readOnlyToken;

describe('defaults', () => {
  it('are bounded, and the seed is random', () => {
    expect(readOptions([NOWHERE], {})).toMatchObject({
      runs: 20,
      concurrency: 8,
      timeoutMs: 10_000,
      origin: 'all',
      format: 'text',
      rate: undefined,
      bail: false,
      list: false,
      token: undefined,
    });
    const seeds = Array.from({ length: 5 }, () => (readOptions([NOWHERE], {}) as { seed: number }).seed);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it('prefer the token of the command line to that of the environment, and an empty one is none', () => {
    expect(token([], { CONFORMANCE_TOKEN: 'a' })).toBe('a');
    expect(token(['--token', 'b'], { CONFORMANCE_TOKEN: 'a' })).toBe('b');
    expect(token([], { CONFORMANCE_TOKEN: '' })).toBeUndefined();
  });

  it('do the same with the token that may only read, which a file may have, too', () => {
    expect(readOnlyToken([], {})).toBeUndefined();
    expect(readOnlyToken([], { CONFORMANCE_READ_ONLY_TOKEN: 'a' })).toBe('a');
    expect(readOnlyToken(['--read-only-token', 'b'], { CONFORMANCE_READ_ONLY_TOKEN: 'a' })).toBe('b');
    expect(readOnlyToken([], { CONFORMANCE_READ_ONLY_TOKEN: '' })).toBeUndefined();
    using folder = folderWith({ 'c.yaml': 'read-only-token: c\n' });
    expect(readOnlyToken(['--config', folder.file('c.yaml')], { CONFORMANCE_READ_ONLY_TOKEN: 'a' })).toBe('c');
  });
});
