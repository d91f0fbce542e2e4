/** The command line without a run: what is refused, defaults, `--help`, `--version` and `--list`. */
import { afterAll, describe, expect, it } from 'vitest';
import { type Options, readOptions } from '../options.ts';
import { folderWith, suite } from './suite.ts';

const NOWHERE = 'http://127.0.0.1:9';
const known = (id: string, more: object = {}) => ({ id, reason: 'a ticket', expires: '2999-12-31', ...more });

/** Files that the command lines name. */
const folder = folderWith({
  'unknown.yaml': 'levle: core',
  'help.yaml': 'help: true',
  'switch.yaml': 'bail: "yes"',
  'list.yaml': 'seed: [1, 2]',
  'map.yaml': 'only: {a: 1}',
  'url.yaml': 'url: 5',
  'array.yaml': '- 1',
  'broken.yaml': 'a: b: c',
  'no-id.json': '[{"reason":"a","expires":"2999-12-31"}]',
  'prefix.json': JSON.stringify([known('edges')]),
  'twice.json': JSON.stringify([known('edges.stable'), known('edges.stable')]),
  'no-reason.json': JSON.stringify([known('edges.stable', { reason: ' ' })]),
  'no-day.json': JSON.stringify([known('edges.stable', { expires: '2026-02-31' })]),
  'property.json': JSON.stringify([known('edges.stable', { until: 1 })]),
  'object.json': '{}',
  'text.json': '[\n{',
});
const cwd = folder.path;
afterAll(() => folder[Symbol.dispose]());

