/** A contract without links, as people write them: what may be refused is no failure, and what is wrong is found. */
import { expect, it } from 'vitest';
import { isObject, type Json, jsonOf } from '../self-test/mutation/operator.ts';
import type { Service, ServiceResponse } from '../self-test/service.ts';
import { answer, contractText, faulty, resultsBy, withJson } from './services.ts';

const content = (schema: string) => `content: {application/json: {schema: ${schema}}}`;
const CONTRACT = contractText('accounts');

const isText = (value: unknown, most = Infinity) =>
  typeof value === 'string' && [...value].length <= most;
const ACCOUNT: Record<string, (value: unknown) => boolean> = {
  mail: (mail) => isText(mail) && /^[\w.+]+@\w+(\.\w+)+$/.test(String(mail)),
  code: (code) => isText(code) && /^[A-Z]{2}-[0-9]{6}$/.test(String(code)),
  name: (name) => name === null || isText(name, 20),
  pin: (pin) => isText(pin) && [...String(pin)].length > 3,
  size: Number.isInteger,
  kind: (kind) => kind === 'old' || kind === 'new',
};
const NOTE = { text: isText, mark: (mark: unknown) => isText(mark, 9) };
const fits = (rules: Record<string, (value: unknown) => boolean>, body: unknown): body is Json =>
  isObject(body) && Object.entries(body).every(([name, value]) => rules[name]?.(value) ?? true);
const isNumber = (text: string, most = Infinity) => /^\d+$/.test(text) && Number(text) <= most;

/** What a service does otherwise than it should. */
interface Errors {
  stored?: (body: Json) => Json;
  changed?: (body: Json, before: Json) => Json;
  shown?: (account: Json) => Json;
  listed?: (all: Json[], query: URLSearchParams) => Json[];
  location?: string;
  isTaken?: false | 'at first';
  /** The order of two sizes. */
  compare?: (one: number, other: number) => number;
  /** How many items of a page the next one has again. */
  overlap?: number;
  /** The key of a note: it need not have the account in it. */
  keyOf?: (id: string, account: string) => string;
  hasPictures?: false;
}

