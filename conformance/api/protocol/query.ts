/** Query parameters that are there twice, and those that nobody knows (D35). */
import fc from 'fast-check';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { expectRefusal } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { each, eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { validCall } from '../valid-calls.ts';
import { stated } from '../stated.ts';
import type { CallInput } from '../../engine/http/call.ts';

export function queryRequirements(operation: Operation): Requirement[] {
  const repeated = operation.parameters
    .filter((one) => one.in === 'query')
    .map((one) => repeatedParameter(operation, one));
  return [...repeated, unknownParameter(operation)];
}

function repeatedParameter(operation: Operation, parameter: Parameter): Requirement {
  return {
    id: `${operation.operationId}.query.${parameter.name}.repeated`,
    level: operation.level,
    origin: 'D35',
    clause: parameter.pointer,
    sentence: `${operation.operationId} refuses a query with \`${parameter.name}\` twice.`,
    properties: () =>
      each({ 'the same value twice': ['1', '1'], 'two values': ['1', '2'] }, async (values, session) => {
        const call = await validCall(session, operation.operationId);
        const query = values.map((value): [string, string] => [parameter.name, value]);
        const input = { ...call, query };
        const response = await session.call(operation.operationId, input);
        expectRefusal(session.implementation, operation, response, [400], `\`${parameter.name}\` is there twice.`, {
          input,
        });
      }),
  };
}

/** Names that a careless service would take for something else. */
const TEMPTING = ['page', 'offset', 'Limit', 'LIMIT', 'limit[]', 'type', 'id', '__proto__', 'constructor', 'x'];

function unknownParameter(operation: Operation): Requirement {
  const known = new Set(operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name));
  return {
    id: `${operation.operationId}.query.unknown`,
    level: operation.level,
    origin: 'D35',
    ...stated('An unknown query parameter or property is refused'),
    sentence: `${operation.operationId} refuses a query parameter that it does not know.`,
    properties: () => [
      ...eachText(TEMPTING, (name, session) => refusesUnknown(session, operation, name)),
      {
        label: 'an unknown name',
        values: fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => !known.has(name)),
        check: (name, session) => refusesUnknown(session, operation, name),
      },
    ],
  };
}

async function refusesUnknown(session: Session, operation: Operation, name: string): Promise<void> {
  const call = await validCall(session, operation.operationId);
  const input: CallInput = { ...call, query: [[name, '1']] };
  const response = await session.call(operation.operationId, input);
  const why = `There is no parameter \`${name}\`.`;
  expectRefusal(session.implementation, operation, response, [400], why, { input });
}
