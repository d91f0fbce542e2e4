/** Scripts, run by `sh` against the service that they come from: they send what the case sent, and show what it saw. */
import { describe, expect, it } from 'vitest';
import { type RecordedExchange, Session } from '../http/session.ts';
import { run } from '../../command/process.ts';
import { faulty, implementation as serve, withJson } from '../../command/services.ts';
import { loadContract } from '../contract/load.ts';
import { createIndependentService } from '../../self/independent/index.ts';
import type { Service, ServiceRequest } from '../../self/service.ts';
import { Client } from '../http/client.ts';
import { createImplementation } from '../../api/implementation.ts';
import { trackerOf } from '../../api/tracker.ts';
import { curlScript } from './curl.ts';

const contract = loadContract();
const EDGES = '/edges/https';

interface Played {
  script: string;
  /** What the case sent and the script sent, without what may differ. */
  sent: unknown[];
  sentAgain: unknown[];
  output: string;
  exchanges: RecordedExchange[];
}

interface Setting {
  service?: Service;
  token?: string;
  readOnlyToken?: string;
  headers?: Record<string, string>;
  env?: Record<string, string>;
}

/** Plays a case, then its script. */
async function play(
  steps: (session: Session) => Promise<unknown>,
  { service, token, readOnlyToken, headers = {}, env = {} }: Setting = {},
): Promise<Played> {
  await using served = await serve(service ?? createIndependentService({ token, readOnlyToken }));
  const accept = { accept: 'application/json, application/problem+json' };
  const client = new Client({
    base: served.url,
    headers: { ...accept, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    timeoutMs: 10_000,
    connections: 8,
  });
  const testData = { subscriptionIds: [], eventTypes: [], hostportDomain: undefined, certificateAuthorityIds: [] };
  const implementation = createImplementation({
    contract,
    client,
    level: 'core',
    origin: 'all',
    token,
    readOnlyToken,
    testData: testData,
    namespace: 'conformance-abc-def',
  });
  const session = new Session(implementation);
  await steps(session).catch(() => undefined);
  const script = curlScript('A promise.', session, implementation);
  const sent = served.requests.splice(0).map(essence);
  await session.cleanUp(false);
  served.requests.splice(0);
  const { code, stdout, stderr } = await run('sh', ['-c', script], {
    env: { ...(token === undefined ? {} : { TOKEN: token }), ...env },
  });
  client.close();
  expect([code, stderr]).toEqual([0, '']);
  return { script, sent, sentAgain: served.requests.map(essence), output: stdout, exchanges: session.exchanges };
}

/** What a service goes by. Ids are their place among those of one run. */
function essence({ method, target, headers, body }: ServiceRequest) {
  const path = target.replaceAll(/(conformance-[\w-]+?)(?=[/?]|$)/gi, (id) =>
    id === id.toUpperCase() ? 'SUB' : 'sub',
  );
  const { accept, authorization, expect: _, 'content-type': type, 'x-key': key } = headers;
  return {
    method,
    path: path.replace(/^(\/edges\/https\/)(?!%|\.\.)[^/?]+/, '$1id').replace(/cursor=[^&]+/, 'cursor=c'),
    accept,
    authorization,
    type,
    key,
    body: body.toString('base64'),
  };
}

async function subscription(session: Session): Promise<string> {
  return (await trackerOf(session).subscriptions({ count: 1 }))[0]!;
}

describe('bodies', () => {
  const bodies: [string, string | Buffer][] = [
    ['quotes', `{"description":"it's \\"so\\" 'odd'"}`],
    ['what a shell expands', '{"description":"$HOME ${HOME} $(id) `id` \\\\ ~ * ! # & ; | > <"}'],
    ['line breaks', '{\n\t"description": "a"\r\n}\n'],
    ['nothing', ''],
    ['an @ at the start', '@/etc/hostname'],
    ['a dash at the start', '--data'],
    ['other alphabets', '{"description":"ü 漢 🜁 \u202e \u0085"}'],
    ['control characters', '{"description":"\u0001\u001b[31m\u007f"}'],
    ['NUL', '\u0000{}'],
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0x00, 0xc3, 0x28, 0x0a])],
    ['1 MiB', '{}'.padEnd(1_048_576)],
    ['more than 1 MiB', '{"description":"x"}'.padEnd(1_048_577)],
  ];
  it.each(bodies)('with %s', async (_, body) => {
    const { sent, sentAgain, output, exchanges } = await play((session) => session.call('createEdge', { body }));
    expect(sentAgain).toEqual(sent);
    expect(output).toMatch(new RegExp(`^HTTP/1\\.1 ${exchanges[0]?.response?.status} `));
  });

  it.each([
    ['a byte order mark', '\ufeff{}'],
    ['carriage returns', '{\r\n"a":"100%\\"}\r\n'],
  ])('can be copied from a terminal with %s', async (_, body) => {
    const { script, sent, sentAgain } = await play((session) => session.call('createEdge', { body }));
    expect(script).toMatch(/^printf '[ -~]+' \| send /m);
    expect(sentAgain).toEqual(sent);
  });

  it('are short in the script when they are long', async () => {
    const { script } = await play((session) => session.call('createEdge', { body: '{}'.padEnd(1_048_576) }));
    expect(script.length).toBeLessThan(3_000);
  });
});