/** No two accounts have one mail or one code; nobody signs in, and nobody has a picture. */
function accounts(errors: Errors = {}): Service {
  const all = new Map<string, Json>();
  const notes = new Map<string, Json>();
  const pictures = new Set<string>();
  let last = 0;
  const { stored = (body) => body, changed = (body, before) => ({ ...before, ...body }) } = errors;
  const show = ({ pin, ...account }: Json) => errors.shown?.({ pin, ...account }) ?? account;
  const keyOf = errors.keyOf ?? ((id, account) => `${account} ${id}`);
  const tryNotes = (
    method: string,
    account: string,
    id: string | undefined,
    sent: unknown,
  ): ServiceResponse => {
    const found = notes.get(keyOf(id ?? '', account));
    if (id !== undefined && !found) {
      return answer(404);
    }
    const own = [...notes]
      .filter(([key]) => errors.keyOf || key.startsWith(`${account} `))
      .map(([, one]) => one);
    if (method === 'GET') {
      return answer(200, found ?? own);
    }
    if (!fits(NOTE, sent)) {
      return answer(422);
    }
    const made = {
      ...(method === 'PUT' && errors.changed ? found : {}),
      ...stored(sent),
      id: id ?? `n${notes.size}`,
    };
    notes.set(keyOf(made.id, account), made);
    return answer(id === undefined ? 201 : 200, made);
  };
  return async ({ method, target, body }) => {
    const { pathname, searchParams } = new URL(target, 'http://a');
    const [, kind, id, part, note] = pathname.split('/');
    const sent: unknown = jsonOf({ body });
    if (kind === 'session') {
      return answer(isObject(sent) && isText(sent['key']) ? 403 : 422);
    }
    const owner = [...notes.keys()]
      .map((key) => key.split(' '))
      .find((key) => kind === 'notes' && key.at(-1) === id);
    if (owner) {
      return tryNotes(method, owner[0]!, id, sent);
    }
    if (kind !== 'accounts') {
      return answer(404);
    }
    if (id !== undefined && !/^-?\d+$/.test(id)) {
      return answer(422);
    }
    const found = all.get(id ?? '');
    if (id !== undefined && !found) {
      return answer(404);
    }
    if (part === 'picture' && method === 'PUT') {
      return pictures.add(id!) && answer(204);
    }
    const picture = {
      status: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: 'a',
    };
    if (part === 'picture') {
      if (pictures.has(id!) && errors.hasPictures !== false) {
        return picture;
      }
      return answer(404);
    }
    if (part === 'notes') {
      return tryNotes(method, id!, note, sent);
    }
    if (method === 'GET' && found) {
      return answer(200, show(found));
    }
    if (method === 'DELETE') {
      return answer(all.delete(id!) ? 204 : 404);
    }
    if (method === 'GET') {
      const skip = searchParams.get('skip') ?? '0';
      const limit = searchParams.get('limit') ?? '20';
      const wanted = searchParams.get('kind');
      const kinds = searchParams.get('kinds')?.split(',');
      if (kinds?.some((one) => !ACCOUNT['kind']!(one))) {
        return answer(422);
      }
      if (
        !isNumber(skip) ||
        !isNumber(limit, 50) ||
        (wanted !== null && !ACCOUNT['kind']!(wanted))
      ) {
        return answer(422);
      }
      const order = searchParams.get('sort_by') ?? 'kind';
      if (!/^(kind|size|size_desc)$/.test(order)) {
        return answer(422);
      }
      const { compare = (one: number, other: number) => one - other } = errors;
      const sign = order.endsWith('_desc') ? -1 : 1;
      const sizes = (one: Json, other: Json) =>
        sign * compare(one['size'] as number, other['size'] as number);
      const sorted = order.startsWith('size')
        ? [...all.values()].toSorted(sizes)
        : [...all.values()];
      const listed = sorted.filter((one) =>
        (kinds ?? [wanted ?? one['kind']]).includes(one['kind'] as string),
      );
      const rows = errors.listed?.([...all.values()], searchParams);
      return answer(200, {
        data: (rows ?? listed.slice(Number(skip), Number(skip) + Number(limit))).map(show),
      });
    }
    if (!fits(ACCOUNT, sent) || (!found && sent['mail'] === undefined)) {
      return answer(422);
    }
    const isTaken = (name: string) =>
      sent[name] !== undefined &&
      [...all.values()].some((one) => one !== found && one[name] === sent[name]);
    const mayBeTaken = errors.isTaken === false || (errors.isTaken === 'at first' && found);
    if (!mayBeTaken && ['mail', 'code'].some(isTaken)) {
      return answer(409);
    }
    const made: Json = found ? changed(sent, found) : { size: 1, ...stored(sent), id: ++last };
    all.set(String(made['id']), made);
    if (found) {
      return answer(200, show(made));
    }
    const { headers, ...response } = answer(201, show(made));
    return {
      ...response,
      headers: { ...headers, location: errors.location ?? `/accounts/${String(made['id'])}` },
    };
  };
}

const requirementsOf = async (service: Service, more = '') =>
  (await resultsBy(service, CONTRACT, `--runs 3 ${more}`)).requirements;

