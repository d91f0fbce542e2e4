/** From each clause of each parameter: values on its limits are accepted, values that break it are refused. */
import type * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { impliedParameterClauses, parameterClauses } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { isStructured, limitsOf, structuredClauses, wrongValuesOf } from '../generate/parameters.ts';
import { parameterBoundaries, parameterViolations } from '../generate/scalars.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { withoutParameter, withParameter } from '../http/call.ts';
import type { Session } from '../http/session.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Api } from './api.ts';
import { validCall } from './calls.ts';
import { refusalsOf } from './refusals.ts';
import { each, type Property, type Requirement } from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

export function parameterRequirements(contract: Contract, operation: Operation, api: Api): Requirement[] {
  return operation.parameters.flatMap((parameter) => [
    ...clauseRequirements(contract, operation, parameter, api),
    ...(parameter.required && parameter.in !== 'path' ? [missing(operation, parameter, api)] : []),
  ]);
}

function clauseRequirements(contract: Contract, operation: Operation, parameter: Parameter, api: Api): Requirement[] {
  return triedClauses(contract, parameter).map((clause) => ({
    id: `${operation.operationId}.${parameter.in}.${clause.id}`,
    level: operation.level,
    origin: clause.origin,
    clause: clause.pointer,
    sentence:
      parameter.in === 'path'
        ? `${operation.operationId}: ${ruleInWords(clause, `\`${parameter.name}\``)}. A path that breaks this rule is refused.`
        : `${operation.operationId}: ${ruleInWords(clause, `\`${parameter.name}\``)}. A ${parameter.in} that breaks this rule is refused, and one that just keeps it is accepted.`,
    properties: ({ hints }) => {
      const { limits, wrong } = casesOf(contract, parameter, hints);
      return [
        ...limits.filter(concerns(clause)).map(({ label, value }): Property => ({
          label: `accepts ${label}`,
          values: value,
          check: (one, session) => accepts(session, operation, parameter, one, api),
        })),
        ...wrong
          .filter(concerns(clause))
          .filter(({ lenient }) => api.exactTexts || !lenient)
          .map(({ label, value }): Property => ({
            label: `refuses ${label}`,
            values: value,
            check: (one, session) => refuses(session, operation, parameter, clause, one, api),
          })),
      ];
    },
  }));
}

function triedClauses(contract: Contract, parameter: Parameter): Clause[] {
  if (!isStructured(contract, parameter)) {
    const implied = new Set(impliedParameterClauses(contract, parameter.pointer).map(({ clause }) => clause.id));
    return parameterClauses(contract, parameter.pointer).filter(({ id }) => !implied.has(id));
  }
  return structuredClauses(contract, parameter);
}

interface Cases {
  limits: readonly { clause: Clause; label: string; value: fc.Arbitrary<unknown> }[];
  wrong: readonly { clause: Clause; label: string; value: fc.Arbitrary<unknown>; lenient?: boolean }[];
}

function casesOf(contract: Contract, parameter: Parameter, hints: Hints): Cases {
  if (isStructured(contract, parameter))
    return {
      limits: parameter.in === 'path' ? [] : limitsOf(contract, parameter, hints),
      wrong: wrongValuesOf(contract, parameter, hints),
    };
  return {
    // A value on a limit of a path parameter names another resource, which may not exist: only others are tried so.
    limits: parameter.in !== 'path' ? parameterBoundaries(contract, parameter.pointer, hints) : [],
    wrong: parameterViolations(contract, parameter.pointer, hints),
  };
}

function concerns(clause: Clause) {
  return (one: { clause: Clause }) => one.clause.id === clause.id;
}

async function accepts(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  value: unknown,
  api: Api,
): Promise<void> {
  if (api.mayRefuse?.(parameter.name)) return;
  const input = withParameter(await validCall(session, operation.operationId, api.callData), parameter, value);
  if (!input) throw new NotPossible(`${parameter.in} parameters of style ${parameter.style} cannot carry such a value`);
  const response = await session.call(operation.operationId, input);
  const why = `\`${parameter.name}\` lies on a limit, which is allowed.`;
  expectSuccess(session.implementation, operation, response, why);
}

async function refuses(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  clause: Clause,
  value: unknown,
  api: Api,
): Promise<void> {
  const input = withParameter(await validCall(session, operation.operationId, api.callData), parameter, value);
  if (!input) throw new NotPossible(`${parameter.in} parameters of style ${parameter.style} cannot carry such a value`);
  const response = await session.call(operation.operationId, input);
  // A resource that cannot exist may be said not to.
  const statuses = parameter.in === 'path' ? [...refusalsOf(operation), 404] : refusalsOf(operation);
  const why = `The request breaks the rule that ${ruleInWords(clause, `\`${parameter.name}\``)}.`;
  expectRefusal(session.implementation, operation, response, statuses, why, { input });
}

function missing(operation: Operation, parameter: Parameter, api: Api): Requirement {
  return {
    id: `${operation.operationId}.${parameter.in}.${parameter.name}.missing`,
    level: operation.level,
    origin: parameter.origin,
    clause: parameter.pointer,
    sentence: `${operation.operationId} refuses a request without the ${parameter.in} parameter \`${parameter.name}\`.`,
    properties: () =>
      each({ 'no such parameter': undefined }, async (_, session) => {
        const input = withoutParameter(await validCall(session, operation.operationId, api.callData), parameter);
        const response = await session.call(operation.operationId, input);
        const why = `\`${parameter.name}\` is required.`;
        expectRefusal(session.implementation, operation, response, refusalsOf(operation), why, {
          input,
        });
      }),
  };
}
