/** From each clause of each request body: values on its limits are accepted, values that break it are refused. */
import fc from 'fast-check';
import { boundariesOfClause } from '../generate/boundaries.ts';
import { impliedClauses, violationsOfClause } from '../generate/violations.ts';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { expectSame } from '../http/nonconformity.ts';
import { expectRefusal } from '../http/expect-response.ts';
import type { CallInput, Session } from '../http/session.ts';
import type { Implementation } from '../http/implementation.ts';
import { patchedEdge } from '../../api/model/edge-update.ts';
import { type Json, MODULES, patched, shownRoute } from '../../api/model/route.ts';
import { acceptable, EDGE_CREATE, type EdgeBody } from '../../api/values/edge-values.ts';
import { knownValues } from '../../api/values/known-values.ts';
import { each, eachText, type Property, type Requirement } from './requirement.ts';
import { expectShown } from '../../api/route-steps.ts';
import { distinctNames } from '../../api/values/route-values.ts';
import { expectType, succeed } from '../../api/steps.ts';
import { groundFor, VALID_CALLS } from '../../api/valid-calls.ts';

export function bodyRequirements(contract: Contract, operation: Operation): Requirement[] {
  const body = operation.requestBody;
  if (!body) return [];
  // Whether there is something to try is known without making it, which takes long for a route.
  const implied = new Set(impliedClauses(contract, body.pointer).map(({ clause }) => clause.id));
  return clausesOf(contract, body.pointer)
    .filter((clause) => !implied.has(clause.id))
    .map((clause) => ({
      id: `${operation.operationId}.body.${clause.id}`,
      level: operation.level,
      origin: clause.origin,
      clause: clause.pointer,
      sentence: `${operation.operationId} refuses a body that breaks ${ruleOf(clause)}, and accepts one that just keeps it.`,
      weight: weightOf(operation, clause),
      properties: (implementation) => [
        ...acceptances(implementation, operation, clause),
        ...refusals(implementation, operation, clause),
        ...numberSpellings(implementation, operation, clause),
      ],
    }));
}

/** A route has hundreds of clauses, most of them twice (to create and to change): each is tried less often than others. */
function weightOf(operation: Operation, clause: Clause): number {
  const inModule =
    operation.requestBody?.pointer !== EDGE_CREATE && (MODULES as string[]).includes(clause.path[0] ?? '');
  if (!inModule) return 1;
  return operation.method === 'POST' ? 0.4 : 0.2;
}

function acceptances(implementation: Implementation, operation: Operation, clause: Clause): Property[] {
  // What surrounds a limit of a route has forms that the source does not show: by the source alone, only refusals count.
  if (implementation.origin === 'source' && operation.level === 'extended') return [];
  return boundariesOfClause(
    implementation.contract,
    operation.requestBody!.pointer,
    clause,
    implementation.hints,
  ).flatMap(({ label, value }): Property[] => {
    const values = knownValues(value, implementation.testData);
    return values
      ? [{ label: `accepts ${label}`, values, check: (json, session) => accepts(session, operation, json) }]
      : [];
  });
}

function refusals(implementation: Implementation, operation: Operation, clause: Clause): Property[] {
  return violationsOfClause(implementation.contract, operation.requestBody!.pointer, clause, implementation.hints).map(
    ({ label, value }) => ({
      label: `refuses ${label}`,
      values: value,
      check: (json, session) => refuses(session, operation, clause, json),
    }),
  );
}

/**
 * An integer is one by its value, however it is written, and one with more digits than a machine number has is too large
 * and no crash (D31).
 */