describe('bytes that need not be a request', () => {
  const get = 'GET /edges/https/a%2f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: \\';
  it.each([
    ['short', `${get}\r\n\r\n`],
    ['long', `${get}${'x'.repeat(10_000)}\r\n\r\n`],
  ])('go out as they are: %s', async (_, text) => {
    const { sent, sentAgain, output } = await play((session) => session.sendBytes(Buffer.from(text)));
    expect(sent).toHaveLength(1);
    expect(sentAgain).toEqual(sent);
    expect(output).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('headers', () => {
  const cases: [string, Record<string, string>][] = [
    ['another Accept', { accept: 'text/html' }],
    ['no Accept', { accept: '' }],
    ['another type', { 'content-type': "text/plain; a='$b'" }],
    ['no type', { 'content-type': '' }],
    ['no token', { authorization: '' }],
    ['a wrong token', { authorization: 'Basic abc' }],
  ];
  it.each(cases)('with %s', async (_, headers) => {
    const { sent, sentAgain } = await play(
      async (session) => {
        await session.call('createEdge', { json: {} });
        await session.call('createEdge', { json: {}, headers });
      },
      { token: 'the-token' },
    );
    expect(sentAgain).toEqual(sent);
  });

  it.each([
    [
      'two of one name',
      [
        ['Content-Type', 'application/json'],
        ['Content-Type', 'text/plain'],
      ],
    ],
    [
      'an empty one',
      [
        ['Content-Type', 'application/json'],
        ['Accept', ''],
      ],
    ],
    [
      'the token twice',
      [
        ['Authorization', 'Bearer the-token'],
        ['Authorization', ''],
      ],
    ],
  ] as const)('with %s, field by field', async (_, headers) => {
    const request = { method: 'POST', target: '/edges/https', headers, body: '{}' };
    const { script, sent, sentAgain } = await play((session) => session.sendRaw(request), { token: 'the-token' });
    expect(sentAgain).toEqual(sent);
    expect(script).not.toContain('the-token');
  });

  it('that are secret come from the environment, which is asked for', async () => {
    const secret = { 'x-key': 'the-key' };
    const { script, sent, sentAgain } = await play((session) => session.call('createEdge', { json: {} }), {
      token: 'the-token',
      headers: secret,
      env: { HEADER_X_KEY: 'the-key' },
    });
    expect(sentAgain).toEqual(sent);
    expect(sent).toMatchObject([{ key: 'the-key', authorization: 'Bearer the-token' }]);
    expect(script).not.toMatch(/the-key|the-token/);
    const { code, stderr } = await run('sh', ['-c', script], { env: { TOKEN: 'x' } });
    expect(code).not.toBe(0);
    expect(stderr).toContain('put the value of the header x-key into it first');
  });

  it('with a token that may only read, from the environment, too, in place of the other', async () => {
    const reader = { authorization: 'Bearer the-reader' };
    const { script, sent, sentAgain, output } = await play(
      async (session) => {
        await session.call('createEdge', { json: {} });
        await session.call('createEdge', { json: {}, headers: reader });
      },
      { token: 'the-token', readOnlyToken: 'the-reader', env: { READ_ONLY_TOKEN: 'the-reader' } },
    );
    expect(sent).toMatchObject([{ authorization: 'Bearer the-token' }, reader]);
    expect(sentAgain).toEqual(sent);
    expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 403']);
    expect(script).not.toContain('the-reader');
    const { code, stderr } = await run('sh', ['-c', script], { env: { TOKEN: 'x' } });
    expect(code).not.toBe(0);
    expect(stderr).toContain('put the token that may only read into it first');
  });

  it('ask for no token that may only read where none was sent', async () => {
    const { script, sent, sentAgain } = await play((session) => session.call('createEdge', { json: {} }), {
      token: 'the-token',
      readOnlyToken: 'the-reader',
    });
    expect(sentAgain).toEqual(sent);
    expect(script).not.toContain('READ_ONLY_TOKEN');
  });
});

describe('what a response brings', () => {
  it('is the id of the edge and no other', async () => {
    const first = faulty((response, { method }) =>
      method === 'POST' ? withJson(response, ({ mutual_tls, ...edge }) => ({ mutual_tls, ...edge })) : response,
    );
    const body = {
      description: '"id": "no", \\"id\\":"no"',
      mutual_tls: { certificate_authority_ids: ['ca_one', 'ca_two'] },
    };
    const { output } = await play(
      async (session) => {
        const { json } = await session.call('createEdge', { json: body });
        await session.call('getEdge', { path: { id: (json as { id: string }).id } });
      },
      { service: first },
    );
    expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200']);
  });

  it.each([
    ['longer', (id: string) => `${id}0`],
    ['shorter', (id: string) => id.slice(0, -1)],
  ])('is almost the id: %s', async (_, change) => {
    const { script, sent, sentAgain, output } = await play(async (session) => {
      const { json } = await session.call('createEdge', { json: {} });
      await session.call('getEdge', { path: { id: change((json as { id: string }).id) } });
    });
    expect(sentAgain).toEqual(sent);
    expect(script).toMatch(/"\$ID1"0\n|"\$\{ID1%\?\}"\n/);
    expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 404']);
  });

  it('is a short id', async () => {
    let made = 0;
    const counting: Service = ({ method, target }) => {
      const id = String(made);
      const known = target === `${EDGES}/${id}`;
      if (method === 'POST') return Promise.resolve({ status: 201, headers: {}, body: `{"id":"${++made}"}` });
      return Promise.resolve({ status: known ? 200 : 404, headers: {}, body: '{}' });
    };
    const { output } = await play(
      async (session) => {
        const { json } = await session.call('createEdge', { json: {} });
        await session.call('getEdge', { path: { id: (json as { id: string }).id } });
      },
      { service: counting },
    );
    expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200']);
  });

  const spellings: [string, (text: string) => string][] = [
    ['as it is', (text) => text],
    ['with escaped slashes', (text) => text.replaceAll('/', String.raw`\/`)],
    ['with escaped ampersands', (text) => text.replaceAll('&', String.raw`\u0026`)],
    ['indented', (text) => JSON.stringify(JSON.parse(text), null, 2).replaceAll('":', '" :')],
  ];
  it.each(spellings)('is the next page, %s', async (_, spell) => {
    const { sent, sentAgain, output } = await play(pages, {
      service: faulty((response, { method }) =>
        method === 'GET' ? { ...response, body: spell(String(response.body)) } : response,
      ),
    });
    expect(sentAgain.slice(0, sent.length)).toEqual(sent);
    expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(output.trimEnd().split('\r\n\r\n').at(-1)).toContain('b.v0');
  });

  it('is the next page of a service that names its public address', async () => {
    const { sent, sentAgain, output } = await play(pages, {
      service: createIndependentService({ publicUrl: 'https://public.example/api' }),
    });
    expect(sentAgain.slice(0, sent.length)).toEqual(sent);
    expect(output.trimEnd().split('\r\n\r\n').at(-1)).toContain('b.v0');
  });
});

/** Two pages of one source each; the second as the response names it, on the host under test. */
async function pages(session: Session): Promise<void> {
  const path = { subscription_id: await subscription(session) };
  for (const type of ['a.v0', 'b.v0']) await session.call('createEventSource', { path, json: { type } });
  const { json } = await session.call('listEventSources', { path, query: { limit: '1' } });
  const uri = new URL((json as { uri: string }).uri);
  const here = uri.host === 'public.example' ? uri.pathname.replace('/api', '') + uri.search : uri.href;
  await session.send({ method: 'GET', target: here });
}

const encode = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');

describe('paths', () => {
  it('keep what is odd about them', async () => {
    const targets = [
      '/edges/https/%E0%A4%A',
      '/edges//https',
      '/edges/https/../https',
      "/edges/https?a='b'&c=$d",
      '/event_subscriptions/x%2Fy/sources',
      `/event_subscriptions/${'a'.repeat(65)}/sources`,
    ];
    const { sent, sentAgain } = await play(async (session) => {
      for (const target of targets) await session.send({ method: 'GET', target });
      await session.send({ method: 'HEAD', target: EDGES });
      await session.send({ method: 'OPTIONS', target: EDGES });
    });
    expect(sentAgain).toEqual(sent);
    expect(sent).toMatchObject(targets.map((path) => ({ path })).concat([{ path: EDGES }, { path: EDGES }]));
  });

  it('are encoded where they were, with the subscription of the script', async () => {
    const { output } = await play(async (session) => {
      const path = { subscription_id: await subscription(session), type: 'a.v0' };
      await session.call('createEventSource', { path, json: { type: 'a.v0' } });
      await session.call('getEventSource', { path, encode });
    });
    expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200']);
  });

  it('keep apart subscriptions that differ in case', async () => {
    const { sent, sentAgain } = await play(async (session) => {
      const id = await subscription(session);
      await session.call('listEventSources', { path: { subscription_id: id } });
      await session.call('listEventSources', { path: { subscription_id: id.toUpperCase() } });
    });
    expect(sentAgain).toEqual(sent);
  });
});

it('sends at once what was sent at once, and waits before it goes on', async () => {
  const { script, sent, sentAgain, output } = await play(async (session) => {
    const path = { subscription_id: await subscription(session) };
    await session.together(() =>
      Array.from({ length: 4 }, () => session.call('createEventSource', { path, json: { type: 'a.v0' } })),
    );
    await session.call('listEventSources', { path });
  });
  expect(script.match(/ &$/gm)).toHaveLength(4);
  expect(script.indexOf('\nwait\n')).toBeGreaterThan(script.lastIndexOf(' &\n'));
  expect(sentAgain.slice(0, 5)).toEqual(sent);
  expect(output.match(/^HTTP\/1\.1 \d+/gm)?.toSorted()).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 201',
    'HTTP/1.1 409',
    'HTTP/1.1 409',
    'HTTP/1.1 409',
  ]);
});

it('removes what it added, on a subscription of its own', async () => {
  const service = createIndependentService();
  const { script, sentAgain } = await play(
    async (session) => {
      const path = { subscription_id: await subscription(session) };
      await session.call('createEventSource', { path, json: { type: 'a.v0' } });
    },
    { service },
  );
  expect(script).not.toContain('conformance-abc-def');
  expect(sentAgain.at(-1)).toMatchObject({ method: 'DELETE', path: '/event_subscriptions/sub/sources/a.v0' });
});

it('says that there was no response, and does not wait for ever', async () => {
  let responses = true;
  const service: Service = () =>
    responses ? Promise.reject(new Error('closed')) : Promise.resolve({ status: 204, headers: {}, body: '' });
  const played = play((session) => session.call('createEdge', { json: {} }).catch(() => (responses = false)), {
    service,
  });
  const { script } = await played;
  expect(script).toContain('# no response: the connection was closed without a response');
  expect(script).toContain('--max-time 10');
});
