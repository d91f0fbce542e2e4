/**
 * Plain services that keep contracts as strangers write them: no alarm; and with an error, an
 * alarm.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const contract = (name: string): string =>
  readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8');

const PATHS: Record<string, Reply> = {
  'GET /v1/new%20towns': [200, []],
  'GET /v0/older': [200, 'fine', { 'content-type': 'text/plain' }],
  'HEAD /v1/file': [200, undefined, { 'content-type': 'application/json' }],
  'GET /v1/table': [200, 'a\n1\n', { 'content-type': 'text/csv', 'x-sizes': '1, 2' }],
};

const paths: Handler = ({ method, path }, response) => {
  if (path === '/v1/events') {
    // A stream that has no end.
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    return undefined;
  }
  return PATHS[`${method} ${path}`] ?? [404];
};

test('paths, servers, streams and media types of every kind are read', async () => {
  const options = ['--min-tried', '0.8', '--timeout-ms', '2000'];
  const { code, broken, passed, requests, report } = await runOn(paths, contract('paths'), options);
  expect([code, broken]).toEqual([0, []]);
  const successes = ['towns', 'older', 'events', 'file', 'table'].map((id) => `${id}.200`);
  expect(successes.filter((id) => !passed.includes(id))).toEqual([]);
  expect(requests.filter((request) => request.includes('//'))).toEqual([]);
  expect(report.warnings.join('\n')).toMatch(/the number 3\.1[^]*\{club\} of .* is not declared/);
});

test('an operation that never succeeded is named, and the verdict is incomplete', async () => {
  const { code, report } = await runOn(paths, contract('paths'), ['--timeout-ms', '2000']);
  expect([code, report.verdict]).toEqual([2, 'incomplete']);
  expect(report.never_succeeded.map(({ operation }) => operation)).toEqual(['rooms']);
});

test.each([
  ['older', { 'GET /v0/older': [404] as Reply }, 'older.200'],
  ['table', { 'GET /v1/table': [200, [], { 'x-sizes': 'a' }] as Reply }, 'table.200'],
])('an error of %s is found', async (_, planted, id) => {
  const replies: Record<string, Reply> = planted;
  const handler: Handler = (call, response) =>
    replies[`${call.method} ${call.path}`] ?? paths(call, response);
  const { code, broken } = await runOn(handler, contract('paths'), ['--only', id.split('.')[0]!]);
  expect([code, broken]).toEqual([1, [id]]);
});

interface Document {
  id: bigint;
  title: string;
  version: number;
}

/** @param error the name of an error that the service has; by default, it has none */
function documents(error = ''): Handler {
  const all = new Map<string, Document>();
  const isNew = (json: any) => typeof json?.title === 'string' && [...json.title].length <= 12;
  const shown = (status: number, { id, title, version }: Document): Reply => {
    const text = `{"id":${id},"title":${JSON.stringify(title)},"state":"open"}`;
    return [status, text, { 'content-type': 'application/json', etag: `"v${version}"` }];
  };
  const lists = (query: URLSearchParams): Reply => {
    const states = query.getAll('state');
    const isState = states.length < 2 && states.every((one) => ['open', 'closed'].includes(one));
    const isVerbose = query.getAll('verbose').every((one) => ['', 'yes'].includes(one));
    if (isState && isVerbose && query.getAll('verbose').length < 2) {
      return [200, []];
    }
    return [400];
  };
  const make = (json: any): Reply => {
    if (!isNew(json)) {
      return [400];
    }
    // The smallest id that is free, beyond what a double holds.
    let id = 2n ** 60n + 1n;
    while (all.has(String(id))) {
      id += 1n;
    }
    const made = { id, title: error === 'forgets' ? '' : json.title, version: 1 };
    all.set(String(id), made);
    return shown(201, made);
  };
  return ({ method, path, query, headers, json }) => {
    if (path === '/documents/') {
      return method === 'GET' ? lists(query) : make(json);
    }
    const [, id = ''] = /^\/documents\/(\d+)\/$/.exec(path) ?? [];
    const views = query.getAll('view');
    if (method === 'GET' && !(views.length === 1 && ['full', 'brief'].includes(views[0]!))) {
      return [400];
    }
    const found = all.get(id);
    if (!found) {
      return [404];
    }
    if (method === 'DELETE') {
      if (error !== 'stays') {
        all.delete(id);
      }
      return [204];
    }
    if (method === 'GET') {
      return shown(200, found);
    }
    if (headers['if-match'] === undefined) {
      return [error === 'unconditional' ? 200 : 428];
    }
    if (headers['if-match'] !== `"v${found.version}"`) {
      return [412];
    }
    if (!isNew(json)) {
      return [400];
    }
    found.title = json.title;
    found.version += 1;
    return shown(200, found);
  };
}

test('large ids, reused ids, entity tags and default filters raise no alarm', async () => {
  // At once with others, an id that was removed may name an item again, which says nothing.
  const options = ['--concurrency', '1'];
  const { code, broken, passed } = await runOn(documents(), contract('documents'), options);
  expect([code, broken]).toEqual([0, []]);
  const due = [
    'read.404',
    'change.200',
    'change.header.If-Match.missing',
    'write.body.title.maxLength',
    'write.items.read-your-write',
    'write.items.gone',
  ];
  expect(due.filter((id) => !passed.includes(id))).toEqual([]);
});

