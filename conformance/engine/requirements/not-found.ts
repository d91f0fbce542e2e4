/** Ids that nothing has are refused. They were removed, or are long and random: they name nothing of anybody else. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import {
  documentedStatuses,
  type Operation,
  operationsOf,
  type Parameter,
} from '../contract/operations.ts';
import { supported } from '../contract/keywords.ts';
import { allLinks, isOfItem, itemPathOf } from '../contract/inferred.ts';
import type { Contract } from '../contract/load.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf, texts } from '../contract/shape.ts';
import { textMatching } from '../generate/pattern-texts.ts';
import { expectRefusal, refuse } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { CallInput } from '../http/call.ts';
import { validCall, withRequired } from './calls.ts';
import { once, type Property, requirementOf, type Requirement, statedIn } from './requirement.ts';
import { NotPossible } from '../http/nonconformity.ts';

export function notFoundRequirements(contract: Contract): Requirement[] {
  const all = operationsOf(contract).flatMap((operation): Requirement[] => {
    const { operationId, origin, method, parameters, responses } = operation;
    const isKnown =
      operation.unsupported === undefined && parameters.some((one) => one.in === 'path');
    const named = ['404', '410'].filter((status) => status in responses);
    // A PUT may make what it names, and a DELETE of nothing may be a success.
    const isOpen =
      (method === 'PUT' && '201' in responses) || (method === 'DELETE' && named.length === 0);
    const isDocumented =
      named.length > 0 || Object.keys(responses).some((status) => /^(4xx|default)$/i.test(status));
    if (!isKnown || isOpen || !isDocumented) {
      return [];
    }
    let made: Property[] | string | undefined;
    // A list of requirements shall not take the time that Ajv takes to read a contract.
    const tried = () =>
      (made ??= supported(() => triedBy(contract, operation, named.map(Number)), String));
    const { pointer } =
      responses[named[0] ?? ''] ?? responses['4XX'] ?? responses['default'] ?? operation;
    const how = named.length > 0 ? `, with ${named.join(' or ')}` : '';
    const sentence = `${operationId} refuses a request for an id that nothing has${how}.`;
    const stated = requirementOf(
      operation,
      '404',
      { origin, pointer },
      sentence,
      () => tried() as Property[],
    );
    return [{ ...stated, skip: () => (typeof tried() === 'string' ? String(tried()) : undefined) }];
  });
  return statedIn('engine/requirements/not-found.ts', all);
}

/** The cases, or why there are none. */
function triedBy(contract: Contract, operation: Operation, named: number[]): Property[] | string {
  const all = operation.parameters.filter((one) => one.in === 'path');
  const item = itemPathOf(operation);
  const id = all.find(({ name }) => item.endsWith(`{${name}}`));
  if (id === undefined) {
    return `the contract does not describe the path parameters of ${operation.path}`;
  }
  const removals = operationsOf(contract).filter(
    (one) => one.method === 'DELETE' && isOfItem(one, item),
  );
  const removal = removals.find(({ unsupported }) => unsupported === undefined);
  // Where only a range is documented, a removal that has something to show may keep the item as a removed one.
  const isRemoved =
    removal && !('202' in removal.responses) && (named.length > 0 || '204' in removal.responses);
  const isGiven = allLinks(contract).some(
    ({ to, parameters }) => isOfItem(to, item) && id.name in parameters,
  );
  const isRandom =
    unknownId(contract, id, operation.method) !== undefined && (named.length > 0 || isGiven);
  if (!isRemoved && !isRandom) {
    return `nothing says which id does not exist: ${operation.path} has no DELETE, and no long random id fits`;
  }
  const random = async (session: Session) => {
    const call = await reached(session, operation, all);
    const other = unknownId(contract, id, operation.method)!;
    // Another form of ids may be the reason, or that nobody may know what exists.
    const statuses = named.length > 0 ? [...named, 400, 403, 422] : [];
    await refused(
      session,
      operation,
      { ...call, path: { ...call.path, [id.name]: other } },
      statuses,
    );
  };
  // DELETE is idempotent (RFC 9110, 9.2.2): a second one may be a success, or remove what has the id by now.
  const isTriedRemoved = isRemoved && operation.method !== 'DELETE';
  const properties: Property[] = [];
  if (removal && isTriedRemoved) {
    properties.push(
      once('one that was removed', (session) => tryRemoved(session, operation, removal, named)),
    );
  }
  if (isRandom) {
    properties.push(once('a long random one', random));
  }
  if (properties.length === 0) {
    return `${operation.operationId} may repeat a removal, and no long random id fits`;
  }
  return properties;
}

