/**
 * Laws of POSTs that take an `Idempotency-Key`, as far as the contract says what it does: a request
 * that is sent again with its key makes nothing more, and one that takes the key of another request
 * is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  isIdempotencyKey,
  type Repetition,
  repetitionOf,
  statusesOfReusedKey,
} from '../contract/idempotency-keys.ts';
import { allLinks, SHOWN } from '../contract/item-links.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf, type Parameter } from '../contract/operations.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues } from '../generate/bodies.ts';
import { samples } from '../generate/filter.ts';
import { freshName } from '../generate/fresh-names.ts';
import { CHANCE } from '../generate/random.ts';
import { type CallInput, withParameter } from '../http/call.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { expectThat, ifPossible, NotPossible } from '../http/nonconformity.ts';
import { keyIn } from '../http/response-keys.ts';
import type { HttpResponse } from '../http/response.ts';
import { evaluate, type Exchange } from '../http/runtime-expressions.ts';
import type { Session } from '../http/session.ts';
import { validCall } from '../requirements/calls.ts';
import {
  basedRequirement,
  once,
  type Property,
  type Requirement,
  statedIn,
} from '../requirements/requirement.ts';
import { creationView, type Marked, type View, withMark } from './marked-items.ts';

export function repeatedRequestLaws(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const operation of operationsOf(contract)) {
    const key = operation.parameters.find(isIdempotencyKey);
    if (operation.method === 'POST' && operation.unsupported === undefined && key) {
      requirements.push(...lawsOf(contract, operation, key));
    }
  }
  return statedIn('engine/laws/repeated-requests.ts', requirements);
}

function lawsOf(contract: Contract, operation: Operation, key: Parameter): Requirement[] {
  const { operationId, origin, requestBody } = operation;
  const properties: Property[] = [];
  const repetition = repetitionOf(contract, operation, key);
  if (repetition !== undefined) {
    const check = (session: Session) => tryAgain(session, operation, { key, repetition });
    properties.push(once('the same request', check));
  }
  const statuses = statusesOfReusedKey(contract, operation, key);
  if (statuses.length > 0 && requestBody !== null) {
    const check = (session: Session) => tryOtherBody(session, operation, { key, statuses });
    properties.push(once('another body', check));
  }
  if (properties.length === 0) {
    return [];
  }
  const { pointer } = key;
  return [
    basedRequirement(operation, 'idempotency-key', {
      stated: { origin, pointer },
      sentence: `${operationId} executes no request twice that is sent with one \`${key.name}\`.`,
      properties: () => properties,
    }),
  ];
}

/** A call with a key that nobody has used, and with a new text in its body if it has one. */
async function newCall(
  session: Session,
  operation: Operation,
  key: Parameter,
): Promise<{ input: CallInput; marked: Marked | undefined }> {
  const { contract } = session.implementation;
  const call = await validCall(session, operation.operationId);
  const value = freshName(contract, key, CHANCE);
  const whole = value === undefined ? undefined : withParameter(call, key, value);
  if (whole === undefined) {
    throw new NotPossible(`no long random ${key.name} is allowed`);
  }
  const marked = await ifPossible(() => withMark(session, operation, whole));
  return { input: marked?.input ?? whole, marked };
}

/** @throws NotPossible */
async function accepted(
  session: Session,
  { operationId }: Operation,
  input: CallInput,
): Promise<HttpResponse> {
  const response = await session.call(operationId, input);
  if (response.status >= 300) {
    throw new NotPossible(`${operationId} was not accepted (${response.status})`);
  }
  return response;
}

async function tryAgain(
  session: Session,
  operation: Operation,
  { key, repetition }: { key: Parameter; repetition: Repetition },
): Promise<void> {
  const { contract } = session.implementation;
  const { input, marked } = await newCall(session, operation, key);
  const first = await accepted(session, operation, input);
  const view = marked && (await ifPossible(() => creationView(session, operation, marked)));
  const again = await session.call(operation.operationId, input);
  const isRefused = again.status >= 400;
  if (isRefused && repetition === 'same response') {
    expectSuccess(session.implementation, operation, again, SENT_BEFORE);
  }
  const made = nameIn(contract, operation, { input, response: first });
  if (made === undefined && view === undefined) {
    throw new NotPossible(`nothing tells what ${operation.operationId} makes`);
  }
  if (!isRefused) {
    const name = nameIn(contract, operation, { input, response: again });
    const what = 'A request that is sent again with its key makes another item.';
    expectThat(name === made, what, { expected: made, got: name });
  }
  if (view && marked) {
    await expectOne(view, marked);
  }
}

const SENT_BEFORE = 'The same request was accepted before, with the same key.';

async function expectOne(view: View, marked: Marked): Promise<void> {
  const items = await view.itemsOf(marked);
  const what = 'A request that is sent again with its key makes a second item.';
  expectThat(items.length <= 1, what, { expected: 'one item', got: items });
}

/** The text by which a response names what was made; undefined if it has none. */
function nameIn(contract: Contract, operation: Operation, exchange: Exchange): string | undefined {
  const { response } = exchange;
  for (const { from, parameters } of allLinks(contract)) {
    const given = from === operation ? Object.values(parameters) : [];
    for (const expression of given) {
      const isOfResponse = String(expression).startsWith('$response.');
      const name = isOfResponse ? evaluate(expression, exchange) : undefined;
      if (name !== undefined && expression !== SHOWN) {
        return name;
      }
    }
  }
  return keyIn(response);
}

/** More bodies would show little that is new. */
const MOST_BODIES = 4;

async function tryOtherBody(
  session: Session,
  operation: Operation,
  { key, statuses }: { key: Parameter; statuses: readonly number[] },
): Promise<void> {
  const { operationId } = operation;
  const one = await newCall(session, operation, key);
  const other = await newCall(session, operation, key);
  const { json } = one.input;
  const bodies = [other.input.json, ...generatedBodies(session, operation)];
  await accepted(session, operation, one.input);
  for (const body of bodies.filter((it) => !isDeepStrictEqual(it, json))) {
    const reused = { ...one.input, json: body };
    const response = await session.call(operationId, reused);
    const isOther = response.status >= 400 && !statuses.includes(response.status);
    // The body may be the reason of another refusal.
    const isAllowed = !isOther || (await isAccepted(session, operation, key, body));
    if (isAllowed) {
      const why = 'The key was used with another body.';
      const due = { statuses, why, input: reused };
      expectRefusal(session.implementation, operation, response, due);
      return;
    }
  }
  throw new NotPossible(`${operationId} is known to take one body alone`);
}

/** Other bodies that the schema allows. */
function generatedBodies({ implementation }: Session, { requestBody }: Operation): unknown[] {
  const { contract, hints } = implementation;
  if (requestBody === null) {
    return [];
  }
  return samples(bodyValues(asRequest(contract), requestBody, hints), MOST_BODIES);
}

/** Whether a call is accepted with this body, and with its own key. */
async function isAccepted(
  session: Session,
  operation: Operation,
  key: Parameter,
  json: unknown,
): Promise<boolean> {
  const { input } = await newCall(session, operation, key);
  const { status } = await session.call(operation.operationId, { ...input, json });
  return status < 300;
}
