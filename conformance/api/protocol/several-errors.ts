/** Requests with several errors of one kind: a service reports any of them (D29). */
import type { Operation } from '../../engine/contract/operations.ts';
import { valueAt } from '../../engine/contract/pointers.ts';
import { twoErrors } from '../../engine/generate/two-errors.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, once } from '../../engine/laws/law.ts';
import { callToRefuse } from '../../engine/requirements/calls.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { AT, ofOperation } from '../define.ts';

/** A body that breaks two clauses. @param body the place of its schema */
export function twoErrorsInBody(operation: Operation, body: string): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    {
      part: 'body.two-errors',
      origin: 'D29',
      clause: `${AT.schemas}/FieldError`,
      quotes: [
        'Where more than one',
        'Where a value breaks',
        'Where a condition',
        'The code of an error follows',
        'Each error has a `code`',
      ],
      sentence: 'refuses a body with two errors, and names at least one of them and nothing else.',
    },
    ({ contract, hints }) => {
      const values = twoErrors(contract, body, hints);
      if (!values) {
        return [];
      }
      return forAll('two errors', values, async (json: unknown, session) => {
        const call = await callToRefuse(session, operationId);
        const input = { ...call, json };
        await refuse(session, operationId, input, {
          statuses: [400],
          why: 'The body has two errors.',
        });
      });
    },
  );
}

const ERRORS = `${AT.schemas}/Problem/properties/errors`;

/** Additions that make a call wrong: parameters of its query, and properties of its body. */
interface Additions {
  query?: Record<string, string>;
  properties?: Record<string, string>;
}

/**
 * More errors than a problem can list: names that no operation knows, so long that all of them
 * exceed a text.
 */
export function manyErrors(operation: Operation): Requirement {
  const properties: Property[] = [
    refuseMany(operation, 'in the query', (count) => ({ query: unknownNames(count, 1) })),
  ];
  if (operation.requestBody) {
    properties.push(
      refuseMany(operation, 'in the body', (count) => ({
        properties: unknownNames(count, 2_000),
      })),
      refuseMany(operation, 'in both', (count) => ({
        query: unknownNames(count, 1),
        properties: unknownNames(count, 1),
      })),
    );
  }
  return ofOperation(operation)(
    {
      part: 'errors.many',
      origin: 'D29',
      clause: ERRORS,
      quotes: ['`invalid_request` has `errors`'],
      sentence: 'refuses a request with more errors than a problem can list.',
    },
    properties,
  );
}

/** @param length of each name, in characters, or more */
function unknownNames(count: number, length: number): Record<string, string> {
  const names: Record<string, string> = {};
  for (let index = 0; index < count; index++) {
    names[`x${index}`.padEnd(length, 'x')] = '1';
  }
  return names;
}

/** @param additionsOf gets how many errors are one too many */
function refuseMany(
  operation: Operation,
  label: string,
  additionsOf: (count: number) => Additions,
): Property {
  return once(label, async (session: Session) => {
    const { document } = session.implementation.contract;
    const most = Number(valueAt(document, `${ERRORS}/maxItems`));
    const call = await callToRefuse(session, operation.operationId);
    const input = withAdditions(call, additionsOf(most + 1));
    const why = `The request has more than ${most} errors.`;
    await refuse(session, operation.operationId, input, { statuses: [400], why });
  });
}

function withAdditions(call: CallInput, { query, properties }: Additions): CallInput {
  const input = { ...call };
  if (query) {
    input.query = query;
  }
  if (properties) {
    input.json = { ...(call.json as object), ...properties };
  }
  return input;
}
