/**
 * Laws of POSTs whose items a GET shows: a request that is refused makes nothing. What it has made
 * all the same is removed.
 */
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { validCall } from '../requirements/calls.ts';
import { basedRequirement, once, type Requirement, statedIn } from '../requirements/requirement.ts';
import {
  type Marked,
  mayBeSeen,
  type Members,
  responseFor,
  creationView,
  withMark,
} from './marked-items.ts';

export function refusedCreationLaws(contract: Contract): Requirement[] {
  const creations = operationsOf(contract).filter((one) => makesItems(contract, one));
  return statedIn('engine/laws/refused-creations.ts', creations.map(refusedCreationLaw));
}

/** Whether a POST takes JSON, and a GET may show what it makes. */
function makesItems(contract: Contract, operation: Operation): boolean {
  const { method, requestBody, unsupported } = operation;
  const takesJson = requestBody !== null && isJson(requestBody.mediaType);
  return (
    method === 'POST' && takesJson && unsupported === undefined && mayBeSeen(contract, operation)
  );
}

function refusedCreationLaw(operation: Operation): Requirement {
  return basedRequirement(operation, 'refused', {
    stated: operation,
    sentence: `A request that ${operation.operationId} refuses makes nothing.`,
    properties: () => [
      once('requests that are wrong in one way each', (session) => tryRefused(session, operation)),
    ],
  });
}

async function tryRefused(session: Session, operation: Operation): Promise<void> {
  const { operationId } = operation;
  const made = await madeFirst(session, operation);
  const view = await creationView(session, operation, made);
  const before = (await view.itemsOf(made)).length;
  const seen = new Set<string>();
  let isRefused = false;
  for (const { kind, marked } of wrongCalls(session, operation, made)) {
    const begun = session.exchanges.length;
    const { status } = await session.call(operationId, marked.input);
    const isLikeBefore = seen.has(`${kind} ${status}`);
    seen.add(`${kind} ${status}`);
    if (status < 400 || isLikeBefore) {
      continue;
    }
    isRefused = true;
    const known = marked.mark === made.mark ? before : 0;
    const items = await view.itemsOf(marked);
    if (items.length > known) {
      const item = items.at(-1);
      session.implementation.unconfirmed.makers.add(operation);
      session.made(operationId, marked.input, responseFor(item, made));
      const { operationId: shownBy } = view.operation;
      throw new Nonconformity(
        `${operationId} refuses a request, and makes something all the same.`,
        {
          expected: `nothing new in ${shownBy} after ${status}`,
          got: show(item, MOST_SHOWN),
          kind: 'effect',
        },
      );
    }
    // A finding is shown without the requests that made nothing.
    session.exchanges.splice(begun);
  }
  if (!isRefused) {
    throw new NotPossible(`${operationId} accepts whatever was tried`);
  }
}

const MOST_SHOWN = 300;

/** A call that was accepted. */
interface Made extends Marked {
  response: HttpResponse;
}

/** @throws NotPossible if the service refuses a body with a new text */
async function madeFirst(session: Session, operation: Operation): Promise<Made> {
  const { operationId } = operation;
  const marked = withMark(session, operation, await validCall(session, operationId));
  const response = await session.call(operationId, marked.input);
  if (response.status < 200 || response.status > 299) {
    throw new NotPossible(`${operationId} refuses a body with other texts (${response.status})`);
  }
  return { ...marked, response };
}

interface WrongCall {
  /** Of the refusals of one kind with one status, the first one is looked at. */
  kind: string;
  marked: Marked;
}

/** Calls that are wrong in one way each; all but the last one have a new mark. */
function wrongCalls(session: Session, operation: Operation, made: Made): WrongCall[] {
  const calls = wrongBodies(session, operation, made).map(({ kind, change }): WrongCall => {
    const marked = withMark(session, operation, made.input);
    return { kind, marked: { ...marked, input: { ...marked.input, json: change(marked.json) } } };
  });
  const marked = withMark(session, operation, made.input);
  const headers = { ...marked.input.headers, 'content-type': 'text/plain' };
  calls.push({ kind: 'media type', marked: { ...marked, input: { ...marked.input, headers } } });
  calls.push({ kind: 'again', marked: made });
  return calls;
}

interface WrongBody {
  kind: string;
  change(json: Members): Members;
}

/** Of each kind. */
const MOST_MEMBERS = 5;

const ANOTHER_TYPE = { conformance: [] };

/** Changes that make an accepted body break its schema, and leave its mark. */
function wrongBodies(
  { implementation: { contract } }: Session,
  { requestBody }: Operation,
  { json, name: marked }: Marked,
): WrongBody[] {
  if (requestBody === null) {
    return [];
  }
  const { pointer } = requestBody;
  const sent = asRequest(contract);
  const names = [...shapeOf(sent, pointer).properties.keys()].filter((one) => one !== marked);
  const changes: WrongBody[] = [];
  for (const name of names) {
    changes.push({ kind: 'type', change: (body) => ({ ...body, [name]: ANOTHER_TYPE }) });
  }
  for (const name of names) {
    changes.push({ kind: 'required', change: (body) => without(body, name) });
  }
  changes.push({ kind: 'unknown', change: (body) => ({ ...body, conformance: 1 }) });
  const isWrong = ({ change }: WrongBody) => !schemasOf(sent).isValid(pointer, change(json));
  const wrong = changes.filter(isWrong);
  return ['type', 'required', 'unknown'].flatMap((kind) =>
    wrong.filter((one) => one.kind === kind).slice(0, MOST_MEMBERS),
  );
}

function without(body: Members, name: string): Members {
  const { [name]: _, ...rest } = body;
  return rest;
}
