/** Findings group failures, come in a fixed order, and can be accepted by the user. */
import { expect, test } from 'vitest';
import { acceptedIn, unusedEntries, wrongCauseId } from './accepted.ts';
import { counts, findingsOf, type SeenInRun } from './findings.ts';
import type { Kind } from './kinds.ts';

type Result = SeenInRun['results'][number];
type Failure = NonNullable<Result['failure']>;

interface Wrong {
  kind: Kind;
  operation: string;
  what: string;
  evidence?: string;
  steps?: number;
}

function failureOf({ kind, operation, what, evidence, steps = 1 }: Wrong): Failure {
  const request = { method: 'GET', url: 'http://a/', headers: {}, body: null };
  const exchange = { request, response: { status: 200, headers: {}, body: '' } };
  return {
    message: 'It is wrong.',
    kind,
    operation,
    cause: what,
    cause_id: `${kind}:${operation}:${what}`,
    ...(evidence === undefined ? {} : { evidence }),
    expected: '',
    got: '',
    exchanges: Array.from({ length: steps }, () => exchange),
    curl: '',
    replay: '',
  };
}

function failing(id: string, wrong: Wrong, more: Partial<Result> = {}): Result {
  return {
    id,
    level: 'core',
    origin: 'D01',
    clause: { file: 'a', pointer: '', line: 1 },
    sentence: 'X.',
    status: 'fail',
    cases: 1,
    duration_ms: 1,
    failure: failureOf(wrong),
    ...more,
  };
}

const NOTHING: SeenInRun = { results: [], others: [], notes: [], accept: [], kinds: [] };
const seen = (results: Result[], more: Partial<SeenInRun> = {}) =>
  findingsOf({ ...NOTHING, results, ...more });

const of = (kind: Kind, operation: string, what = 'x'): Wrong => ({ kind, operation, what });

test('kinds come in their order, then what most requirements fail of', () => {
  const results = [
    failing('a.1', of('law', 'a')),
    failing('a.2', of('response', 'a')),
    failing('a.3', of('accepts-invalid', 'a')),
    failing('a.4', of('accepts-invalid', 'a', 'y')),
    failing('a.5', of('accepts-invalid', 'a', 'y')),
    failing('a.6', of('server-error', 'a')),
    failing('a.7', of('stopped', 'a')),
    failing('a.8', of('refuses-valid', 'a')),
  ];
  expect(seen(results).map(({ id }) => id)).toEqual([
    'stopped:a:x',
    'server-error:a:x',
    'accepts-invalid:a:y',
    'accepts-invalid:a:x',
    'refuses-valid:a:x',
    'response:a:x',
    'law:a:x',
  ]);
});

test('the same behaviour of several operations is one finding', () => {
  const results = ['a', 'b', 'c'].map((name) => failing(`${name}.1`, of('response', name)));
  expect(seen(results)).toMatchObject([
    {
      id: 'response:*:x',
      title: '3 operations: x',
      operations: ['a', 'b', 'c'],
      requirements: ['a.1', 'b.1', 'c.1'],
      times: 3,
    },
  ]);
  expect(seen(results.slice(1))[0]).toMatchObject({ title: 'b and c: x' });
});

test('server errors of two operations are two findings', () => {
  const results = ['a', 'b'].map((name) => failing(`${name}.1`, of('server-error', name, '500')));
  expect(seen(results).map(({ id }) => id)).toEqual(['server-error:a:500', 'server-error:b:500']);
});

const ACCEPTED = { cause: 'response:a:x', reason: 'a ticket', expires: '2999-01-01' };

const unreadable = (operation: string): Wrong => ({
  ...of('server-error', operation, '500'),
  evidence: 'NotReadable',
});

