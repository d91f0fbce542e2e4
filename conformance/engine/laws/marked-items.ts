/**
 * Items that a list shows, or a read by a name of the client, found by a text that nobody else has
 * sent: the mark of the body that made them.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { withoutSlash } from '../contract/item-paths.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { asRequest } from '../contract/variants.ts';
import { freshBody } from '../generate/fresh-bodies.ts';
import { type CallInput, requestOf, type Sending } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import { HttpResponse } from '../http/response.ts';
import { evaluate } from '../http/runtime-expressions.ts';
import type { Session } from '../http/session.ts';
import { type AcceptedCall, LEAST_LENGTH } from '../http/unconfirmed.ts';
import { withRequired } from '../requirements/calls.ts';

export type Members = Record<string, unknown>;

/** A call of a creation, with the text that tells its body from all others. */
export interface Marked {
  input: CallInput;
  json: Members;
  /** The name of the member that holds the mark. */
  name: string;
  mark: string;
}

/**
 * The call with new texts in its body.
 * @throws NotPossible if its schema allows no other text
 */
export function withMark(session: Session, operation: Operation, input: CallInput): Marked {
  const { contract, survey, unconfirmed } = session.implementation;
  const { operationId, requestBody } = operation;
  const { json } = input;
  const keep = survey[operationId]?.recipe?.body?.shown ?? [];
  const pointers = requestBody === null ? [] : [requestBody.pointer];
  const fresh = freshBody(asRequest(contract), pointers, json, { keep });
  unconfirmed.noteFresh(json, fresh);
  if (isObject(fresh) && isObject(json)) {
    for (const [name, mark] of Object.entries(fresh)) {
      if (typeof mark === 'string' && mark.length >= LEAST_LENGTH && mark !== json[name]) {
        return { input: { ...input, json: fresh }, json: fresh, name, mark };
      }
    }
  }
  throw new NotPossible(`no text in the body of ${operationId} tells one item from another`);
}

/** A way to see what a creation has made. */
export interface View {
  operation: Operation;
  /** The items that show the mark. */
  itemsOf(marked: Marked): Promise<unknown[]>;
}

/**
 * The first view that shows what a call has made, and nothing for a mark that nothing has.
 * @param made a call that was accepted
 * @throws NotPossible if no view does
 */
export async function creationView(
  session: Session,
  operation: Operation,
  made: Marked,
): Promise<View> {
  const { contract } = session.implementation;
  const mark = `${made.mark}-none`;
  const none: Marked = { ...made, mark, json: { ...made.json, [made.name]: mark } };
  const views = [
    ...listsFor(contract, operation).map((one) => listView(session, one)),
    ...readsOfItems(contract, operation).map((one) => nameView(session, operation, one)),
  ];
  for (const view of views) {
    if (view !== undefined && (await view.itemsOf(made)).length > 0) {
      const isTold = (await view.itemsOf(none)).length === 0;
      if (isTold) {
        return view;
      }
    }
  }
  throw new NotPossible(`nothing shows what ${operation.operationId} has made`);
}

/** Whether the contract has a GET that may show what the operation makes. */
export const mayBeSeen = (contract: Contract, operation: Operation): boolean =>
  listsFor(contract, operation).length > 0 || readsOfItems(contract, operation).length > 0;

const MOST_LISTS = 3;

/** A list at the same path, then those below that need no other parameter. */
function listsFor(contract: Contract, { path }: Operation): Operation[] {
  const own = withoutSlash(path);
  const reads = readsOf(contract);
  const same = reads.filter((one) => withoutSlash(one.path) === own);
  const below = reads.filter(
    (one) => one.path.startsWith(`${own}/`) && !one.path.slice(own.length).includes('{'),
  );
  return [...same, ...below].slice(0, MOST_LISTS);
}

function readsOfItems(contract: Contract, { path }: Operation): Operation[] {
  const start = `${withoutSlash(path)}/{`;
  return readsOf(contract).filter((one) => one.path.startsWith(start) && one.path.endsWith('}'));
}

const readsOf = (contract: Contract): Operation[] =>
  operationsOf(contract).filter((one) => one.method === 'GET' && one.unsupported === undefined);

