/** The bytes of a JSON body (RFC 8259): white space around it, a byte order mark, chunks. */
import type { Operation } from '../../engine/contract/operations.ts';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { minimalBody } from '../bodies-for.ts';
import { groundFor, NOTHING, validCall } from '../valid-calls.ts';
import { triesEither } from './left-open.ts';
import { each, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import type { CallInput } from '../../engine/http/call.ts';

const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

/** D32. */
const MAX_BYTES = 1_048_576;

export function jsonByteRequirements(operation: Operation): Requirement[] {
  if (!operation.requestBody) return [];
  const { operationId, level, pointer } = operation;
  const requirement = (name: string, origin: string, sentence: string, properties: Property[]): Requirement => ({
    id: `${operationId}.body.${name}`,
    level,
    origin,
    clause: `${pointer}/requestBody`,
    sentence: `${operationId} ${sentence}`,
    properties: () => properties,
  });
  return [
    requirement(
      'white-space',
      'source',
      'reads a body with white space around it.',
      each(
        { 'before and behind': ['\r\n\t ', ' \n\t\r\n'], before: ['\n', ''], behind: ['', '\n'] },
        async ([before, behind], session) => {
          await succeeds(
            session,
            operation,
            (call) => ({ body: `${before}${JSON.stringify(call.json)}${behind}` }),
            'White space around JSON means nothing.',
          );
        },
      ),
    ),
    requirement('byte-order-mark', 'D29', 'reads a body with a byte order mark or refuses it.', [
      {
        label: 'a byte order mark',
        values: NOTHING,
        once: true,
        check: (_, session) =>
          triesEither(
            session,
            operation,
            ({ json, ...call }) => session.call(operationId, { ...call, body: `\ufeff${JSON.stringify(json)}` }),
            'A byte order mark may be ignored or refused.',
          ),
      },
    ]),
    requirement(
      'chunked',
      'D32',
      'reads a body that comes in chunks, and returns 413 to one of more than 1,048,576 bytes.',
      [
        {
          label: 'a short body in chunks',
          values: NOTHING,
          once: true,
          check: (_, session) =>
            succeeds(
              session,
              operation,
              ({ json }) => ({ body: JSON.stringify(json), headers: CHUNKED }),
              'The body comes in chunks.',
            ),
        },
        {
          label: 'one byte more than 1,048,576 in chunks',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const { json: _json, ...call } = await groundFor(session, operation);
            const body = JSON.stringify(minimalBody(operation)).padEnd(MAX_BYTES + 1);
            const response = await session.call(operationId, { ...call, body, headers: CHUNKED });
            const why = 'The body has 1,048,577 bytes, in chunks and without a length.';
            expectRefusal(session.implementation, operation, response, [413], why);
          },
        },
      ],
    ),
  ];
}

async function succeeds(
  session: Session,
  operation: Operation,
  change: (call: CallInput) => Partial<CallInput>,
  why: string,
): Promise<void> {
  const call = await validCall(session, operation.operationId);
  const { json: _, ...rest } = call;
  const response = await session.call(operation.operationId, { ...rest, ...change(call) });
  expectSuccess(session.implementation, operation, response, why);
}
