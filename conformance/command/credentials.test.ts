/** The token goes where the contract of a service wants its credentials, and is in no output. */
import { expect, it } from 'vitest';
import { type Served, serve, type ServiceRequest } from '../self/service.ts';
import { folderWith, suite } from './suite.ts';

const TOKEN = 'reader:token-of-some-length';

const contractOf = (scheme: string) => `
openapi: 3.0.3
info: {title: Ping, version: 1.0.0}
security: [{key: []}]
paths:
  /ping:
    get:
      operationId: ping
      parameters: [{name: loud, in: query, required: true, schema: {type: boolean}}, {name: lang, in: cookie, schema: {type: string, enum: [en, de]}}]
      responses:
        '200': {description: It is there., content: {application/json: {schema: {type: object, required: [loud]}}}}
        '400': {description: The parameter is wrong.}
        '401': {description: Who asks?}
components: {securitySchemes: {key: ${scheme}}}
`;

const basic = `Basic ${Buffer.from(TOKEN).toString('base64')}`;
const queryOf = ({ target }: ServiceRequest) => new URL(target, 'http://a').searchParams;
const cookies = ({ headers }: ServiceRequest) => (headers['cookie'] ?? '').split('; ');

/** A scheme, and whether a request has its credentials. */
const SCHEMES: Record<string, [string, (request: ServiceRequest) => boolean]> = {
  query: ['{type: apiKey, in: query, name: api key}', (request) => queryOf(request).get('api key') === TOKEN],
  cookie: ['{type: apiKey, in: cookie, name: sid}', (request) => cookies(request).includes(`sid=${TOKEN}`)],
  header: ['{type: apiKey, in: header, name: X-Key}', ({ headers }) => headers['x-key'] === TOKEN],
  basic: ['{type: http, scheme: basic}', ({ headers }) => headers['authorization'] === basic],
};

async function pinging(isAllowed: (request: ServiceRequest) => boolean): Promise<Served> {
  return serve(async (request) => {
    const empty = (status: number) => ({ status, headers: {}, body: '' });
    if (!isAllowed(request)) return empty(401);
    const lang = cookies(request).find((pair) => pair.startsWith('lang='));
    if (lang !== undefined && !/^lang=(en|de)$/.test(lang)) return empty(400);
    const loud = queryOf(request).get('loud') ?? '';
    if (!/^(true|false)$/.test(loud)) return empty(400);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: `{"loud":${loud}}` };
  });
}

it.each(Object.entries(SCHEMES))('%s', async (_, [scheme, isAllowed]) => {
  using folder = folderWith({ 'ping.yaml': contractOf(scheme) });
  const run = async (check: typeof isAllowed) => {
    const served = await pinging(check);
    const args = [served.url, '--contract', folder.file('ping.yaml'), '--format', 'json', '--runs', '3'];
    const { stdout } = await suite(args, { env: { CONFORMANCE_TOKEN: TOKEN } });
    await served.close();
    expect(stdout).not.toContain(TOKEN);
    const { requirements } = JSON.parse(stdout) as { requirements: { id: string; status: string }[] };
    return Object.fromEntries(requirements.map(({ id, status }) => [id, status]));
  };
  const good = await run(isAllowed);
  expect(new Set(Object.values(good))).toEqual(new Set(['pass']));
  expect(good).toHaveProperty('ping.401');
  // Some credentials will do, whichever they are; then none at all.
  const present = (request: ServiceRequest) => /api%20key=.|sid=.|"x-key":".|Basic ./.test(JSON.stringify(request));
  expect(await run(present)).toMatchObject({ 'ping.200': 'pass', 'ping.401': 'fail' });
  expect(await run(() => true)).toMatchObject({ 'ping.200': 'pass', 'ping.401': 'fail' });
});

it('says why a token cannot be used', async () => {
  using folder = folderWith({ 'ping.yaml': contractOf('{type: mutualTLS}') });
  const args = ['http://127.0.0.1:1', '--contract', folder.file('ping.yaml'), '--token', TOKEN];
  const { code, stderr } = await suite(args);
  expect([code, stderr]).toEqual([
    2,
    'edge-conformance: --token cannot be used: the security scheme key (mutualTLS) takes something else than a token\n',
  ]);
});
