/** Short forms for the requirements that this API states itself. */
import { documentedStatuses, type Operation } from '../engine/contract/operations.ts';
import { type CallInput, requestTargetOf } from '../engine/http/call.ts';
import { expectEither, expectRefusal, expectSuccess } from '../engine/http/expect-response.ts';
import { type Implementation, operationBeside } from '../engine/http/implementation.ts';
import { expectSame } from '../engine/http/nonconformity.ts';
import type { Session } from '../engine/http/session.ts';
import type { LawName, Rule } from '../engine/laws/index.ts';
import { type LawProperties, once, propertiesOn } from '../engine/laws/law.ts';
import type { Item, Json, Resource } from '../engine/laws/resource.ts';
import type { Steps } from '../engine/laws/steps.ts';
import { callToRefuse, validCall } from '../engine/requirements/calls.ts';
import type { Property, Requirement } from '../engine/requirements/requirement.ts';

/** Sentences of `info.description` that it tests, beside `words`: how each begins. */
export interface ApiRequirement extends Requirement {
  tests?: readonly string[];
}

/** A rule that may be stated by several sentences of `info.description`. */
export interface ApiRule extends Rule {
  /** How each sentence begins that the requirement tests beside `words`. */
  tests: readonly string[];
}

/** Shorthand for the tables of rules. @param sentences how each begins; the first one has the words of the rule */
export function rule(
  id: string,
  origin: string,
  clause: string,
  ...sentences: readonly string[]
): ApiRule {
  const [words, ...tests] = sentences;
  const stated = { id, origin, clause, tests };
  if (words === undefined) {
    return stated;
  }
  return { ...stated, words };
}

/** Where rules stand in the contract. A rule that is stated in `INFO` has the words of its sentence first. */
export const INFO = '/info/description';
export const ATOMIC = 'One request is atomic';
export const AT = {
  createEdge: '/paths/~1edges~1https/post',
  updateEdge: '/paths/~1edges~1https~1{edge_id}/patch',
  deleteEdge: '/paths/~1edges~1https~1{edge_id}/delete',
  createRoute: '/paths/~1edges~1https~1{edge_id}~1routes/post',
  updateRoute: '/paths/~1edges~1https~1{edge_id}~1routes~1{route_id}/patch',
  responses: '/components/responses',
  conflict: '/components/responses/Conflict',
  schemas: '/components/schemas',
};

/** The cases that are tried; a function where it depends on the implementation, or is large. */
type Tried = Property | Property[];
type Cases = readonly (Tried | ((implementation: Implementation) => Tried))[];

export function define(level: Requirement['level']) {
  return (stated: ApiRule, sentence: string, ...cases: Cases): ApiRequirement => ({
    ...stated,
    level,
    sentence,
    properties: (implementation) =>
      cases.flatMap((one) => (typeof one === 'function' ? one(implementation) : one)),
  });
}

export const core = define('core');
export const extended = define('extended');

/** States requirements whose cases take steps on a resource. */
export function on(resource: Resource, level: Requirement['level']) {
  return (
    stated: ApiRule,
    sentence: string,
    ...cases: (LawProperties | ((implementation: Implementation) => LawProperties))[]
  ) =>
    define(level)(stated, sentence, (implementation) =>
      cases.flatMap((one) =>
        propertiesOn(resource, typeof one === 'function' ? one(implementation) : one),
      ),
    );
}

/** States requirements of one operation, which their ids and sentences begin with. */
export function ofOperation({ operationId, level }: Operation) {
  return (stated: ApiRule, sentence: string, ...cases: Cases): ApiRequirement => {
    const ofThisOperation = { ...stated, id: `${operationId}.${stated.id}` };
    return define(level)(ofThisOperation, `${operationId} ${sentence}`, ...cases);
  };
}

/** Why laws of the kit do not apply to a resource. */
export function because<Name extends LawName>(
  reason: string,
  ...names: Name[]
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, reason])) as Record<Name, string>;
}

/** A creation with this, or with each of these, is refused with 400, and nothing is there. */
export async function refuseCreation(
  steps: Steps,
  bodies: Json | readonly Json[],
  why: string,
): Promise<void> {
  const place = await steps.place();
  for (const body of [bodies].flat()) {
    const input = { path: place.path, json: { ...place.bodies[0], ...body } };
    await steps.refuse('create', input, { statuses: [400], why });
  }
  await steps.expectItems(place, [], 'What was refused is there');
}

