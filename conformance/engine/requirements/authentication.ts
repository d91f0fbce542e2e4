/** Operations that document a 401 refuse requests without the credentials that their `security` asks for. */
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Operation } from '../contract/operations.ts';
import { dereference, isObject, joinPointer, valueAt } from '../contract/pointers.ts';
import { expectRefusal } from '../http/expect-response.ts';
import type { Api } from './api.ts';
import { validCall } from './calls.ts';
import { each, type Requirement } from './requirement.ts';

export function authenticationRequirements(contract: Contract, operation: Operation, api: Api): Requirement[] {
  const documented = documentedFor(operation, 401);
  // One way in that asks for nothing lets everybody in.
  if (!documented || operation.security.length === 0 || operation.security.some((names) => names.length === 0))
    return [];
  const headers = headersOf(contract, operation);
  return [
    {
      id: `${operation.operationId}.401`,
      level: operation.level,
      origin: documented.origin,
      clause: documented.pointer,
      sentence: `${operation.operationId} returns 401 to a request without credentials, and to one with wrong ones.`,
      skip: ({ client }) => {
        if (headers.length === 0) return 'the credentials of this operation do not stand in a header';
        return headers.some((name) => client.headers[name] !== undefined)
          ? undefined
          : `needs the credentials of the operation, with --token or --header: without them, nothing can be called`;
      },
      properties: ({ client }) =>
        each(
          {
            'no credentials': headers.map((name): [string, string] => [name, '']),
            'wrong credentials': headers
              .filter((name) => client.headers[name] !== undefined)
              .map((name): [string, string] => [name, wrong(client.headers[name]!)]),
          },
          async (sent, session) => {
            const call = await validCall(session, operation.operationId, api.callData);
            const input = { ...call, headers: { ...call.headers, ...Object.fromEntries(sent) } };
            const response = await session.call(operation.operationId, input);
            const why = 'The credentials are missing or wrong.';
            expectRefusal(session.implementation, operation, response, [401], why, { input });
          },
        ),
    },
  ];
}

/** The scheme stays: what is behind it is another secret. */
function wrong(credentials: string): string {
  const [, scheme] = /^(Bearer|Basic) /i.exec(credentials) ?? [];
  return scheme === undefined ? 'conformance-wrong' : `${scheme} Y29uZm9ybWFuY2U6d3Jvbmc=`;
}

/** The headers that carry the credentials of the operation, in lower case. */
function headersOf({ document }: Contract, { security }: Operation): string[] {
  const names = security.flat().flatMap((name) => {
    const at = dereference(document, joinPointer('/components/securitySchemes', name));
    const scheme = valueAt(document, at);
    if (!isObject(scheme)) return [];
    if (scheme['type'] === 'apiKey') return scheme['in'] === 'header' ? [String(scheme['name']).toLowerCase()] : [];
    return ['authorization'];
  });
  return [...new Set(names)];
}
