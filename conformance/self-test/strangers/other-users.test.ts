/** Users, each of whom has diaries that nobody else may reach. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const DIARY = '{application/json: {schema: {$ref: "#/components/schemas/Diary"}}}';
const ENTRY = '{application/json: {schema: {$ref: "#/components/schemas/Entry"}}}';
const SEVERAL =
  '{application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Diary"}}}}';

const contractWith = (scheme: string): string => `
openapi: 3.1.0
info: {title: Diaries, version: '1'}
security: [{user: []}]
paths:
  /diaries:
    get:
      operationId: list
      responses:
        '200': {description: Yours., content: ${SEVERAL}}
        '401': {description: Who are you?}
    post:
      operationId: start
      requestBody: {required: true, content: ${DIARY}}
      responses:
        '201': {description: It., content: ${DIARY}}
        '400': {description: It is refused.}
        '401': {description: Who are you?}
  /diaries/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      operationId: show
      responses:
        '200': {description: It., content: ${DIARY}}
        '401': {description: Who are you?}
        '404': {description: You have none.}
    patch:
      operationId: rename
      requestBody: {required: true, content: ${DIARY}}
      responses:
        '200': {description: It., content: ${DIARY}}
        '400': {description: It is refused.}
        '401': {description: Who are you?}
        '404': {description: You have none.}
    delete:
      operationId: burn
      responses:
        '204': {description: It is gone.}
        '401': {description: Who are you?}
        '404': {description: You have none.}
  /diaries/{id}/entries:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    post:
      operationId: write
      requestBody: {required: true, content: ${ENTRY}}
      responses:
        '201': {description: It., content: ${ENTRY}}
        '400': {description: It is refused.}
        '401': {description: Who are you?}
        '404': {description: You have none.}
components:
  securitySchemes:
    user: ${scheme}
  schemas:
    Diary:
      type: object
      required: [title]
      properties:
        id: {type: string, readOnly: true}
        title: {type: string, minLength: 1, maxLength: 40}
    Entry:
      type: object
      required: [text]
      properties:
        text: {type: string, minLength: 1, maxLength: 40}
`;

interface Diary {
  owner: string;
  title: string;
}

/** The secrets of the two users of a run. */
const TOKENS = ['key-of-anna', 'key-of-bert'];
const OPTIONS = ['--token', 'key-of-anna', '--other-token', 'key-of-bert'];

const isText = (value: unknown): value is string =>
  typeof value === 'string' && /^.{1,40}$/su.test(value);

type Reach = (call: Call, diary: Diary, user: string) => boolean;

/** What a service does otherwise. */
interface Differences {
  /** Whom a service lets reach a diary. */
  reaches?: Reach;
  /** Whether it lists the diaries of all users. */
  listsAll?: boolean;
  /** Whether it does what it refuses. */
  isLate?: boolean;
  /** Whether the diaries of each user have the numbers from 1. */
  numbersOfEach?: boolean;
  /** Whether a removal of nothing is a success. */
  removesNothing?: boolean;
  /** The status for a token that it does not know. */
  unknown?: number;
}

const owns: Reach = (_, { owner }, user) => owner === user;

