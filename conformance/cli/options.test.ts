/**
 * The command line without a run: what is refused, defaults, `--help`, `--version` and `--list`.
 */
import { expect, it } from 'vitest';
import { HELP } from './option-table.ts';
import { type Options, readOptions } from './options.ts';
import { folderWith } from './testing/folder.ts';
import { suite } from './testing/suite.ts';

const NOWHERE = 'http://127.0.0.1:9';
const STABLE = { id: 'edges.stable', reason: 'a', expires: '2999-12-31' };

/** A line, in which `@` is the URL, its message, and the content of the file `f`. */
const REFUSED: [line: string, message: RegExp, file?: string][] = [
  ['', /give the base URL of the service/],
  ['@ secret-argument', /give one URL, not 2/],
  ['localhost', /"localhost" is not the base URL/],
  ['@/?key=secret-argument', /has no query/],
  ['http://user:secret-argument@localhost/?a', /credentials do not belong into the URL/],
  ['@ --tokn=secret-argument', /there is no option --tokn \(see --help\)/],
  ['@ -x', /there is no option -x/],
  ['@ --verbose=secret-argument', /--verbose takes no value/],
  ['@ --seed', /--seed needs a value \(N; see --help\)/],
  ['@ --token --verbose', /--token needs a value \(TOKEN\); .* is written --token=TOKEN/],
  ['@ --token -secret-argument', /--token needs a value/],
  ['@ --report ""', /--report needs a value, which is empty here/],
  ['@ --config f', /--only needs a value, which is empty here/, 'only: [a, ""]'],
  ['@ --level basic', /--level must be core or extended, not "basic"/],
  ['@ --kind law --kind laws', /--kind must be one of stopped, .*, contract, not "laws"/],
  ['--list --format junit', /--list is shown as text or json/],
  ['@ --runs 1.5', /--runs must be a whole number from 1/],
  ['@ --runs -3', /--runs must be a whole number from 1 to 100000, not "-3"/],
  ['@ --max-time -0.5', /--max-time must be a number from 0.1 to 1000000, not "-0.5"/],
  ['@ --jobs 0', /--jobs must be a whole number from 1/],
  ['@ --rate 0', /--rate must be a whole number from 1/],
  ['@ --token "secret-argument\n"', /--token must be made of visible ASCII/],
  ['@ --read-only-token secret-argument', /--read-only-token needs --token beside it/],
  [
    '@ --token secret-argument --read-only-token secret-argument',
    /--read-only-token must differ from --token/,
  ],
  ['@ --other-token secret-argument', /--other-token needs --token beside it/],
  [
    '@ --token secret-argument --other-token secret-argument',
    /--other-token must differ from --token/,
  ],
  ['@ --header secret-argument', /--header must be NAME:VALUE/],
  ['@ --header "x: secret-argument\r\ny: 1"', /--header must be NAME:VALUE/],
  ['@ --header X:1 --header x:2', /--header x is given twice/],
  ['@ --header Content-Length:5', /--header Content-Length is for the suite to set/],
  ['@ --skip getEdge', /--skip "getEdge" must be ID=REASON/],
  ['@ --skip "getEdge= "', /must be ID=REASON/],
  ['@ --config none', /--config none cannot be read/],
  ['@ --config f', /there is no option levle/, 'levle: core'],
  ['@ --config f', /--config f: the environment has no NOTHING/, 'token: ${NOTHING}'],
  ['@ --config f', /there is no option help/, 'help: true'],
  ['@ --config f', /bail must be true or false/, 'bail: "yes"'],
  ['@ --config f', /seed takes one value/, 'seed: [1, 2]'],
  ['@ --config f', /only must be a text or a list of texts/, 'only: {a: 1}'],
  ['@ --config f', /url must be a text/, 'url: 5'],
  ['@ --config f', /--config f is not a map/, '- 1'],
  ['@ --config f', /cannot be read/, 'a: b: c'],
  ['@ --known-failures none', /--known-failures none cannot be read/],
  ['@ --known-failures f', /entry 1 has no id/, '[{}]'],
  [
    '@ --known-failures f',
    /no requirement "edges"; --list shows them/,
    JSON.stringify([{ ...STABLE, id: 'edges' }]),
  ],
  ['@ --known-failures f', /entry 2 repeats edges\.stable/, JSON.stringify([STABLE, STABLE])],
  [
    '@ --known-failures f',
    /entry 1 \(edges\.stable\) has no reason/,
    JSON.stringify([{ ...STABLE, reason: ' ' }]),
  ],
  [
    '@ --known-failures f',
    /needs expires: a day such as 2026-12-31/,
    JSON.stringify([{ ...STABLE, expires: '2999-02-31' }]),
  ],
  [
    '@ --known-failures f',
    /has an unknown property until/,
    JSON.stringify([{ until: 1, ...STABLE }]),
  ],
  ['@ --known-failures f', /is not a list in JSON/, 'null'],
  ['@ --known-failures f', /is not a list in JSON/, '{\n['],
  ['@ --contract none', /--contract none: cannot read the contract/],
  ['@ --contract f', /--contract f: the contract .* is not an OpenAPI document/, '{}'],
  ['@ --data f', /--data has a meaning for --contract only/, '{}'],
  ['@ --data f', /credentials must be a map/, 'credentials: secret-argument'],
  ['@ --cert f', /--cert and --key belong together/, ''],
  ['@ --cert f --key f', /--cert, --key or --ca cannot be used/, 'secret-argument'],
  ['@ --ca none', /--ca none cannot be read/],
  ['@ --proxy me:secret-argument@host', /--proxy must be the URL of a proxy/],
  ['@ --server-variable a', /--server-variable must be NAME=VALUE/],
  ['@ --server-variable a=b', /--server-variable has a meaning for --contract only/],
  ['@ --auth secret-argument', /--auth must be NAME=VALUE/],
  ['@ --auth "a=secret-argument\n"', /--auth a must be made of visible ASCII/],
  ['@ --auth a=', /--auth a: there is no value/],
  ['@ --auth a=env:NOTHING', /--auth a: the environment has no NOTHING/],
  ['@ --auth a=b', /--auth has a meaning for --contract only/],
  ['@ --token a --other-token b', /--other-token has a meaning for --contract only/],
  ['@ --wait soon', /--wait must be a whole number from 0/],
  ['@ --min-tried 1.5', /--min-tried must be a number from 0 to 1, not "1.5"/],
  ['@ --event-type Wrong', /--event-type "Wrong" breaks the contract \(EventType/],
  ['@ --subscription-id "a b"', /--subscription-id "a b" breaks the contract/],
  ['@ --certificate-authority-id "a b"', /--certificate-authority-id "a b" breaks the contract/],
  ['@ --hostport-domain "a b"', /--hostport-domain "a b" breaks the contract/],
  ['@ --report /dev/null', /--report \/dev\/null cannot be made/],
  ['@ --report /proc/a/b', /--report \/proc\/a\/b cannot be made/],
];

it.each(REFUSED)(
  '%j is refused in one line that repeats no secret: %s',
  async (line, message, file = '') => {
    using folder = folderWith({ f: file });
    const { code, stdout, stderr } = await suite(line.replace(/^@/, NOWHERE), { cwd: folder.path });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^edge-conformance: .*\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/unexpected|secret-argument/);
  },
);

