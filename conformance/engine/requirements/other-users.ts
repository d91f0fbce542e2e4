/**
 * What one user makes, another one does not reach (OWASP API Security Top 10, API1:2023): each
 * operation on an item refuses the other user, and the item stays as it is; and each list leaves it
 * out. That the API has such users, the user of the suite says by giving credentials of both.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { itemPathOf } from '../contract/item-paths.ts';
import type { CallInput } from '../http/call.ts';
import { operationBeside } from '../http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { needsEntityTag, withEntityTag } from '../http/preconditions.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from './calls.ts';
import { once, type Requirement, requirementOf, statedIn } from './requirement.ts';

export function otherUserRequirements(contract: Contract): Requirement[] {
  const all = operationsOf(contract).filter(isOnItem).map(otherUserRequirement);
  return statedIn('engine/requirements/other-users.ts', all);
}

/** Whether the operation needs credentials, and is about something that a path names. */
function isOnItem({ method, path, security, responses, unsupported }: Operation): boolean {
  const isGuarded = security.length > 0 && security.every((names) => names.length > 0);
  // The other user may make an item of their own that has the name.
  const mayMake = method === 'PUT' && '201' in responses;
  return isGuarded && path.includes('{') && !mayMake && unsupported === undefined;
}

function otherUserRequirement(operation: Operation): Requirement {
  const { operationId } = operation;
  return requirementOf(operation, 'other-user', {
    stated: operation,
    sentence: `${operationId} refuses another user than the one to whom the item belongs.`,
    properties: () => [once('a new item', (session) => tryOperation(session, operation))],
  });
}

async function tryOperation(session: Session, operation: Operation): Promise<void> {
  const { operationId } = operation;
  expectOwn(session, operation);
  const input = await ownCall(session, operation);
  const before = await stateOf(session, operation, input);
  const response = await session.asOtherUser(() => session.call(operationId, input));
  expectTaken(operation, response);
  const { status } = response;
  const what = 'Another user reaches what this one has made.';
  expectThat(status >= 300, what, { expected: 'a refusal, such as 403 or 404', got: status });
  const after = await before?.readAgain();
  if (before !== undefined) {
    expectSame('The refused request of another user changed the item', after, before.json);
  }
}

/** A valid call, whole: what a service wants with it, the other user could not read. */
async function ownCall(session: Session, operation: Operation): Promise<CallInput> {
  const input = await validCall(session, operation.operationId);
  if (needsEntityTag(operation, input)) {
    return withEntityTag(session, operation, input);
  }
  return input;
}

/** @throws NotPossible unless the run makes what the path names, and the operation is reached */
function expectOwn({ implementation }: Session, { operationId }: Operation): void {
  const { isReached = false, recipe } = implementation.survey[operationId] ?? {};
  const { isOwn = false, fresh = [] } = recipe?.path ?? {};
  if (!isReached || !isOwn || fresh.length > 0) {
    throw new NotPossible(`the run makes nothing that ${operationId} can be called for`);
  }
}

/** @throws NotPossible if the service does not take the credentials of the other user at all */
export function expectTaken({ operationId }: Operation, { status }: HttpResponse): void {
  if (status === 401) {
    throw new NotPossible(`${operationId} takes the token of the other user for none (401)`);
  }
}

interface State {
  json: unknown;
  readAgain(): Promise<unknown>;
}

/** What a read shows of the item; undefined if there is none, or if it differs from the next. */
async function stateOf(
  session: Session,
  operation: Operation,
  { path = {} }: CallInput,
): Promise<State | undefined> {
  const { implementation } = session;
  const read = operationBeside(
    implementation,
    { ...operation, path: itemPathOf(operation) },
    'GET',
  );
  if (read === undefined) {
    return undefined;
  }
  const input = withRequired(implementation, read, { path });
  const readAgain = async (): Promise<unknown> => {
    const { status, json } = await session.call(read.operationId, input);
    return status < 300 ? json : { status };
  };
  const json = await readAgain();
  const isSteady = isDeepStrictEqual(await readAgain(), json);
  if (isSteady) {
    return { json, readAgain };
  }
  return undefined;
}