test('server errors of several operations with the same evidence are one finding', () => {
  const results = [
    failing('a.1', unreadable('a')),
    failing('a.2', of('server-error', 'a', '500')),
    failing('b.1', unreadable('b')),
  ];
  const others = [{ failure: failureOf(unreadable('c')), times: 4 }];
  expect(seen(results, { others })).toMatchObject([
    {
      id: 'server-error:*:500-NotReadable',
      title: '3 operations: 500 (NotReadable)',
      operations: ['a', 'b', 'c'],
      requirements: ['a.1', 'b.1'],
      times: 6,
    },
    { id: 'server-error:a:500', title: 'a: 500', requirements: ['a.2'] },
  ]);
});

test('server errors of one operation are one finding, whatever their evidence is', () => {
  const other = { ...unreadable('a'), evidence: 'NotWritable' };
  const results = [failing('a.1', unreadable('a')), failing('a.2', other)];
  expect(seen(results)).toMatchObject([{ id: 'server-error:a:500', title: 'a: 500', times: 2 }]);
  expect(seen(results.slice(1))).toMatchObject([
    { id: 'server-error:a:500', title: 'a: 500 (NotWritable)' },
  ]);
});

test.each([
  ['server-error:*:500-NotReadable', []],
  ['server-error:*:500', []],
  ['server-error:a:500', ['server-error:b:500']],
  ['server-error:b:500-NotReadable', ['server-error:a:500']],
])('%s accepts a cause with evidence', (cause, open) => {
  const results = ['a', 'b'].map((name) => failing(`${name}.1`, unreadable(name)));
  const findings = seen(results, { accept: [{ ...ACCEPTED, cause, expired: false }] });
  expect(findings.filter(counts).map(({ id }) => id)).toEqual(open);
});

test('a service that lacks something, or is busy, comes behind one that crashes', () => {
  const results = [
    failing('a.1', of('server-error', 'a', '503')),
    failing('a.2', of('server-error', 'a', '503')),
    failing('b.1', of('server-error', 'b', '501')),
    failing('c.1', of('server-error', 'c', '500')),
  ];
  const ids = seen(results).map(({ id }) => id);
  expect(ids).toEqual(['server-error:c:500', 'server-error:a:503', 'server-error:b:501']);
});

test('an error that one request shows comes before those at once, and is their example', () => {
  const alone = failing('a.1', { ...of('server-error', 'a', '500'), steps: 2 });
  const [first, second, third] = ['a.2', 'b.1', 'b.2'].map((id) => {
    const failure = { ...failureOf(of('server-error', id.charAt(0), '500')), at_once: true };
    return failing(id, of('server-error', 'a'), { failure });
  });
  const results = [first, second, third, alone].filter((one) => one !== undefined);
  expect(seen(results)).toMatchObject([
    { id: 'server-error:a:500', example: 'a.1' },
    { id: 'server-error:b:500', at_once: true },
  ]);
});

test('its example is the failure with the fewest requests, sooner one of its operation', () => {
  const long = failing('a.1', { ...of('response', 'a'), steps: 2 });
  const other = failing('b.1', of('response', 'a'));
  const own = failing('a.2', of('response', 'a'));
  expect(seen([long, other])[0]?.example).toBe('b.1');
  expect(seen([long, other, own])[0]?.example).toBe('a.2');
});

test('its example is sooner a valid request than one that is odd and shorter', () => {
  const usual = failing('a.201', { ...of('server-error', 'a') });
  const odd = failing('a.a', of('server-error', 'a'));
  expect(seen([odd, usual])[0]?.example).toBe('a.201');
});

test('a server error that no requirement shows is a finding, and one that is shown is not', () => {
  const failure = failureOf(of('server-error', 'a', '500'));
  const others = [{ failure, times: 3 }];
  expect(seen([], { others })).toMatchObject([{ requirements: [], times: 3, failure }]);
  const shown = [failing('b.1', of('server-error', 'a', '500'))];
  expect(seen(shown, { others })).toMatchObject([{ requirements: ['b.1'], example: 'b.1' }]);
});

