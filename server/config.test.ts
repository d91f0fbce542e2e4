import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, HELP, readConfig } from './config.ts';
import { temporaryFolder } from '../tools/temporary-folder.ts';
import { isTooOpen, readTokenFile } from './token-file.ts';

const DATABASE = 'postgresql://me:hush@db.example/edges?sslmode=verify-full';
const DEFAULTS = {
  port: 4010,
  host: '127.0.0.1',
  dataDir: './data',
  databaseUrl: undefined,
  databaseConnections: 10,
  token: undefined,
  tokenFile: undefined,
  corsOrigin: undefined,
  rateLimit: undefined,
  trustProxy: 0,
  connectionsPerAddress: 256,
  faults: false,
  seedFile: undefined,
  testToken: undefined,
  publicUrl: undefined,
  metrics: false,
  logLevel: 'info',
  validateResponses: false,
  docsCommand: undefined,
  visibleSecrets: [],
};

/** @param given flags, and variables as NAME=value */
function read(given: string[]) {
  const isVariable = (one: string) => /^[A-Z_]+=/.test(one);
  const args = given.filter((one) => !isVariable(one));
  return readConfig(
    args,
    Object.fromEntries(given.filter(isVariable).map((one) => one.split(/=(.*)/s))),
  );
}

describe('settings', () => {
  test('are all in the help, by their flag and variable', () => {
    for (const name of [
      'DATA_DIR',
      'API_TOKEN',
      'CORS_ORIGIN',
      'VALIDATE_RESPONSES=on',
      '--database-url URL',
    ]) {
      expect(HELP).toContain(name);
    }
    expect(HELP.match(/environment: /g)).toHaveLength(Object.keys(DEFAULTS).length - 1);
    expect(readConfig(['--help'], {})).toBe('help');
    expect(readConfig(['--version'], {})).toBe('version');
  });

  test('keep apart from their texts in the help, within 100 columns', () => {
    const lines = HELP.split('\n');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    // A long flag stands alone on its line.
    expect(lines).toContain('  --connections-per-address N');
    expect(lines).toContain(
      `  --port N${' '.repeat(18)}TCP port, 0 for any that is free (default: 4010)`,
    );
    expect(HELP).toMatch(/\n {2}curl [^\n]+\n$/);
  });

  test.for<[string[], object]>([
    [[], DEFAULTS],
    [
      ['PORT=1', 'HOST=::1', 'DATA_DIR=d', 'LOG_LEVEL=warn'],
      { port: 1, host: '::1', dataDir: 'd', logLevel: 'warn' },
    ],
    [
      ['--port=2', '--token=u', 'PORT=1', 'API_TOKEN=t', 'HOST=::1'],
      { port: 2, token: 'u', host: '::1' },
    ],
    [['PORT=', 'DATA_DIR='], { port: 4010, dataDir: './data' }],
    [['PUBLIC_URL=https://a.example/'], { publicUrl: 'https://a.example' }],
    [
      [`DATABASE_URL=${DATABASE}`, 'DATABASE_CONNECTIONS=3'],
      { databaseUrl: DATABASE, databaseConnections: 3 },
    ],
    [['--data-dir=d', `DATABASE_URL=${DATABASE}`], { dataDir: 'd', databaseUrl: undefined }],
    [[`--database-url=${DATABASE}`, 'DATA_DIR=/d'], { databaseUrl: DATABASE, dataDir: './data' }],
    [['--token-file=f', 'API_TOKEN=t'], { token: undefined, tokenFile: 'f' }],
    [['--token=t', 'API_TOKEN_FILE=f'], { token: 't', tokenFile: undefined }],
    [['--host=0.0.0.0', '--token-file=f'], { host: '0.0.0.0' }],
    [['--host=127.1.2.3'], { host: '127.1.2.3' }],
    [['--host=localhost'], { host: 'localhost' }],
    [
      ['--cors-origin=https://a', '--cors-origin=http://b:1'],
      { corsOrigin: ['https://a', 'http://b:1'] },
    ],
    [['CORS_ORIGIN=https://a, http://b:1'], { corsOrigin: ['https://a', 'http://b:1'] }],
    [['--cors-origin=*'], { corsOrigin: ['*'] }],
    [['--faults', '--validate-responses'], { faults: true, validateResponses: true }],
    [['FAULTS=on', 'VALIDATE_RESPONSES=off'], { faults: true, validateResponses: false }],
    [['--token=t', '--test-token=u'], { visibleSecrets: ['--token', '--test-token'] }],
    [[`--database-url=${DATABASE}`, 'API_TOKEN=t'], { visibleSecrets: ['--database-url'] }],
    [['--database-url=postgres://me@a/b'], { visibleSecrets: [] }],
  ])('%j', ([given, expected]) => {
    expect(read(given)).toMatchObject(expected);
  });

  test.for<[RegExp, ...string[][]]>([
    [/--prot/, ['--prot=1']],
    [/4010/, ['4010']],
    [/--port/, ['--port']],
    [/--faults/, ['--faults=on']],
    [/^FAULTS must be on or off/, ['FAULTS=yes']],
    [/^--port must be/, ['--port=x'], ['--port=65536'], ['--port='], ['--port=http', 'PORT=1']],
    [/^PORT must be/, ['PORT=http']],
    [
      /^(API_TOKEN|API_TOKEN_FILE|TEST_TOKEN) is empty: /,
      ['API_TOKEN='],
      ['API_TOKEN_FILE='],
      ['TEST_TOKEN='],
    ],
    [
      /^--(data-dir|token-file|seed-file) is empty$/,
      ['--data-dir='],
      ['--token-file='],
      ['--seed-file='],
    ],
    [
      /^--database-url must be/,
      ['--database-url=mysql://me:hush@a/b'],
      ['--database-url=postgres://a'],
    ],
    [
      /^--database-connections must be/,
      ['--database-connections=0'],
      ['--database-connections=1001'],
    ],
    [
      /^--data-dir and --database-url cannot be set together/,
      ['--database-url=postgres://a/b', '--data-dir=d'],
    ],
    [
      /^DATA_DIR and DATABASE_URL cannot be set together/,
      [`DATABASE_URL=${DATABASE}`, 'DATA_DIR=/d'],
    ],
    [/^--token and --token-file cannot be set together/, ['--token=t', '--token-file=f']],
    [/^API_TOKEN and API_TOKEN_FILE cannot be set together/, ['API_TOKEN=t', 'API_TOKEN_FILE=f']],
    [/^TEST_TOKEN must differ from --token/, ['--token=hush', 'TEST_TOKEN=hush']],
    [/^--(test-)?token must have/, ['--token=hush hush'], ['--token='], ['--test-token=hush hush']],
    [/^--rate-limit must be/, ['--rate-limit=0']],
    [/^--trust-proxy must be/, ['--trust-proxy=11']],
    [/^--log-level must be/, ['--log-level=loud']],
    [
      /^--public-url must be .*, such as https:\/\/api\.example\.com$/,
      ['--public-url=a.example'],
      ['--public-url=ftp://a'],
      ['--public-url=https://a?x=1'],
    ],
    [
      /^--cors-origin must be/,
      ['--cors-origin=a.example'],
      ['--cors-origin=https://a/'],
      ['--cors-origin=null'],
    ],
    [/^--cors-origin must be/, ['--cors-origin=https://a:443'], ['--cors-origin=']],
    [/^--cors-origin must be .* not both/, ['--cors-origin=*', '--cors-origin=https://a.example']],
    [/set --token-file/, ['--host=0.0.0.0'], ['--host=::'], ['--host=example.com']],
  ])('%s names what is refused, in one line without a secret', ([message, ...inputs]) => {
    for (const given of inputs) {
      expect(() => read(given)).toThrow(ConfigError);
      expect(() => read(given)).toThrow(message);
      expect(() => read(given)).not.toThrow(/\n|hush/);
    }
  });
});