/** Undefined if the list was not reached. */
function listView(session: Session, list: Operation): View | undefined {
  const { implementation } = session;
  const { operationId } = list;
  if (implementation.survey[operationId]?.isReached !== true) {
    return undefined;
  }
  const itemsOf = async ({ input, mark }: Marked): Promise<unknown[]> => {
    const { path = {} } = input;
    const call = withRequired(implementation, list, { path: partOf(path, list) });
    const { status, json } = await session.call(operationId, call);
    return status < 300 ? itemsWith(json, mark) : [];
  };
  return { operation: list, itemsOf };
}

/** The values for the parameters of the path that the operation has. */
function partOf(path: Record<string, string>, { parameters }: Operation): Record<string, string> {
  const part: Record<string, string> = {};
  for (const { name, in: place } of parameters) {
    const value = memberOf(path, name);
    if (place === 'path' && value !== undefined) {
      setMember(part, name, value);
    }
  }
  return part;
}

/** Undefined if the read was not reached, or if the client does not name the items. */
function nameView(session: Session, from: Operation, read: Operation): View | undefined {
  const { implementation } = session;
  const { operationId } = read;
  const { isReached, recipe } = implementation.survey[operationId] ?? {};
  const source = recipe?.path.sources.at(-1);
  if (isReached !== true || source?.operationId !== from.operationId) {
    return undefined;
  }
  const expressions = Object.entries(source.values);
  const isNamedByClient = expressions.some(([, one]) => one.startsWith('$request.body'));
  if (!isNamedByClient) {
    return undefined;
  }
  const itemsOf = async ({ input, json: sent }: Marked): Promise<unknown[]> => {
    const path: Record<string, string> = { ...input.path };
    const exchange = { input: { ...input, json: sent }, response: { headers: {}, json: {} } };
    for (const [name, expression] of expressions) {
      setMember(path, name, evaluate(expression, exchange) ?? '');
    }
    const call = withRequired(implementation, read, { path: partOf(path, read) });
    const { status, json } = await session.call(operationId, call);
    return status < 300 ? [json] : [];
  };
  return { operation: read, itemsOf };
}

const MOST_DEPTH = 4;

/** The items of all lists in a response that are the mark, or have a member that is. */
const itemsWith = (json: unknown, mark: string): unknown[] =>
  listsIn(json)
    .flat()
    .filter((item) => has(item, mark));

/** The outermost lists in a response. */
export function listsIn(json: unknown, depth = 0): unknown[][] {
  if (Array.isArray(json)) {
    return [json];
  }
  if (!isObject(json) || depth > MOST_DEPTH) {
    return [];
  }
  return Object.values(json).flatMap((one) => listsIn(one, depth + 1));
}

/** Whether a value is the mark, or has it among its members or theirs. */
function has(value: unknown, mark: string, depth = 0): boolean {
  if (!isObject(value)) {
    return value === mark;
  }
  return depth < 2 && Object.values(value).some((one) => has(one, mark, depth + 1));
}

/**
 * The response that the creation of an item would have had.
 * @param accepted a call of the same operation that was accepted, whose response has the form
 */
export function responseFor(item: unknown, accepted: AcceptedCall | undefined): HttpResponse {
  const sent = Object(accepted?.input.json) as Members;
  const texts = new Set(Object.values(sent).filter((one) => typeof one === 'string'));
  const json = withItem(accepted?.response.json, texts, item) ?? item;
  return new HttpResponse({ status: 201, headers: {}, body: Buffer.from(JSON.stringify(json)) });
}

/**
 * The value with an item in place of the object that has one of the texts; undefined if none has.
 */
function withItem(value: unknown, texts: ReadonlySet<unknown>, item: unknown): unknown {
  if (!isObject(value)) {
    return undefined;
  }
  if (Object.values(value).some((one) => texts.has(one))) {
    return item;
  }
  for (const [name, member] of Object.entries(value)) {
    const replaced = withItem(member, texts, item);
    if (replaced !== undefined) {
      return { ...value, [name]: replaced };
    }
  }
  return undefined;
}

/** The requests that may show what a creation at a path has made: lists that were reached. */
export function listRequests(
  implementation: Implementation,
  operation: Operation,
  path: CallInput['path'] = {},
): Sending[] {
  const { contract, survey } = implementation;
  const reached = listsFor(contract, operation).filter(
    ({ operationId }) => survey[operationId]?.isReached === true,
  );
  return reached.map((list) => {
    const call = withRequired(implementation, list, { path: partOf(path, list) });
    return requestOf(list, call);
  });
}
