/** Header fields that come several times or empty, and bodies where none is due: no HTTP library sends them by itself. */
import { withoutToken } from '../../engine/requirements/tokens.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { NOTHING, validCall } from '../valid-calls.ts';
import { triesEither } from './left-open.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { stated } from '../stated.ts';
import { type CallInput, requestTargetOf } from '../../engine/http/call.ts';

type Where = Pick<Requirement, 'clause' | 'words'>;
type Fields = readonly (readonly [name: string, value: string])[];

export function headerFieldRequirements(operation: Operation): Requirement[] {
  const { operationId, level, method, pointer, requestBody } = operation;
  const requirement = (name: string, where: Where, sentence: string, properties: Property[]): Requirement => ({
    id: `${operationId}.${name}`,
    level,
    origin: 'D29',
    ...where,
    sentence: `${operationId} ${sentence}`,
    properties: () => properties,
  });
  const either = (label: string, fields: Fields, why: string): Property =>
    once(label, (session) => triesEither(session, operation, (call) => sends(session, operation, call, fields), why));
  const all: Requirement[] = [];
  if (method !== 'DELETE') {
    all.push(
      requirement(
        'accept.fields',
        stated('Header fields of one name'),
        'reads two `Accept` fields as one list, and an empty one as documented.',
        [
          once('one of two fields allows JSON', async (session) => {
            const call = await validCall(session, operationId);
            const response = await sends(session, operation, call, [
              ['Accept', 'text/html'],
              ['Accept', 'application/json;q=0.5'],
            ]);
            expectSuccess(session.implementation, operation, response, 'One of the two `Accept` fields allows JSON.');
          }),
          either('an empty field', [['Accept', '']], 'An empty `Accept` may be read as none.'),
        ],
      ),
    );
  }
  if (requestBody) {
    all.push(
      requirement(
        '415.fields',
        stated('A service may refuse two'),
        'responds as documented to two `Content-Type` fields and to an empty one.',
        [
          either(
            'two that differ',
            [
              ['Content-Type', 'application/json'],
              ['Content-Type', 'text/plain'],
            ],
            'There are two `Content-Type` fields.',
          ),
          either(
            'two that differ, the other way round',
            [
              ['Content-Type', 'text/plain'],
              ['content-type', 'application/json'],
            ],
            'There are two `Content-Type` fields.',
          ),
          once('an empty one', async (session) => {
            const call = await validCall(session, operationId);
            const response = await sends(session, operation, call, [['Content-Type', '']]);
            expectRefusal(session.implementation, operation, response, [415], 'The body is not declared.');
          }),
        ],
      ),
    );
  } else {
    all.push(
      requirement(
        'no-body',
        { clause: pointer },
        'ignores a body that it does not have, or refuses the request as documented.',
        [
          ...[
            { label: 'an object', body: '{}', type: 'application/json' },
            { label: 'no JSON', body: '{', type: 'text/plain' },
          ].map(({ label, body, type }) =>
            once(label, (session) =>
              triesEither(
                session,
                operation,
                (call) => session.call(operationId, { ...call, body, headers: { 'content-type': type } }),
                'The operation has no body.',
              ),
            ),
          ),
        ],
      ),
    );
  }
  return all;
}

export function authorizationFields(): Requirement {
  return {
    id: 'authentication.two-fields',
    level: 'core',
    origin: 'D28',
    clause: '/components/responses/Unauthorized',
    sentence: 'A request with two `Authorization` fields is refused with 400 or 401, whatever they hold.',
    skip: withoutToken,
    properties: ({ token }) =>
      [
        [`Bearer ${token}`, `Bearer ${token}`],
        [`Bearer ${token}`, 'Bearer conformance-wrong-token'],
        ['Bearer conformance-wrong-token', `Bearer ${token}`],
        [`Bearer ${token}`, ''],
      ].map((values, index) =>
        once(`two fields (${index + 1} of 4)`, async (session) => {
          const operation = session.operation('createEventSource');
          const call = await validCall(session, 'createEventSource');
          const fields = values.map((value) => ['Authorization', value] as const);
          const response = await sends(session, operation, call, fields);
          expectRefusal(
            session.implementation,
            operation,
            response,
            [400, 401],
            'There are two `Authorization` fields.',
          );
        }),
      ),
  };
}

function once(label: string, check: (session: Session) => Promise<void>): Property {
  return { label, values: NOTHING, once: true, check: (_, session) => check(session) };
}

/** A valid call, with these fields in place of those that are sent by default. */
async function sends(session: Session, operation: Operation, call: CallInput, fields: Fields): Promise<HttpResponse> {
  const named = new Set(fields.map(([name]) => name.toLowerCase()));
  const json: Fields =
    call.json === undefined || named.has('content-type') ? [] : [['Content-Type', 'application/json']];
  const response = await session.sendRaw({
    method: operation.method,
    target: requestTargetOf(operation, call),
    headers: [...json, ...fields],
    ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
  });
  session.made(operation.operationId, call, response);
  return response;
}