/** A change is refused with 400, and the item stays as it was. @returns the response */
export async function refuseChange(steps: Steps, item: Item, patch: Json, why: string) {
  const input = { path: item.path, json: patch };
  const response = await steps.refuse('update', input, { statuses: [400], why });
  await steps.expectItems(item.place, [item], 'A refused change changed something');
  return response;
}

/** What exists already, in a body that breaks the contract. */
export function conflictOnlyIfValid(id: string, resource: Resource, level: 'core' | 'extended') {
  return on(resource, level)(
    rule(id, 'D29', INFO, '409 comes only to a request that is otherwise valid'),
    `Adding a ${resource.unique!.members.at(-1)} that exists already, in a body that breaks the contract, gets 400 and not 409.`,
    once('an unknown property beside what exists already', async (steps) => {
      const { path, bodies } = (await steps.createOne()).place;
      const input = { path, json: { ...bodies[0], x: 1 } };
      const why = 'The body has an unknown property.';
      await steps.refuse('create', input, { statuses: [400], why });
    }),
  );
}

type Field = readonly [name: string, value: string];

/** A request that is written in another way than usual, as a row of data, and what must come of it. */
export interface Variant {
  label: string;
  /** Replaces parts of a valid call; a body is sent in place of its `json`. */
  change?: Partial<CallInput> | ((call: CallInput) => CallInput);
  /** Header fields that are sent one by one: several of one name, or an empty one. */
  fields?: readonly Field[];
  /** The documented success, a documented refusal with one of these statuses, or either of the two. */
  due: 'success' | 'either' | readonly number[];
  /** The codes that the refusal may have; by default those of its status. */
  codes?: readonly string[];
  why: string;
}

/** Makes requirements of one operation, each tried with variants of its requests. */
export function ruleOf(operation: Operation) {
  return (
    stated: ApiRule,
    sentence: string,
    ...variants: readonly (readonly Variant[])[]
  ): Requirement =>
    ofOperation(operation)(stated, sentence, () => tries(operation, variants.flat()));
}

export function tries(operation: Operation, variants: readonly Variant[]): Property[] {
  return variants.map((variant) =>
    once(variant.label, (session) => tryOne(session, operation, variant)),
  );
}

async function tryOne(session: Session, operation: Operation, variant: Variant): Promise<void> {
  const { due, codes, why } = variant;
  const isRefused = typeof due !== 'string';
  const isSafe = isRefused || operation.method === 'GET';
  const call = await (isSafe ? callToRefuse : validCall)(session, operation.operationId);
  const before = due === 'either' ? await stateOf(session, operation, call) : undefined;
  const input = changed(call, variant.change);
  const response = await (variant.fields
    ? sendFields(session, operation, input, variant.fields)
    : session.callAround(operation.operationId, input));
  if (isRefused) {
    const refused = { input, ...(codes ? { codes } : {}) };
    return expectRefusal(session.implementation, operation, response, [...due], why, refused);
  }
  if (due === 'success') {
    return expectSuccess(session.implementation, operation, response, why);
  }
  expectEither(session.implementation, operation, response, documentedStatuses(operation, 4), why);
  if (response.status < 300 || before === undefined) {
    return;
  }
  expectSame(
    'A refused request changed something',
    await stateOf(session, operation, call),
    before,
  );
}

function changed(call: CallInput, change: Variant['change'] = {}): CallInput {
  if (typeof change === 'function') {
    return change(call);
  }
  const { json, ...rest } = call;
  return { ...rest, ...(json === undefined || 'body' in change ? {} : { json }), ...change };
}

/** The state that the path of the request shows, where it can be read and nobody else changes it. */
async function stateOf(
  session: Session,
  operation: Operation,
  { path }: CallInput,
): Promise<unknown> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (!read || path === undefined) {
    return undefined;
  }
  const { status, json } = await session.send({
    method: 'GET',
    target: requestTargetOf(read, { path }),
  });
  return { status, json };
}

/** The call with these header fields in place of those that are sent by default. */
async function sendFields(
  session: Session,
  operation: Operation,
  call: CallInput,
  fields: readonly Field[],
) {
  const hasType =
    call.json === undefined || fields.some(([name]) => name.toLowerCase() === 'content-type');
  const response = await session.sendRaw({
    method: operation.method,
    target: requestTargetOf(operation, call),
    headers: [...(hasType ? [] : [['Content-Type', 'application/json'] as const]), ...fields],
    ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
  });
  session.made(operation.operationId, call, response);
  return response;
}
