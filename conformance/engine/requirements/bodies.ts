/** From each clause of each request body: values on its limits are accepted, values that break it are refused. */
import type * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { impliedClauses } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { boundariesOfClause } from '../generate/boundaries.ts';
import { accepted, exists } from '../generate/filter.ts';
import { violationsOfClause } from '../generate/violations.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, validCall } from './calls.ts';
import { refusalsOf } from './refusals.ts';
import type { Property, Requirement } from './requirement.ts';

export function bodyRequirements(contract: Contract, operation: Operation, api: Api): Requirement[] {
  const body = operation.requestBody;
  if (!body) return [];
  // Whether there is something to try is known without making it, which takes long for a large body.
  const implied = new Set(impliedClauses(contract, body.pointer).map(({ clause }) => clause.id));
  return clausesOf(contract, body.pointer)
    .filter((clause) => !implied.has(clause.id))
    .map((clause) => ({
      id: `${operation.operationId}.body.${clause.id}`,
      level: operation.level,
      origin: clause.origin,
      clause: clause.pointer,
      sentence: `${operation.operationId} refuses a body that breaks ${ruleOf(clause)}, and accepts one that just keeps it.`,
      weight: api.weight?.(operation, clause) ?? 1,
      properties: (implementation) => [
        ...acceptances(implementation, operation, clause, api),
        ...refusals(implementation, operation, clause, api),
      ],
    }));
}

function acceptances(implementation: Implementation, operation: Operation, clause: Clause, api: Api): Property[] {
  // What surrounds a limit has forms that the source may not show: by the source alone, only refusals count there.
  if (implementation.origin === 'source' && operation.level === 'extended') return [];
  const { contract, hints } = implementation;
  return boundariesOfClause(contract, operation.requestBody!.pointer, clause, hints).flatMap(
    ({ label, value }): Property[] => {
      const values = knownValues(value, api, implementation);
      return values
        ? [{ label: `accepts ${label}`, values, check: (json, session) => accepts(session, operation, json, api) }]
        : [];
    },
  );
}

/** What an implementation may refuse for its own reasons, since it does not know it, is left out. */
function knownValues(
  values: fc.Arbitrary<unknown>,
  api: Api,
  implementation: Implementation,
): fc.Arbitrary<unknown> | undefined {
  const knows = api.knows?.(implementation);
  if (!knows) return values;
  const known = accepted(values, 'value that the implementation knows', knows);
  return exists(known) ? known : undefined;
}

function refusals(implementation: Implementation, operation: Operation, clause: Clause, api: Api): Property[] {
  const { contract, hints } = implementation;
  return violationsOfClause(contract, operation.requestBody!.pointer, clause, hints).map(({ label, value }) => ({
    label: `refuses ${label}`,
    values: value,
    check: (json, session) => refuses(session, operation, clause, json, api),
  }));
}

/** The rule in words, as far as the contract has them. */
function ruleOf(clause: Clause): string {
  const place = clause.path.length === 0 ? 'the body' : `\`${clause.path.join('.')}\``;
  const value = clause.schema[clause.keyword];
  const words = clause.schema['x-pattern-description'];
  switch (clause.keyword) {
    case 'required':
      return `\`required\` of ${place} (\`${clause.name}\`)`;
    case 'dependentRequired': {
      const [trigger, missing] = (clause.name ?? '').split('.');
      return `the rule that ${place} has \`${trigger}\` only with \`${missing}\``;
    }
    case 'pattern':
      return `the form of ${place}${typeof words === 'string' ? ` (${words})` : ''}`;
    case 'additionalProperties':
      return `the rule that ${place} has no unknown properties`;
    case 'if':
      return `the rule that binds the properties of ${place} together`;
    default:
      return `\`${clause.keyword}: ${JSON.stringify(value)}\` of ${place}`;
  }
}

async function accepts(session: Session, operation: Operation, json: unknown, api: Api): Promise<void> {
  const call = await validCall(session, operation.operationId, api.callData);
  const sent = api.sendable ? api.sendable(session, operation, call, json) : json;
  const response = await session.call(operation.operationId, { ...call, json: sent });
  expectSuccess(session.implementation, operation, response, 'The body lies on a limit, which is allowed.');
  // A service that cuts what is too long would accept it, too.
  api.expectEcho?.(operation, sent, response);
}

async function refuses(session: Session, operation: Operation, clause: Clause, json: unknown, api: Api): Promise<void> {
  const input = { ...(await callToRefuse(session, operation.operationId, api.callData)), json };
  const response = await session.call(operation.operationId, input);
  const why = `The body breaks ${ruleOf(clause)}.`;
  expectRefusal(session.implementation, operation, response, refusalsOf(operation), why, { input, clause });
}
