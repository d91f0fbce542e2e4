/** `--known-failures`: excused for a time, for a reason, and only what fails. */
import { describe, expect, it } from 'vitest';
import { folderWith, suite } from './suite.ts';
import { implementation, wrongDescription } from './services.ts';

const LATER = '2999-12-31';
const entry = (id: string, expires = LATER) => ({ id, reason: 'a ticket', expires });
/** All that `wrongDescription` breaks among these. */
const BROKEN = ['edges.read-your-write', 'edges.stable'];
const ARGS = [
  '--only',
  'edges.read-your-write',
  '--only',
  'edges.stable',
  '--only',
  'edges.location',
  '--runs',
  '5',
  '--seed',
  '1',
];

async function check(known: unknown, args: string[] = [], content = JSON.stringify(known)) {
  await using served = await implementation(wrongDescription);
  using folder = folderWith({ 'known.json': content });
  const finished = await suite([served.url, ...ARGS, ...args, '--known-failures', folder.file('known.json')]);
  return { ...finished, requests: served.requests.length };
}

describe('known failures', () => {
  it('are excused, and still shown with their reason', async () => {
    const { code, stdout } = await check(BROKEN.map((id) => entry(id)));
    expect(stdout).toMatch(/^Conformant/m);
    expect(stdout).toMatch(/^Conformant\. Of 3 checked requirements, 1 holds and 2 are known failures\.$/m);
    expect(stdout).toMatch(/^2 known failures are excused until the day in --known-failures$/m);
    expect(stdout).toContain(`known failure until ${LATER}: a ticket`);
    expect(stdout).toContain('2 failed');
    expect(code).toBe(0);
  });

  it('do not excuse others', async () => {
    const { code, stdout } = await check([entry(BROKEN[0]!)]);
    expect(stdout).toMatch(/^1 broken: edges\.stable$/m);
    expect(stdout).toContain('2 of 3 checked requirements do not hold, 1 of them known and excused.');
    expect(code).toBe(1);
  });

  it('do not stop a run with --bail', async () => {
    const { code, stdout } = await check(
      BROKEN.map((id) => entry(id)),
      ['--bail', '--concurrency', '1'],
    );
    expect(stdout).toMatch(/^pass +edges\.location/m);
    expect(code).toBe(0);
  });

  it('make the run fail once they are expired', async () => {
    const { code, stdout } = await check([entry(BROKEN[0]!), entry(BROKEN[1]!, '2020-01-31')]);
    expect(stdout).toMatch(/^1 broken: edges\.stable \(known, but expired on 2020-01-31\)$/m);
    expect(stdout).toContain('known failure, expired on 2020-01-31: a ticket');
    expect(code).toBe(1);
  });

  it('make the run fail once they pass', async () => {
    const { code, stdout } = await check([...BROKEN, 'edges.location'].map((id) => entry(id)));
    expect(stdout).toMatch(/^1 broken: edges\.location \(listed as a known failure, but it passes: remove it\)$/m);
    expect(code).toBe(1);
  });

  it('may name requirements that this run does not try', async () => {
    const { code } = await check([...BROKEN, 'getEdge.406'].map((id) => entry(id)));
    expect(code).toBe(0);
  });

  const wrong: [string, unknown, RegExp][] = [
    [
      'an id that matches no requirement',
      [entry('edges.read-your-wrte')],
      /entry 1: there is no requirement "edges\.read-your-wrte"; --list shows them/,
    ],
    ['a prefix of ids', [entry('edges')], /entry 1: there is no requirement "edges"/],
    ['an id twice', [entry(BROKEN[0]!), entry(BROKEN[0]!)], /entry 2 repeats edges\.read-your-write/],
    ['no id', [{ reason: 'a', expires: LATER }], /entry 1 has no id/],
    ['no reason', [{ id: BROKEN[0], expires: LATER }], /entry 1 \(edges\.read-your-write\) has no reason/],
    ['an empty reason', [{ id: BROKEN[0], reason: ' ', expires: LATER }], /has no reason/],
    ['no expiry', [{ id: BROKEN[0], reason: 'a' }], /needs expires: a day such as 2026-12-31/],
    ['an expiry that is no day', [entry(BROKEN[0]!, '2026-02-31')], /needs expires/],
    ['an expiry with a time', [entry(BROKEN[0]!, '2026-02-01T00:00:00Z')], /needs expires/],
    ['an unknown property', [{ ...entry(BROKEN[0]!), until: 1 }], /has an unknown property until/],
    ['an entry that is none', [null], /entry 1 has no id/],
    ['a map', {}, /is not a list/],
  ];
  it.each(wrong)('must not have %s', async (_, known, line) => {
    const { code, stdout, stderr, requests } = await check(known);
    expect([code, stdout, requests]).toEqual([2, '', 0]);
    expect(stderr).toMatch(/^edge-conformance: --known-failures .*\n$/);
    expect(stderr).toMatch(line);
  });

  it('must be JSON', async () => {
    const { code, stderr } = await check(undefined, [], '[\n{');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^edge-conformance: --known-failures .* cannot be read: it is not JSON\n$/);
  });
});
