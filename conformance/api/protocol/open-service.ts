/** A service that runs open serves only hosts that it knows, and ignores `Authorization` (D28). */
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectRefusal } from '../../engine/http/expect-response.ts';
import { eachOffered, succeedWith, validCall } from '../valid-calls.ts';
import { eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { stated } from '../stated.ts';

const RUNS_OPEN = 'The service runs open.';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function openServiceRequirements(): Requirement[] {
  const common = { level: 'core', origin: 'D28' } as const;
  const guarded = 'a token is given: this is about services that run open';
  return [
    {
      ...common,
      ...stated('It refuses a request for another host'),
      id: 'open.hosts',
      sentence: 'Without tokens, a service refuses a request for a host that it does not know.',
      skip: ({ token, client }: Implementation) => {
        if (token !== undefined) return guarded;
        return LOOPBACK.test(client.base.hostname)
          ? undefined
          : 'the base URL is no loopback address: any host may be known';
      },
      properties: () =>
        eachText(
          ['conformance.example', 'conformance.example:80', '127.0.0.1.conformance.example'],
          async (host, session) => {
            const operation = session.operation('createEdge');
            const call = await validCall(session, 'createEdge');
            const response = await session.call('createEdge', { ...call, headers: { host } });
            const codes = ['malformed_request'];
            expectRefusal(session.implementation, operation, response, [400], `The service does not know ${host}.`, {
              codes,
            });
          },
        ),
    },
    {
      ...common,
      ...stated('Then the header is ignored'),
      id: 'open.authorization',
      sentence: 'Without tokens, a service ignores `Authorization`.',
      skip: ({ token }: Implementation) => (token === undefined ? undefined : guarded),
      properties: (implementation) => [
        ...eachText(['Basic YTpi', 'Bearer', 'x'], (authorization, session) =>
          succeedWith(session, 'createEventSource', authorization, RUNS_OPEN),
        ),
        ...eachOffered(implementation, (operationId, session) =>
          succeedWith(session, operationId, 'Bearer conformance-any-token', RUNS_OPEN),
        ),
      ],
    },
  ];
}
