/** From each clause of each request body: values on its limits are accepted, values that break it are refused. */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { impliedClauses } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import type { Operation } from '../contract/operations.ts';
import { asRequest } from '../contract/variants.ts';
import { boundariesOfClause } from '../generate/boundaries.ts';
import { accepted, exists } from '../generate/filter.ts';
import { candidatesOfClause } from '../generate/violations.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, validCall } from './calls.ts';
import { refusalsOf } from './refusals.ts';
import { each, eachText, type Property, type Requirement } from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

export function bodyRequirements(contract: Contract, operation: Operation, api: Api): Requirement[] {
  const body = operation.requestBody;
  if (!body) return [];
  // Whether there is something to try is known without making it, which takes long for a large body.
  const sent = asRequest(contract);
  const implied = new Set(impliedClauses(sent, body.pointer).map(({ clause }) => clause.id));
  const clauses = clausesOf(sent, body.pointer)
    .filter((clause) => !implied.has(clause.id))
    .map((clause) => ({
      id: `${operation.operationId}.body.${clause.id}`,
      level: operation.level,
      origin: clause.origin,
      clause: clause.pointer,
      sentence: `${operation.operationId}: ${ruleInWords(clause)}. A body that breaks this rule is refused, and one that just keeps it is accepted.`,
      weight: api.weight?.(operation, clause) ?? 1,
      properties: (implementation: Implementation) => [
        ...acceptances(implementation, operation, clause, api),
        ...refusals(implementation, operation, clause, api),
        ...numberSpellings(implementation, operation, clause, api),
      ],
    }));
  return body.required ? [missingBody(operation, api), ...clauses] : clauses;
}

function missingBody(operation: Operation, api: Api): Requirement {
  return {
    id: `${operation.operationId}.body.missing`,
    level: operation.level,
    origin: operation.origin,
    clause: `${operation.pointer}/requestBody`,
    sentence: `${operation.operationId} refuses a request without a body.`,
    properties: () =>
      each({ 'no body': undefined }, async (_, session) => {
        const { json: __, ...input } = await callToRefuse(session, operation.operationId, api.callData);
        const response = await session.call(operation.operationId, input);
        // Without a body there is no media type, either.
        const statuses = [...refusalsOf(operation), 415];
        expectRefusal(session.implementation, operation, response, statuses, 'The body is missing.', { input });
      }),
  };
}

function acceptances(implementation: Implementation, operation: Operation, clause: Clause, api: Api): Property[] {
  // What surrounds a limit has forms that the source may not show: by the source alone, only refusals count there.
  if (implementation.origin === 'source' && operation.level === 'extended') return [];
  const { hints } = implementation;
  const contract = asRequest(implementation.contract);
  return boundariesOfClause(contract, operation.requestBody!.pointer, clause, hints).flatMap(
    ({ label, value }): Property[] => {
      const values = knownValues(value, api, implementation);
      return values
        ? [
            {
              label: `accepts ${label}`,
              values,
              check: (json, session) => accepts(session, operation, clause, json, api),
            },
          ]
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
  const { hints } = implementation;
  const contract = asRequest(implementation.contract);
  return candidatesOfClause(contract, operation.requestBody!.pointer, clause, hints).map(({ label, value }) => ({
    label: `refuses ${label}`,
    values: value,
    mayBeEmpty: true,
    check: (json, session) => refuses(session, operation, clause, json, api),
  }));
}

/**
 * An integer is one by its value, however it is written, and one with more digits than a machine number has is out of
 * range and no crash.
 */
function numberSpellings(implementation: Implementation, operation: Operation, clause: Clause, api: Api): Property[] {
  if (clause.keyword !== 'maximum' || clause.schema['type'] !== 'integer' || implementation.origin === 'source')
    return [];
  const { hints } = implementation;
  const contract = asRequest(implementation.contract);
  const [limit] = boundariesOfClause(contract, operation.requestBody!.pointer, clause, hints);
  if (!limit) return [];
  const body = () => fc.sample(limit.value, { numRuns: 1, seed: 1 })[0];
  if (!isNamed(body(), clause.path)) return [];
  const maximum = String(clause.schema['maximum']);
  const [head, ...tail] = maximum;
  const whole = [`${maximum}.0`, `${maximum}e0`, `${head}.${tail.join('') || '0'}E+${tail.length}`, `${maximum}000e-3`];
  const tooLong = ['9'.repeat(5_000), `-${'1'.repeat(5_000)}`, '1e400', `${maximum}.${'0'.repeat(400)}1e9`];
  // By the JSON Schema of OpenAPI 3.0, a number with a fraction or an exponent is no integer.
  const isByValue = !String(contract.document['openapi']).startsWith('3.0');
  return [
    ...eachText(isByValue ? whole : [], async (text, session) => {
      const call = await validCall(session, operation.operationId, api.callData);
      const json = api.sendable ? api.sendable(session, operation, call, body()) : body();
      const { json: _, ...rest } = call;
      const input = { ...rest, body: spelled(json, clause.path, text) };
      const response = await session.call(operation.operationId, input);
      expectSuccess(session.implementation, operation, response, `${text} is ${maximum}.`);
      api.expectEcho?.(operation, json, response);
    }),
    ...each(
      Object.fromEntries(tooLong.map((text) => [`${text.slice(0, 12)}… of ${text.length} characters`, text])),
      async (text, session) => {
        const { json: _, ...rest } = await callToRefuse(session, operation.operationId, api.callData);
        const input = { ...rest, body: spelled(body(), clause.path, text) };
        const response = await session.call(operation.operationId, input);
        expectRefusal(
          session.implementation,
          operation,
          response,
          refusalsOf(operation),
          'The number is out of range.',
        );
      },
    ),
  ];
}

/** Whether each segment of the path is the name of a property that is there: none stands for items or for other names. */
function isNamed(value: unknown, [name, ...rest]: readonly string[]): boolean {
  return name === undefined || (isObject(value) && Object.hasOwn(value, name) && isNamed(value[name], rest));
}

/** JSON text of the value, with the number at `path` written as `text`. */
function spelled(json: unknown, path: readonly string[], text: string): string {
  const mark = 'conformance-number';
  const replaced = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
    name === undefined
      ? mark
      : { ...(value as object), [name]: replaced((value as Record<string, unknown>)[name], rest) };
  return JSON.stringify(replaced(json, path)).replace(JSON.stringify(mark), text);
}

async function accepts(session: Session, operation: Operation, clause: Clause, json: unknown, api: Api): Promise<void> {
  const call = await validCall(session, operation.operationId, api.callData);
  const sent = api.sendable ? api.sendable(session, operation, call, json) : json;
  const response = await session.call(operation.operationId, { ...call, json: sent });
  expectSuccess(session.implementation, operation, response, `The body keeps the rule that ${ruleInWords(clause)}.`);
  // A service that cuts what is too long would accept it, too.
  api.expectEcho?.(operation, sent, response);
}

async function refuses(session: Session, operation: Operation, clause: Clause, json: unknown, api: Api): Promise<void> {
  const input = { ...(await callToRefuse(session, operation.operationId, api.callData)), json };
  const response = await session.call(operation.operationId, input);
  const why = `The body breaks the rule that ${ruleInWords(clause)}.`;
  expectRefusal(session.implementation, operation, response, refusalsOf(operation), why, { input });
}