function diaries(
  userOf: (call: Call) => string | undefined,
  differences: Differences = {},
  all = new Map<string, Diary>(),
): Handler {
  const { reaches = owns, listsAll = false, isLate = false, numbersOfEach = false } = differences;
  const { removesNothing = false, unknown = 401 } = differences;
  let count = 0;
  const change = ({ method, json }: Call, id: string, diary: Diary): Reply => {
    if (method === 'DELETE') {
      all.delete(id);
      return [204];
    }
    const { title } = Object(json);
    if (method === 'PATCH') {
      if (!isText(title)) {
        return [400];
      }
      diary.title = title;
    }
    return [200, { id: id.split('/').at(-1), title: diary.title }];
  };
  return (call): Reply => {
    const user = userOf(call);
    if (user === undefined || !TOKENS.includes(user)) {
      return [unknown];
    }
    const { method, path, json } = call;
    const keyOf = (id: string): string => (numbersOfEach ? `${user}/${id}` : id);
    const [, , id, below] = path.split('/');
    if (id === undefined && method === 'GET') {
      const seen = [...all].filter(([, { owner }]) => listsAll || owner === user);
      return [200, seen.map(([key, { title }]) => ({ id: key.split('/').at(-1), title }))];
    }
    const { title, text } = Object(json);
    if (id === undefined) {
      count += 1;
      const name = numbersOfEach ? String(count) : randomUUID();
      if (!isText(title)) {
        return [400];
      }
      all.set(keyOf(name), { owner: user, title });
      return [201, { id: name, title }];
    }
    const refusal: Reply = [removesNothing && method === 'DELETE' ? 204 : 404];
    const diary = all.get(keyOf(id));
    if (diary === undefined) {
      return refusal;
    }
    if (!reaches(call, diary, user)) {
      if (isLate) {
        change(call, keyOf(id), diary);
      }
      return refusal;
    }
    if (below === undefined) {
      return change(call, keyOf(id), diary);
    }
    return isText(text) ? [201, { text }] : [400];
  };
}

const SCHEMES: Record<string, [scheme: string, userOf: (call: Call) => string | undefined]> = {
  'a bearer token': [
    '{type: http, scheme: bearer}',
    ({ headers }) => /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1],
  ],
  'a key in a header': [
    '{type: apiKey, in: header, name: X-Key}',
    ({ headers }) => headers['x-key']?.toString(),
  ],
  'a key in the query': [
    '{type: apiKey, in: query, name: key}',
    ({ query }) => query.get('key') ?? undefined,
  ],
  'a cookie': [
    '{type: apiKey, in: cookie, name: sid}',
    ({ headers }) => /\bsid=([^;]*)/.exec(headers.cookie ?? '')?.[1],
  ],
};

const [BEARER, bearerOf] = SCHEMES['a bearer token']!;

const IDS = [
  'show.other-user',
  'rename.other-user',
  'burn.other-user',
  'write.other-user',
  'start.items.listed.other-user',
];

async function resultsOn(handler: Handler, contract = contractWith(BEARER), options = OPTIONS) {
  const { report, broken } = await runOn(handler, contract, [...options, '--only', '*.other-user']);
  const results = report.requirements.map(({ id, status }) => [id, status] as const);
  return { statuses: Object.fromEntries(results), broken, report };
}

test.each(Object.entries(SCHEMES))('users who are kept apart pass: %s', async (_, [scheme, of]) => {
  const { statuses } = await resultsOn(diaries(of), contractWith(scheme));
  expect(statuses).toEqual(Object.fromEntries(IDS.map((id) => [id, 'pass'])));
});

test.each<[string, Differences, string]>([
  ['a read', { reaches: (call, ...more) => call.method === 'GET' || owns(call, ...more) }, IDS[0]!],
  [
    'a change',
    { reaches: (call, ...more) => call.method === 'PATCH' || owns(call, ...more) },
    IDS[1]!,
  ],
  [
    'a removal',
    { reaches: (call, ...more) => call.method === 'DELETE' || owns(call, ...more) },
    IDS[2]!,
  ],
  [
    'a creation inside',
    { reaches: (call, ...more) => call.path.endsWith('/entries') || owns(call, ...more) },
    IDS[3]!,
  ],
  ['a list', { listsAll: true }, IDS[4]!],
])('%s that reaches what is of another user is found', async (_, errors, id) => {
  const { broken } = await resultsOn(diaries(bearerOf, errors));
  expect(broken).toEqual([id]);
});

test('what is refused, and done all the same, is found', async () => {
  const { broken } = await resultsOn(diaries(bearerOf, { isLate: true }));
  expect(broken.toSorted()).toEqual(['burn.other-user', 'rename.other-user']);
});

