/** Operations that document a 401 refuse requests without the credentials that their `security` asks for. */
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Operation } from '../contract/operations.ts';
import { type Credentials, credentialsOf } from '../contract/security.ts';
import { givenFor } from '../http/implementation.ts';
import { expectRefusal } from '../http/expect-response.ts';
import type { CallInput } from '../http/call.ts';
import type { Api } from './api.ts';
import { validCall } from './calls.ts';
import { each, type Requirement } from './requirement.ts';

export function authenticationRequirements(contract: Contract, operation: Operation, api: Api): Requirement[] {
  const documented = documentedFor(operation, 401);
  // One way in that asks for nothing lets everybody in.
  if (!documented || operation.security.length === 0 || operation.security.some((names) => names.length === 0))
    return [];
  const schemes = [...new Set(operation.security.flat())].map((name) => credentialsOf(contract, name));
  const usable = schemes.filter((one) => typeof one !== 'string');
  return [
    {
      id: `${operation.operationId}.401`,
      level: operation.level,
      origin: documented.origin,
      clause: documented.pointer,
      sentence: `${operation.operationId} returns 401 to a request without credentials, and to one with wrong ones.`,
      skip: ({ client }) => {
        if (usable.length === 0) return schemes.find((one) => typeof one === 'string');
        return usable.some((one) => givenFor(client, one) !== undefined)
          ? undefined
          : `needs the credentials of the operation, with --token or --header: without them, nothing can be called`;
      },
      properties: ({ client }) =>
        each(
          {
            'no credentials': () => '',
            'wrong credentials': wrong,
          },
          async (replace, session) => {
            const call = await validCall(session, operation.operationId, api.callData);
            const input = usable.reduce((one, credentials) => {
              const value = givenFor(client, credentials);
              return value === undefined ? one : withCredentials(one, credentials, replace(value));
            }, call);
            const response = await session.call(operation.operationId, input);
            const why = 'The credentials are missing or wrong.';
            // Where only a range is documented, some services say it with 403.
            const statuses = '401' in operation.responses ? [401] : [401, 403];
            expectRefusal(session.implementation, operation, response, statuses, why, { input });
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

/** The call with another value in their place; an empty one takes them away. */
function withCredentials(call: CallInput, { in: place, name }: Credentials, value: string): CallInput {
  if (place === 'header') return { ...call, headers: { ...call.headers, [name]: value } };
  if (place === 'query') {
    const query = Array.isArray(call.query) ? call.query : Object.entries(call.query ?? {});
    return { ...call, query: [...query, [name, value]] };
  }
  const own = call.headers?.['cookie'];
  const cookie = [
    ...(own === undefined ? [] : [own]),
    ...(value === '' && own === undefined ? [] : [`${name}=${value}`]),
  ];
  return { ...call, headers: { ...call.headers, cookie: cookie.join('; ') } };
}
