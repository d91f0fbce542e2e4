/** Ways to fill the path of an operation, from the likeliest to the least. */
import { stringifyJson } from '../contract/json-numbers.ts';
import { memberOf, setMember } from '../contract/by-name.ts';
import { allLinks, LOCATION, SHOWN } from '../contract/item-links.ts';
import type { Link } from '../contract/links.ts';
import type { Contract } from '../contract/load.ts';
import {
  type Operation,
  operationOn,
  operationsOf,
  type Parameter,
  pathParameters,
} from '../contract/operations.ts';
import type { Random } from '../generate/random.ts';
import { hasItems, isCreation, isSafe } from './left-out.ts';
import { satisfies, schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { spelled } from '../contract/spelling.ts';
import { BEFORE_KEY, withoutSlash } from '../contract/item-paths.ts';
import { isKeyword } from '../contract/nouns.ts';
import type { PathRecipe, Source } from '../http/recipe.ts';
import { evaluate } from '../http/runtime-expressions.ts';
import type { Seen, SeenCall } from './seen.ts';
import { freshName } from '../generate/fresh-names.ts';
import { generatedValue, hasFewValues, shortNames, statedValues, textInPath } from './values.ts';

/** The value of one path parameter. */
export interface ParameterCandidate {
  source?: Source;
  value?: string;
  isFresh?: boolean;
  /** Whether the user lends it. */
  isLent?: boolean;
  /**
   * Whether the run makes the resource that it names. `perhaps`: a POST gives it, and the contract
   * does not say that it names the resource which the POST makes.
   */
  isOwn: boolean | 'perhaps';
  /** Whether the contract says so, by a link or by the form of its paths. */
  isStated?: boolean;
  how: string;
}

export interface PathCandidate extends Omit<PathRecipe, 'isOwn'> {
  isOwn: boolean | 'perhaps';
}

/** The knowledge of the survey, and the way in which it learns more. */
export interface Surroundings {
  contract: Contract;
  seen: Seen;
  random: Random;
  /** The source of lent values for a path parameter, in words; undefined if there is none. */
  lentBy(operation: Operation, name: string): string | undefined;
  /** Reaches another operation, unless that one waits for this one. */
  reach(operation: Operation): Promise<SeenCall | undefined>;
}

/** The number of guesses: further ones are too unlikely. */
const MOST_OF_A_CALL = 4;

/**
 * The candidates for a path.
 * @yields a path for each candidate of the last parameter; the others have their likeliest values
 */
export async function* pathCandidates(
  operation: Operation,
  surroundings: Surroundings,
): AsyncGenerator<PathCandidate> {
  const last = pathParameters(operation).at(-1);
  if (last === undefined) {
    yield { ...NOTHING_FILLED, how: 'its path alone' };
    return;
  }
  const known = new Set<string>();
  const inPlace = await madeInPlace(operation, surroundings);
  if (inPlace) {
    yield inPlace;
  }
  for await (const candidate of parameterCandidates(operation, last, surroundings)) {
    const path = await completed(operation, last, candidate, surroundings);
    const key = stringifyJson(path && [path.sources, path.given, path.fresh]);
    if (path && !known.has(key)) {
      known.add(key);
      yield path;
    }
  }
}

/** No parameter is filled yet. */
const NOTHING_FILLED: Omit<PathCandidate, 'how'> = {
  sources: [],
  given: {},
  lent: [],
  fresh: [],
  isGuess: false,
  isOwn: false,
};

/** The resource that a PUT at the same path makes, such as the picture of a book. */
async function madeInPlace(
  operation: Operation,
  { contract, reach }: Surroundings,
): Promise<PathCandidate | undefined> {
  const { path, method } = operation;
  const put = operationsOf(contract).find((one) => one.method === 'PUT' && one.path === path);
  if (!put || method === 'PUT' || withoutSlash(path).endsWith('}')) {
    return undefined;
  }
  const call = await reach(put);
  if (!call) {
    return undefined;
  }
  const source = { operationId: put.operationId, values: sameParameters(put) };
  const how = `what ${put.operationId} makes`;
  return { ...NOTHING_FILLED, sources: [source], isOwn: true, how };
}

/** The path with the other parameters filled; undefined if no value is known for one of them. */
async function completed(
  operation: Operation,
  last: Parameter,
  candidate: ParameterCandidate,
  surroundings: Surroundings,
): Promise<PathCandidate | undefined> {
  const { isOwn, isStated, how } = candidate;
  const isGuess = isStated !== true;
  const path: PathCandidate = { sources: [], given: {}, lent: [], fresh: [], isGuess, isOwn, how };
  const filled = new Set<string>();
  fill(path, filled, last, candidate);
  for (const parameter of pathParameters(operation).toReversed()) {
    if (filled.has(parameter.name)) {
      continue;
    }
    const first = await firstOf(parameterCandidates(operation, parameter, surroundings));
    if (first === undefined) {
      return undefined;
    }
    fill(path, filled, parameter, first);
  }
  return path;
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of all) {
    return one;
  }
  return undefined;
}

