import { expect, it } from 'vitest';
import { LimitedOperations } from './limited-operations.ts';
import { ResponseLost } from './response.ts';
import { CaseSession } from './session.ts';
import { Presence } from './presence.ts';
import { Suspects } from './suspects.ts';

it('in a race, the response to a request that was sent again says nothing', async () => {
  const send = async () => ({ status: 204, headers: {}, body: Buffer.alloc(0), resent: true });
  const client = {
    send,
    authorized: (one: unknown) => one,
    headers: {},
    urlOf: (target: string) => `http://a${target}`,
  };
  const implementation = {
    api: { track: () => ({}) },
    client,
    suspects: new Suspects(),
    presence: new Presence(),
    limited: new LimitedOperations([]),
  };
  const session = new CaseSession(implementation as never);
  const remove = () => session.send({ method: 'DELETE', target: '/a' });
  expect((await remove()).status).toBe(204);
  await expect(session.together(() => [remove()])).rejects.toThrow(ResponseLost);
});
