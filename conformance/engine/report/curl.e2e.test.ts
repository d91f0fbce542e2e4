/**
 * Scripts, run by `sh` against the service that they come from: they send what the case sent, and
 * show what it saw.
 */
import { expect, it } from 'vitest';
import { createImplementation } from '../../api/implementation.ts';
import { trackerOf } from '../../api/tracker.ts';
import { run } from '../../cli/testing/processes.ts';
import { faulty, implementation as serve } from '../../cli/testing/services.ts';
import { createIndependentService } from '../../self-test/independent/index.ts';
import type { Service, ServiceRequest } from '../../self-test/service.ts';
import { loadContract } from '../contract/load.ts';
import { Client } from '../http/client.ts';
import { CaseSession, type Session } from '../http/session.ts';
import { curlScript } from './curl.ts';
import { encodeAll } from './variables.ts';

const contract = loadContract();
const TOKENS = { token: 'the-token', readOnlyToken: 'the-reader' };
const ENVIRONMENT = { TOKEN: 'the-token', READ_ONLY_TOKEN: 'the-reader', HEADER_X_KEY: 'the-key' };

type Steps = (session: Session) => Promise<unknown>;

/** Plays a case with all kinds of secrets, then its script. */
async function play(steps: Steps, service: Service = createIndependentService(TOKENS)) {
  await using served = await serve(service);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${TOKENS.token}`,
    'x-key': 'the-key',
  };
  const client = new Client({ base: served.url, headers, timeoutMs: 10_000, connections: 8 });
  const testData = {
    subscriptionIds: [],
    eventTypes: [],
    hostportDomain: undefined,
    certificateAuthorityIds: [],
  };
  const namespace = 'conformance-abc-def';
  const setting = { level: 'core', origin: 'all', ...TOKENS } as const;
  const implementation = createImplementation({
    contract,
    client,
    testData,
    namespace,
    ...setting,
  });
  const session = new CaseSession(implementation);
  await steps(session).catch(() => undefined);
  const script = curlScript('A rule.', session, implementation);
  const sent = served.requests.splice(0).map(essence);
  await session.cleanUp(false);
  client.close();
  served.requests.splice(0);
  const { code, stdout, stderr } = await run('sh', ['-c', script], { env: ENVIRONMENT });
  expect([code, stderr]).toEqual([0, '']);
  const statuses = (stdout.match(/^HTTP\/1\.1 \d+/gm) ?? []).map((line) => Number(line.slice(-3)));
  return { script, sent, sentAgain: served.requests.map(essence), stdout, statuses };
}

/** Without ids, names and cursors, which differ from run to run; upper case counts. */
function essence({ method, target, headers, body }: ServiceRequest) {
  const named = target
    .replaceAll(/conformance-[\w-]+?(?=[/?]|$)/gi, (id) =>
      id === id.toUpperCase() ? 'SUB' : 'sub',
    )
    .replace(/(%[0-9A-F]{2}){20,}/i, 'sub');
  const path = named
    .replace(/^(\/edges\/https\/)(?!%|\.\.)[^/?]+/, '$1id')
    .replace(/cursor=[^&]+/, 'cursor=c');
  const { accept, authorization, 'content-type': type, 'x-key': key } = headers;
  return { method, path, accept, authorization, type, key, body: body.toString('base64') };
}

const create = (options: Parameters<Session['call']>[1]) => (session: Session) =>
  session.call('createEdge', options);
/** Sends a POST with header fields as they are written, one after the other. */
const raw = (...fields: string[]) => {
  const headers = fields.map((field) => field.split(': ') as [string, string]);
  return (session: Session) =>
    session.sendRaw({ method: 'POST', target: '/edges/https', headers, body: '{}' });
};
const get = (...targets: string[]): Steps => {
  return async (session) => {
    for (const target of targets) {
      await session.send({ method: 'GET', target });
    }
  };
};

/** Creates an edge, and reads it by an id that is made of its id. */
const readEdge = (change = (id: string) => id): Steps => {
  return async (session) => {
    const { json } = await session.call('createEdge', { json: {} });
    await session.call('getEdge', { path: { edge_id: change((json as { id: string }).id) } });
  };
};

const subscriptionOf = async (session: Session) =>
  (await trackerOf(session).subscriptions({ count: 1 }))[0]!;

/** Two pages of one source each; the second as the response names it, on the host under test. */
const pages: Steps = async (session) => {
  const path = { subscription_id: await subscriptionOf(session) };
  for (const type of ['a.v0', 'b.v0']) {
    await session.call('createEventSource', { path, json: { type } });
  }
  const { json } = await session.call('listEventSources', { path, query: { limit: '1' } });
  const target = (json as { uri: string }).uri.replace('https://public.example/api', '');
  await session.send({ method: 'GET', target });
};

const encodedPath: Steps = async (session) => {
  const path = { subscription_id: await subscriptionOf(session), type: 'a.v0' };
  await session.call('createEventSource', { path, json: { type: 'a.v0' } });
  await session.call('getEventSource', { path, encode: encodeAll });
  await session.call('listEventSources', {
    path: { subscription_id: path.subscription_id.toUpperCase() },
  });
};

const changed = (change: (body: string) => string) =>
  faulty(
    (response) => ({ ...response, body: change(String(response.body)) }),
    createIndependentService(TOKENS),
  );
const behindProxy = createIndependentService({
  ...TOKENS,
  publicUrl: 'https://public.example/api',
});
const escaped = (body: string) => body.replaceAll('/', '\\/').replaceAll('&', '\\u0026');
const withOtherIds = (body: string) =>
  `{"other":{"id":"no","text":"\\"id\\": \\"no\\""},${body.slice(1)}`;
/** Its ids are whole numbers. */
const numbered = (): Service => {
  const inner = createIndependentService(TOKENS);
  const ids: string[] = [];
  return async (request) => {
    const target = request.target.replace(
      /(?<=https\/)\d+$/,
      (number) => ids[Number(number) - 1] ?? number,
    );
    const { body, ...response } = await inner({ ...request, target });
    const [, id] = /"id":"(\w+)"/.exec(String(body)) ?? [];
    if (id !== undefined && !ids.includes(id)) {
      ids.push(id);
    }
    return {
      ...response,
      body: String(body).replace(`"id":"${id}"`, `"id":${ids.indexOf(id!) + 1}`),
    };
  };
};
const BYTES = 'GET /a%2f HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \\\r\n\r\n';

/**
 * The steps of a case, the statuses that its script shows, and the service if it is not the
 * usual one.
 */
const CASES: [string, Steps, number[], Service?][] = [
  [
    'a body that a shell would expand',
    create({ body: `{"a":"it's \\"$HOME\\" $(id) \`id\` \\\\ ~ * !"}` }),
    [400],
  ],
  ['a body with line breaks', create({ body: '{\n\t"description": "a"\r\n}\n' }), [201]],
  ['an empty body', create({ body: '' }), [400]],
  ['a body that curl would take for a file', create({ body: '@/etc/hostname' }), [400]],
  [
    'invisible characters',
    create({ body: '\ufeff{"description":"ü 漢 🜁 \u202e \u0085 \u0001%\\u001b"}' }),
    [400],
  ],
  [
    'bytes that are no text',
    create({ body: Buffer.from([0x7b, 0x22, 0xff, 0x00, 0xc3, 0x28, 0x0a]) }),
    [400],
  ],
  ['more than 1 MiB', create({ body: '{"description":"x"}'.padEnd(1_048_577) }), [413]],
  [
    'another type',
    create({ json: {}, headers: { accept: 'text/html', 'content-type': "text/a; b='$c'" } }),
    [406],
  ],
  [
    'headers left out',
    create({ json: {}, headers: { accept: '', 'content-type': '', authorization: '' } }),
    [401],
  ],
  [
    'a token that may only read',
    create({ json: {}, headers: { authorization: 'Bearer the-reader' } }),
    [403],
  ],
  ['a header twice', raw('Content-Type: application/json', 'Content-Type: text/plain'), [415]],
  ['an empty header', raw('Content-Type: application/json', 'Accept: '), [201]],
  [
    'odd paths',
    get('/edges/https/%E0%A4%A', '/edges//https', '/edges/https/../https'),
    [400, 404, 404],
  ],
  ['an odd query', get("/edges/https?a='b'&c=$d"), [400]],
  ['bytes', (session) => session.sendBytes(Buffer.from(BYTES)), [401]],
  ['the id of a response', readEdge(), [201, 200]],
  ['an id that is a number', readEdge(String), [201, 200], numbered()],
  ['the id of a response with others', readEdge(), [201, 200], changed(withOtherIds)],
  ['almost the id of a response', readEdge((id) => `${id}0`), [201, 404]],
  ['an id that is too short', readEdge((id) => id.slice(0, -1)), [201, 404]],
  ['the next page', pages, [201, 201, 200, 200]],
  ['the next page, with escapes', pages, [201, 201, 200, 200], changed(escaped)],
  ['the next page of a service behind a proxy', pages, [201, 201, 200, 200], behindProxy],
  ['a path that is encoded whole, and a name in upper case', encodedPath, [201, 200, 200]],
];

it.each(CASES)('%s', async (_, steps, expected, service) => {
  const { script, sent, sentAgain, statuses } = await play(steps, service);
  expect(statuses).toEqual(expected);
  // The other requests remove what was added.
  expect(sentAgain.slice(0, sent.length)).toEqual(sent);
  expect(sentAgain.slice(sent.length).filter(({ method }) => method !== 'DELETE')).toEqual([]);
  expect(script).not.toMatch(/the-(token|reader|key)|conformance-abc-def/);
  expect(script.length).toBeLessThan(4_000);
});

it('requests that were sent at once are sent at once, and what they add is removed', async () => {
  const { sentAgain, statuses } = await play(async (session) => {
    const path = { subscription_id: await subscriptionOf(session) };
    await session.together(() =>
      Array.from({ length: 4 }, () =>
        session.call('createEventSource', { path, json: { type: 'a.v0' } }),
      ),
    );
    await session.call('listEventSources', { path });
  });
  expect([statuses.slice(0, 4).toSorted(), statuses[4]]).toEqual([[201, 409, 409, 409], 200]);
  expect(sentAgain.at(-1)).toMatchObject({
    method: 'DELETE',
    path: '/event_subscriptions/sub/sources/a.v0',
  });
});

it('does not wait for ever if no response came, and asks for each secret', async () => {
  let responds = false;
  const service: Service = () => {
    if (responds) {
      return Promise.resolve({ status: 204, headers: {}, body: '' });
    }
    return Promise.reject(new Error('closed'));
  };
  const steps: Steps = async (session) => {
    try {
      await session.call('createEdge', { json: {} });
    } finally {
      responds = true;
    }
  };
  const { script } = await play(steps, service);
  expect(script).toMatch(
    /--max-time 10 [^]*# no response: the connection was closed without a response/,
  );
  const { code, stderr } = await run('sh', ['-c', script], { env: { TOKEN: 'x' } });
  expect(code).not.toBe(0);
  expect(stderr).toContain('put the value of the header x-key into it first');
});