it('options have bounded defaults', () => {
  expect(readOptions([NOWHERE], {})).toMatchObject({
    runs: 20,
    concurrency: 8,
    jobs: 1,
    timeoutMs: 10_000,
    minTried: 1,
    origin: 'all',
    format: 'text',
  });
});

it('a negative seed needs no equals sign', () => {
  expect(readOptions([NOWHERE, '--seed', '-5'], {})).toMatchObject({ seed: -5 });
});

it('the seed is random', () => {
  const seeds = [1, 2, 3].map(() => (readOptions([NOWHERE], {}) as Options).seed);
  expect(new Set(seeds).size).toBeGreaterThan(1);
});

it.each([
  ['CONFORMANCE_TOKEN', '--token', 'token'],
  ['CONFORMANCE_READ_ONLY_TOKEN', '--token other --read-only-token', 'readOnlyToken'],
  ['CONFORMANCE_OTHER_TOKEN', '--token other --other-token', 'otherToken'],
] as const)('%s has a token unless the command line has one', (variable, option, name) => {
  const read = (line: string, env: Record<string, string>) =>
    readOptions(`${NOWHERE} ${line}`.trim().split(' '), env) as Options;
  const env = { CONFORMANCE_TOKEN: 'other', [variable]: 'a' };
  expect(read('', env)[name]).toBe('a');
  expect(read(`${option} b`, env)[name]).toBe('b');
  expect(read('', { [variable]: '' })[name]).toBeUndefined();
});

it('an API key may have a word before it', () => {
  const options = readOptions([NOWHERE, '--token', 'Token 0123'], {}) as Options;
  expect(options.token).toBe('Token 0123');
});

it('the help keeps within 100 columns, and ends with commands that are understood', () => {
  expect(HELP.split('\n').filter((line) => line.length > 100)).toEqual([]);
  const [, examples = ''] = HELP.split('\nExamples:\n');
  const commands = [...examples.matchAll(/edge-conformance (http.*?)(?: {2,}|$)/gm)];
  expect(commands.length).toBeGreaterThan(3);
  for (const [, line = ''] of commands) {
    const options = readOptions(line.split(' '), {}) as Options;
    expect(options.url, line).toBe(line.split(' ')[0]);
  }
});

/** A line of a list, in its columns. */
const LISTED = [
  String.raw`\w+\.\S+`,
  '(core|extended)',
  String.raw`(source( §[\d.]+)?|D\d\d)`,
  String.raw`openapi\.yaml:\d+`,
  String.raw`(engine|api)\/\S+\.ts`,
  String.raw`.*\.`,
];

it.each([
  [
    '--help',
    /^ {2}--known-failures FILE [^]*Exit codes: 0 conformant, 1 not conformant, 2 no verdict/m,
  ],
  ['--version', /^\S+ \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/],
  ['--list', new RegExp(`^(${LISTED.join('\t')}\n)+$`)],
  ['--list --origin source --level core --only sources.', /^(sources\.\S+\tcore\tsource.*\n){5,}$/],
  ['--list --format json --only sources.isolation', /^\[\n {2}\{\n {4}"id": "sources\.isolation"/],
])('%s sends nothing', async (line, printed) => {
  const stdout = expect.stringMatching(printed);
  expect(await suite(line)).toEqual({ code: 0, stdout, stderr: '' });
});