describe('is refused before anything is sent, with one line that repeats no secret', () => {
  const wrong: [line: string, message: RegExp][] = [
    ['', /give the base URL of the service/],
    ['@ secret-argument', /give one URL, not 2/],
    ['localhost', /"localhost" is not the base URL/],
    ['ftp://localhost', /is not the base URL/],
    ['@/?key=secret-argument', /has no query/],
    ['http://user:secret-argument@localhost/?a', /credentials do not belong into the URL/],
    ['@ --tokn=secret-argument', /Unknown option '--tokn'/],
    ['@ --seed', /--seed/],
    ['@ --bail=yes', /--bail/],
    ['@ --level basic', /--level must be core or extended, not "basic"/],
    ['@ --origin mine', /--origin must be source or all/],
    ['@ --format xml', /--format must be text or json or junit or markdown or html/],
    ['--list --format junit', /--list is shown as text or json/],
    ['@ --seed x', /--seed must be a whole number/],
    ['@ --runs 1.5', /--runs must be a whole number from 1/],
    ['@ --concurrency 0', /--concurrency must be/],
    ['@ --timeout-ms 0', /--timeout-ms must be/],
    ['@ --rate 0', /--rate must be/],
    ['@ --token "secret-argument\n"', /--token must be made of visible ASCII/],
    ['@ --read-only-token secret-argument', /--read-only-token needs --token beside it/],
    ['@ --token secret-argument --read-only-token secret-argument', /must be another one than --token/],
    ['@ --header secret-argument', /--header must be NAME:VALUE/],
    ['@ --header "x: secret-argument\r\ny: 1"', /--header must be NAME:VALUE/],
    ['@ --header X:1 --header x:2', /--header x is given twice/],
    ['@ --header Content-Length:5', /--header Content-Length is for the suite to set/],
    ['@ --skip getEdge', /--skip "getEdge" must be ID-PREFIX=REASON/],
    ['@ --skip "getEdge= "', /must be ID-PREFIX=REASON/],
    ['@ --config none.yaml', /--config none\.yaml cannot be read/],
    ['@ --config unknown.yaml', /there is no option levle/],
    ['@ --config help.yaml', /there is no option help/],
    ['@ --config switch.yaml', /bail must be true or false/],
    ['@ --config list.yaml', /seed takes one value/],
    ['@ --config map.yaml', /only must be a text or a list of texts/],
    ['@ --config url.yaml', /url must be a text/],
    ['@ --config array.yaml', /is not a map of options/],
    ['@ --config broken.yaml', /cannot be read/],
    ['@ --known-failures none.json', /--known-failures none\.json cannot be read/],
    ['@ --known-failures no-id.json', /entry 1 has no id/],
    ['@ --known-failures prefix.json', /entry 1: there is no requirement "edges"; --list shows them/],
    ['@ --known-failures twice.json', /entry 2 repeats edges\.stable/],
    ['@ --known-failures no-reason.json', /entry 1 \(edges\.stable\) has no reason/],
    ['@ --known-failures no-day.json', /needs expires: a day such as 2026-12-31/],
    ['@ --known-failures property.json', /has an unknown property until/],
    ['@ --known-failures object.json', /is not a list/],
    ['@ --known-failures text.json', /cannot be read: it is not JSON/],
    ['@ --contract none.yaml', /--contract none\.yaml: cannot read the contract/],
    ['@ --contract object.json', /--contract object\.json: the contract .* is not an OpenAPI document/],
    ['@ --event-type Wrong', /--event-type "Wrong" breaks the contract \(EventType/],
    ['@ --subscription-id "a b"', /--subscription-id "a b" breaks the contract/],
    ['@ --certificate-authority-id ""', /--certificate-authority-id "" breaks the contract/],
    ['@ --hostport-domain "a b"', /--hostport-domain "a b" breaks the contract/],
    ['@ --report /dev/null', /--report \/dev\/null cannot be made/],
    ['--list --only nothing', /--only nothing matches no requirement/],
  ];
  it.each(wrong)('%j', async (line, message) => {
    const { code, stdout, stderr } = await suite(line.replace(/^@/, NOWHERE), { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^edge-conformance: .*\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/unexpected|secret-argument/);
  });
});

describe('options', () => {
  const read = (line: string, env = {}) =>
    readOptions([NOWHERE, ...line.split(' ').filter(Boolean)], env, cwd) as Options;

  it('have bounded defaults, and a random seed', () => {
    const { seed, ...defaults } = read('');
    expect(defaults).toMatchObject({ runs: 20, concurrency: 8, timeoutMs: 10_000, origin: 'all', format: 'text' });
    expect(read('').seed === seed && read('').seed === seed).toBe(false);
  });

  it.each([
    ['CONFORMANCE_TOKEN', '--token', 'token'],
    ['CONFORMANCE_READ_ONLY_TOKEN', '--token other --read-only-token', 'readOnlyToken'],
  ] as const)('take a token from %s unless the command line has one', (variable, option, name) => {
    const env = { CONFORMANCE_TOKEN: 'other', [variable]: 'a' };
    expect(read('', env)[name]).toBe('a');
    expect(read(`${option} b`, env)[name]).toBe('b');
    expect(read('', { [variable]: '' })[name]).toBeUndefined();
  });

  it('are all explained, and the versions are named', async () => {
    const help = await suite('--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(
      /^ {2}--known-failures FILE [^]*Exit codes: 0 conformant, 1 not conformant, 2 no verdict/m,
    );
    expect(await suite('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+ \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/),
    });
  });

  it('list every requirement, chosen by level, origin and prefix', async () => {
    const { stdout } = await suite('--list');
    const row =
      /^\w+\.\S+\t(core|extended)\t(source( §[\d.]+)?|D\d\d)\topenapi\.yaml:\d+\t(engine|api)\/\S+\.ts\t.*\.$/;
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(row);
    const some = await suite('--list --format json --origin source --level core --only sources.');
    const rows = JSON.parse(some.stdout) as object[];
    expect(rows.length).toBeGreaterThan(3);
    for (const one of rows)
      expect(one).toMatchObject({
        id: expect.stringMatching(/^sources\./),
        level: 'core',
        origin: expect.stringMatching(/^source/),
      });
  });
});
