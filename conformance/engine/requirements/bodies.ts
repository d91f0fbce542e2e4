/** From each clause of each request body: values on its limits are accepted, values that break it are refused. */
import { boundariesOfClause } from '../generate/boundaries.ts';
import { impliedClauses, violationsOfClause } from '../generate/violations.ts';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { schemasOf } from '../contract/schemas.ts';
import { escapeSegment } from '../contract/pointers.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { expectSame, expectThat, Nonconformity } from '../http/nonconformity.ts';
import { expectRefusal } from '../http/expect-response.ts';
import type { HttpResponse } from '../http/response.ts';
import type { CallInput, Session } from '../http/session.ts';
import type { Implementation } from '../http/implementation.ts';
import { patchedEdge } from '../../api/model/edge-update.ts';
import { type Json, MODULES, patched, shownRoute } from '../../api/model/route.ts';
import { acceptable, EDGE_CREATE, type EdgeBody } from '../../api/values/edge-values.ts';
import { knownValues } from '../../api/values/known-values.ts';
import type { Property, Requirement } from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';
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
      sentence: `${operation.operationId}: ${ruleInWords(clause)}. A body that breaks this rule is refused, and one that just keeps it is accepted.`,
      weight: weightOf(operation, clause),
      properties: (implementation) => [
        ...acceptances(implementation, operation, clause),
        ...refusals(implementation, operation, clause),
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
      ? [{ label: `accepts ${label}`, values, check: (json, session) => accepts(session, operation, clause, json) }]
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

async function accepts(session: Session, operation: Operation, clause: Clause, json: unknown): Promise<void> {
  const call = await VALID_CALLS[operation.operationId]!(session);
  const input = { ...call, json: withFreeType(session, call, sendable(session.implementation, operation, json)) };
  const response = await succeed(
    session,
    operation.operationId,
    input,
    `The body keeps the rule that ${ruleInWords(clause)}.`,
  );
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
  const call = await groundFor(session, operation);
  const response = await session.call(operation.operationId, { ...call, json });
  expectRefusal(
    session.implementation,
    operation,
    response,
    [400],
    `The body breaks the rule that ${ruleInWords(clause)}.`,
  );
  expectPlace(session.implementation, operation, clause, json, response);
}

/** The place of the fault is named: itself, or for a missing or unknown property or a bound on a list, where it stands. */
function expectPlace(
  implementation: Implementation,
  operation: Operation,
  clause: Clause,
  json: unknown,
  response: HttpResponse,
): void {
  if (implementation.origin === 'source') return;
  const { code, errors = [] } = response.json as { code: string; errors?: { pointer?: string; code?: string }[] };
  if (code === 'malformed_request') {
    throw new Nonconformity('A body that was read and breaks the contract is `invalid_request`.', {
      expected: 'code invalid_request',
      got: response.text,
      clause: '/components/schemas/ProblemCode',
    });
  }
  const place = clause.path.map((name) => (name === '*' ? '[^/]+' : escapeRegExp(escapeSegment(name))));
  const pattern = new RegExp(`^${place.map((name) => `/${name}`).join('')}`);
  const named = errors.filter(
    ({ pointer }) => pointer !== undefined && (pattern.test(pointer) || isAbove(pointer, clause.path)),
  );
  expectThat(named.length > 0, 'No entry of `errors` points to the fault.', {
    expected: `a pointer to /${clause.path.join('/')} in ${JSON.stringify(json)?.slice(0, 300)}`,
    got: errors,
  });
  const codes = [...(CODES[clause.keyword] ?? []), ...conditionalCodes(implementation, operation, clause, json)];
  expectThat(
    named.some((error) => codes.includes(error.code ?? '')),
    'No entry of `errors` has the code that the contract gives for the broken keyword.',
    { expected: `${codes.join(' or ')} at /${clause.path.join('/')}`, got: errors },
  );
}

/** A rule over several properties may be broken at the same place, and a service may name it instead. */
function conditionalCodes(
  implementation: Implementation,
  operation: Operation,
  clause: Clause,
  json: unknown,
): string[] {
  const errors = schemasOf(implementation.contract).validate(operation.requestBody!.pointer, json);
  const isThere = (path: readonly string[]) =>
    path.length === clause.path.length && path.every((name, i) => clause.path[i] === '*' || clause.path[i] === name);
  return errors.some(({ path, pointer }) => isThere(path) && /\/(then|else)\//.test(pointer)) ? CODES['if']! : [];
}

/** See "Field errors" in the contract. A number or a list of the wrong length may come as the text that it is in. */
const CODES: Record<string, string[]> = {
  type: ['type'],
  enum: ['value', 'type'],
  const: ['value', 'type'],
  pattern: ['format'],
  format: ['format'],
  minLength: ['too_short'],
  maxLength: ['too_long', 'too_many_bytes'],
  'x-max-bytes': ['too_many_bytes'],
  minimum: ['too_small'],
  maximum: ['too_large'],
  minItems: ['too_few'],
  maxItems: ['too_many'],
  minProperties: ['too_few'],
  maxProperties: ['too_many'],
  uniqueItems: ['duplicate'],
  required: ['required'],
  additionalProperties: ['unknown'],
  if: ['required', 'not_allowed_here', 'too_few', 'type'],
};

/** A rule over several properties may be reported where they meet. */
function isAbove(pointer: string, path: readonly string[]): boolean {
  const segments = pointer.split('/').slice(1);
  return (
    pointer.startsWith('/') &&
    segments.length < path.length &&
    segments.every((name, index) => path[index] === '*' || escapeSegment(path[index]!) === name)
  );
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
