/**
 * Laws of POSTs that make several items at once, as far as the contract says so in words: all of
 * them or none, and in the order of the request.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import { type Operation, operationsOf, type RequestBody } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { expectThat, ifPossible, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { validCall } from '../requirements/calls.ts';
import {
  basedRequirement,
  once,
  type Property,
  type Requirement,
  statedIn,
} from '../requirements/requirement.ts';
import { bodiesOf } from './inference/bodies.ts';
import { creationView, listsIn, type Marked, type Members, withMark } from './marked-items.ts';
import { pick } from './resource.ts';

/** A POST whose body has a list of items. */
interface Batch {
  operation: Operation;
  requestBody: RequestBody;
  /** The member of the body that is the list; undefined: the body itself. */
  member: string | undefined;
  items: Shape;
  /** The number of items that a request may have. */
  most: number;
}

export function batchLaws(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const operation of operationsOf(contract)) {
    const batch = batchOf(contract, operation);
    if (batch !== undefined) {
      requirements.push(...lawsOf(contract, batch));
    }
  }
  return statedIn('engine/laws/batches.ts', requirements);
}

function batchOf(contract: Contract, operation: Operation): Batch | undefined {
  const { method, requestBody, unsupported } = operation;
  const isUsable = method === 'POST' && unsupported === undefined;
  if (!isUsable || requestBody === null || !isJson(requestBody.mediaType)) {
    return undefined;
  }
  const body = shapeOf(asRequest(contract), requestBody.pointer);
  if (body.items !== undefined) {
    return { operation, requestBody, member: undefined, items: body.items, most: mostIn(body) };
  }
  const [member, ...others] = body.required;
  const list = member === undefined ? undefined : body.properties.get(member);
  if (list?.items === undefined || others.length > 0) {
    return undefined;
  }
  return { operation, requestBody, member, items: list.items, most: mostIn(list) };
}

const mostIn = (list: Shape): number => strictest(list, 'maxItems') ?? Infinity;

const ALL_OR_NONE = /\ball\b[^.]{0,60}\bor none\b|\ball[- ]or[- ]nothing\b|\batomic(ally)?\b/i;

const IN_ORDER = /\bin the (same )?order (of|as in) the (request|body)\b|\bin the same order\b/i;

function lawsOf(contract: Contract, batch: Batch): Requirement[] {
  const { operation } = batch;
  const { operationId } = operation;
  const words = wordsAt(contract, operation.pointer, ...successesOf(operation));
  const properties: Property[] = [];
  if (ALL_OR_NONE.test(words)) {
    properties.push(once('one of several is wrong', (session) => tryOneWrong(session, batch)));
  }
  if (IN_ORDER.test(words)) {
    properties.push(once('the order of the response', (session) => tryOrder(session, batch)));
  }
  if (properties.length === 0) {
    return [];
  }
  return [
    basedRequirement(operation, 'batch', {
      stated: operation,
      sentence: `${operationId} makes all items of a request, as its words say, or none.`,
      properties: () => properties,
    }),
  ];
}

const successesOf = ({ responses }: Operation): string[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { pointer }]) => pointer);

/** The items, in the body of a call. */
function callWith(call: CallInput, { member }: Batch, items: readonly Members[]): CallInput {
  if (member === undefined) {
    return { ...call, json: items };
  }
  return { ...call, json: { ...Object(call.json), [member]: items } };
}

/** An item with a text that nobody has sent. @throws NotPossible */
function newItem(session: Session, { operation, requestBody, items }: Batch): Marked {
  const { contract } = session.implementation;
  const bodies = bodiesOf(asRequest(contract), items.roots, true);
  const [pointer] = items.roots;
  const json = bodies?.full();
  if (json === undefined || pointer === undefined) {
    throw new NotPossible(`the items of ${operation.operationId} need not be objects`);
  }
  return withMark(session, { ...operation, requestBody: { ...requestBody, pointer } }, { json });
}

async function tryOneWrong(session: Session, batch: Batch): Promise<void> {
  const { operationId } = batch.operation;
  const call = await validCall(session, operationId);
  const send = (items: readonly Members[]) =>
    session.call(operationId, callWith(call, batch, items));
  const accepted = newItem(session, batch);
  const { status } = await send([accepted.json]);
  if (status >= 300) {
    throw new NotPossible(`${operationId} refuses what the contract allows (${status})`);
  }
  const view = await viewOf(session, batch, { ...accepted, input: call });
  const right = { ...newItem(session, batch), input: call };
  const wrong = wrongItem(session, batch, newItem(session, batch).json);
  const refused = await send([right.json, wrong]);
  if (refused.status < 400) {
    throw new NotPossible(`${operationId} accepts what the contract does not allow`);
  }
  const [item] = await view.itemsOf(right);
  if (item !== undefined) {
    throw new Nonconformity(`${operationId} refuses a request, and makes some of its items.`, {
      expected: `nothing new in ${view.operation.operationId} after ${refused.status}`,
      got: show(item, MOST_SHOWN),
      kind: 'effect',
    });
  }
}

const MOST_SHOWN = 300;

/** The list that shows the items: at the path, or at the one before its last part. */
async function viewOf(session: Session, { operation }: Batch, made: Marked) {
  const { path } = operation;
  for (const one of [path.replace(/:\w+$|\/[^/{}]+$/, ''), path]) {
    const view = await ifPossible(() => creationView(session, { ...operation, path: one }, made));
    if (view !== undefined) {
      return view;
    }
  }
  throw new NotPossible(`nothing shows what ${operation.operationId} has made`);
}

/** The item with one member of another type. @throws NotPossible */
function wrongItem(session: Session, { operation, items }: Batch, right: Members): Members {
  const schemas = schemasOf(asRequest(session.implementation.contract));
  for (const name of items.properties.keys()) {
    const wrong = { ...right, [name]: { conformance: [] } };
    if (items.roots.some((pointer) => !schemas.isValid(pointer, wrong))) {
      return wrong;
    }
  }
  throw new NotPossible(`the items of ${operation.operationId} may be anything`);
}

/** Enough that a service which sorts them seldom has the order of the request by chance. */
const SEVERAL = 8;

async function tryOrder(session: Session, batch: Batch): Promise<void> {
  const { operationId } = batch.operation;
  const call = await validCall(session, operationId);
  const count = Math.min(SEVERAL, batch.most);
  const marked = Array.from({ length: count }, () => newItem(session, batch));
  const sent = marked.map(({ json }) => json);
  const { status, json } = await session.call(operationId, callWith(call, batch, sent));
  const shown = listsIn(json).find(({ length }) => length === count) ?? [];
  const texts = shown.filter(isObject).map((item, index) => {
    const { name = '' } = marked[index] ?? {};
    return pick(item, [name])[name];
  });
  const due = marked.map(({ mark }) => mark);
  const isSameSet = isDeepStrictEqual(texts.toSorted(), due.toSorted());
  if (status >= 300 || !isSameSet) {
    throw new NotPossible(`the response of ${operationId} does not show what was sent`);
  }
  const what = 'The response has another order than the request.';
  expectThat(isDeepStrictEqual(texts, due), what, { expected: due, got: texts });
}
