/**
 * Ids that no resource has are refused. They were removed, or are long and random, so that they
 * name no resource of others.
 */
import { showsNothing } from '../contract/envelopes.ts';
import { allLinks } from '../contract/item-links.ts';
import { isOfItem, itemPathOf } from '../contract/item-paths.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import {
  documentedStatuses,
  type Operation,
  operationOn,
  operationsOf,
  type Parameter,
} from '../contract/operations.ts';
import { isAboutRemoved } from '../contract/undoing.ts';
import type { CallInput } from '../http/call.ts';
import { callOrClosed, expectRefusal } from '../http/expect-response.ts';
import { knownResponse } from '../http/known-members.ts';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { needsEntityTag } from '../http/preconditions.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from './calls.ts';
import { isStillShown } from './still-shown.ts';
import { unknownId, unknownPath, UUID } from './unknown-ids.ts';
import { once, type Property, requirementOf, type Requirement, statedIn } from './requirement.ts';

export function notFoundRequirements(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const operation of operationsOf(contract)) {
    if (mustNotFind(operation)) {
      requirements.push(notFoundRequirement(contract, operation));
    }
  }
  return statedIn('engine/requirements/not-found.ts', requirements);
}

/** The statuses of absence that the operation documents by name. */
const absencesOf = ({ responses }: Operation): string[] =>
  ['404', '410'].filter((status) => status in responses);

/** A service that says what is gone says so of what it knew; what it never knew is not found. */
const statusesOf = (absences: readonly string[]): number[] =>
  absences.includes('410') ? [404, 410] : absences.map(Number);

const RANGE = /^(4xx|default)$/i;

/** Whether the operation must refuse an id that no resource has. */
function mustNotFind(operation: Operation): boolean {
  const { method, parameters, responses, unsupported } = operation;
  const isNamed = absencesOf(operation).length > 0;
  // A PUT may make the resource that it names, and a DELETE of none may be a success.
  const mayMake = method === 'PUT' && '201' in responses;
  const mayIgnore = method === 'DELETE' && !isNamed;
  const isKnown = unsupported === undefined && parameters.some((one) => one.in === 'path');
  if (!isKnown || mayMake || mayIgnore) {
    return false;
  }
  return isNamed || Object.keys(responses).some((status) => RANGE.test(status));
}

function notFoundRequirement(contract: Contract, operation: Operation): Requirement {
  const { operationId, origin, responses } = operation;
  const absences = absencesOf(operation);
  const [first = ''] = absences;
  const documented = responses[first] ?? responses['4XX'] ?? responses['default'];
  const stated = { origin, pointer: (documented ?? operation).pointer };
  const how = absences.length > 0 ? `, with ${statusesOf(absences).join(' or ')}` : '';
  const sentence = `${operationId} refuses a request for an id that nothing has${how}.`;
  let made: Property[] | string | undefined;
  // Made when they are asked for: a list of requirements shall not take the time that Ajv takes to
  // read a contract.
  const triedOrReason = (): Property[] | string => {
    made ??= supported(() => triedBy(contract, operation, statusesOf(absences)), String);
    return made;
  };
  const properties = (): Property[] => {
    const tried = triedOrReason();
    return typeof tried === 'string' ? [] : tried;
  };
  const skip = (): string | undefined => {
    const tried = triedOrReason();
    return typeof tried === 'string' ? tried : undefined;
  };
  return { ...requirementOf(operation, '404', { stated, sentence, properties }), skip };
}

/**
 * The properties, or the reason why there are none.
 * @param absences the statuses of absence that are documented by name
 */