test('a cause is flaky if each of its failures is', () => {
  const stable = failing('a.1', of('law', 'a'));
  const flaky = failing('a.2', of('law', 'a'), { status: 'flaky' });
  expect(seen([flaky])[0]?.flaky).toBe(true);
  expect(seen([flaky, stable])[0]?.flaky).toBeUndefined();
});

test('what is accepted is apart, until it expires', () => {
  const results = ['a', 'b', 'c'].map((name) => failing(`${name}.1`, of('response', name)));
  const findings = seen(results, { accept: [{ ...ACCEPTED, expired: false }] });
  expect(findings.map((one) => [one.id, counts(one)])).toEqual([
    ['response:*:x', true],
    ['response:a:x', false],
  ]);
  const [all] = seen(results, {
    accept: [{ ...ACCEPTED, cause: 'response:*:x', expired: false }],
  });
  expect([all?.id, all && counts(all)]).toEqual(['response:*:x', false]);
  const [, expired] = seen(results, { accept: [{ ...ACCEPTED, expired: true }] });
  expect(expired && counts(expired)).toBe(true);
});

test('an entry for one operation comes before one for any', () => {
  const one = { ...ACCEPTED, expired: false };
  const any = { ...one, cause: 'response:*:x' };
  expect(acceptedIn([any, one], { cause_id: 'response:a:x' })).toBe(one);
  expect(acceptedIn([any, one], { cause_id: 'response:b:x' })).toBe(any);
  expect(acceptedIn([any, one], { cause_id: 'response:b:y' })).toBeUndefined();
});

test('an entry whose cause did not occur is named', () => {
  const accept = [{ ...ACCEPTED, expired: false }];
  expect(unusedEntries(accept, [])).toEqual([
    'The accepted cause response:a:x did not occur: remove it if it is fixed.',
  ]);
  const findings = seen([failing('a.1', of('response', 'a'))], { accept });
  expect(unusedEntries(accept, findings)).toEqual([]);
});

test.each([
  ['server-error:a:500', undefined],
  ['response:*:errors/required/code', undefined],
  ['a.body.maxLength', 'is not the id of a cause'],
  ['other:a:500', 'begins with none of the kinds stopped, server-error'],
])('%s as the id of a cause %s', (text, wrong) => {
  expect(wrongCauseId(text)?.slice(0, wrong?.length)).toBe(wrong);
});

test('only the kinds that the user wants are findings', () => {
  const results = [failing('a.1', of('law', 'a')), failing('a.2', of('server-error', 'a'))];
  expect(seen(results, { kinds: ['law'] }).map(({ kind }) => kind)).toEqual(['law']);
});

test('what is wrong in the contract comes last, does not count, and has its sentences', () => {
  const note = { what: 'example', words: 'an example is wrong', sentence: 'The example is wrong.' };
  const notes = ['a', 'b'].map((operation) => ({ operation, ...note }));
  const findings = seen([failing('a.1', of('law', 'a'))], { notes });
  expect(findings[1]).toMatchObject({
    id: 'contract:*:example',
    title: 'a and b: an example is wrong',
    notes: [note.sentence, note.sentence],
  });
  expect(findings.map(counts)).toEqual([true, false]);
});

test('the first finding of an operation is what blocks the requirements that need it', () => {
  const blocked = ['b.1', 'b.2'].map((id): Result => {
    const { failure: _, ...rest } = failing(id, of('law', 'b'));
    return { ...rest, status: 'blocked', reason: 'a was not reached', blocked_by: 'a' };
  });
  const results = [
    failing('a.1', of('response', 'a')),
    failing('a.2', of('server-error', 'a', '500')),
    ...blocked,
  ];
  expect(seen(results).map(({ id, blocks }) => [id, blocks])).toEqual([
    ['server-error:a:500', 2],
    ['response:a:x', undefined],
  ]);
});
