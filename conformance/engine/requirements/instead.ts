/**
 * Valid requests that a service may refuse all the same: two things may be in conflict, an operation may ask for what only
 * its owner knows, and a new parent has nothing yet. Such a refusal is no failure; other data is tried, or none is known.
 */
import { allLinks } from '../contract/inferred.ts';
import { entry } from '../contract/load.ts';
import { documentedFor, isJson, type Operation, successOf } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import '../http/expect-response.ts';
import type { HttpApi, Implementation } from '../http/implementation.ts';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { Session } from '../http/session.ts';
import { mayConflict, sendable, validCall } from './calls.ts';

export const instead: NonNullable<HttpApi['instead']> = async (session, operation, input, { status }) => {
  const { operationId } = operation;
  if (status >= 500 || documentedFor(operation, status) === undefined) return undefined;
  if (status === 409 && mayConflict(operation) && input.json !== undefined) {
    const json = sendable(session, operation, input, input.json);
    // Laws compare what they sent.
    if (session.complete === undefined && json !== input.json) return { ...input, json };
    throw new NotPossible(`${operationId} finds a conflict (409) in what the contract allows: ${GIVE}`);
  }
  if (status === 404 && '404' in operation.responses && isPartOfItem(session.implementation, operation))
    throw new NotPossible(`${operationId} finds nothing in a new parent, as the contract allows (404)`);
  const isGuess = allLinks(session.implementation.contract).find(({ to }) => to === operation)?.isGuess;
  if ((status === 404 || status === 410) && isGuess && session.complete === undefined)
    throw new NotPossible(`nothing says which part of a response names ${operation.path}: links or --data do`);
  const reason = await whyRefused(session.implementation, operation);
  if (reason !== undefined) throw new NotPossible(reason);
  return undefined;
};

const GIVE = '--data names a body that works';

/** One thing that a parent may have, or not; a list is there when it is empty, too. */
function isPartOfItem({ contract, operations }: Implementation, operation: Operation): boolean {
  if (operation.method !== 'GET' || !/\}\/[^{}]+$/.test(operation.path)) return false;
  const isMade = [...operations.values()].some(({ method, path }) => method === 'POST' && path === operation.path);
  const schema = Object.entries(successOf(operation).content).find(([type]) => isJson(type))?.[1];
  return !isMade && schema !== undefined && !shapeOf(contract, schema).types.has('array');
}

/** Statuses that say something else than that the data is wrong. */
const OTHER_REASONS = [401, 404, 405, 406, 410, 411, 413, 414, 415, 429];
const SAMPLES = 6;
const known = new WeakMap<Implementation, Map<string, Promise<string | undefined>>>();

/** Why no request of the operation works; undefined where one does, or where a refusal is not the documented one. */
function whyRefused(implementation: Implementation, operation: Operation): Promise<string | undefined> {
  const { operationId, requestBody, parameters } = operation;
  const isAsked = requestBody !== null || parameters.some((one) => one.in === 'query' && one.required);
  if (!isAsked) return Promise.resolve(undefined);
  const all = entry(known, implementation, () => new Map<string, Promise<string | undefined>>());
  return entry(all, operationId, async () => {
    const statuses = new Set<number>();
    for (let sample = 0; sample < SAMPLES; sample++) {
      const session = new Session(implementation);
      try {
        const { status } = await session.call(operationId, await validCall(session, operationId));
        const isReason = status >= 400 && status < 500 && !OTHER_REASONS.includes(status);
        if (!isReason || documentedFor(operation, status) === undefined) return undefined;
        statuses.add(status);
      } catch (error) {
        if (error instanceof Nonconformity) return undefined;
        throw error;
      } finally {
        await session.cleanUp(false);
      }
    }
    const found = [...statuses].join(' and ');
    return `${operationId} needs data: it refuses whatever the contract allows, as documented (${found}); ${GIVE}`;
  });
}
