/**
 * Credentials go to the places that the security schemes of a contract name, and are shown nowhere.
 */
import { expect, it } from 'vitest';
import type { Service, ServiceRequest } from '../self-test/service.ts';
import { contractOf } from './testing/contracts.ts';
import { folderWith } from './testing/folder.ts';
import { cookiesIn, queryOf, segmentsOf } from './testing/requests.ts';
import { implementation, resultsBy } from './testing/services.ts';
import { starsContract, starsService } from './testing/stars.ts';
import { reportOf, suite } from './testing/suite.ts';

const TOKEN = 'reader:token-of-some-length';
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

type Check = (request: ServiceRequest) => boolean;

interface Scheme {
  where: string;
  scheme: object;
  hasToken: Check;
}

const SCHEMES: Scheme[] = [
  {
    where: 'the query',
    scheme: { type: 'apiKey', in: 'query', name: 'api key' },
    hasToken: (request) => queryOf(request).get('api key') === TOKEN,
  },
  {
    where: 'a cookie',
    scheme: { type: 'apiKey', in: 'cookie', name: 'sid' },
    hasToken: (request) => cookiesIn(request).includes(`sid=${TOKEN}`),
  },
  {
    where: 'a header',
    scheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
    hasToken: ({ headers }) => headers['x-key'] === TOKEN,
  },
  {
    where: 'basic authentication',
    scheme: { type: 'http', scheme: 'basic' },
    hasToken: ({ headers }) => headers['authorization'] === basic(TOKEN),
  },
];

it.each(SCHEMES)('a service passes that gets its token in $where', async (one) => {
  const runWith = async (check: Check) => {
    // The first of the schemes that are used as often is taken.
    const env = { CONFORMANCE_TOKEN: TOKEN };
    const contract = starsContract(one.scheme);
    const results = await resultsBy(starsService(check), contract, '--runs 3', env);
    expect(results.stdout).not.toContain(TOKEN);
    return results;
  };
  const { requirements, broken } = await runWith(one.hasToken);
  expect(broken).toEqual([]);
  for (const id of ['list.401', 'add.body.points.maximum']) {
    expect(requirements).toContainEqual(expect.objectContaining({ id, status: 'pass' }));
  }
  const reason =
    'look asks for credentials (other in the header x-other): give them with --auth other=VALUE';
  const skipped = { id: 'look.200', status: 'skip', reason };
  expect(requirements).toContainEqual(expect.objectContaining(skipped));
  const hasSomeToken: Check = (request) =>
    /api%20key=.|sid=.|"x-key":".|Basic ./.test(JSON.stringify(request));
  for (const tooLenient of [hasSomeToken, () => true]) {
    expect((await runWith(tooLenient)).broken).toContain('list.401');
  }
});

/** It gives a token to a client who knows the secret, and shows what it gets. */
const guarded: Service = async (request) => {
  const { target, headers, body } = request;
  const isClient = headers['authorization'] === basic('me:the-secret');
  const isGrant = String(body) === 'grant_type=client_credentials&scope=read';
  const cookies = cookiesIn(request);
  const isAllowed: Record<string, boolean> = {
    token: isClient && isGrant,
    a: headers['authorization'] === 'Bearer fetched-token',
    b: cookies.includes('c1=cookie-1') && cookies.includes('c2=cookie-2'),
    c: queryOf(request).get('k') === 'query-key',
    d: headers['authorization'] === basic(TOKEN),
  };
  const [name = ''] = segmentsOf(request);
  return {
    status: isAllowed[name] ? 200 : 401,
    headers: { echo: JSON.stringify([target, headers]) },
    body: name === 'token' ? '{"access_token":"fetched-token"}' : '',
  };
};

it('each operation gets the credentials of its scheme, and no output has any', async () => {
  using folder = folderWith({ 'guarded.json': JSON.stringify(contractOf('guarded')) });
  await using served = await implementation(guarded);
  const line = `${served.url} --contract ${folder.file('guarded.json')}`;
  const cookies = '--auth first=cookie-1 --auth second=cookie-2';
  const others = '--auth key=query-key --auth oauth=env:ID --auth basic=env:USER';
  const env = { ID: 'me:the-secret', USER: TOKEN };
  const { report, stdout } = await reportOf(`${line} ${cookies} ${others}`, { env });
  const idsOf = (which: string) =>
    report.requirements.filter(({ status }) => status === which).map(({ id }) => id);
  const allowed = ['a.200', 'a.401', 'b.200', 'b.401', 'c.200', 'c.401', 'd.200', 'd.401'];
  expect(idsOf('pass')).toEqual(expect.arrayContaining(allowed));
  expect(idsOf('fail')).toEqual(['e.200']);
  const secrets = ['fetched-token', 'the-secret', 'cookie-1', 'cookie-2', 'query-key', TOKEN];
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
});

/** As `guarded`, but a token ends after some requests; the endpoint fails once. */
function shortLived(): Service {
  let number = 0;
  let asked = 0;
  let left = 0;
  return async (request) => {
    const [name = ''] = segmentsOf(request);
    const authorization = request.headers['authorization'];
    if (name === 'token') {
      asked++;
      if (asked === 2) {
        return { status: 503, headers: {}, body: '' };
      }
      number++;
      left = 5;
      return { status: 200, headers: {}, body: JSON.stringify({ access_token: `t-${number}` }) };
    }
    if (name !== 'a') {
      return guarded(request);
    }
    const isCurrent = authorization === `Bearer t-${number}` && left > 0;
    left -= isCurrent ? 1 : 0;
    return { status: isCurrent ? 200 : 401, headers: {}, body: '' };
  };
}

it('a token that ends is fetched again after a 401', async () => {
  using folder = folderWith({ 'guarded.json': JSON.stringify(contractOf('guarded')) });
  await using served = await implementation(shortLived());
  const line = `${served.url} --contract ${folder.file('guarded.json')} --only a. --concurrency 1`;
  const env = { ID: 'me:the-secret' };
  const { report } = await reportOf(`${line} --auth oauth=env:ID --level extended`, { env });
  const sent = served.requests.filter(({ target }) => target.startsWith('/token'));
  expect(sent.length).toBeGreaterThan(3);
  expect(report.requirements.filter(({ status }) => status === 'fail')).toEqual([]);
  expect(report.requirements.find(({ id }) => id === 'a.200')?.status).toBe('pass');
});

it.each([
  ['--auth oauth=me:wrong', /--auth oauth: http:.*\/token gives no token \(HTTP 401\)/],
  ['--auth key=a --auth twin=b', /two of the credentials go to k/],
  ['--auth other=abc', /--auth other: the contract has no security scheme other/],
])('%s is refused', async (auth, message) => {
  using folder = folderWith({ 'guarded.json': JSON.stringify(contractOf('guarded')) });
  await using served = await implementation(guarded);
  const contract = `--contract ${folder.file('guarded.json')}`;
  const { code, stderr } = await suite(`${served.url} ${contract} ${auth}`);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