function numberSpellings(implementation: Implementation, operation: Operation, clause: Clause): Property[] {
  if (clause.keyword !== 'maximum' || clause.schema['type'] !== 'integer' || implementation.origin === 'source')
    return [];
  const [limit] = boundariesOfClause(
    implementation.contract,
    operation.requestBody!.pointer,
    clause,
    implementation.hints,
  );
  if (!limit) return [];
  const maximum = String(clause.schema['maximum']);
  const [head, ...tail] = maximum;
  const whole = [`${maximum}.0`, `${maximum}e0`, `${head}.${tail.join('')}E+${tail.length}`, `${maximum}000e-3`];
  const tooLong = ['9'.repeat(5_000), `-${'1'.repeat(5_000)}`, '1e400', `${maximum}.${'0'.repeat(400)}1e9`];
  return [
    ...eachText(whole, async (text, session) => {
      const json = distinctNames(fc.sample(limit.value, { numRuns: 1, seed: 1 })[0] as Json);
      const call = await VALID_CALLS[operation.operationId]!(session);
      const input = { ...call, body: spelled(json, clause.path, text) };
      const response = await succeed(session, operation.operationId, input, `${text} is ${maximum}.`);
      expectShown('The response is not what was sent', response.json as Json, shownBy(operation, json));
    }),
    ...each(
      Object.fromEntries(tooLong.map((text) => [`${text.slice(0, 12)}… of ${text.length} characters`, text])),
      async (text, session) => {
        const json = fc.sample(limit.value, { numRuns: 1, seed: 1 })[0];
        const call = await groundFor(session, operation);
        const input = { ...call, body: spelled(json, clause.path, text) };
        const response = await session.call(operation.operationId, input);
        // A reader of JSON may have a limit of its own.
        const codes = ['invalid_request', 'malformed_request'];
        expectRefusal(session.implementation, operation, response, [400], 'The number is out of range.', { codes });
      },
    ),
  ];
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

async function accepts(session: Session, operation: Operation, json: unknown): Promise<void> {
  const call = await VALID_CALLS[operation.operationId]!(session);
  const input = { ...call, json: withFreeType(session, call, sendable(session.implementation, operation, json)) };
  const response = await succeed(session, operation.operationId, input, 'The body lies on a limit, which is allowed.');
  const sent = input.json as Record<string, unknown>;
  if (operation.path.startsWith('/event_subscriptions') && typeof sent['type'] === 'string')
    expectType(response, sent['type']);
  // A service that cuts what is too long would accept it, too.
  if (operation.level === 'extended') {
    expectShown('The response is not what was sent', response.json as Json, shownBy(operation, sent));
    return;
  }
  for (const name of ['description', 'metadata', 'hostports'].filter((field) => field in sent)) {
    const due = sent[name] ?? (name === 'hostports' ? [] : '');
    expectSame(`\`${name}\` is not what was sent`, (response.json as Record<string, unknown>)[name], due);
  }
}

/** On a shared subscription, a generated type may be a source of somebody else already: then one that is not. */
function withFreeType({ implementation }: Session, { path, json: usual }: CallInput, json: unknown): unknown {
  const { type } = (json ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || !implementation.foreign.of(path?.['subscription_id'] ?? '').has(type)) return json;
  return { ...(json as object), type: path?.['type'] ?? (usual as { type: string }).type };
}

function sendable(implementation: Implementation, operation: Operation, json: unknown): unknown {
  if (operation.operationId === 'createEdge') return acceptable(implementation, json as EdgeBody);
  return operation.operationId.endsWith('Route') ? distinctNames(json as Json) : json;
}

/** What the body alone makes the response show: the resource that is changed was bare before. */
function shownBy({ operationId }: Operation, sent: Json): Json {
  if (operationId === 'updateEdge') return patchedEdge({}, sent);
  return operationId === 'createRoute' ? shownRoute(sent) : patched({}, sent);
}

async function refuses(session: Session, operation: Operation, clause: Clause, json: unknown): Promise<void> {
  const input = { ...(await groundFor(session, operation)), json };
  const response = await session.call(operation.operationId, input);
  expectRefusal(session.implementation, operation, response, [400], `The body breaks ${ruleOf(clause)}.`, { input });
}