function fill(
  path: PathCandidate,
  filled: Set<string>,
  { name }: Parameter,
  { source, value, isFresh, isLent }: ParameterCandidate,
): void {
  filled.add(name);
  if (source) {
    // The source of the last parameter is called last.
    path.sources.unshift(source);
    Object.keys(source.values).forEach((one) => filled.add(one));
  } else if (isFresh) {
    path.fresh.push(name);
  } else if (isLent) {
    path.lent.push(name);
  } else if (value !== undefined) {
    setMember(path.given, name, value);
  }
}

async function* parameterCandidates(
  operation: Operation,
  parameter: Parameter,
  surroundings: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  const { contract } = surroundings;
  const lentBy = surroundings.lentBy(operation, parameter.name);
  if (lentBy !== undefined) {
    yield { isLent: true, isOwn: false, how: `${parameter.name} of ${lentBy}` };
  }
  yield* linkedCandidates(operation, parameter, surroundings);
  const isRoot = mayNameRoot(contract, operation, parameter);
  const root: ParameterCandidate = { value: '', isOwn: false, how: `an empty ${parameter.name}` };
  if (isRoot && operation.method === 'POST') {
    yield root;
  }
  yield* madeByPost(operation, parameter, surroundings);
  yield* madeByPut(operation, parameter, surroundings);
  yield* listed(operation, parameter, surroundings);
  yield* named(operation, parameter, surroundings);
  for (const stated of statedValues(contract, parameter)) {
    const text = textInPath(parameter, stated.value);
    if (text !== undefined) {
      yield { value: text, isOwn: false, how: `${stated.how} for ${parameter.name}` };
    }
  }
  yield* suggested(parameter, surroundings);
  if (isRoot && operation.method === 'GET') {
    yield root;
  }
  // A removal of what does not exist, or an action on it, changes nothing.
  const isHarmless = operation.method === 'DELETE' || isAction(operation);
  if (isHarmless && freshName(contract, parameter, surroundings.random) !== undefined) {
    yield { isFresh: true, isOwn: true, how: `a long random name for ${parameter.name}` };
  }
}

/**
 * Whether an empty value may name the root of a tree, whose items have paths in place of ids: the
 * last parameter of a path that is no item of another operation.
 */
function mayNameRoot(contract: Contract, operation: Operation, parameter: Parameter): boolean {
  const { path } = operation;
  const { name, schema } = parameter;
  const isLast = path.endsWith(`/{${name}}`);
  const before = pathBefore(operation, parameter);
  const isItem = operationsOf(contract).some((one) => withoutSlash(one.path) === before);
  const isText = shapeOf(contract, schema).types.has('string');
  return isLast && isText && !isItem && schemasOf(contract).isValid(schema, '');
}

/** Whether a call named the root by the parameter: it shows, or makes, what is in the root. */
const isAtRoot = ({ input }: SeenCall, { name }: Parameter): boolean =>
  memberOf(input.path ?? {}, name) === '';

/** A POST below an item, such as `/servers/{id}/restart` and `/servers/{id}/disks`. */
const isAction = ({ method, path }: Operation): boolean =>
  method === 'POST' && !withoutSlash(path).endsWith('}');

/** The part of the path before the parameter, without what stands between an item and its key. */
const pathBefore = ({ path }: Operation, { name }: Parameter): string =>
  path.slice(0, path.indexOf(`{${name}}`)).replace(BEFORE_KEY, '');

/** The path of the collection: `/variables` of `/variables/name/{name}`, too. */
function collectionOf(operation: Operation, parameter: Parameter): string {
  const before = pathBefore(operation, parameter);
  const end = before.lastIndexOf('/');
  const last = before.slice(end + 1);
  if (end > 0 && isKeyword(last, parameter.name)) {
    return before.slice(0, end);
  }
  return before;
}

/** The part of the path up to the parameter. */
const pathUpTo = ({ path }: Operation, { name }: Parameter): string =>
  path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);

