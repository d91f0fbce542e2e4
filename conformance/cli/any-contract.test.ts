/** A correct service of a contract that leaves much open: what is not promised is not failed. */
import { expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service, ServiceRequest } from '../self-test/service.ts';
import { answer, contractText, implementation, resultsBy } from './services.ts';
import { folderWith, reportOf, suite } from './suite.ts';

const TOKEN = 'reader:token-of-some-length';

/** @param key the security scheme of its operations */
const contractOf = (key: string) => contractText('stars').replace('KEY', key);

const cookies = ({ headers }: ServiceRequest) => (headers['cookie'] ?? '').split('; ');
const queryOf = ({ target }: ServiceRequest) => new URL(target, 'http://a').searchParams;

/** It overlooks an id that is sent. */
function stars(isAllowed: (request: ServiceRequest) => boolean): Service {
  return async (request) => {
    const [, name] = new URL(request.target, 'http://a').pathname.split('/');
    if (name !== 'stars' || !isAllowed(request)) {
      return answer(name === 'stars' || name === 'inside' ? 401 : 404);
    }
    if (request.method === 'GET') {
      return answer(200);
    }
    const {
      id = 0,
      points,
      ...others
    } = Object(parse(String(request.body))) as Record<string, unknown>;
    const isStar = Number.isInteger(id) && [1, 2, 3, 4, 5].includes(points as number);
    if (isStar && Object.keys(others).length === 0) {
      return answer(201, { id: 0, points });
    }
    return answer(400);
  };
}

const BASIC = `Basic ${Buffer.from(TOKEN).toString('base64')}`;

it.each<[string, string, (request: ServiceRequest) => boolean]>([
  [
    'query',
    '{type: apiKey, in: query, name: api key}',
    (request) => queryOf(request).get('api key') === TOKEN,
  ],
  [
    'cookie',
    '{type: apiKey, in: cookie, name: sid}',
    (request) => cookies(request).includes(`sid=${TOKEN}`),
  ],
  [
    'header',
    '{type: apiKey, in: header, name: X-Key}',
    ({ headers }) => headers['x-key'] === TOKEN,
  ],
  ['basic', '{type: http, scheme: basic}', ({ headers }) => headers['authorization'] === BASIC],
])('passes with its token in: %s', async (_, scheme, isAllowed) => {
  const run = async (check: typeof isAllowed) => {
    // The first of the schemes that are used as often is taken.
    const env = { CONFORMANCE_TOKEN: TOKEN };
    const { stdout, requirements, broken } = await resultsBy(
      stars(check),
      contractOf(scheme),
      '--runs 3',
      env,
    );
    expect(stdout).not.toContain(TOKEN);
    return { requirements, broken };
  };
  const { requirements: found, broken } = await run(isAllowed);
  expect(broken).toEqual([]);
  const reason =
    'look asks for credentials (other): give them with --token, --auth, --cert or --header';
  for (const id of ['list.401', 'add.body.points.maximum']) {
    expect(found).toContainEqual(expect.objectContaining({ id, status: 'pass' }));
  }
  expect(found).toContainEqual(expect.objectContaining({ id: 'look.200', status: 'skip', reason }));
  // Some credentials will do, whichever they are; then none at all.
  const present = (request: ServiceRequest) =>
    /api%20key=.|sid=.|"x-key":".|Basic ./.test(JSON.stringify(request));
  for (const check of [present, () => true]) {
    expect((await run(check)).broken).toContain('list.401');
  }
});

/** It gives a token to a client who knows the secret, and shows what it gets. */
const guarded: Service = (request) => {
  const { target, headers } = request;
  const isClient =
    headers['authorization'] === `Basic ${Buffer.from('me:the-secret').toString('base64')}`;
  const isAllowed: Record<string, boolean> = {
    '/token': isClient && String(request.body) === 'grant_type=client_credentials&scope=read',
    '/a': headers['authorization'] === 'Bearer fetched-token',
    '/b': ['c1=cookie-1', 'c2=cookie-2'].every((one) => cookies(request).includes(one)),
    '/c': queryOf(request).get('k') === 'query-key',
    '/d': headers['authorization'] === BASIC,
  };
  const path = target.split('?')[0]!;
  const body = path === '/token' ? '{"access_token":"fetched-token"}' : '';
  const echo = JSON.stringify([target, headers]);
  return Promise.resolve({ status: isAllowed[path] ? 200 : 401, headers: { echo }, body });
};

