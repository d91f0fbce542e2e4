/** The text of scripts, without running them: `curl.e2e.test.ts` runs them against the service that they come from. */
import { describe, expect, it } from 'vitest';
import { Session } from '../http/session.ts';
import { implementation as serve } from '../../command/services.ts';
import { loadContract } from '../contract/load.ts';
import { createIndependentService } from '../../self/independent/index.ts';
import { Client } from '../http/client.ts';
import { createImplementation } from '../../api/implementation.ts';
import { trackerOf } from '../../api/tracker.ts';
import { curlScript } from './curl.ts';

interface Credentials {
  token?: string;
  readOnlyToken?: string;
  headers?: Record<string, string>;
}

/** Plays a case, and makes its script. */
async function scriptOf(
  steps: (session: Session) => Promise<unknown>,
  { token, readOnlyToken, headers = {} }: Credentials = {},
): Promise<string> {
  await using served = await serve(createIndependentService({ token, readOnlyToken }));
  const client = new Client({
    base: served.url,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    timeoutMs: 10_000,
    connections: 8,
  });
  const implementation = createImplementation({
    contract: loadContract(),
    client,
    level: 'core',
    origin: 'all',
    token,
    readOnlyToken,
    testData: { subscriptionIds: [], eventTypes: [], hostportDomain: undefined, certificateAuthorityIds: [] },
    namespace: 'conformance-abc-def',
  });
  const session = new Session(implementation);
  try {
    await steps(session);
    return curlScript('A promise.', session, implementation).replaceAll(served.url, 'http://service');
  } finally {
    await session.cleanUp(false);
    client.close();
  }
}

describe('a script', () => {
  it('says what it shows, where, and each request with its status', async () => {
    const script = await scriptOf(async (session) => {
      const { json } = await session.call('createEdge', { json: { description: "it's" } });
      await session.call('getEdge', { path: { id: (json as { id: string }).id } });
    });
    expect(script).toMatch(/^#!\/bin\/sh\n# A promise\.\nBASE=\$\{BASE:-http:\/\/service\}\n/);
    expect(script).toMatch(
      /^# returned 201\n.* -X POST "\$BASE"\/edges\/https --data-binary '\{"description":"it'\\''s"\}'/m,
    );
    expect(script).toMatch(/^# returned 200\nsend -X GET "\$BASE"\/edges\/https\/"\$ID1"$/m);
  });

  it('removes what was added', async () => {
    const script = await scriptOf(async (session) => {
      const [subscription_id] = await trackerOf(session).subscriptions({ count: 1 });
      await session.call('createEventSource', { path: { subscription_id: subscription_id! }, json: { type: 'a.v0' } });
    });
    expect(script).toMatch(/# Remove what was added\.\n.* -X DELETE .*\/sources\/a\.v0 > \/dev\/null\n$/);
  });

  it('has no secret', async () => {
    const script = await scriptOf(
      async (session) => {
        await session.call('createEdge', { json: {} });
        await session.call('createEdge', { json: {}, headers: { authorization: 'Bearer the-reader' } });
      },
      { token: 'the-token', readOnlyToken: 'the-reader', headers: { 'x-key': 'the-key' } },
    );
    expect(script).not.toMatch(/the-(token|reader|key)/);
    for (const variable of ['$TOKEN', '$READ_ONLY_TOKEN', '$HEADER_X_KEY']) expect(script).toContain(variable);
  });

  it('shows bytes that are plain text as they are', async () => {
    const script = await scriptOf((session) => session.call('createEdge', { body: Buffer.from('{"a":1,}') }));
    expect(script).toContain(`--data-binary '{"a":1,}'`);
    expect(script).not.toContain('base64');
  });

  it('is short where a body is long', async () => {
    const script = await scriptOf((session) => session.call('createEdge', { body: '{}'.padEnd(1_048_576) }));
    expect(script.length).toBeLessThan(3_000);
  });
});
