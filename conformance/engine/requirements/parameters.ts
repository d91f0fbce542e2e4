/** From each clause of each parameter: values on its limits are accepted, values that break it are refused. */
import fc from 'fast-check';
import { parameterBoundaries, parameterClauses, parameterViolations } from '../generate/scalars.ts';
import { expectRefusal } from '../http/expect-response.ts';
import type { CallInput, Session } from '../http/session.ts';
import type { Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { each, eachText, type Property, type Requirement } from './requirement.ts';
import { succeed } from '../../api/steps.ts';
import { VALID_CALLS } from '../../api/valid-calls.ts';

export function parameterRequirements(contract: Contract, operation: Operation): Requirement[] {
  const clauses = operation.parameters.flatMap((parameter) => clauseRequirements(contract, operation, parameter));
  const repeated = operation.parameters
    .filter((one) => one.in === 'query')
    .map((one) => repeatedParameter(operation, one));
  return [...clauses, ...repeated, unknownParameter(operation)];
}

function clauseRequirements(contract: Contract, operation: Operation, parameter: Parameter): Requirement[] {
  const violations = parameterViolations(contract, parameter.pointer);
  // A value on a limit of a path parameter names another resource, which may not exist: only a query is tried so.
  const boundaries = parameter.in === 'query' ? parameterBoundaries(contract, parameter.pointer) : [];
  return parameterClauses(contract, parameter.pointer)
    .filter((clause) => violations.some(concerns(clause)))
    .map((clause) => ({
      id: `${operation.operationId}.${parameter.in}.${clause.id}`,
      level: operation.level,
      origin: clause.origin,
      clause: clause.pointer,
      sentence:
        parameter.in === 'path'
          ? `${operation.operationId} refuses a path whose \`${parameter.name}\` breaks its \`${clause.keyword}\`.`
          : `${operation.operationId} refuses a query whose \`${parameter.name}\` breaks its \`${clause.keyword}\`, and accepts values that just keep it.`,
      properties: () => [
        ...boundaries.filter(concerns(clause)).map(({ label, value }): Property => ({
          label: `accepts ${label}`,
          values: value,
          check: (raw, session) => accepts(session, operation, parameter, raw),
        })),
        ...violations.filter(concerns(clause)).map(({ label, value }): Property => ({
          label: `refuses ${label}`,
          values: value,
          check: (raw, session) => refuses(session, operation, parameter, clause, raw),
        })),
      ],
    }));
}

function concerns(clause: Clause) {
  return (one: { clause: Clause }) => one.clause.id === clause.id;
}

function withParameter(call: CallInput, parameter: Parameter, raw: string): CallInput {
  return parameter.in === 'path'
    ? { ...call, path: { ...call.path, [parameter.name]: raw } }
    : { ...call, query: { ...(call.query as Record<string, string> | undefined), [parameter.name]: raw } };
}

async function accepts(session: Session, operation: Operation, parameter: Parameter, raw: string): Promise<void> {
  // A cursor that the service did not issue may be refused (D16).
  if (parameter.name === 'cursor') return;
  const call = await VALID_CALLS[operation.operationId]!(session);
  await succeed(
    session,
    operation.operationId,
    withParameter(call, parameter, raw),
    `\`${parameter.name}\` lies on a limit, which is allowed.`,
  );
}

async function refuses(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  clause: Clause,
  raw: string,
): Promise<void> {
  const input = withParameter(await VALID_CALLS[operation.operationId]!(session), parameter, raw);
  const response = await session.call(operation.operationId, input);
  // A resource that cannot exist may be said not to (see the response NotFound of the contract).
  const statuses = parameter.in === 'path' ? [400, 404] : [400];
  const why = `\`${parameter.name}\` breaks its \`${clause.keyword}\`.`;
  // A path that names nothing may be malformed; a query can be read.
  const code = response.status === 400 ? (response.json as { code?: unknown } | undefined)?.code : undefined;
  const malformed = parameter.in === 'path' && code === 'malformed_request';
  expectRefusal(session.implementation, operation, response, statuses, why, malformed ? {} : { input });
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
        const call = await VALID_CALLS[operation.operationId]!(session);
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
    clause: operation.pointer,
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
  const call = await VALID_CALLS[operation.operationId]!(session);
  const input: CallInput = { ...call, query: [[name, '1']] };
  const response = await session.call(operation.operationId, input);
  expectRefusal(session.implementation, operation, response, [400], `There is no parameter \`${name}\`.`, { input });
}