it('does not fail a service for a conflict, for data that nobody knows, nor for what a new parent lacks', async () => {
  const found = await requirementsOf(accounts());
  const wrong = found.filter(({ status }) => status !== 'pass' && status !== 'skip');
  expect(wrong.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
  expect(
    Object.fromEntries(found.map(({ id, status, reason = status }) => [id, reason])),
  ).toMatchObject({
    'signIn.200':
      'signIn needs data: it refuses whatever the contract allows, as documented (403); --data names a body that works',
    'picture.200': 'picture finds nothing in a new parent, as the contract allows (404)',
    'add.body.code.pattern': 'pass',
    'list.query.kinds.*.enum': 'pass',
    'add.body.name.maxLength': 'pass',
  });
});

async function expectFound(service: Service, id: string): Promise<void> {
  const found = await requirementsOf(service, `--level extended --only ${id}`);
  expect(found).toMatchObject([{ id, status: expect.stringMatching(/fail|flaky/) as string }]);
}

const trimmed = (name: unknown) => (isText(name) ? { name: String(name).trim() } : { name });
const cut = (size: unknown) => (size === undefined ? {} : { size: Number(size) | 0 });
const keepsName = (body: Json, before: Json) => ({
  ...before,
  ...body,
  name: body['name'] ?? before['name'],
});

const slice = (all: Json[], query: URLSearchParams, more: number) => {
  const [skip, limit] = ['skip', 'limit'].map((name) => Number(query.get(name) ?? 20)) as [
    number,
    number,
  ];
  return all.slice(Math.max(0, skip - (skip > 0 ? more : 0)), skip + limit);
};

it.each<[string, string, Errors]>([
  [
    'text is trimmed',
    'add.items.values',
    { stored: ({ name, ...body }) => ({ ...body, ...trimmed(name) }) },
  ],
  [
    'a number is cut',
    'add.items.values',
    { stored: ({ size, ...body }) => ({ ...body, ...cut(size) }) },
  ],
  ['null changes nothing', 'add.items.update.null', { changed: keepsName }],
  ['two are the same', 'add.items.conflict', { isTaken: false }],
  ['a change makes two the same', 'add.items.update.conflict', { isTaken: 'at first' }],
  ['the address is another one', 'add.items.location', { location: '/accounts/0' }],
  ['what is secret is shown', 'add.201', { shown: (account) => account }],
  ['a filter is ignored', 'add.items.filtered', { listed: (all, query) => slice(all, query, 0) }],
  ['a page repeats an item', 'add.items.pages', { listed: (all, query) => slice(all, query, 1) }],
  [
    'numbers are sorted as texts',
    'add.items.sorted',
    { compare: (one, other) => (String(one) < String(other) ? -1 : 1) },
  ],
  ['sorting is ignored', 'add.items.sorted', { compare: () => 0 }],
  ['each page is the whole list', 'add.items.listed', { listed: (all) => all }],
  ['another parent has it', 'addNote.items.elsewhere', { keyOf: (id) => id }],
  [
    'what is left out stays',
    'addNote.items.replaced',
    { changed: (body, before) => ({ ...before, ...body }) },
  ],
])('finds that %s', async (_, id, errors) => {
  await expectFound(accounts(errors), id);
  expect(await requirementsOf(accounts(), `--level extended --only ${id}`)).toMatchObject([
    { id, status: 'pass' },
  ]);
});

it('compares no pages by what others add and remove meanwhile', async () => {
  let calls = 0;
  const counted = faulty((page, { target }) => {
    if (!target.includes('limit')) {
      return page;
    }
    const total = 7 + (calls++ % 2);
    const more = calls < 40 ? [{ id: 9_999, mail: 'a@b.cd' }] : [];
    return withJson(page, ({ data }: { data: Json[] }) => ({
      data: data.length < 2 ? [...data, ...more] : data,
      total,
    }));
  }, accounts());
  expect(await requirementsOf(counted, '--level extended --only add.items.pages')).toMatchObject([
    { status: 'pass' },
  ]);
});

/** Every other time. */
const inTurn = () => turns++ % 2 === 1;
let turns = 0;

it.each<[string, string, Parameters<typeof faulty>[0]]>([
  [
    'a refusal that is not documented',
    'signIn.200',
    (one) => (one.status === 403 ? { ...one, status: 409 } : one),
  ],
  [
    'an unknown value in a list',
    'list.query.kinds.*.enum',
    (one, { target }) => {
      if (target.includes('kinds=') && one.status === 422) {
        return answer(200, { data: [] });
      }
      return one;
    },
  ],
  [
    'a refusal of what was accepted before',
    'add.201',
    (one) => (one.status === 201 && inTurn() ? { ...one, status: 422 } : one),
  ],
  [
    'a code in another case',
    'add.body.code.pattern',
    (one, { body }) => {
      if (/"code":"[a-z]{2}-[0-9]{6}"/.test(String(body))) {
        return answer(201, { id: 0, mail: 'a@b.c' });
      }
      return one;
    },
  ],
])('fails %s', (_, id, change) => expectFound(faulty(change, accounts()), id));

/** The same accounts in pages that a cursor leads to; a member of the page has it. */
const IN_CURSORS = CONTRACT.replace(
  'name: skip, in: query, schema: {type: integer, minimum: 0}',
  'name: cursor, in: query, schema: {type: string}',
).replace(
  'properties: {data:',
  "properties: {next_cursor: {anyOf: [{type: string}, {type: 'null'}]}, data:",
);

/** With errors, nobody sees the last item, or a page begins within the one before. Some cursors are in an address. */
const inCursors = (errors?: Errors): Service => {
  const { overlap = 0 } = errors ?? {};
  const service = accounts();
  const end = errors && overlap === 0 ? 1 : 0;
  return async (request) => {
    const { pathname, searchParams: sent } = new URL(request.target, 'http://a');
    if (request.method !== 'GET' || pathname !== '/accounts') {
      return service(request);
    }
    const cursor = sent.get('cursor') ?? 'from-0';
    const limit = Number(sent.get('limit') ?? 2);
    if (!/^from-\d+$/.test(cursor)) {
      return answer(422);
    }
    const rows = async (skip: number, most: number) => {
      sent.set('skip', String(skip));
      sent.set('limit', String(most));
      const response = await service({ ...request, target: `/accounts?${sent.toString()}` });
      if (response.status === 200) {
        return (jsonOf(response) as { data: Json[] }).data;
      }
      return undefined;
    };
    const start = Math.max(0, Number(cursor.slice(5)) - overlap);
    const found = await rows(start, limit);
    const after = await rows(start + limit, 1 + end);
    if (!found || !after) {
      return answer(422);
    }
    const address = start % 2 === 0 ? '/accounts?limit=7&cursor=' : '';
    const next = after.length > end ? `${address}from-${start + limit}` : null;
    return answer(200, {
      data: next === null && end > 0 ? found.slice(0, -end) : found,
      next_cursor: next,
    });
  };
};

/** What is made, read and changed is inside another object. */
const INSIDE = CONTRACT.replaceAll(
  content("{$ref: '#/components/schemas/Account'}"),
  content("{type: object, properties: {data: {$ref: '#/components/schemas/Account'}}}"),
);

/** Nobody reads one note. */
const UNREAD = CONTRACT.replace(/^  \/accounts\/\{account_id\}\/notes\/[^]*?(?=^components)/m, '');

/** The path of a note has no account in it. */
const FLAT = CONTRACT.replace(
  /accounts\/\{account_id\}\/(notes\/\{id\}:\s+\w+: \[)\{name: account_id.*?\}\}, /,
  '$1',
);

const BYTES = 'content: {application/octet-stream: {schema: {type: string, format: binary}}}';
const PICTURED = CONTRACT.replace(
  /get: (\{operationId: picture, responses: \{'200': \{description: It., )content: .*?\}\}\}(.*)/,
  `get: $1${BYTES}$2\n    put: {operationId: putPicture, requestBody: {required: true, ${BYTES}}, responses: {'204': {description: It is kept.}, '404': {description: There is none.}, '422': {description: The body is wrong.}}}`,
);

const inside = (errors?: Errors): Service =>
  faulty((one, { method, target }) => {
    const isItem = one.status < 300 && /^\/accounts(\/\d+)?$/.test(target) && one.body !== '';
    if (isItem && `${method} ${target}` !== 'GET /accounts') {
      return withJson(one, (data) => ({ data }));
    }
    return one;
  }, accounts(errors));

it.each<[string, string, string, (errors?: Errors) => Service, Errors, string]>([
  [
    'items inside another object',
    'add.items',
    INSIDE,
    inside,
    { changed: keepsName },
    'add.items.update.null',
  ],
  [
    'lists of what nothing reads',
    'addNote.listed',
    UNREAD,
    accounts,
    { keyOf: (id) => id },
    'addNote.listed',
  ],
  [
    'what nothing reads',
    'addNote.shown',
    UNREAD,
    accounts,
    { stored: ({ text }) => ({ text }) },
    'addNote.shown',
  ],
  [
    'items whose path has no parent',
    'addNote.items',
    FLAT,
    accounts,
    { changed: keepsName },
    'addNote.items.replaced',
  ],
  [
    'their lists',
    'addNote.items',
    FLAT,
    accounts,
    { keyOf: (id) => id },
    'addNote.items.elsewhere',
  ],
  ['what a PUT makes', 'picture.200', PICTURED, accounts, { hasPictures: false }, 'picture.200'],
  [
    'lists in pages with a cursor',
    'add.items.listed',
    IN_CURSORS,
    inCursors,
    {},
    'add.items.listed',
  ],
  [
    'the end of such a list',
    'add.items.pages',
    IN_CURSORS,
    inCursors,
    { overlap: 1 },
    'add.items.pages',
  ],
])('finds what is wrong with %s', async (_, only, contract, service, errors, id) => {
  const brokenBy = async (one: Service) =>
    (await resultsBy(one, contract, `--runs 3 --concurrency 1 --level extended --only ${only}`))
      .broken;
  expect(await brokenBy(service())).toEqual([]);
  expect(await brokenBy(service(errors))).toContain(id);
});

const shownWith = (members: string) =>
  content(
    `{type: object, required: [name], properties: {name: {type: string, maxLength: 9}, ${members}}}`,
  );

/** @param made of the response to a POST @param shown of what a GET shows, beside the name */
const thingsIn = (made: string, shown: string) =>
  contractText('things').replace('MADE', made).replaceAll('content: SHOWN', shownWith(shown));

/** @param isLocated whether a POST says what it made in a header alone */
function things(show: (key: string) => Json, isLocated = false): Service {
  const all = new Map<string, Json>();
  return async ({ method, target, body }) => {
    const key = target.split('/')[2] ?? `k${all.size}`;
    const sent = jsonOf({ body });
    const isNew = target === '/things';
    if (!isNew && !all.has(key)) {
      return answer(404);
    }
    if (method !== 'GET' && (!isObject(sent) || !isText(sent['name'], 9))) {
      return answer(422);
    }
    if (method !== 'GET') {
      all.set(key, { name: (sent as Json)['name'], ...show(key) });
    }
    if (isNew && isLocated) {
      return { ...answer(201), headers: { location: `/things/${key}` } };
    }
    return answer(isNew ? 201 : 200, all.get(key));
  };
}

const SKU = 'sku: {type: string}';

it.each<[string, string, string, Service]>([
  ['a member that is not sent', `, ${shownWith(SKU)}`, SKU, things((sku) => ({ sku }))],
  [
    'a member without a schema',
    `, ${content('{}')}`,
    'id: {type: string}',
    things((id) => ({ id })),
  ],
  ['a `Location` that is not documented', '', SKU, things((sku) => ({ sku }), true)],
])('reaches an item by %s', async (_, made, shown, service) => {
  const { requirements, broken } = await resultsBy(service, thingsIn(made, shown), '--runs 2');
  expect(broken).toEqual([]);
  const reached = [
    'read.200',
    'replace.body.name.maxLength',
    'add.items.siblings',
    'add.items.update',
  ];
  const passed = requirements.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(reached));
});