describe('a token file', () => {
  async function tokenFile(text: string): Promise<string> {
    const path = join(await temporaryFolder(), 'tokens');
    await writeFile(path, text);
    return path;
  }

  test('has one token a line, comments and empty lines', async () => {
    const path = await tokenFile(
      '# deployment\nabc\n\n  # dashboard\r\n  def== \t read-only  \r\nx.y~z',
    );
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
    ['abc\nhush-test', /^line 2 .* is the test token/],
    [Array.from({ length: 1001 }, (_, n) => `t${n}`).join('\n'), /more than 1000 tokens$/],
  ] as const)('%j is refused in one line that repeats nothing of it', async ([text, message]) => {
    const path = await tokenFile(text);
    const parse = () => readTokenFile(path, 'hush-test');
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow(/h.sh|\n/);
  });

  test('is too open if others can read it, or the group can change it', async () => {
    const path = await tokenFile('abc');
    const modes = {
      '600': false,
      '640': false,
      '400': false,
      '644': true,
      '660': true,
      '602': true,
    };
    for (const [mode, expected] of Object.entries(modes)) {
      await chmod(path, mode);
      expect([mode, isTooOpen(path)]).toEqual([mode, expected]);
    }
    expect(isTooOpen('/nowhere/tokens')).toBe(false);
  });
});
