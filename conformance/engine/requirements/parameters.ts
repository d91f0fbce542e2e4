/** From each clause of each parameter: values on its limits are accepted, values that break it are refused. */
import type { Clause } from '../contract/clauses.ts';
import { impliedParameterClauses, parameterClauses } from '../contract/implied.ts';
import type { Hints } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { type ParameterCase, parameterBoundaries, parameterViolations } from '../generate/scalars.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import type { CallInput, Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { validCall } from './calls.ts';
import { refusalsOf } from './refusals.ts';
import type { Property, Requirement } from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

export function parameterRequirements(contract: Contract, operation: Operation, api: Api): Requirement[] {
  return operation.parameters.flatMap((parameter) => clauseRequirements(contract, operation, parameter, api));
}

function clauseRequirements(contract: Contract, operation: Operation, parameter: Parameter, api: Api): Requirement[] {
  const implied = new Set(impliedParameterClauses(contract, parameter.pointer).map(({ clause }) => clause.id));
  return parameterClauses(contract, parameter.pointer)
    .filter((clause) => !implied.has(clause.id))
    .map((clause) => ({
      id: `${operation.operationId}.${parameter.in}.${clause.id}`,
      level: operation.level,
      origin: clause.origin,
      clause: clause.pointer,
      sentence:
        parameter.in === 'path'
          ? `${operation.operationId}: ${ruleInWords(clause, `\`${parameter.name}\``)}. A path that breaks this rule is refused.`
          : `${operation.operationId}: ${ruleInWords(clause, `\`${parameter.name}\``)}. A query that breaks this rule is refused, and one that just keeps it is accepted.`,
      properties: ({ hints }) => [
        ...limitsOf(contract, parameter, hints)
          .filter(concerns(clause))
          .map(({ label, value }): Property => ({
            label: `accepts ${label}`,
            values: value,
            check: (raw, session) => accepts(session, operation, parameter, raw, api),
          })),
        ...parameterViolations(contract, parameter.pointer, hints)
          .filter(concerns(clause))
          .map(({ label, value }): Property => ({
            label: `refuses ${label}`,
            values: value,
            check: (raw, session) => refuses(session, operation, parameter, clause, raw, api),
          })),
      ],
    }));
}

/** A value on a limit of a path parameter names another resource, which may not exist: only a query is tried so. */
function limitsOf(contract: Contract, parameter: Parameter, hints: Hints): readonly ParameterCase[] {
  return parameter.in === 'query' ? parameterBoundaries(contract, parameter.pointer, hints) : [];
}

function concerns(clause: Clause) {
  return (one: { clause: Clause }) => one.clause.id === clause.id;
}

function withParameter(call: CallInput, parameter: Parameter, raw: string): CallInput {
  return parameter.in === 'path'
    ? { ...call, path: { ...call.path, [parameter.name]: raw } }
    : { ...call, query: { ...(call.query as Record<string, string> | undefined), [parameter.name]: raw } };
}

async function accepts(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  raw: string,
  api: Api,
): Promise<void> {
  if (api.mayRefuse?.(parameter.name)) return;
  const call = await validCall(session, operation.operationId, api.callData);
  const response = await session.call(operation.operationId, withParameter(call, parameter, raw));
  const why = `\`${parameter.name}\` lies on a limit, which is allowed.`;
  expectSuccess(session.implementation, operation, response, why);
}

async function refuses(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  clause: Clause,
  raw: string,
  api: Api,
): Promise<void> {
  const call = await validCall(session, operation.operationId, api.callData);
  const input = withParameter(call, parameter, raw);
  const response = await session.call(operation.operationId, input);
  // A resource that cannot exist may be said not to.
  const statuses = parameter.in === 'path' ? [...refusalsOf(operation), 404] : refusalsOf(operation);
  const why = `The request breaks the rule that ${ruleInWords(clause, `\`${parameter.name}\``)}.`;
  expectRefusal(session.implementation, operation, response, statuses, why, { input });
}