function triedBy(
  contract: Contract,
  operation: Operation,
  absences: readonly number[],
): Property[] | string {
  const { operationId, path, parameters, method } = operation;
  const item = itemPathOf(operation);
  const inPath = parameters.filter((one) => one.in === 'path');
  const id = inPath.find(({ name }) => item.endsWith(`{${name}}`));
  if (id === undefined) {
    return `the contract does not describe the path parameters of ${path}`;
  }
  const removal = removalOf(contract, item, absences);
  if (removal && method === 'PUT' && isOnlyMaker(contract, operation)) {
    return `nothing but ${operationId} makes what it names: it may make what is missing`;
  }
  const isGiven = allLinks(contract).some(
    ({ to, parameters: given }) => isOfItem(to, item) && id.name in given,
  );
  const isRandom =
    unknownId(contract, id, method) !== undefined && (absences.length > 0 || isGiven);
  if (!removal && !isRandom) {
    const why = `${path} has no DELETE, and no long random id fits`;
    return `nothing says which id does not exist: ${why}`;
  }
  const properties: Property[] = [];
  // DELETE is idempotent (RFC 9110, 9.2.2): a second one may be a success, or remove another
  // resource that has got the id. What brings removed items back finds them.
  if (removal && method !== 'DELETE' && !isAboutRemoved(contract, operation)) {
    const check = (session: Session) => tryRemoved(session, operation, removal, absences);
    properties.push(once('one that was removed', check));
  }
  if (isRandom) {
    const check = (session: Session) => tryRandom(session, operation, id, absences);
    properties.push(once('a long random one', check));
  }
  if (properties.length === 0) {
    return `${operationId} may repeat a removal, and no long random id fits`;
  }
  return properties;
}

/** Whether the run can have an item of this path by the PUT alone. */
function isOnlyMaker(contract: Contract, { path }: Operation): boolean {
  const collection = path.replace(LAST_SEGMENT, '');
  return path.endsWith('}') && operationOn(contract, 'POST', collection) === undefined;
}

const LAST_SEGMENT = /\/[^/]*$/;

/** The DELETE of the item, if the item is gone after it. */
function removalOf(
  contract: Contract,
  item: string,
  absences: readonly number[],
): Operation | undefined {
  const removal = operationsOf(contract).find(
    (one) => one.method === 'DELETE' && isOfItem(one, item) && one.unsupported === undefined,
  );
  if (!removal || '202' in removal.responses) {
    return undefined;
  }
  // If only a range is documented, a removal whose response has a body may keep the item as a
  // removed one.
  if (absences.length > 0 || '204' in removal.responses) {
    return removal;
  }
  return undefined;
}

/**
 * Calls the operation for an item that was removed. Nothing is changed unless a read shows that the
 * item is gone.
 */
async function tryRemoved(
  session: Session,
  operation: Operation,
  removal: Operation,
  absences: readonly number[],
): Promise<void> {
  const { implementation } = session;
  // The item that is removed was made by the run, and is not one of others that a read may show.
  const { path = {} } = await validCall(session, removal.operationId);
  const whole = await validCall(session, operation.operationId);
  expectSameForm(operation, whole.path, path);
  const call = { ...whole, path: { ...whole.path, ...path } };
  const { contract } = implementation;
  const read = operationOn(contract, 'GET', removal.path);
  const readItem = () =>
    read && session.call(read.operationId, withRequired(implementation, read, { path }));
  const before = await readItem();
  const gone = await session.call(
    removal.operationId,
    withRequired(implementation, removal, { path }),
  );
  if (gone.status >= 300 || gone.status === 202) {
    throw new NotPossible(`${removal.operationId} did not remove it: ${gone.status}`);
  }
  const after = await readItem();
  const isThere = after !== undefined && after.status < 300;
  const known = (json: unknown) => read && knownResponse(contract, read, json);
  const reads = { before: known(before?.json), after: known(after?.json) };
  if (isThere && !isStillShown(contract, removal, reads)) {
    throw new NotPossible('the id names an item again: it was used again, or the item is kept');
  }
  if (after && read === operation) {
    if (isNothing(session, operation, after)) {
      return undefined;
    }
    const due = dueStatuses(operation, absences);
    return expectRefusal(implementation, operation, after, {
      statuses: due,
      why: UNKNOWN,
      input: call,
    });
  }
  if (isThere) {
    throw new NotPossible(`${read?.operationId} still shows what ${removal.operationId} removed`);
  }
  await refuseAbsent(session, operation, withUnknownTag(operation, call), absences);
}

