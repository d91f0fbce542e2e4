/** Calls that must succeed, or that break only one rule: both follow recipes of the survey. */
import { isDeepStrictEqual } from 'node:util';
import {
  documentedFor,
  documentedStatuses,
  type Operation,
  type Parameter,
  schemaOfSuccess,
  statusesFrom,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { freshBody } from '../generate/fresh-bodies.ts';
import { CHANCE } from '../generate/random.ts';
import { type CallInput, withParameter } from '../http/call.ts';
import { callOrClosed, type DueRefusal, expectRefusal } from '../http/expect-response.ts';
import type { HttpApi, Implementation } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { BodyRecipe, Recipe, Source, Surveyed } from '../http/recipe.ts';
import type { HttpResponse } from '../http/response.ts';
import { lackingStatuses } from '../http/server-errors.ts';
import type { Session } from '../http/session.ts';
import { bodyFrom, callFrom, namingNewItems, newKey } from '../survey/call-from.ts';
import { isNeeded } from '../survey/parameter-sets.ts';
import { isAbsent } from '../survey/recipe-trial.ts';
import { freshName } from '../generate/fresh-names.ts';
import { generatedValue, statedValues } from '../survey/values.ts';

/** Statuses that refuse for other reasons: credentials, absence, conflicts, size and rate. */
const OTHER_REASONS = [401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 423, 428, 429];

/**
 * The statuses that refuse what breaks the contract: the documented ones; if none is documented,
 * any from 400 to 499.
 */
export function refusalStatuses(operation: Operation): readonly number[] {
  const documented = documentedStatuses(operation, 4);
  const reasons =
    documented.length < 100
      ? documented.filter((status) => !OTHER_REASONS.includes(status))
      : documented;
  return reasons.length > 0 ? reasons : statusesFrom(400);
}

/**
 * The body as it can be sent with this call: with new texts, if two of them may be in conflict, and
 * with the names of new items.
 * @throws Blocked if no item can be made
 */
export async function sendable(
  session: Session,
  operation: Operation,
  call: CallInput,
  json: unknown,
): Promise<unknown> {
  const { api, survey } = session.implementation;
  if (api.sendable) {
    return api.sendable(session, operation, call, json);
  }
  const withTexts = mayConflict(operation) ? withNewTexts(session, operation, json) : json;
  const { body = {} } = survey[operation.operationId]?.recipe ?? {};
  return namingNewItems(session, body, withTexts);
}

/**
 * The body with other texts, but for the members that are under test, and those that name what
 * exists; itself if the user gives it.
 */
function withNewTexts(session: Session, operation: Operation, json: unknown): unknown {
  const { implementation, random, kept } = session;
  const { api, contract, survey, unconfirmed } = implementation;
  const { operationId, requestBody } = operation;
  if (requestBody === null || api.callData?.bodies?.[operationId] !== undefined) {
    return json;
  }
  const keep = survey[operationId]?.recipe?.body?.shown ?? [];
  const freshness = { random, keep, tested: kept };
  const fresh = freshBody(asRequest(contract), [requestBody.pointer], json, freshness);
  unconfirmed.noteFresh(json, fresh);
  return fresh;
}

/** Whether the operation documents that a body may be in conflict with what exists. */
export const mayConflict = (operation: Operation): boolean =>
  operation.requestBody !== null && documentedFor(operation, 409) !== undefined;

/**
 * A call that the contract allows, by the recipe of the survey.
 * @throws Blocked if an operation on the way fails; NotPossible if no way to reach the operation is
 * known
 */
export async function validCall(session: Session, operationId: string): Promise<CallInput> {
  const operation = session.operation(operationId);
  const surveyed = session.implementation.survey[operationId];
  if (surveyed?.recipe === undefined) {
    throw new NotPossible(surveyed?.reason ?? `${operationId} was not surveyed`);
  }
  return callFrom(session, operation, surveyed.recipe);
}

/**
 * The call with its required parameters, and those that the service wants: as the survey found
 * them, or as the contract states them first.
 * @throws NotPossible
 */
export function withRequired(
  implementation: Implementation,
  operation: Operation,
  given: CallInput,
): CallInput {
  const { contract, hints, survey } = implementation;
  const known = survey[operation.operationId]?.recipe?.parameters ?? [];
  let call = given;
  const foundFor = ({ name, in: place }: Parameter) =>
    known.find((one) => one.name === name && one.in === place);
  // The service may want one that the contract calls optional.
  const needed = operation.parameters.filter((one) => {
    return isNeeded(one, operation, implementation) || foundFor(one) !== undefined;
  });
  for (const parameter of needed) {
    const { name, in: place } = parameter;
    const found = foundFor(parameter);
    const [stated] = statedValues(contract, parameter);
    if (found?.source !== undefined) {
      call = withUnknownName(implementation, call, parameter);
      continue;
    }
    const chosen =
      found ?? stated ?? generatedValue(contract, parameter, { hints, random: CHANCE });
    const value = newKey(implementation, parameter) ?? chosen?.value;
    const next = chosen && withParameter(call, parameter, value);
    if (!next) {
      throw new NotPossible(`no value is known for the ${place} parameter ${name}`);
    }
    call = next;
  }
  return call;
}

/**
 * The call with a name that nothing has, for a parameter that says what a request changes.
 * @throws NotPossible
 */
function withUnknownName(
  { contract }: Implementation,
  call: CallInput,
  parameter: Parameter,
): CallInput {
  const name = freshName(contract, parameter, CHANCE);
  const next = name === undefined ? undefined : withParameter(call, parameter, name);
  if (next === undefined) {
    throw new NotPossible(`no long random ${parameter.name} is allowed`);
  }
  return next;
}

/**
 * A valid call to be refused, or that only reads: it changes nothing, so all go to one resource.
 */
export function callToRefuse(session: Session, operationId: string): Promise<CallInput> {
  const { implementation } = session;
  const areFew = implementation.api.callData?.areFew?.(implementation) === true;
  const isLent = areFew && isReachedByLent(implementation, operationId);
  const make = (maker: Session) => validCall(maker, operationId);
  return isLent ? make(session) : session.shared(make);
}

/** Whether a call, or what makes something for it, uses what the user lends. */
function isReachedByLent(implementation: Implementation, operationId: string): boolean {
  const { path } = implementation.survey[operationId]?.recipe ?? {};
  if (path === undefined) {
    return false;
  }
  const isLentTo = (source: Source) => isReachedByLent(implementation, source.operationId);
  return path.lent.length > 0 || path.sources.some(isLentTo);
}

/**
 * The body that the service accepted in the survey, with new texts if two of them may be in
 * conflict: a value beside it that breaks a rule is refused for that rule. Undefined for an
 * operation without a body, and if any other body does as well.
 * @throws NotPossible if the service takes another kind of body alone
 */
export async function acceptedBody(session: Session, operation: Operation): Promise<unknown> {
  const { api, survey } = session.implementation;
  const { recipe } = survey[operation.operationId] ?? {};
  if (api.callData?.takesOthers || recipe?.body === undefined) {
    return undefined;
  }
  if (recipe.otherKind !== undefined) {
    const { operationId, requestBody } = operation;
    const preferred = requestBody?.mediaType ?? 'the body of the contract';
    throw new NotPossible(`${operationId} takes ${recipe.otherKind} in place of ${preferred}`);
  }
  return bodyFrom(session, operation, recipe);
}

/**
 * The accepted body that goes with a call: that of the call itself if it depends on the item.
 * @param accepted the body that is accepted of any item
 */
export function acceptedWith(
  { implementation }: Session,
  { operationId }: Operation,
  { json }: CallInput,
  accepted: unknown,
): unknown {
  const { body } = implementation.survey[operationId]?.recipe ?? {};
  return body?.asShown === undefined ? accepted : json;
}

/**
 * The members of the accepted body that name what another operation makes, such as the book of a
 * loan: a new one if one that was used up led to a conflict.
 */
export async function namesForBody(
  session: Session,
  operationId: string,
): Promise<Record<string, unknown>> {
  const { body } = session.implementation.survey[operationId]?.recipe ?? {};
  if (body === undefined || !isObject(body.json)) {
    return {};
  }
  const { json, makers = [] } = body;
  const all = makers.flatMap(({ values }) => Object.keys(values));
  const names = all.filter((name) => Object.hasOwn(json, name));
  const known = Object.fromEntries(names.map((name) => [name, json[name]]));
  // What the survey made is not there any more.
  return namingNewItems(session, body, known);
}

/**
 * Calls an operation that must refuse its body, whatever exists.
 * @param inputOf the call with what is wrong beside the accepted body
 * @throws Nonconformity; NotPossible if each body is in conflict with what exists
 */
export async function refuseBody(
  session: Session,
  operation: Operation,
  inputOf: (accepted: unknown) => CallInput,
  due: DueRefusal,
): Promise<void> {
  let input: CallInput = {};
  const response = await respondWithoutConflict(session, operation, (accepted) => {
    input = inputOf(accepted);
    return input;
  });
  expectRefusal(session.implementation, operation, response, { ...due, input });
}

/** A call, and its accepted body with what is to be refused. */
interface ChangedBody {
  call: CallInput;
  /** @throws NotPossible */
  changed(accepted: unknown): unknown;
}

/**
 * Calls an operation that must refuse a body which its schema allows, whatever exists.
 * @throws Nonconformity; NotPossible if the schema does not allow the body, or as `refuseBody`
 */
export async function refuseChangedBody(
  session: Session,
  operation: Operation,
  { call, changed }: ChangedBody,
  due: DueRefusal,
): Promise<void> {
  const sent = asRequest(session.implementation.contract);
  const pointer = operation.requestBody?.pointer ?? '';
  const inputOf = (found: unknown): CallInput => {
    const json = changed(acceptedWith(session, operation, call, found) ?? call.json);
    if (!schemasOf(sent).isValid(pointer, json)) {
      throw new NotPossible('another rule of the contract forbids such bodies, too');
    }
    return { ...call, json };
  };
  await refuseBody(session, operation, inputOf, due);
}

/** How often a body gets other texts after a conflict. */
const MOST_CONFLICTS = 3;

/**
 * The response to a call that is no conflict with what exists: that says nothing of the call.
 * @param inputOf the call with the accepted body, which has other texts each time
 * @throws NotPossible if each of them is in conflict
 */
export async function respondWithoutConflict(
  session: Session,
  operation: Operation,
  inputOf: (accepted: unknown) => CallInput,
): Promise<HttpResponse> {
  const { operationId } = operation;
  const { body } = session.implementation.survey[operationId]?.recipe ?? {};
  for (let conflicts = 0; conflicts <= MOST_CONFLICTS; conflicts++) {
    const accepted = await acceptedBody(session, operation);
    const response = await callOrClosed(session, operation, inputOf(accepted));
    if (response.status !== 409 || accepted === undefined || body === undefined) {
      return response;
    }
    body.isFresh = true;
  }
  throw new NotPossible(`${operationId} finds a conflict (409) in whatever is sent: ${GIVE}`);
}

/**
 * A valid call may be refused because of a conflict, or for a reason that only the owner of the
 * service knows. Then other data is tried, or the requirement is skipped.
 */
export const instead: NonNullable<HttpApi['instead']> = async (
  session,
  operation,
  input,
  { status },
) => {
  const { operationId } = operation;
  const surveyed = session.implementation.survey[operationId];
  if (lackingStatuses(operation).includes(status)) {
    throw new NotPossible(
      `${operationId} lacks what the request asks for, as the contract allows (${status})`,
    );
  }
  if (status >= 500) {
    return undefined;
  }
  expectKnownPath(operation, surveyed);
  const isDocumented = documentedFor(operation, status) !== undefined;
  const isOfShown = surveyed?.recipe?.body?.asShown !== undefined;
  if (status === 409 && isDocumented && isOfShown) {
    throw new NotPossible(
      `${operationId} refuses what the contract allows, as documented (409), and takes ` +
        `${surveyed?.recipe?.body?.how}: ${GIVE}`,
    );
  }
  if (status === 409 && input.json !== undefined && (isDocumented || surveyed !== undefined)) {
    return withoutConflict(session, operation, input, isDocumented);
  }
  if (!isDocumented) {
    return undefined;
  }
  if (status === 409 && input.body !== undefined) {
    // A body that is written out has no other texts.
    throw new NotPossible(`${operationId} finds a conflict (409) in what the contract allows`);
  }
  const given = session.implementation.api.callData?.bodies?.[operationId];
  if (given !== undefined && !isDeepStrictEqual(input.json, await given(session))) {
    const isRefused = surveyed?.isReached === false;
    const ofData = isRefused
      ? 'that of --data was not accepted, either'
      : 'the one of --data works';
    throw new NotPossible(`${operationId} refuses a generated body (${status}); ${ofData}`);
  }
  const named = isAbsent(status) ? await namingOthers(session, operation, input) : undefined;
  if (named !== undefined) {
    return named;
  }
  if (surveyed !== undefined) {
    expectNoNeedOfData(session, operation, surveyed, { status, json: input.json });
  }
  return undefined;
};

/**
 * The call with the names of new items: those that were made before may be gone, since the service
 * was started again. Undefined if the body names nothing that can be made.
 * @throws NotPossible if the name of something is under test, or a law needs its items to be kept
 */
async function namingOthers(
  session: Session,
  { operationId }: Operation,
  input: CallInput,
): Promise<CallInput | undefined> {
  const { body } = session.implementation.survey[operationId]?.recipe ?? {};
  const { json } = input;
  if (body?.makers === undefined || !isObject(json)) {
    return undefined;
  }
  const isUnderTest = body.shown.some((name) => session.kept.includes(name));
  const others = isUnderTest ? json : await namingNewItems(session, body, json);
  if (isDeepStrictEqual(others, json)) {
    return undefined;
  }
  if (session.complete === undefined) {
    body.isFresh = true;
    return { ...input, json: others };
  }
  if (!body.isFresh) {
    body.isFresh = true;
    throw new NotPossible(`what the body of ${operationId} names is not there any more`);
  }
  return undefined;
}

const GIVE = '--data names a body that works';

/**
 * The call with other texts and names in its body: an earlier one may have made or used what has
 * these.
 * @throws NotPossible if there are none
 */
async function withoutConflict(
  session: Session,
  operation: Operation,
  input: CallInput,
  isDocumented: boolean,
): Promise<CallInput> {
  const { body = {} } = session.implementation.survey[operation.operationId]?.recipe ?? {};
  const withTexts = withNewTexts(session, operation, input.json);
  const json = await namingNewItems(session, body, withTexts);
  const hasOthers = !isDeepStrictEqual(json, input.json);
  // Laws compare what they sent.
  if (session.complete === undefined && hasOthers) {
    return { ...input, json };
  }
  const what = isDocumented ? 'what the contract allows' : 'what was sent before';
  throw new NotPossible(`${operation.operationId} finds a conflict (409) in ${what}: ${GIVE}`);
}

/**
 * A refusal says nothing of the contract if the path names nothing that is known to exist.
 * @throws NotPossible
 */
function expectKnownPath({ operationId, path }: Operation, surveyed: Surveyed | undefined): void {
  const { isReached, recipe, reason } = surveyed ?? {};
  if (recipe === undefined || isReached || !path.includes('{')) {
    return;
  }
  const { isOwn, isGuess, fresh } = recipe.path;
  if (!isOwn || isGuess || fresh.length > 0) {
    throw new NotPossible(reason ?? `${operationId} was not reached`);
  }
}

/**
 * Statuses that do not say that the data is wrong. A 401 says so if the operation asks for no
 * credentials.
 */
const NOT_THE_DATA = [401, 404, 405, 406, 410, 411, 413, 414, 415, 429];

/**
 * A documented refusal is not a failure if the service wants data that only its owner knows.
 * @throws NotPossible
 */
function expectNoNeedOfData(
  { implementation }: Session,
  operation: Operation,
  surveyed: Surveyed,
  { status, json }: { status: number; json: unknown },
): void {
  const { operationId, requestBody, parameters, security } = operation;
  const { isReached, recipe, reason } = surveyed;
  const isGone = isAbsent(status);
  // Without parameters in the path, the service says what it lacks, as its contract allows.
  const isOfService = !operation.path.includes('{') && (isGone || status === 403);
  if (isOfService && !isReached) {
    throw new NotPossible(reason ?? `${operationId} was not reached`);
  }
  const hasOptions = parameters.some((one) => one.in === 'query');
  if (isOfService && isGone && operation.method === 'GET' && hasOptions) {
    throw new NotPossible(
      `${operationId} finds nothing by other options, as the contract allows (${status})`,
    );
  }
  if (isGone && namesOther(recipe?.body, json)) {
    throw new NotPossible(
      `${operationId} finds nothing by a name in the body, as the contract allows (${status})`,
    );
  }
  if (isGone && recipe && isPartOfItem(implementation, operation, recipe)) {
    throw new NotPossible(
      `${operationId} finds nothing in a new parent, as the contract allows (${status})`,
    );
  }
  // Others may have made or changed what a list shows.
  const mayBeLost = isGone || status === 403;
  if (mayBeLost && recipe?.path.isOwn === false && operation.path.includes('{')) {
    throw new NotPossible(`what the survey found for ${operation.path} is not there any more`);
  }
  const isOpen = status === 401 && security.length === 0;
  const isAsked =
    requestBody !== null || parameters.some((one) => one.in === 'query' && one.required);
  if (!isAsked || (NOT_THE_DATA.includes(status) && !isOpen)) {
    return;
  }
  if (!isReached) {
    throw new NotPossible(reason ?? `${operationId} was not reached`);
  }
  const { body } = recipe ?? {};
  if (body?.kind === 'fixed' && !isDeepStrictEqual(body.json, json)) {
    throw new NotPossible(
      `${operationId} refuses bodies that the contract allows, as documented (${status}), and ` +
        `takes ${body.how}: ${GIVE}`,
    );
  }
}

/** Whether a member that must name what exists has another value than the accepted one. */
function namesOther(body: BodyRecipe | undefined, json: unknown): boolean {
  if (body === undefined || !isObject(json) || !isObject(body.json)) {
    return false;
  }
  const accepted = body.json;
  return body.shown.some((name) => {
    return Object.hasOwn(json, name) && !isDeepStrictEqual(json[name], accepted[name]);
  });
}

/** A single resource that a parent may have or not have; a list exists even if it is empty. */
function isPartOfItem(
  { contract, operations }: Implementation,
  operation: Operation,
  { path: { sources } }: Recipe,
): boolean {
  if (operation.method !== 'GET' || !/\}\/[^{}]+$/.test(operation.path)) {
    return false;
  }
  const atPath = [...operations.values()].filter(({ path }) => path === operation.path);
  const put = atPath.find(({ method }) => method === 'PUT');
  if (put && sources.at(-1)?.operationId === put.operationId) {
    return false;
  }
  const hasPost = atPath.some(({ method }) => method === 'POST');
  const schema = schemaOfSuccess(operation);
  // A response that is not JSON, such as a text, may be made from the item; and a POST may add one
  // item of a list.
  if (schema === undefined) {
    return put !== undefined || hasPost;
  }
  return !hasPost && !shapeOf(contract, schema).types.has('array');
}
