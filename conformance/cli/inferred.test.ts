/**
 * Contracts without links, as people write them: a refusal that is allowed is not a failure, and
 * errors are found.
 */
import { describe, expect, it } from 'vitest';
import type { RequirementResult } from '../engine/run/result.ts';
import type { Service, ServiceResponse } from '../self-test/service.ts';
import { type AccountErrors, accounts, isText } from './testing/accounts.ts';
import { contractOf, type Document, jsonContent } from './testing/contracts.ts';
import { type Json, jsonIn, queryOf, segmentsOf } from './testing/requests.ts';
import { faulty, respondWith, resultsBy, withJson } from './testing/services.ts';

const ACCOUNTS = contractOf('accounts');

async function requirementsOf(service: Service, line = ''): Promise<RequirementResult[]> {
  return (await resultsBy(service, ACCOUNTS, `--runs 3 ${line}`)).requirements;
}

it('a service is not failed for conflicts, unknown data or what a new parent lacks', async () => {
  const found = await requirementsOf(accounts());
  const wrong = found.filter(({ status }) => !['pass', 'skip', 'blocked'].includes(status));
  expect(wrong.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
  const reasons = found.map(({ id, status, reason = status }) => [id, reason]);
  expect(Object.fromEntries(reasons)).toMatchObject({
    'signIn.200': expect.stringMatching(/^signIn needs data: .* --data names a body that works$/),
    'picture.200': 'picture finds nothing in a new parent, as the contract allows (404)',
    'add.body.code.pattern': 'pass',
    'list.query.kinds.*.enum': 'pass',
    'add.body.name.maxLength': 'pass',
  });
});

async function expectFound(service: Service, id: string): Promise<void> {
  const found = await requirementsOf(service, `--level extended --only ${id}`);
  const status = expect.stringMatching(/fail|flaky/) as string;
  const own = found.filter((one) => one.id === id);
  expect(own).toMatchObject([{ id, status }]);
}

const keepsName = (body: Json, before: Json): Json => {
  return { ...before, ...body, name: body['name'] ?? before['name'] };
};

const trimsName = (body: Json): Json => {
  const { name } = body;
  return isText(name) ? { ...body, name: name.trim() } : body;
};

/** As a 32-bit integer. */
const cutsSize = (body: Json): Json => {
  if (body['size'] === undefined) {
    return body;
  }
  return { ...body, size: Number(body['size']) | 0 };
};

/** @param repeated how many items of a page the next one has again */
function pageOf(all: readonly Json[], query: URLSearchParams, repeated: number): Json[] {
  const skip = Number(query.get('skip') ?? 20);
  const limit = Number(query.get('limit') ?? 20);
  const start = skip > 0 ? Math.max(0, skip - repeated) : 0;
  return all.slice(start, skip + limit);
}

const ERRORS: [string, string, AccountErrors][] = [
  ['text is trimmed', 'add.items.values', { stored: trimsName }],
  ['a number is cut', 'add.items.values', { stored: cutsSize }],
  ['null changes nothing', 'add.items.update.null', { changed: keepsName }],
  ['two items have one mail', 'add.items.conflict', { isTaken: false }],
  ['a change gives two items one mail', 'add.items.update.conflict', { isTaken: 'at first' }],
  ['the address is one of another item', 'add.items.location', { location: '/accounts/0' }],
  ['a secret is shown', 'add.201', { shown: (account) => account }],
  ['a filter is ignored', 'add.items.filtered', { listed: (all, query) => pageOf(all, query, 0) }],
  ['a page repeats an item', 'add.items.pages', { listed: (all, query) => pageOf(all, query, 1) }],
  [
    'numbers are sorted as texts',
    'add.items.sorted',
    { compare: (one, other) => (String(one) < String(other) ? -1 : 1) },
  ],
  ['sorting is ignored', 'add.items.sorted', { compare: () => 0 }],
  ['each page is the whole list', 'add.items.listed', { listed: (all) => all }],
  ['another parent has the item', 'addNote.items.elsewhere', { keyOf: (id) => id }],
  [
    'a PUT keeps what it leaves out',
    'addNote.items.replaced',
    { changed: (body, before) => ({ ...before, ...body }) },
  ],
];

it.each(ERRORS)('it is found that %s', async (_, id, errors) => {
  await expectFound(accounts(errors), id);
  const correct = await requirementsOf(accounts(), `--level extended --only ${id}`);
  const own = correct.filter((one) => one.id === id);
  expect(own).toMatchObject([{ id, status: 'pass' }]);
});

it('pages are not compared if others add and remove items meanwhile', async () => {
  let calls = 0;
  const counted = faulty((page, { target }) => {
    if (!target.includes('limit')) {
      return page;
    }
    const total = 7 + (calls++ % 2);
    const more = calls < 40 ? [{ id: 9_999, mail: 'a@b.cd' }] : [];
    return withJson(page, ({ data }: { data: Json[] }) => {
      return { data: data.length < 2 ? [...data, ...more] : data, total };
    });
  }, accounts());
  const found = await requirementsOf(counted, '--level extended --only add.items.pages');
  expect(found).toMatchObject([{ status: 'pass' }]);
});

/** True every other time. */
function everyOther(): () => boolean {
  let turns = 0;
  return () => turns++ % 2 === 1;
}

const isSecond = everyOther();

/** Finds a note in any account once it was read in its own one, until it changes. */
function rememberingNotes(): Parameters<typeof faulty>[0] {
  const known = new Map<string, ServiceResponse>();
  return (response, request) => {
    const [, , kind, id] = segmentsOf(request);
    if (kind !== 'notes' || id === undefined) {
      return response;
    }
    if (request.method !== 'GET') {
      known.delete(id);
      return response;
    }
    if (response.status === 200) {
      known.set(id, response);
    }
    return known.get(id) ?? response;
  };
}

const CHANGES: [string, string, Parameters<typeof faulty>[0]][] = [
  [
    'a refusal that is not documented',
    'signIn.200',
    (response) => {
      if (response.status === 403) {
        return { ...response, status: 409 };
      }
      return response;
    },
  ],
  [
    'an unknown value in a list',
    'list.query.kinds.*.enum',
    (response, { target }) => {
      const isWrong = target.includes('kinds=') && response.status === 422;
      return isWrong ? respondWith(200, { data: [] }) : response;
    },
  ],
  [
    'a refusal of what was accepted before',
    'add.201',
    (response) => {
      if (response.status === 201 && isSecond()) {
        return { ...response, status: 422 };
      }
      return response;
    },
  ],
  [
    'a code in another case',
    'add.body.code.pattern',
    (response, { body }) => {
      const isLowerCase = /"code":"[a-z]{2}-[0-9]{6}"/.test(String(body));
      if (isLowerCase) {
        return respondWith(201, { id: 0, mail: 'a@b.c' });
      }
      return response;
    },
  ],
  ['a note that a cache finds elsewhere', 'addNote.items.elsewhere', rememberingNotes()],
];

it.each(CHANGES)('%s fails', (_, id, change) => expectFound(faulty(change, accounts()), id));

describe('in a contract of another form', () => {
  interface Variant {
    form: string;
    contract: Document;
    service?: (errors?: AccountErrors) => Service;
    errors: AccountErrors;
    /** The requirements that are tried. */
    only: string;
    /** The one that the errors break. */
    broken: string;
  }

  const VARIANTS: Variant[] = [
    {
      form: 'with items inside another object',
      contract: withItemsInside(),
      service: inside,
      errors: { changed: keepsName },
      only: 'add.items',
      broken: 'add.items.update.null',
    },
    {
      form: 'with lists of what nothing reads',
      contract: withoutReadNote(),
      errors: { keyOf: (id) => id },
      only: 'addNote.listed',
      broken: 'addNote.listed',
    },
    {
      form: 'with items that nothing reads',
      contract: withoutReadNote(),
      errors: { stored: ({ text }) => ({ text }) },
      only: 'addNote.shown',
      broken: 'addNote.shown',
    },
    {
      form: 'with items whose path has no parent',
      contract: withFlatNotes(),
      errors: { changed: keepsName },
      only: 'addNote.items',
      broken: 'addNote.items.replaced',
    },
    {
      form: 'with lists of items whose path has no parent',
      contract: withFlatNotes(),
      errors: { keyOf: (id) => id },
      only: 'addNote.items',
      broken: 'addNote.items.elsewhere',
    },
    {
      form: 'with an item that a PUT makes',
      contract: withPutPicture(),
      errors: { hasPictures: false },
      only: 'picture.200',
      broken: 'picture.200',
    },
    {
      form: 'with lists in pages with a cursor',
      contract: withCursors(),
      service: inCursors,
      errors: {},
      only: 'add.items.listed',
      broken: 'add.items.listed',
    },
    {
      form: 'with pages that begin within the one before',
      contract: withCursors(),
      service: inCursors,
      errors: { overlap: 1 },
      only: 'add.items.pages',
      broken: 'add.items.pages',
    },
  ];

  it.each(VARIANTS)('$form, an error is found', async (variant) => {
    const { contract, service = accounts, errors, only, broken } = variant;
    const line = `--runs 3 --concurrency 1 --level extended --only ${only}`;
    const brokenBy = async (one: Service) => (await resultsBy(one, contract, line)).broken;
    expect(await brokenBy(service())).toEqual([]);
    expect(await brokenBy(service(errors))).toContain(broken);
  });
});

/** Each account in a response is inside another object. */
function withItemsInside(): Document {
  const contract = contractOf('accounts');
  const item = contract.paths['/accounts/{account_id}'];
  const shown = [
    contract.paths['/accounts'].post.responses[201],
    item.get.responses[200],
    item.patch.responses[200],
  ];
  for (const { content } of shown) {
    const data = content['application/json'].schema;
    content['application/json'].schema = { type: 'object', properties: { data } };
  }
  return contract;
}

function inside(errors?: AccountErrors): Service {
  return faulty((response, { method, target }) => {
    const isAccount = /^\/accounts(\/\d+)?$/.test(target);
    const isList = method === 'GET' && target === '/accounts';
    if (!isAccount || isList || response.status >= 300 || response.body === '') {
      return response;
    }
    return withJson(response, (data) => ({ data }));
  }, accounts(errors));
}

const NOTE_PATH = '/accounts/{account_id}/notes/{id}';

/** Nobody reads one note. */
function withoutReadNote(): Document {
  const contract = contractOf('accounts');
  delete contract.paths[NOTE_PATH];
  return contract;
}

/** The path of a note has no account in it. */
function withFlatNotes(): Document {
  const contract = contractOf('accounts');
  const { [NOTE_PATH]: note } = contract.paths;
  delete contract.paths[NOTE_PATH];
  note.parameters = note.parameters.filter(({ name }: { name: string }) => name === 'id');
  contract.paths['/notes/{id}'] = note;
  return contract;
}

/** A picture is bytes, and a PUT keeps it. */
function withPutPicture(): Document {
  const contract = contractOf('accounts');
  const picture = contract.paths['/accounts/{account_id}/picture'];
  const schema = { type: 'string', format: 'binary' };
  const content = { 'application/octet-stream': { schema } };
  picture.get.responses[200].content = content;
  picture.put = {
    operationId: 'putPicture',
    requestBody: { required: true, content },
    responses: {
      204: { description: 'It is kept.' },
      404: { description: 'The account does not exist.' },
      422: { description: 'The body is wrong.' },
    },
  };
  return contract;
}

/** A cursor leads from page to page; a member of the page has it. */
function withCursors(): Document {
  const contract = contractOf('accounts');
  const { parameters, responses } = contract.paths['/accounts'].get;
  parameters[0] = { name: 'cursor', in: 'query', schema: { type: 'string' } };
  const page = responses[200].content['application/json'].schema;
  const cursor = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  page.properties = { next_cursor: cursor, ...page.properties };
  return contract;
}

/**
 * The accounts in pages with cursors, some of which are in an address. With errors, nobody sees the
 * last item, or a page begins within the one before.
 */
function inCursors(errors?: AccountErrors): Service {
  const { overlap = 0 } = errors ?? {};
  const service = accounts();
  /** The number of items at the end that nobody sees. */
  const hidden = errors !== undefined && overlap === 0 ? 1 : 0;
  return async (request) => {
    const [kind, id] = segmentsOf(request);
    if (request.method !== 'GET' || kind !== 'accounts' || id !== undefined) {
      return service(request);
    }
    const query = queryOf(request);
    const cursor = query.get('cursor') ?? 'from-0';
    const limit = Number(query.get('limit') ?? 2);
    if (!/^from-\d+$/.test(cursor)) {
      return respondWith(422);
    }
    const rowsFrom = async (skip: number, most: number): Promise<Json[] | undefined> => {
      query.set('skip', String(skip));
      query.set('limit', String(most));
      const response = await service({ ...request, target: `/accounts?${query.toString()}` });
      if (response.status === 200) {
        return (jsonIn(response) as { data: Json[] }).data;
      }
      return undefined;
    };
    const start = Math.max(0, Number(cursor.slice('from-'.length)) - overlap);
    const found = await rowsFrom(start, limit);
    const after = await rowsFrom(start + limit, 1 + hidden);
    if (found === undefined || after === undefined) {
      return respondWith(422);
    }
    if (after.length <= hidden) {
      return respondWith(200, { data: found.slice(0, found.length - hidden), next_cursor: null });
    }
    const address = start % 2 === 0 ? '/accounts?limit=7&cursor=' : '';
    return respondWith(200, { data: found, next_cursor: `${address}from-${start + limit}` });
  };
}

describe('an item', () => {
  const shownWith = (members: object) => {
    const name = { type: 'string', maxLength: 9 };
    const schema = { type: 'object', required: ['name'], properties: { name, ...members } };
    return jsonContent(schema);
  };

  /**
   * @param made what a response to a POST has besides its description
   * @param shown what a GET shows
   */
  function thingsIn(made: object, shown: object): Document {
    const contract = contractOf('things');
    const item = contract.paths['/things/{thing}'];
    Object.assign(contract.paths['/things'].post.responses[201], made);
    Object.assign(item.get.responses[200], shownWith(shown));
    Object.assign(item.put.responses[200], shownWith(shown));
    return contract;
  }

  /** @param isLocated whether a POST says what it made in a header alone */
  function things(show: (key: string) => Json, isLocated = false): Service {
    const all = new Map<string, Json>();
    return async (request) => {
      const { method } = request;
      const [, given] = segmentsOf(request);
      const key = given ?? `k${all.size}`;
      if (given !== undefined && !all.has(given)) {
        return respondWith(404);
      }
      if (method === 'GET') {
        return respondWith(200, all.get(key));
      }
      const { name }: Json = Object(jsonIn(request));
      if (!isText(name, 9)) {
        return respondWith(422);
      }
      all.set(key, { name, ...show(key) });
      if (given !== undefined) {
        return respondWith(200, all.get(key));
      }
      if (isLocated) {
        return { ...respondWith(201), headers: { location: `/things/${key}` } };
      }
      return respondWith(201, all.get(key));
    };
  }

  const SKU = { sku: { type: 'string' } };

  const KEYS: [string, Document, Service][] = [
    ['a member that is not sent', thingsIn(shownWith(SKU), SKU), things((sku) => ({ sku }))],
    [
      'a member without a schema',
      thingsIn(jsonContent({}), { id: { type: 'string' } }),
      things((id) => ({ id })),
    ],
    ['a `Location` that is not documented', thingsIn({}, SKU), things((sku) => ({ sku }), true)],
  ];

  it.each(KEYS)('is reached by %s', async (_, contract, service) => {
    const { requirements, broken } = await resultsBy(service, contract, '--runs 2');
    expect(broken).toEqual([]);
    const passed = requirements.filter(({ status }) => status === 'pass').map(({ id }) => id);
    const reached = [
      'read.200',
      'replace.body.name.maxLength',
      'add.items.siblings',
      'add.items.update',
    ];
    expect(passed).toEqual(expect.arrayContaining(reached));
  });

  it('is not tried if nothing says which member is its key', async () => {
    const members = { ...SKU, place: { type: 'string' } };
    const service = things((sku) => ({ sku, place: `in ${sku}` }));
    const contract = thingsIn(shownWith(members), members);
    const { requirements, broken } = await resultsBy(service, contract, '--runs 2');
    expect(broken).toEqual([]);
    const replacing = requirements.filter(({ id }) => id.startsWith('replace.'));
    expect(replacing.find(({ id }) => id === 'replace.200')).toMatchObject({
      status: 'skip',
      reason: expect.stringMatching(/^the service has nothing at \/things\/\{thing\}/) as string,
    });
    expect(replacing.find(({ id }) => id === 'replace.body.type')?.status).toBe('blocked');
  });
});

it.each<[string, string]>([
  ['A thing with this name exists already.', 'fail'],
  ['An account with that mail exists.', 'fail'],
  ['Mail taken.', 'fail'],
  ['Duplicate mail.', 'fail'],
  ['It is in conflict with an existing account.', 'fail'],
  ['Another account has this mail.', 'fail'],
  ['The mail is reserved by somebody already.', 'fail'],
  ['The mail was already assigned.', 'fail'],
  ['It is in conflict with the state of the list.', 'skip'],
  ['The list is closed already; no action can be taken.', 'skip'],
])('if a 409 says %j, two accounts with one mail are a %s', async (words, status) => {
  const contract = contractOf('accounts');
  contract.paths['/accounts'].post.responses[409].description = words;
  contract.paths['/accounts/{account_id}'].patch.responses[409].description = words;
  const line = '--level extended --only add.items.conflict';
  const { requirements } = await resultsBy(accounts({ isTaken: false }), contract, line);
  expect(requirements).toMatchObject([{ status }]);
});

it('an error is not failed for a body that the contract leaves open', async () => {
  const service = faulty((response) => {
    if (response.status < 400) {
      return response;
    }
    return respondWith(response.status, { detail: 'no' });
  }, accounts());
  expect(await requirementsOf(service, '--only read.404')).toMatchObject([{ status: 'pass' }]);
});
