/**
 * Laws of actions that bring a removed item back, such as `POST /books/{id}/restore`: it can be
 * read again, with the members that clients have set, and the documented 409 comes for an item that
 * was not removed.
 */
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { itemPathOf } from '../contract/item-paths.ts';
import { membersSetByClients } from '../contract/item-requests.ts';
import { type Operation, operationOn, operationsOf } from '../contract/operations.ts';
import { isAboutRemoved } from '../contract/undoing.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { membersIn, shownBy } from '../http/shown-item.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import {
  once,
  type Property,
  type Requirement,
  requirementOf,
  statedIn,
} from '../requirements/requirement.ts';

/** An action on a removed item, and the operations that remove and read it. */
export interface Restoring {
  action: Operation;
  removal: Operation;
  read: Operation;
  /** The members of the item that clients set, and that bringing it back does not concern. */
  members: readonly string[];
}

export function restoredLaws(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const action of operationsOf(contract)) {
    const restoring = restoringBy(contract, action);
    if (restoring) {
      requirements.push(
        ...supported(
          () => [restoredLaw(contract, restoring)],
          () => [],
        ),
      );
    }
  }
  return statedIn('engine/laws/restored.ts', requirements);
}

/** Undefined if the action needs more than the item, or is about something else. */
export function restoringBy(contract: Contract, action: Operation): Restoring | undefined {
  const { method, path, requestBody, responses, unsupported } = action;
  const item = itemPathOf(action);
  const isAction = method === 'POST' && /^\/[^/{}]+$/.test(path.slice(item.length));
  const isAlone = requestBody?.required !== true && unsupported === undefined;
  if (!isAction || !isAlone || '202' in responses || !isAboutRemoved(contract, action)) {
    return undefined;
  }
  const removal = operationOn(contract, 'DELETE', item);
  const read = operationOn(contract, 'GET', item);
  if (removal === undefined || read === undefined || '202' in removal.responses) {
    return undefined;
  }
  return { action, removal, read, members: membersSetByClients(contract, read) };
}

/** As in "The book is not deleted." */
const NOT_REMOVED = /\b(not|never) (been )?(deleted|removed|archived|trashed|discarded)\b/i;

function restoredLaw(contract: Contract, restoring: Restoring): Requirement {
  const { action } = restoring;
  const { operationId, responses } = action;
  const properties: Property[] = [
    once('an item that was removed', (session) => tryRestore(session, restoring)),
  ];
  const conflict = responses['409'];
  if (conflict !== undefined && NOT_REMOVED.test(wordsAt(contract, conflict.pointer))) {
    properties.push(once('an item that is there', (session) => tryThere(session, restoring)));
  }
  return requirementOf(action, 'restored', {
    stated: action,
    sentence: `${operationId} brings back what was removed as it was, and nothing else.`,
    properties: () => properties,
  });
}

async function tryRestore(session: Session, restoring: Restoring): Promise<void> {
  const { action, removal, read, members } = restoring;
  const { implementation } = session;
  const { path, json } = await ownItem(session, restoring);
  const gone = await session.call(removal.operationId, callOf(session, removal, path));
  const { status } = await session.call(read.operationId, callOf(session, read, path));
  if (gone.status >= 300 || status < 400) {
    throw new NotPossible(`${read.operationId} shows what ${removal.operationId} removed`);
  }
  const why = `${removal.operationId} has removed it.`;
  const response = await session.call(action.operationId, callOf(session, action, path));
  if (response.status >= 400 && !isPromised(implementation.contract, removal, response.status)) {
    // It may bring back what another operation removes, or another version.
    throw new NotPossible(`${action.operationId} was not accepted (${response.status})`);
  }
  expectSuccess(implementation, action, response, why);
  const after = await session.call(read.operationId, callOf(session, read, path));
  const what = 'What was brought back is not there.';
  expectThat(after.status < 300, what, { expected: 'a success', got: after.status });
  const setIn = (shown: unknown): Record<string, unknown> =>
    membersIn(shownBy(implementation.contract, read, shown), members);
  expectSame('What was brought back is not as it was before', setIn(after.json), setIn(json));
}

/** As in "A soft deletion" and "It can be restored". */
const CAN_COME_BACK = /\bsoft\b|\bcan (still |later |also )?be (restored|recovered|undeleted)\b/i;

/** The statuses of a path that names nothing. */
const ABSENT: ReadonlySet<number> = new Set([404, 410]);

/** Whether an item that was removed can be found by what brings it back. */
const isPromised = (contract: Contract, removal: Operation, status: number): boolean =>
  ABSENT.has(status) && CAN_COME_BACK.test(wordsAt(contract, removal.pointer));

/** An action on an item that is there gets the documented 409. */
async function tryThere(session: Session, restoring: Restoring): Promise<void> {
  const { action } = restoring;
  const { path } = await ownItem(session, restoring);
  const input = callOf(session, action, path);
  const response = await session.call(action.operationId, input);
  const why = 'The item was not removed.';
  expectRefusal(session.implementation, action, response, { statuses: [409], why, input });
}

type Path = NonNullable<CallInput['path']>;

/** An item that the run has made: its path, and what a read shows of it. */
interface OwnItem {
  path: Path;
  json: unknown;
}

/** @throws NotPossible if there is no item that can be read */
async function ownItem(session: Session, { removal, read }: Restoring): Promise<OwnItem> {
  const { path = {} } = await validCall(session, removal.operationId);
  const { status, json } = await session.call(read.operationId, callOf(session, read, path));
  if (status >= 300) {
    throw new NotPossible(`${read.operationId} does not show what would be removed (${status})`);
  }
  return { path, json };
}

const callOf = (session: Session, operation: Operation, path: Path): CallInput =>
  withRequired(session.implementation, operation, { path });