it('sends credentials for each scheme, and shows none', async () => {
  using folder = folderWith({ 'guarded.yaml': contractText('guarded') });
  await using served = await implementation(guarded);
  const line = `${served.url} --contract ${folder.file('guarded.yaml')} --auth first=cookie-1 --auth second=cookie-2`;
  const auth = '--auth key=query-key --auth oauth=env:ID --auth basic=env:USER';
  const { report, stdout } = await reportOf(`${line} ${auth}`, {
    env: { ID: 'me:the-secret', USER: TOKEN },
  });
  const of = (which: string) =>
    report.requirements.filter(({ status }) => status === which).map(({ id }) => id);
  const allowed = ['a.200', 'a.401', 'b.200', 'b.401', 'c.200', 'c.401', 'd.200', 'd.401'];
  expect(of('pass')).toEqual(expect.arrayContaining(allowed));
  expect(of('fail')).toEqual(['e.200']);
  expect(stdout).not.toMatch(/fetched-token|the-secret|cookie-\d|query-key|token-of-some-length/);
  const refused = (more: string) => suite(`${line} ${more}`).then(({ stderr }) => stderr);
  expect(await refused('--auth oauth=me:wrong')).toMatch(
    /--auth oauth: http:.*\/token gives no token \(HTTP 401\)/,
  );
  expect(await refused('--auth key=a --auth twin=b')).toMatch(/two of the credentials go to k/);
  expect(await refused('--auth other=abc')).toMatch(
    /--auth other: the contract has no security scheme other/,
  );
});