test.each([
  ['forgets', 'write.items.echo'],
  ['stays', 'write.items.gone'],
  ['unconditional', 'change.header.If-Match.missing'],
])('a service with the error `%s` is not conformant', async (error, id) => {
  const { code, broken } = await runOn(documents(error), contract('documents'));
  expect(code).toBe(1);
  expect(broken).toContain(id);
});

const isText = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value);

/** Whether the value of each member is right: the rules of the contract, written in another way. */
const RULES: Record<string, (value: any) => boolean> = {
  price(price) {
    const isCents = Math.abs(price * 100 - Math.round(price * 100)) < 1e-6;
    return typeof price === 'number' && price >= 0 && price <= 100 && isCents;
  },
  secret(secret) {
    const isAllowed = isText(secret, /^[A-Za-z0-9]{6,10}$/);
    return isAllowed && /[A-Z]/.test(secret) && /[0-9]/.test(secret);
  },
  name: (name) => isText(name, /^[a-z][a-z_-]{0,39}$/) && !/[-_]{2}/.test(name),
  site: (site) => typeof site === 'string' && [...site].length <= 30,
  flag: (flag) => isText(flag, /^(on|off)$/i),
};

/** The price is required, the other members are optional. */
function isRight(json: any): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return false;
  }
  return Object.entries(RULES).every(([name, isRule]) => {
    const isOmitted = json[name] === undefined && name !== 'price';
    return isOmitted || isRule(json[name]);
  });
}

const values = (isKept: (json: unknown) => boolean): Handler => {
  return ({ path, json }) => {
    const isAny = path === '/anything' && json !== undefined;
    return isAny || (path === '/values' && isKept(json)) ? [204] : [400];
  };
};

test('decimals, lookahead, slow patterns, flags and unknown formats are tried', async () => {
  const { code, broken, passed } = await runOn(values(isRight), contract('values'));
  expect([code, broken]).toEqual([0, []]);
  const rules = ['price.multipleOf', 'secret.pattern', 'name.pattern', 'flag.pattern'];
  const due = ['keep.204', 'anything.204', ...rules.map((rule) => `keep.body.${rule}`)];
  expect(due.filter((id) => !passed.includes(id))).toEqual([]);
});

test.each(['price', 'secret', 'name', 'flag'])(
  'a service that does not check %s fails',
  async (name) => {
    // JSON has no member whose value is undefined.
    const unchecked = { [name]: name === 'price' ? 1 : undefined };
    const isKept = (json: any) =>
      typeof json === 'object' && json !== null && isRight({ ...json, ...unchecked });
    const { code } = await runOn(values(isKept), contract('values'), ['--only', 'keep']);
    expect(code).toBe(1);
  },
);

/** @param isLetIn whether the credentials of a call are right */
const guarded = (isLetIn: (call: Call) => boolean): Handler => {
  return (call) => {
    if (!isLetIn(call)) {
      return [401];
    }
    if (call.path !== '/both/one') {
      return [404];
    }
    const names = [...call.query.keys()].filter((name) => name !== 'key').toSorted();
    const isNumber = (name: string) => /^-?\d+$/.test(call.query.get(name) ?? '');
    const city = call.query.get('city') ?? '';
    const isCity = names.join() === 'city' && city !== '' && [...city].length <= 5;
    const isPoint = names.join() === 'lat,lon' && names.every(isNumber);
    return [names.length === 0 || isCity || isPoint ? 200 : 400];
  };
};

const KEYS = ['--auth', 'key=k1', '--auth', 'secret=s1'];
const hasSecret = ({ headers }: Call): boolean => headers['x-secret'] === 's1';
const hasKey = ({ query }: Call): boolean => query.get('key') === 'k1';

test('a service whose reads all need a name is tried, with both of its keys', async () => {
  const handler = guarded((call) => hasKey(call) && hasSecret(call));
  const { code, broken, passed } = await runOn(handler, contract('credentials'), KEYS);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(expect.arrayContaining(['both.200', 'both.401']));
});

test.each([
  ['key', hasSecret],
  ['secret', hasKey],
])('a service that does not look at `%s` fails', async (_, isLetIn) => {
  const { code, broken } = await runOn(guarded(isLetIn), contract('credentials'), KEYS);
  expect([code, broken]).toEqual([1, ['both.401']]);
});

const UNREADABLE = `
openapi: 3.0.3
info: {title: Optional members that nobody can make, version: '1'}
paths:
  /things:
    post:
      operationId: add
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [n]
              properties:
                n: {type: integer, minimum: 0}
                code: {type: string, pattern: '['}
      responses: {'201': {description: kept}, '400': {description: refused}}
`;

test.each([
  [0, 0, []],
  [-5, 1, ['add.body.n.minimum']],
])('members that cannot be made are left out: a least of %i gives %i', async (least, exit, ids) => {
  const handler: Handler = ({ json }) => [Number.isInteger(json?.n) && json.n >= least ? 201 : 400];
  const options = ['--only', 'add.201', '--only', 'add.body.n.'];
  const { code, broken, passed } = await runOn(handler, UNREADABLE, options);
  expect([code, broken]).toEqual([exit, ids]);
  expect(passed).toContain('add.body.n.type');
});
