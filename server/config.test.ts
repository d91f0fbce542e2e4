import { describe, expect, test } from 'vitest';
import { ConfigError, HELP, readConfig } from './config.ts';

describe('settings', () => {
  test('have defaults', () => {
    expect(readConfig([], {})).toEqual({
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
      faults: false,
      visibleSecrets: [],
      seedFile: undefined,
      testToken: undefined,
      publicUrl: undefined,
      logLevel: 'info',
      validateResponses: false,
      docsCommand: undefined,
    });
  });

  test('come from the environment, and a flag wins', () => {
    const env = {
      PORT: '1',
      HOST: '::1',
      DATA_DIR: 'd',
      API_TOKEN: 't',
      PUBLIC_URL: 'https://a.example/',
      LOG_LEVEL: 'warn',
    };
    expect(readConfig([], env)).toMatchObject({
      port: 1,
      host: '::1',
      dataDir: 'd',
      token: 't',
      publicUrl: 'https://a.example',
      logLevel: 'warn',
    });
    expect(readConfig(['--port', '2', '--token=u'], env)).toMatchObject({ port: 2, token: 'u', host: '::1' });
  });

  test('name one store', () => {
    const url = 'postgresql://me:pass@db.example/edges?sslmode=verify-full';
    expect(readConfig([], { DATABASE_URL: url, DATABASE_CONNECTIONS: '3' })).toMatchObject({
      databaseUrl: url,
      databaseConnections: 3,
    });
    expect(() => readConfig([], { DATABASE_URL: url, DATA_DIR: '/d' })).toThrow(/cannot be set together/);
    expect(readConfig(['--data-dir', 'd'], { DATABASE_URL: url })).toMatchObject({
      dataDir: 'd',
      databaseUrl: undefined,
    });
    expect(readConfig(['--database-url', url], { DATA_DIR: '/d' })).toMatchObject({ databaseUrl: url });
    expect(readConfig(['--database-url', url], { DATA_DIR: '' })).toMatchObject({ databaseUrl: url });
  });

  test('that are empty variables count as unset', () => {
    expect(readConfig([], { PORT: '', DATA_DIR: '' })).toMatchObject({ port: 4010, dataDir: './data' });
  });

  test.for(['API_TOKEN', 'API_TOKEN_FILE', 'TEST_TOKEN'])('that decide who may call are not empty: %s', (variable) => {
    expect(() => readConfig([], { [variable]: '' })).toThrow(ConfigError);
    expect(() => readConfig([], { [variable]: '' })).toThrow(`${variable} is empty: give it a value, or unset it`);
  });

  test('are named as they were given', () => {
    expect(() => readConfig([], { PORT: 'http' })).toThrow(/^PORT must be/);
    expect(() => readConfig(['--port', 'http'], { PORT: '1' })).toThrow(/^--port must be/);
    expect(() => readConfig(['--token', 't', '--token-file', 'f'], {})).toThrow(
      /^--token and --token-file cannot be set together/,
    );
    expect(() => readConfig([], { API_TOKEN: 't', API_TOKEN_FILE: 'f' })).toThrow(/^API_TOKEN and API_TOKEN_FILE/);
  });

  test('keep the test token apart from the token of clients', () => {
    expect(() => readConfig(['--token', 'hush'], { TEST_TOKEN: 'hush' })).toThrow(
      /^TEST_TOKEN must differ from --token/,
    );
    expect(() => readConfig(['--token', 'hush', '--test-token', 'hush'], {})).not.toThrow(/hush/);
    expect(readConfig(['--token', 'hush'], { TEST_TOKEN: 'hush2' })).toMatchObject({ testToken: 'hush2' });
  });

  test('are all in the help', () => {
    for (const name of [
      'PORT',
      'HOST',
      'DATA_DIR',
      'DATABASE_URL',
      'DATABASE_CONNECTIONS',
      'API_TOKEN',
      'PUBLIC_URL',
      'SEED_FILE',
      'TEST_TOKEN',
      'API_TOKEN_FILE',
      'CORS_ORIGIN',
      'RATE_LIMIT',
      'TRUST_PROXY',
      'FAULTS',
      'LOG_LEVEL',
      'VALIDATE_RESPONSES',
      'DOCS_COMMAND',
    ])
      expect(HELP).toContain(name);
    expect(readConfig(['--help'], {})).toBe('help');
  });

  test.for([
    [['--prot', '1'], /--prot/],
    [['4010'], /4010/],
    [['--port'], /--port/],
    [['--port', 'x'], /--port must be/],
    [['--port', '65536'], /--port must be/],
    [['--port', '-1'], /--port/],
    [['--port', ''], /--port must be/],
    [['--data-dir', ''], /--data-dir/],
    [['--database-url', 'mysql://a/b'], /--database-url must be/],
    [['--database-url', 'postgres://a.example'], /--database-url must be/],
    [['--database-url', 'a.example/name'], /--database-url must be/],
    [['--database-url', 'postgres://a/b', '--data-dir', 'd'], /cannot be set together/],
    [['--database-connections', '0'], /--database-connections must be/],
    [['--database-connections', '1001'], /--database-connections must be/],
    [['--log-level', 'loud'], /--log-level must be/],
    [['--public-url', 'a.example'], /--public-url must be/],
    [['--public-url', 'ftp://a.example'], /--public-url must be/],
    [['--public-url', 'https://a.example?x=1'], /--public-url must be/],
    [['--token', 'two words'], /--token must have/],
    [['--test-token', 'two words'], /--test-token must have/],
    [['--token-file', ''], /--token-file is empty/],
    [['--token', ''], /--token must have/],
    [['--seed-file', ''], /--seed-file is empty/],
    [['--token', 't', '--token-file', 'f'], /cannot be set together/],
    [['--cors-origin', 'app.example.com'], /--cors-origin must be/],
    [['--cors-origin', 'https://app.example.com/'], /--cors-origin must be/],
    [['--cors-origin', 'https://app.example.com:443'], /--cors-origin must be/],
    [['--cors-origin', 'null'], /--cors-origin must be/],
    [['--cors-origin', ''], /--cors-origin must be/],
    [['--cors-origin', '*', '--cors-origin', 'https://a.example'], /not both/],
    [['--rate-limit', '0'], /--rate-limit must be/],
    [['--trust-proxy', '11'], /--trust-proxy must be/],
    [['--trust-proxy', 'true'], /--trust-proxy must be/],
    [['--faults=on'], /--faults/],
    [['--host', '0.0.0.0'], /set --token/],
    [['--host', '::'], /set --token/],
    [['--host', 'example.com'], /set --token/],
  ] as const)('%j are refused in one line', ([argv, message]) => {
    expect(() => readConfig([...argv], {})).toThrow(ConfigError);
    expect(() => readConfig([...argv], {})).toThrow(message);
    expect(() => readConfig([...argv], {})).not.toThrow(/\n/);
  });

  test('never repeat a secret that is refused', () => {
    expect(() => readConfig(['--token', 'hush hush'], {})).not.toThrow(/hush/);
    expect(() => readConfig(['--database-url', 'mysql://me:hush@a/b'], {})).not.toThrow(/hush/);
  });

  test('name tokens in one place', () => {
    expect(readConfig([], { API_TOKEN_FILE: 'f' })).toMatchObject({ token: undefined, tokenFile: 'f' });
    expect(readConfig(['--token-file', 'f'], { API_TOKEN: 't' })).toMatchObject({ token: undefined, tokenFile: 'f' });
    expect(readConfig(['--token', 't'], { API_TOKEN_FILE: 'f' })).toMatchObject({ token: 't', tokenFile: undefined });
    expect(() => readConfig([], { API_TOKEN: 't', API_TOKEN_FILE: 'f' })).toThrow(/cannot be set together/);
    expect(readConfig(['--host', '0.0.0.0', '--token-file', 'f'], {})).toMatchObject({ host: '0.0.0.0' });
  });

  test('list origins by several flags, or by commas', () => {
    const corsOrigin = ['https://a.example', 'http://127.0.0.1:5173'];
    expect(readConfig(['--cors-origin', corsOrigin[0]!, '--cors-origin', corsOrigin[1]!], {})).toMatchObject({
      corsOrigin,
    });
    expect(readConfig([], { CORS_ORIGIN: corsOrigin.join(', ') })).toMatchObject({ corsOrigin });
    expect(readConfig(['--cors-origin', '*'], {})).toMatchObject({ corsOrigin: ['*'] });
  });

  test('switch the validation of responses on and off', () => {
    expect(readConfig(['--validate-responses'], {})).toMatchObject({ validateResponses: true });
    expect(readConfig([], { VALIDATE_RESPONSES: 'on', NODE_ENV: 'production' })).toMatchObject({
      validateResponses: true,
    });
    expect(readConfig([], { NODE_ENV: 'development' })).toMatchObject({ validateResponses: false });
  });

  test('switch faults on and off', () => {
    expect(readConfig(['--faults'], {})).toMatchObject({ faults: true });
    expect(readConfig([], { FAULTS: 'on' })).toMatchObject({ faults: true });
    expect(readConfig([], { FAULTS: 'off' })).toMatchObject({ faults: false });
    expect(() => readConfig([], { FAULTS: 'yes' })).toThrow(/FAULTS must be on or off/);
  });

  test('say which secrets a process listing shows', () => {
    const url = 'postgres://me:hush@a/b';
    expect(readConfig(['--token', 't', '--test-token', 'u', '--database-url', url], {})).toMatchObject({
      visibleSecrets: ['--token', '--test-token', '--database-url'],
    });
    expect(readConfig(['--database-url', 'postgres://me@a/b'], { API_TOKEN: 't', TEST_TOKEN: 'u' })).toMatchObject({
      visibleSecrets: [],
    });
  });

  test('open the API on loopback only', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) readConfig(['--host', host], {});
    expect(readConfig(['--host', '0.0.0.0', '--token', 't'], {})).toMatchObject({ host: '0.0.0.0' });
  });
});