it.each([
  [
    '--token a',
    /--token cannot be used: the security scheme key \(mutualTLS\) does not take a token/,
  ],
  ['--path /nowhere --tag a', /the contract has no operation for --path \/nowhere --tag a/],
  ['--only add.201 --method get', /--only names nothing of what --path/],
  ['--event-type a.v0', /--event-type has a meaning for the contract of this package only/],
  ['--data "{bodies: {ad: 1}}"', /no operation has ad among its bodies/],
])('refuses %s', async (line, message) => {
  using folder = folderWith({
    'stars.yaml': contractOf('{type: mutualTLS}').replace('{other: []}', '{key: []}'),
  });
  const { code, stderr } = await suite(
    `http://127.0.0.1:9 --contract ${folder.file('stars.yaml')} ${line}`,
  );
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

it.each([
  ['--path /*', /^(list|add)\./],
  ['--path /**r --path /nothing', /^look\./],
  ['--method post', /^add\./],
  ['--tag read* --method get', /^list\./],
  ['--tag reading --only list.4', /^list\.4/],
])('%s chooses operations', async (line, ids) => {
  using folder = folderWith({ 'stars.yaml': contractOf('{type: http, scheme: bearer}') });
  const { stdout } = await suite(
    `--list --contract ${folder.file('stars.yaml')} ${line} --format json`,
  );
  const listed = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.filter((id) => !ids.test(id))).toEqual([]);
});

it('waits for the service, and finds it where the variables of its server say', async () => {
  using folder = folderWith({ 'stars.yaml': contractOf('{type: http, scheme: bearer}') });
  let asked = 0;
  await using served = await implementation((request) => {
    if (++asked < 12) {
      throw new Error('not yet');
    }
    if (asked < 15) {
      return Promise.resolve(answer(503));
    }
    const target = request.target.replace(/^\/v2\//, '/');
    return stars(() => target !== request.target)({ ...request, target });
  });
  const line = `${served.url} --contract ${folder.file('stars.yaml')} --token abc --only list.200`;
  expect((await reportOf(`${line} --wait 60`)).report.verdict).toBe('conformant');
});

/** It has three rows and the rule `castling`, whose only text is `{"a": 1}`; the game of the example is over. */
const board: Service = async ({ method, target, body }) => {
  const [, kind, name] = new URL(target, 'http://a').pathname.split('/');
  if (kind === 'echo') {
    return answer(method === 'GET' ? 200 : 500);
  }
  if (kind === 'board') {
    return answer(/^[1-3]$/.test(name!) ? 200 : 400);
  }
  if (kind !== 'rules' || name !== 'castling') {
    return answer(404);
  }
  return answer(
    method === 'GET' ? 200 : String(body).replaceAll(' ', '') === '{"a":1}' ? 204 : 400,
  );
};

it('fills a path by what the contract states or --data says, of a GET by any values that it takes, and has no verdict on what was hardly tried', async () => {
  const data = '"--data={parameters: {rule: castling}, bodies: {write: {a: 1}}}"';
  const statuses = async (more: string) => {
    const { code, report, requirements } = await resultsBy(board, contractText('board'), more);
    const ids = [
      'square.200',
      'echo.200',
      'silence.200',
      'never.200',
      'game.200',
      'rule.200',
      'write.204',
    ];
    return [code, ids.map((id) => requirements.find((one) => one.id === id)?.status), report];
  };
  const few = {
    reason: expect.stringMatching(
      /never succeeded: .* \(2 of 7 operations did; --min-tried /,
    ) as string,
  };
  expect(await statuses('')).toMatchObject([
    2,
    ['pass', 'pass', 'skip', 'skip', 'skip', 'skip', 'skip'],
    few,
  ]);
  const warned = { warnings: [expect.stringContaining('annotations: gt (first at /paths')] };
  const tried = ['pass', 'pass', 'skip', 'skip', 'skip', 'pass', 'pass'];
  expect(await statuses(`${data} --min-tried 0.1`)).toMatchObject([0, tried, warned]);
});

it('takes an HTML page or a redirect that the contract documents for one of the API', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' };
  const html = await resultsBy(async () => page, contractText('page'));
  expect([html.broken, html.report.verdict, html.report.reason]).toEqual([
    [],
    'conformant',
    undefined,
  ]);
  const redirect = { status: 307, headers: { location: '/other' }, body: '' };
  const moved = await resultsBy(async () => redirect, contractText('moved'));
  // Nothing more is promised.
  expect([moved.broken, moved.report.verdict]).toEqual([[], 'conformant']);
});

const EXAMPLES = contractText('examples');

it('takes what the contract states for parameters, and reports an example that breaks its own schema', async () => {
  const run = async (refused: string) => {
    const service: Service = async ({ target, headers, body }) => {
      const isKnown =
        headers['x-tenant'] === 'acme' && headers['x-page'] === '7' && !target.includes(refused);
      return answer(isKnown && Number.isInteger(parse(String(body))) ? 201 : 400);
    };
    return (await resultsBy(service, EXAMPLES, '--only add.201')).report;
  };
  const warnings = ['The example `bad` of the body of add breaks its own schema.'];
  const ofParameter = 'The example "no" of the parameter `kind` of simple breaks its own schema.';
  // A service need not know what a text names.
  expect(await run('after=cursor')).toMatchObject({ verdict: 'conformant', warnings });
  expect(await run('size=25')).toMatchObject({ verdict: 'nonconformant' });
  const targets: string[] = [];
  const picky: Service = async ({ target, body }) => {
    targets.push(target);
    if (target.startsWith('/simple')) {
      return answer(/^\/simple\/1,2($|\?)/.test(target) ? 200 : 400);
    }
    if (target !== '/pay' || !/^\d+$/.test(String(body))) {
      return answer(target === '/token' ? 401 : 400);
    }
    return answer(String(body) === '4242' ? 201 : 402);
  };
  const { report, requirements } = await resultsBy(
    picky,
    EXAMPLES,
    '--only pay.201 --only pay.body.minimum --only simple.200 --only token.201 --min-tried 0',
  );
  expect(Object.fromEntries(requirements.map(({ id, status }) => [id, status]))).toMatchObject({
    'pay.201': 'pass',
    'pay.body.minimum': 'skip',
    'token.201': 'skip',
    'simple.200': 'pass',
  });
  expect(report).toMatchObject({ verdict: 'conformant', warnings: [ofParameter] });
  expect(targets).toContain('/simple/1,2?more=3,4');
});

const PETS = contractText('pets');

it('a discriminator names the branches: by its mapping, or by their components', async () => {
  const brokenBy = async (isPet: (kind: unknown) => boolean, shown = 'cat', contract = PETS) => {
    const service: Service = async ({ body }) => {
      const {
        kind,
        lives = 0,
        tail = true,
      } = Object(parse(String(body))) as Record<string, unknown>;
      const isRight = /cat/i.test(String(kind))
        ? Number.isInteger(lives)
        : typeof tail === 'boolean';
      if (isPet(kind) && isRight) {
        return answer(201, { kind: shown });
      }
      return answer(400);
    };
    return (await resultsBy(service, contract, '--only add.body.oneOf --only add.201')).broken;
  };
  const isPet = (kind: unknown) => kind === 'cat' || kind === 'Dog';
  expect(await brokenBy(isPet)).toEqual([]);
  expect(await brokenBy((kind) => typeof kind === 'string')).toEqual(['add.body.oneOf']);
  expect(await brokenBy(isPet, 'Cat')).toContain('add.201');
  const unmapped = PETS.replace(/mapping: \{.*?\}/, 'mapping: null');
  expect(await brokenBy((kind) => kind === 'Cat' || kind === 'Dog', 'Cat', unmapped)).toEqual([]);
});

const MEDIA = contractText('media');

/** It reads forms as Node does. @param isCount whether it takes a text for a count */
function media(isCount = (text: string) => /^[123]?$/.test(text)): Service {
  const isCard = (form: FormData, tags: unknown[]) => {
    const textOf = (name: string) => String(form.get(name) ?? '');
    const logo = form.get('logo');
    return (
      form.has('title') &&
      [...form.keys()].every((name) => /^(title|count|big|tags|meta|logo)$/.test(name)) &&
      [...textOf('title')].length <= 5 &&
      isCount(textOf('count')) &&
      /^(true|false|1|0|)$/.test(textOf('big')) &&
      tags.length <= 2 &&
      tags.every((tag) => /^[a-z]+$/.test(String(tag))) &&
      Number.isInteger(Object(parse(textOf('meta') || '{"a":1}')).a) &&
      (logo === null || typeof logo === 'string' || (logo.type === 'image/png' && logo.size === 67))
    );
  };
  return async ({ target, headers, body }) => {
    const type = headers['content-type'] ?? '';
    const read = new Response(body, { headers: { 'content-type': type } }).formData();
    const form = await read.catch(() => new FormData());
    const isRight: Record<string, boolean> = {
      '/note': type.startsWith('text/plain') && body.length > 0,
      '/blob': type === 'application/octet-stream' && body.length > 0,
      '/logo': type === 'image/png' && body.toString('latin1').startsWith('\u0089PNG'),
      '/form': isCard(form, form.has('tags') ? String(form.get('tags')).split('|') : []),
      '/card': type.startsWith('multipart/') && isCard(form, form.getAll('tags')),
    };
    return answer(isRight[target] ? 201 : 400);
  };
}

it('sends bodies of other media types than JSON', async () => {
  const { requirements, broken } = await resultsBy(media(), MEDIA);
  expect(broken).toEqual([]);
  const pass = requirements.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect(pass).toEqual(
    expect.arrayContaining(['note.201', 'blob.201', 'logo.201', 'form.201', 'card.201']),
  );
  const isDigits = (text: string) => /^\d*$/.test(text);
  const lenient = await resultsBy(
    media(isDigits),
    MEDIA,
    '--only form.body.count --only card.body.count',
  );
  expect(lenient.broken).toEqual(
    expect.arrayContaining(['form.body.count.minimum', 'card.body.count.maximum']),
  );
});

/** It takes "null" for an integer as a framework may, or reads numbers as JavaScript does. */
function search(
  nothing: RegExp,
  where = (a: unknown) => Number.isInteger(a) && Number(a) <= 9,
): Service {
  const isInteger = (text: string) => {
    if (nothing.test('null')) {
      return /^-?\d+$/.test(text);
    }
    return Number.isInteger(Number(text));
  };
  return async (request) => {
    const query = queryOf(request);
    const isNumber = (name: string) =>
      nothing.test(query.get(name) ?? '') || query.getAll(name).every(isInteger);
    const { text = '', n = '0', old = '0', big = 'no' } = Object.fromEntries(query);
    const isRight =
      [...text].length <= 4 &&
      ['n', 'old', 'ids'].every(isNumber) &&
      !(Number(n) > 9 || Number(n) < 0 || Number(old) > 9) &&
      (/^(yes|no|true|false|on|off|[tfyn01])$/i.test(big) || nothing.test(big)) &&
      cookies(request).every((pair) => !/^lang=(?!(en|de)$)/.test(pair)) &&
      where(Object(parse(query.get('where') ?? '')).a);
    return answer(isRight ? 200 : 422);
  };
}

it.each([/^(null|)$/, /^none$/])(
  'a parameter has no null, whether %s stands for it or not',
  async (nothing) => {
    const brokenBy = async (service: Service) => {
      const { requirements, broken } = await resultsBy(
        service,
        contractText('search'),
        '--runs 10',
      );
      expect(requirements).toContainEqual(
        expect.objectContaining({ id: 'search.200', status: 'pass' }),
      );
      return broken;
    };
    expect(await brokenBy(search(nothing))).toEqual([]);
    expect(await brokenBy(search(/./))).toContain('search.query.n.type');
    expect(await brokenBy(search(nothing, () => true))).toContain('search.query.where.a.maximum');
  },
);

it.each([
  [
    'a bound beyond which there is no number',
    '{type: integer, minimum: 0, maximum: 9007199254740991}',
  ],
  ['names of schemas in examples', '{type: object, examples: [{$id: abc}, {$id: abc, x: 1}]}'],
  [
    'readOnly beneath readOnly',
    '{readOnly: true, allOf: [{properties: {b: {readOnly: true, type: string}}}]}',
  ],
  [
    'patterns of names beside a condition',
    '{type: object, patternProperties: {^u: {type: string}}, if: {required: [a]}, else: {properties: {until: false}}}',
  ],
  ['a pattern with needless escapes', String.raw`{type: string, pattern: '^[a-z_\-\:]+$'}`],
])('tries a contract with %s to its end', async (_, schema) => {
  const body = `{required: true, content: {application/json: {schema: {type: object, required: [a], properties: {a: ${schema}}}}}}`;
  const contract = `openapi: 3.1.0\ninfo: {title: T, version: 1.0.0}\npaths: {/a: {post: {operationId: add, requestBody: ${body}, responses: {'201': {description: it}}}}}`;
  const { code, requirements } = await resultsBy(async () => answer(201), contract, '--runs 5');
  expect(
    requirements.flatMap(({ status, reason }) => (status === 'error' ? [reason] : [])),
  ).toEqual([]);
  expect(code).toBe(1);
});

it('finds bytes that come back as others, and files that a service breaks at', async () => {
  const service = (kept: (bytes: Buffer) => Buffer, file: RegExp): Service => {
    let bytes: Buffer | undefined;
    return async ({ method, target, body }) => {
      if (target === '/file') {
        return answer(
          file.test(body.toString('utf8')) ? 500 : body.includes('name="file"') ? 201 : 422,
        );
      }
      if (method === 'PUT') {
        bytes = kept(body);
      }
      if (method === 'PUT' || !bytes) {
        return answer(bytes ? 204 : 404);
      }
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: bytes };
    };
  };
  const brokenBy = async (one: Service) =>
    (await resultsBy(one, contractText('bytes'), '--runs 20 --only put.bytes --only send')).broken;
  expect(await brokenBy(service((bytes) => bytes, /no file/))).toEqual([]);
  expect(
    await brokenBy(service((bytes) => Buffer.from(bytes.toString('utf8')), /filename="\.\./)),
  ).toEqual(['put.bytes', 'send.files']);
  expect(await brokenBy(service((bytes) => bytes, /\r\n\r\n\r\n--/))).toEqual(['send.files']);
});