const sameParameters = (operation: Operation): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const { name } of pathParameters(operation)) {
    setMember(values, name, `$request.path.${name}`);
  }
  return values;
};

/** A source whose own path has the parameters that both have in common. */
function sourceOf(target: Operation, from: Operation, values: Record<string, string>): Source {
  const shared = sameParameters(from);
  const names = pathParameters(target).map(({ name }) => name);
  const common = Object.entries(shared).filter(([name]) => names.includes(name));
  return { operationId: from.operationId, values: { ...Object.fromEntries(common), ...values } };
}

/** Links that the contract states, and those that follow from its paths by convention. */
async function* linkedCandidates(
  operation: Operation,
  parameter: Parameter,
  { contract, reach }: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  const item = pathUpTo(operation, parameter);
  const links = allLinks(contract).filter(
    ({ to, parameters }) =>
      Object.hasOwn(parameters, parameter.name) &&
      (to === operation || pathUpTo(to, parameter) === item),
  );
  const isDirect = ({ to }: Link) => Number(to === operation);
  const direct = links.toSorted((one, other) => isDirect(other) - isDirect(one));
  for (const { from, parameters, isGuess } of direct) {
    const expression = memberOf(parameters, parameter.name);
    // A value of its own path is one that the source itself needs. The key and the `Location` of a
    // response are candidates of their own.
    const isOfPath = String(expression).startsWith('$request.path');
    if (from === operation || expression === SHOWN || expression === LOCATION || isOfPath) {
      continue;
    }
    const call = await reach(from);
    if (call !== undefined) {
      const values: Record<string, string> = {};
      for (const [name, one] of Object.entries(parameters)) {
        setMember(values, name, String(one));
      }
      const how = `what ${from.operationId} gives by ${String(expression)}`;
      const isMaking = from.method === 'POST' || from.method === 'PUT';
      const source = sourceOf(operation, from, values);
      yield { source, isOwn: isMaking, isStated: isGuess !== true, how };
    }
  }
}

/** The responses of POSTs: at the collection first, then at any path, by names. */
export async function* madeByPost(
  operation: Operation,
  parameter: Parameter,
  { contract, seen, reach }: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  const collection = collectionOf(operation, parameter);
  const makers = makersOf(contract, operation, collection);
  for (const maker of makers) {
    await reach(maker);
  }
  const calls = [...makers, ...otherPosts(seen, makers)].flatMap((one) => seen.callOf(one) ?? []);
  for (const call of calls) {
    const isAtCollection = makers.includes(call.operation);
    const isLoose = isAtCollection || isAtRoot(call, parameter);
    const found = seen.findingsIn(call, operation.path, parameter.name, isLoose);
    const findings = ofItsType(contract, parameter, call, found);
    for (const expression of findings.slice(0, MOST_OF_A_CALL)) {
      const source = sourceOf(operation, call.operation, { [parameter.name]: expression });
      const how = `${expression} of ${call.operation.operationId}`;
      yield { source, isOwn: isAtCollection ? isGiven(expression) : 'perhaps', how };
    }
  }
}

/**
 * The findings whose values are of a type that the parameter has, such as no text for a number; all
 * if none is: the contract may err.
 */
function ofItsType(
  contract: Contract,
  { schema }: Parameter,
  call: SeenCall,
  findings: readonly string[],
): readonly string[] {
  const shape = shapeOf(contract, schema);
  const isNumber = [...shape.types].every((type) => type === 'integer' || type === 'number');
  if (!isNumber) {
    return findings;
  }
  const numbers = findings.filter((expression) => {
    return typeof spelled(shape, evaluate(expression, call) ?? '') === 'number';
  });
  if (numbers.length > 0) {
    return numbers;
  }
  return findings;
}

/** A service that takes the name from the request may return a resource that existed before. */
const isGiven = (expression: string): true | 'perhaps' =>
  expression.startsWith('$request') ? 'perhaps' : true;

/**
 * POSTs that make the resource of the path: at its collection, or at one of the same name
 * elsewhere.
 */
function makersOf(contract: Contract, operation: Operation, collection: string): Operation[] {
  const posts = operationsOf(contract).filter(
    (one) => isCreation(contract, one) && one !== operation && one.unsupported === undefined,
  );
  const noun = collection.slice(collection.lastIndexOf('/'));
  const direct = posts.filter(({ path }) => withoutSlash(path) === collection);
  const nested = posts.filter(
    ({ path }) => noun.length > 1 && withoutSlash(path).endsWith(noun) && path.includes('{'),
  );
  return [...new Set([...direct, ...nested])];
}