it('skips all that needs a path whose key nothing says', async () => {
  const members = `${SKU}, place: {type: string}`;
  const service = things((sku) => ({ sku, place: `in ${sku}` }));
  const { requirements, broken } = await resultsBy(
    service,
    thingsIn(`, ${shownWith(members)}`, members),
    '--runs 2',
  );
  expect(broken).toEqual([]);
  const reasons = requirements
    .filter(({ id }) => id.startsWith('replace.'))
    .map(({ reason }) => reason);
  const reason = 'nothing says which part of a response names /things/{thing}: links or --data do';
  expect(new Set(reasons)).toEqual(new Set([reason]));
});

it.each<[string, string]>([
  ['A thing with this name exists already.', 'fail'],
  ['An account with that mail exists.', 'fail'],
  ['Mail taken.', 'fail'],
  ['Duplicate mail.', 'fail'],
  ['It is in conflict with an existing account.', 'fail'],
  ['Another account has this mail.', 'fail'],
  ['It is in conflict with the state of the list.', 'skip'],
  ['The list is closed already; no action can be taken.', 'skip'],
])('where a 409 says %j, two equal ones are a %s', async (words, status) => {
  const contract = CONTRACT.replaceAll('The mail is taken.', words);
  const line = '--level extended --only add.items.conflict';
  expect(
    (await resultsBy(accounts({ isTaken: false }), contract, line)).requirements,
  ).toMatchObject([{ status }]);
});

it('does not fail an error for a body that the contract leaves open', async () => {
  const service = faulty(
    (one) => (one.status < 400 ? one : answer(one.status, { detail: 'no' })),
    accounts(),
  );
  expect(await requirementsOf(service, '--only read.404')).toMatchObject([{ status: 'pass' }]);
});