/**
 * One operation may take the name of an item, and another one its id, both by one parameter.
 * @throws NotPossible
 */
function expectSameForm(
  { operationId }: Operation,
  known: CallInput['path'] = {},
  given: Record<string, string>,
): void {
  for (const [name, value] of Object.entries(given)) {
    const own = known[name];
    if (own !== undefined && UUID.test(own) !== UUID.test(value)) {
      throw new NotPossible(`${operationId} takes another form of ${name} than what removes it`);
    }
  }
}

/** An entity tag that nothing has: the id may be used again in the meantime, by somebody else. */
const UNKNOWN_TAG = '"conformance-unknown"';

function withUnknownTag(operation: Operation, call: CallInput): CallInput {
  if (!needsEntityTag(operation, call)) {
    return call;
  }
  return { ...call, headers: { ...call.headers, 'if-match': UNKNOWN_TAG } };
}

async function tryRandom(
  session: Session,
  operation: Operation,
  id: Parameter,
  absences: readonly number[],
): Promise<void> {
  const { contract } = session.implementation;
  const call = await callOrUnknownPath(session, operation);
  const known = call.path?.[id.name];
  const other = unknownId(contract, id, operation.method, known);
  if (other === undefined) {
    throw new NotPossible(`no long random id fits {${id.name}} of ${operation.path}`);
  }
  const input = { ...call, path: { ...call.path, [id.name]: other } };
  // Another form of ids may be the reason, or that nobody may know what exists.
  const statuses = absences.length > 0 ? [...absences, 400, 403, 422] : [];
  try {
    await refuseAbsent(session, operation, input, statuses);
  } catch (error) {
    expectKnownForm(session, operation, error);
    throw error;
  }
}

/**
 * If no id of the operation is known, an id that is refused as wrong may just have another form.
 * @throws NotPossible
 */
function expectKnownForm(
  { implementation: { survey } }: Session,
  { operationId, path }: Operation,
  error: unknown,
): void {
  const isWrong = error instanceof Nonconformity && /^(400|422)\b/.test(error.details.got);
  if (isWrong && survey[operationId]?.isReached === false) {
    throw new NotPossible(`nothing says which form the ids of ${path} have`);
  }
}

/** @param statuses the documented ones that fit; if empty, any refusal */
async function refuseAbsent(
  session: Session,
  operation: Operation,
  input: CallInput,
  statuses: readonly number[],
): Promise<void> {
  const due = dueStatuses(operation, statuses);
  const response = await callOrClosed(session, operation, input);
  if (!isNothing(session, operation, response)) {
    const refusal = { statuses: due, why: UNKNOWN, input };
    expectRefusal(session.implementation, operation, response, refusal);
  }
}

/** Whether a read succeeds and shows that there is nothing, as the contract allows. */
function isNothing(
  { implementation: { contract } }: Session,
  operation: Operation,
  { status, json }: HttpResponse,
): boolean {
  const isRead = operation.method === 'GET' && status >= 200 && status < 300;
  return isRead && showsNothing(contract, operation, json);
}

const UNKNOWN = 'Nothing has this id.';

function dueStatuses(operation: Operation, statuses: readonly number[]): readonly number[] {
  const documented = documentedStatuses(operation, 4);
  const mayBeUnknown = statuses.includes(410) && !documented.includes(404);
  const fitting = documented.filter((status) => statuses.includes(status));
  if (mayBeUnknown) {
    fitting.push(404);
  }
  // Another error of the body may be seen first.
  const isOpen = operation.requestBody !== null || fitting.length === 0;
  return isOpen ? [...new Set([...documented, ...fitting])] : fitting;
}

/**
 * A valid call; or, if none is possible, one whose path names no resource at all.
 * @throws what `validCall` throws
 */
async function callOrUnknownPath(session: Session, operation: Operation): Promise<CallInput> {
  try {
    return await validCall(session, operation.operationId);
  } catch (error) {
    const path = unknownPath(session.implementation.contract, operation);
    if (!(error instanceof NotPossible) || operation.requestBody || path === undefined) {
      throw error;
    }
    return withRequired(session.implementation, operation, { path });
  }
}
