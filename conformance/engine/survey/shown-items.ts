/**
 * Bodies that replace an item by what a read of it shows, with one member changed: services refuse
 * another code or kind than the item has, though no schema says so.
 */
import { setMember } from '../contract/by-name.ts';
import { branchesOf } from '../contract/kinds.ts';
import { isJson } from '../contract/media-types.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { isPatterned, type Shape, texts } from '../contract/shape.ts';
import { asRequest, isMarked } from '../contract/variants.ts';
import { letters } from '../generate/fresh.ts';
import type { Random } from '../generate/random.ts';
import { type CallInput, requestOf } from '../http/call.ts';
import { type Implementation, operationBeside, type Session } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { BodyCandidate } from './body-candidates.ts';

type Members = Record<string, unknown>;

const WORD = 10;

/** Members to change, one after the other: some may be fixed. */
const MOST_CHANGES = 3;

/** The bodies for a PUT of an item that a GET shows; none for any other operation. */
export function shownCandidates(
  implementation: Implementation,
  operation: Operation,
  random: Random,
): BodyCandidate[] {
  const { method, path, requestBody } = operation;
  const read = operationBeside(implementation, operation, 'GET');
  // One that makes what it names is reached with a new name.
  const makes = '201' in operation.responses;
  const isOfItem = method === 'PUT' && path.endsWith('}') && read !== undefined && !makes;
  if (!isOfItem || requestBody === null || !isJson(requestBody.mediaType)) {
    return [];
  }
  const shapes = branchesOf(asRequest(implementation.contract), requestBody.pointer);
  const words = shapes.flatMap(({ properties }) => {
    return [...properties].filter(([, shape]) => isWord(shape)).map(([name]) => name);
  });
  const names = [...new Set(words)].slice(0, MOST_CHANGES);
  const changed = names.map((name): BodyCandidate => {
    const asShown = { [name]: letters(WORD, random) };
    const how = `the item as it is shown, with another ${name}`;
    return { kind: 'fixed', json: {}, shown: [], asShown, how };
  });
  const how = 'the item as it is shown';
  return [...changed, { kind: 'fixed', json: {}, shown: [], asShown: {}, how }];
}

/** Whether a member may be any text, and tells nothing but itself. */
const isWord = (shape: Shape): boolean =>
  shape.types.has('string') &&
  shape.choices === undefined &&
  !isPatterned(shape) &&
  texts(shape, 'format').length === 0 &&
  !isMarked(shape, 'readOnly');

/**
 * The body of a call that replaces its item by what a read of it shows.
 * @param change the members that differ
 * @throws NotPossible if the read shows no body that the contract allows
 */
export async function bodyAsShown(
  session: Session,
  operation: Operation,
  call: CallInput,
  change: Members,
): Promise<unknown> {
  const { implementation } = session;
  const read = operationBeside(implementation, operation, 'GET');
  const { operationId, requestBody } = operation;
  if (read !== undefined && requestBody !== null) {
    const given = { path: call.path ?? {} };
    const whole = implementation.api.withRequired?.(implementation, read, given) ?? given;
    const { status, json } = await session.send(requestOf(read, whole));
    const sent = asRequest(implementation.contract);
    const shapes = branchesOf(sent, requestBody.pointer);
    const items = status < 300 ? objectsIn(json) : [];
    const bodies = items.flatMap((item) => shapes.map((shape) => sendableOf(item, shape)));
    const found = bodies
      .map((body) => ({ ...body, ...change }))
      .find((body) => satisfies(sent, [requestBody.pointer], body));
    if (found !== undefined) {
      return found;
    }
  }
  throw new NotPossible(`no read shows a body for ${operationId}`);
}

/** The object, and those in its members: the item may be in one of them. */
function objectsIn(json: unknown): Members[] {
  if (!isObject(json)) {
    return [];
  }
  return [json, ...Object.values(json).filter(isObject)];
}

/** The members of an item that a request may have. */
function sendableOf(item: Members, { properties }: Shape): Members {
  const members: Members = {};
  for (const [name, shape] of properties) {
    if (Object.hasOwn(item, name) && !isMarked(shape, 'readOnly')) {
      setMember(members, name, item[name]);
    }
  }
  return members;
}