/** Calls the operation for an item that was removed. Nothing is changed unless a read shows that nothing is there. */
async function tryRemoved(
  session: Session,
  operation: Operation,
  removal: Operation,
  named: number[],
): Promise<void> {
  const call = await validCall(session, operation.operationId);
  const { implementation } = session;
  const path = call.path ?? {};
  const read = implementation.operations.get(operationOfItem(implementation, removal) ?? '');
  const readItem = () => read && session.call(read.operationId, { path });
  const before = await readItem();
  const input = withRequired(implementation, removal, { path });
  const gone = await session.call(removal.operationId, input);
  if (gone.status >= 300 || gone.status === 202) {
    throw new NotPossible(`${removal.operationId} did not remove it: ${gone.status}`);
  }
  const after = await readItem();
  const isThere = after !== undefined && after.status < 300;
  if (isThere && !isDeepStrictEqual(after.json, before?.json)) {
    throw new NotPossible('the id names an item again: it was used again, or the item is kept');
  }
  if (after && read === operation) {
    return expectUnknown(session, operation, call, after, named);
  }
  if (isThere) {
    throw new NotPossible(`${read?.operationId} still shows what ${removal.operationId} removed`);
  }
  await refused(session, operation, call, named);
}

/** The id of the operation that reads the item which another one removes. */
function operationOfItem({ operations }: Implementation, { path }: Operation): string | undefined {
  const read = [...operations.values()].find(
    (one) => one.method === 'GET' && one.path === path && one.unsupported === undefined,
  );
  return read?.operationId;
}

/** @param statuses those that fit, as far as they are documented; none: any refusal */
async function refused(
  session: Session,
  operation: Operation,
  input: CallInput,
  statuses: number[],
): Promise<void> {
  const due = dueStatuses(operation, statuses);
  await refuse(session, operation.operationId, input, due, UNKNOWN);
}

/** The same for a response that has come. */
function expectUnknown(
  session: Session,
  operation: Operation,
  input: CallInput,
  response: HttpResponse,
  statuses: number[],
): void {
  const due = dueStatuses(operation, statuses);
  expectRefusal(session.implementation, operation, response, due, UNKNOWN, { input });
}

const UNKNOWN = 'Nothing has this id.';

function dueStatuses(operation: Operation, statuses: number[]): readonly number[] {
  const documented = documentedStatuses(operation, 4);
  const fitting = documented.filter((status) => statuses.includes(status));
  // Another error of the body may be seen first.
  return operation.requestBody || fitting.length === 0 ? documented : fitting;
}

/** A valid call, or one whose whole path names nothing. */
async function reached(
  session: Session,
  operation: Operation,
  path: readonly Parameter[],
): Promise<CallInput> {
  try {
    return await validCall(session, operation.operationId);
  } catch (error) {
    const { contract } = session.implementation;
    const ids = path.map((one) => [one.name, unknownId(contract, one, operation.method)] as const);
    if (
      !(error instanceof NotPossible) ||
      operation.requestBody ||
      ids.some(([, id]) => id === undefined)
    ) {
      throw error;
    }
    return withRequired(session.implementation, operation, {
      path: Object.fromEntries(ids) as Record<string, string>,
    });
  }
}

/** Long and random; undefined where the type has no such values. A short one is good for reading alone. */
function unknownId(contract: Contract, { schema }: Parameter, method: string): string | undefined {
  const isValid = (value: unknown) => schemasOf(contract).isValid(schema, value);
  const shape = shapeOf(contract, schema);
  if (shape.types.has('string')) {
    const hex = randomBytes(16).toString('hex');
    const usual = [
      randomUUID(),
      `conformance-${hex}`,
      hex,
      hex.slice(0, 24),
      `9${BigInt(`0x${hex}`)}`.slice(0, 18),
    ];
    const [pattern] = texts(shape, 'pattern');
    const matching = pattern === undefined ? [] : fc.sample(textMatching(pattern, 64), 10);
    // Where few characters are free, a text may be an id of somebody.
    const isRare = (text: string) =>
      [...text].filter((char, at) => char !== matching[0]![at]).length >= 8;
    return [...usual, ...matching.filter(isRare)].find(isValid);
  }
  if (!shape.types.has('integer')) {
    return undefined;
  }
  const numbers = [
    randomInt(2 ** 46, 2 ** 47),
    ...(method === 'GET' ? [randomInt(2 ** 30, 2 ** 31)] : []),
  ];
  return numbers.find(isValid)?.toString();
}
