/** Calls as recipes describe them: the resources of the path are made first, each time anew. */
import { memberOf, setMember } from '../contract/by-name.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isIdempotencyKey } from '../contract/idempotency-keys.ts';
import { isObject } from '../contract/pointers.ts';
import {
  isSuccessOf,
  type Operation,
  type Parameter,
  pathParameters,
  type RequestBody,
} from '../contract/operations.ts';
import { asRequest } from '../contract/variants.ts';
import { freshBody } from '../generate/fresh-bodies.ts';
import { freshName } from '../generate/fresh-names.ts';
import { CHANCE } from '../generate/random.ts';
import { type CallInput, withParameter } from '../http/call.ts';
import { type Implementation, type Lender, type Session } from '../http/implementation.ts';
import { withNamesOfPath } from '../http/names-in-path.ts';
import { Blocked, NotPossible } from '../http/nonconformity.ts';
import { withEntityTag } from '../http/preconditions.ts';
import type { BodyRecipe, ParameterValue, PathRecipe, Recipe, Source } from '../http/recipe.ts';
import { evaluate, type Exchange } from '../http/runtime-expressions.ts';
import { newName } from './new-names.ts';
import { valueFrom } from './seen.ts';
import { bodyAsShown } from './shown-items.ts';

/** Gives the exchange of a source. */
type ExchangeOf = (source: Source) => Promise<Exchange>;

/**
 * The call of an operation by its recipe.
 * @param exchangeOf default: the source is called
 * @throws Blocked if a source fails; NotPossible if its response does not give the values
 */
export async function callFrom(
  session: Session,
  operation: Operation,
  recipe: Recipe,
  exchangeOf: ExchangeOf = (source) => callOfSource(session, source),
): Promise<CallInput> {
  let call: CallInput = {};
  const path = await pathFrom(session, operation, recipe, exchangeOf);
  if (Object.keys(path).length > 0) {
    call.path = path;
  }
  await takeSteps(session, recipe, path);
  for (const given of recipe.parameters) {
    const { name, in: place } = given;
    const parameter = operation.parameters.find((one) => one.name === name && one.in === place);
    const known = await parameterValue(operation, given, exchangeOf);
    const value = (parameter && newKey(session.implementation, parameter)) ?? known;
    call = (parameter && withParameter(call, parameter, value)) ?? call;
  }
  if (recipe.body) {
    const { asShown } = recipe.body;
    call.json =
      asShown === undefined
        ? await bodyFrom(session, operation, recipe, exchangeOf)
        : await bodyAsShown(session, operation, call, asShown);
    const form = otherBody(operation, recipe);
    if (form !== undefined) {
      call.form = form;
    }
    if (recipe.mediaType !== undefined) {
      call.headers = { ...call.headers, 'content-type': recipe.mediaType };
    }
  }
  call = withNamesOfPath(call, recipe.body);
  if (recipe.needsEntityTag) {
    return withEntityTag(session, operation, call);
  }
  return call;
}

/** Makes the calls on the item of a path that come first. @throws Blocked if one is refused */
async function takeSteps(
  session: Session,
  { before = [] }: Recipe,
  path: Record<string, string>,
): Promise<void> {
  for (const operationId of before) {
    const step = session.operation(operationId);
    const { recipe } = session.implementation.survey[operationId] ?? {};
    if (recipe === undefined) {
      throw new Blocked(operationId, 'it was not reached');
    }
    const names = pathParameters(step).map(({ name }) => name);
    const given = Object.fromEntries(names.map((name) => [name, memberOf(path, name) ?? '']));
    const ofItem: PathRecipe = { ...recipe.path, given, sources: [], lent: [], fresh: [] };
    const onItem: Recipe = { ...recipe, path: ofItem, before: [] };
    const { status } = await session.call(operationId, await callFrom(session, step, onItem));
    if (status >= 300) {
      throw new Blocked(operationId, `it responded ${status}`);
    }
  }
}

/** Another key for each request that is not a repetition; undefined for other parameters. */
export function newKey({ contract }: Implementation, parameter: Parameter): string | undefined {
  return isIdempotencyKey(parameter) ? freshName(contract, parameter, CHANCE) : undefined;
}

async function parameterValue(
  { path }: Operation,
  { name, value, source }: ParameterValue,
  exchangeOf: ExchangeOf,
): Promise<unknown> {
  if (source === undefined) {
    return value;
  }
  const found = evaluate(source.values[name], await exchangeOf(source));
  if (found === undefined) {
    throw new NotPossible(`${source.operationId} gives no value for ${name} of ${path}`);
  }
  return found;
}

async function pathFrom(
  session: Session,
  operation: Operation,
  { path: recipe, waitMs }: Recipe,
  exchangeOf: ExchangeOf,
): Promise<Record<string, string>> {
  const path: Record<string, string> = { ...recipe.given };
  for (const name of recipe.lent) {
    setMember(path, name, await lentValue(session, operation, name));
  }
  for (const source of recipe.sources) {
    const exchange = await exchangeOf(source);
    for (const [name, expression] of Object.entries(source.values)) {
      const value = evaluate(expression, exchange);
      if (value === undefined) {
        const where = `${expression} of ${source.operationId}`;
        throw new NotPossible(`${where} gives no value for {${name}} of ${operation.path}`);
      }
      setMember(path, name, value);
    }
  }
  for (const name of recipe.fresh) {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    if (parameter !== undefined) {
      setMember(path, name, await newName(session, operation, parameter, path));
    }
  }
  if (waitMs > 0 && recipe.sources.length > 0) {
    await sleep(waitMs);
  }
  return path;
}

