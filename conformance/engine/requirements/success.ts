/** What every operation owes: its documented success. */
import fc from 'fast-check';
import { expectSuccess } from '../http/expect-response.ts';
import type { Session } from '../http/session.ts';
import { type Operation, successOf } from '../contract/operations.ts';
import { asRequest } from '../contract/sides.ts';
import type { Implementation } from '../http/implementation.ts';
import { validValues } from '../generate/valid.ts';
import type { Api } from './api.ts';
import { validCall } from './calls.ts';
import { each, type Requirement } from './requirement.ts';
import type { CallInput } from '../http/call.ts';

export function success(operation: Operation, api: Api): Requirement {
  const documented = successOf(operation);
  return {
    id: `${operation.operationId}.${documented.status}`,
    level: operation.level,
    origin: operation.origin,
    clause: documented.pointer,
    sentence: `${operation.operationId} responds to a valid request with ${documented.status}, and as the contract documents it.`,
    properties: (implementation) => {
      const check = async ({ json }: CallInput, session: Session) => {
        const call = await validCall(session, operation.operationId, api.callData);
        const sent = json === undefined ? call : { ...call, json: sendable(session, operation, call, json) };
        expectSuccess(implementation, operation, await session.call(operation.operationId, sent));
      };
      const sendable = (session: Session, of: Operation, call: CallInput, json: unknown): unknown =>
        api.sendable ? api.sendable(session, of, call, json) : json;
      const bodies = bodiesOf(operation, api, implementation);
      return [
        { label: 'valid requests', values: bodies?.map((json) => ({ json })) ?? fc.constant({}), check },
        ...(bodies ? each(examplesFor(operation, api, implementation), check) : []),
      ];
    },
  };
}

function bodiesOf(operation: Operation, api: Api, implementation: Implementation): fc.Arbitrary<unknown> | undefined {
  if (!operation.requestBody) return undefined;
  if (api.bodies) return api.bodies(operation, implementation);
  return validValues(asRequest(implementation.contract), operation.requestBody.pointer, implementation.hints);
}

/** What the contract shows must work, as far as the implementation knows what stands in it. */
function examplesFor({ requestBody }: Operation, api: Api, implementation: Implementation): Record<string, CallInput> {
  const knows = api.knows?.(implementation);
  const known = Object.entries(requestBody!.examples).filter(([, example]) => !knows || knows(example));
  return Object.fromEntries(known.map(([name, json]) => [`the example \`${name}\``, { json }]));
}