function otherPosts(seen: Seen, makers: readonly Operation[]): Operation[] {
  const calls = seen.calls.filter(({ operation }) => operation.method === 'POST');
  return calls.map(({ operation }) => operation).filter((one) => !makers.includes(one));
}

/** Whether a name is surely new, or a GET of the item can show that a short one is free. */
function hasNewName(
  contract: Contract,
  put: Operation,
  parameter: Parameter,
  random: Random,
): boolean {
  const isSure = freshName(contract, parameter, random) !== undefined;
  const canLook = operationOn(contract, 'GET', put.path) !== undefined;
  return isSure || (canLook && shortNames(contract, parameter, random).length > 0);
}

/** A PUT may make the resource that a path names, with a name of the client. */
async function* madeByPut(
  operation: Operation,
  parameter: Parameter,
  { contract, random, reach }: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  const item = pathUpTo(operation, parameter);
  const put = operationsOf(contract).find(
    ({ method, path, unsupported }) =>
      method === 'PUT' && withoutSlash(path) === item && unsupported === undefined,
  );
  if (put === undefined || !hasNewName(contract, put, parameter, random)) {
    return;
  }
  if (put === operation) {
    yield { isFresh: true, isOwn: true, how: `a new name for ${parameter.name}` };
    return;
  }
  const call = await reach(put);
  if (call !== undefined) {
    const source = sourceOf(operation, put, {});
    yield { source, isOwn: true, isStated: true, how: `the name that ${put.operationId} makes` };
  }
}

/** The items of the list at the collection. */
export async function* listed(
  operation: Operation,
  parameter: Parameter,
  { contract, seen, reach }: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  const collection = collectionOf(operation, parameter);
  const list = operationsOf(contract).find(
    ({ method, path }) => method === 'GET' && withoutSlash(path) === collection,
  );
  const call = list && list !== operation ? await reach(list) : undefined;
  if (call === undefined) {
    return;
  }
  const found = seen.findingsIn(call, operation.path, parameter.name, true);
  const findings = ofItsType(contract, parameter, call, found);
  for (const expression of findings.slice(0, MOST_OF_A_CALL)) {
    const source = sourceOf(operation, call.operation, { [parameter.name]: expression });
    yield { source, isOwn: false, how: `an item of ${call.operation.operationId}` };
  }
  const texts = isSafe(operation) ? seen.textsIn(call) : [];
  for (const expression of texts.slice(0, MOST_TEXTS)) {
    const source = sourceOf(operation, call.operation, { [parameter.name]: expression });
    yield { source, isOwn: false, how: `a name that ${call.operation.operationId} lists` };
  }
}

/** Of lists of names. */
const MOST_TEXTS = 8;

/** Members of the same name in the responses of reads at any path. */
async function* named(
  operation: Operation,
  parameter: Parameter,
  { contract, seen }: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  for (const call of seen.calls) {
    if (call.operation === operation || !isSafe(call.operation)) {
      continue;
    }
    const isLoose = isAtRoot(call, parameter);
    const found = seen.findingsIn(call, operation.path, parameter.name, isLoose);
    const [first] = ofItsType(contract, parameter, call, found);
    if (first !== undefined) {
      const source = sourceOf(operation, call.operation, { [parameter.name]: first });
      yield { source, isOwn: false, how: `what ${call.operation.operationId} shows` };
    }
  }
}

/** Values that the type alone suggests. */
function* suggested(
  parameter: Parameter,
  { contract, random }: Surroundings,
): Generator<ParameterCandidate> {
  const generated = generatedValue(contract, parameter, { hints: {}, random });
  const one = spelled(shapeOf(contract, parameter.schema), '1');
  const isOne = !hasFewValues(contract, parameter) && satisfies(contract, [parameter.schema], one);
  const values = isOne ? ['1'] : [];
  const texts = [...values, generated && textInPath(parameter, generated.value)];
  for (const value of texts) {
    if (value !== undefined && value !== '') {
      yield { value, isOwn: false, how: `${parameter.name} by its type` };
    }
  }
}

/**
 * Whether the operation makes something inside the resource that its path names: a parent, which
 * may belong to others.
 */
export function isCreationBelow(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST' || withoutSlash(operation.path).endsWith('}')) {
    return false;
  }
  const isListed = operationsOf(contract).some(
    ({ method, path }) => method === 'GET' && path === operation.path,
  );
  return isListed || hasItems(contract, operation);
}