test.each([401, 403])('a token that gets %i everywhere says nothing', async (unknown) => {
  const options = ['--token', 'key-of-anna', '--other-token', 'key-of-nobody'];
  const service = diaries(bearerOf, { unknown });
  const { statuses, report } = await resultsOn(service, contractWith(BEARER), options);
  expect(new Set(Object.values(statuses))).toEqual(new Set(['skip']));
  const [first] = report.requirements;
  expect(first?.reason).toContain('the service may not know it');
});

/** The other user may not read, not even what is their own. */
const bertReadsNothing: Reach = ({ method }, { owner }, user) =>
  owner === user && !(user === 'key-of-bert' && method === 'GET');

test.each([
  ['that can be read', owns],
  ['that cannot be read', bertReadsNothing],
])('what the other user has under the same name, %s, stays as it is', async (_, reaches) => {
  const all = new Map<string, Diary>();
  for (let id = 1; id <= 200; id++) {
    all.set(`key-of-bert/${id}`, { owner: 'key-of-bert', title: `Diary ${id}` });
  }
  const before = structuredClone([...all]);
  const service = diaries(bearerOf, { numbersOfEach: true, reaches }, all);
  const { broken, statuses } = await resultsOn(service);
  expect(broken).toEqual([]);
  expect(statuses).toMatchObject({ 'show.other-user': 'pass', 'burn.other-user': 'skip' });
  expect([...all].filter(([key]) => key.startsWith('key-of-bert/'))).toEqual(before);
});

test('a change of what everybody may read is found', async () => {
  const reaches: Reach = (call, ...more) => !call.path.endsWith('/entries') || owns(call, ...more);
  const { broken } = await resultsOn(diaries(bearerOf, { reaches }));
  const due = ['burn.other-user', 'rename.other-user', 'show.other-user'];
  expect(broken.toSorted()).toEqual(due);
});

test('a removal of nothing may be a success', async () => {
  const { broken } = await resultsOn(diaries(bearerOf, { removesNothing: true }));
  expect(broken).toEqual([]);
});

test('an operation that takes other credentials, too, is left alone', async () => {
  const both = contractWith(BEARER)
    .replace('operationId: show', 'operationId: show\n      security: [{user: [], app: []}]')
    .replace('    user: {', '    app: {type: apiKey, in: header, name: X-App}\n    user: {');
  const options = ['--auth', 'user=key-of-anna', '--auth', 'app=ours', ...OPTIONS];
  const { report, statuses } = await resultsOn(diaries(bearerOf), both, options);
  expect(statuses['show.other-user']).toBe('skip');
  const { reason } = report.requirements.find(({ id }) => id === 'show.other-user') ?? {};
  expect(reason).toContain('does not ask for the credentials that --other-token has');
});

test('without a second user, nothing is said of one', async () => {
  const { report } = await runOn(diaries(bearerOf), contractWith(BEARER), OPTIONS.slice(0, 2));
  expect(report.requirements.filter(({ id }) => id.endsWith('other-user'))).toEqual([]);
});

test.each(Object.entries(SCHEMES))(
  'a report has the place of the token of the other user alone: %s',
  async (_, [scheme, of]) => {
    const service = diaries(of, { listsAll: true, reaches: () => true });
    const { report } = await resultsOn(service, contractWith(scheme));
    const text = JSON.stringify(report);
    expect(text).toContain('CONFORMANCE_OTHER_TOKEN=');
    expect(text).not.toContain('key-of-bert');
    const scripts = report.requirements.flatMap(({ failure }) => failure?.curl ?? []);
    // Of the read, the change, the removal and the list.
    expect(scripts).toHaveLength(4);
    for (const script of scripts) {
      expect(script).toContain('$OTHER_USER');
      expect(script).not.toContain('redacted');
    }
  },
);