/**
 * The store that lends values for a path parameter of the operation; undefined if there is none.
 */
export function lenderOf(
  { api }: Implementation,
  { operationId }: Operation,
  name: string,
): Lender | undefined {
  const { parameters = {}, parametersOf = {} } = api.callData ?? {};
  return memberOf(memberOf(parametersOf, operationId), name) ?? memberOf(parameters, name);
}

/** The value that a user lends for a path parameter, as `--data` has it. */
async function lentValue(session: Session, operation: Operation, name: string): Promise<string> {
  const lender = lenderOf(session.implementation, operation, name);
  if (lender === undefined) {
    throw new NotPossible(`--data has no value for {${name}} of ${operation.path}`);
  }
  const value = await lender(session, operation);
  session.implementation.lent.add(`${name}=${value}`);
  return value;
}

/** The body that the service takes in place of the one that the contract prefers. */
export const otherBody = (
  { requestBody }: Operation,
  { otherKind }: Pick<Recipe, 'otherKind'>,
): RequestBody | undefined => requestBody?.others.find(({ mediaType }) => mediaType === otherKind);

/**
 * The body of a recipe, with new texts where two of them may be in conflict, and with the names of
 * new items: what the survey made is not there any more.
 * @param exchangeOf default: the maker of an item is called
 */
export async function bodyFrom(
  session: Session,
  operation: Operation,
  recipe: Recipe,
  exchangeOf: ExchangeOf = (source) => callOfSource(session, source),
): Promise<unknown> {
  const { api, contract, unconfirmed } = session.implementation;
  const { body } = recipe;
  const { operationId } = operation;
  const requestBody = otherBody(operation, recipe) ?? operation.requestBody;
  if (!body || !requestBody) {
    return undefined;
  }
  const given = api.callData?.bodies?.[operationId];
  if (given) {
    return given(session);
  }
  let json = structuredClone(body.json);
  // If any body works, some services still take two items with the same name for one.
  if (body.isFresh || body.kind === 'generated') {
    const { random, kept } = session;
    const freshness = { random, keep: body.shown, tested: kept };
    const fresh = freshBody(asRequest(contract), [requestBody.pointer], json, freshness);
    unconfirmed.noteFresh(json, fresh);
    json = fresh;
  }
  // What led to a conflict may be used up.
  return namingNewItems(session, body, json, body.isFresh ? undefined : exchangeOf);
}

/**
 * The body with the names of new items in place of those that were made before: these may be gone,
 * or used up, as a book that is lent. Members under test stay as they are.
 * @param exchangeOf default: the maker of an item is called
 */
export async function namingNewItems<Body>(
  session: Session,
  { makers = [] }: Pick<BodyRecipe, 'makers'>,
  json: Body,
  exchangeOf: ExchangeOf = (source) => callOfSource(session, source),
): Promise<Body> {
  const { kept } = session;
  if (!isObject(json)) {
    return json;
  }
  const members = { ...json };
  for (const maker of makers) {
    // Null names nothing, and an item that is shown whole is no name.
    const names = Object.keys(maker.values).filter((name) => {
      return isScalar(memberOf(json, name)) && !kept.includes(name);
    });
    if (names.length === 0) {
      continue;
    }
    const exchange = await exchangeOf(maker);
    for (const name of names) {
      setMember(members, name, valueFrom(maker.values[name], exchange));
    }
  }
  return members;
}

/**
 * Whether a call after this status can have other data. After a conflict, the texts of the body are
 * new ones from now on.
 */
function variesAfter({ body }: Recipe, status: number): boolean {
  if (body === undefined) {
    return false;
  }
  if (status === 409) {
    body.isFresh = true;
  }
  return status === 409 || body.kind === 'generated';
}

/** The number of times that an operation is called with other data after a refusal. */
const MOST_CALLS = 3;

/**
 * Calls an operation by its recipe until a call is accepted.
 * @throws Blocked if none is; and what `callFrom` and the call throw
 */
export async function callAccepted(
  session: Session,
  operation: Operation,
  recipe: Recipe,
  exchangeOf?: ExchangeOf,
): Promise<Exchange> {
  const { operationId } = operation;
  let status = 0;
  for (let attempt = 0; attempt < MOST_CALLS; attempt++) {
    const input = await callFrom(session, operation, recipe, exchangeOf);
    const response = await session.call(operationId, input);
    if (isSuccessOf(operation, response.status)) {
      return { input, response };
    }
    status = response.status;
    if (!variesAfter(recipe, status)) {
      break;
    }
  }
  throw new Blocked(operationId, `it responded ${status}`);
}

/**
 * Calls a source. Its own requirements check whether its success is the documented one.
 * @throws Blocked
 */
async function callOfSource(session: Session, { operationId }: Source): Promise<Exchange> {
  const operation = session.operation(operationId);
  const surveyed = session.implementation.survey[operationId];
  if (!surveyed?.isReached || surveyed.recipe === undefined) {
    throw new Blocked(operationId, surveyed?.reason ?? 'it was not reached');
  }
  return callAccepted(session, operation, surveyed.recipe);
}
