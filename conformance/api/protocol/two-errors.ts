/** Where a body breaks two clauses, the response names one of the two or both, and nothing else. */
import type { Operation } from '../../engine/contract/operations.ts';
import { twoErrors } from '../../engine/generate/two-errors.ts';
import { expectRefusal } from '../../engine/http/expect-response.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { groundFor } from '../valid-calls.ts';

export function twoErrorRequirements(operation: Operation): Requirement[] {
  const { requestBody } = operation;
  if (!requestBody) return [];
  return [
    {
      id: `${operation.operationId}.body.two-errors`,
      level: operation.level,
      origin: 'D29',
      clause: '/components/schemas/FieldError',
      sentence: `${operation.operationId} refuses a body with two errors, and names at least one of them and nothing else.`,
      properties: ({ contract, hints }): Property[] => {
        const values = twoErrors(contract, requestBody.pointer, hints);
        if (!values) return [];
        return [
          {
            label: 'two errors',
            values,
            async check(json: unknown, session) {
              const input = { ...(await groundFor(session, operation)), json };
              const response = await session.call(operation.operationId, input);
              expectRefusal(session.implementation, operation, response, [400], 'The body has two errors.', { input });
            },
          },
        ];
      },
    },
  ];
}
