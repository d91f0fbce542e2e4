/** An implementation of an API that only its contract describes. */
import { allLinks, LOCATION, SHOWN } from '../contract/inferred.ts';
import { isScalar } from '../contract/json-numbers.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { valueAt } from '../contract/pointers.ts';
import { type CallInput, requestTargetOf, type Sending } from './call.ts';
import type { Client } from './client.ts';
import { withoutCredentials } from './given-credentials.ts';
import {
  type HttpApi,
  type Implementation,
  implementationOf,
  type ImplementationOptions,
  type Tracker,
} from './implementation.ts';
import { NotPossible } from './nonconformity.ts';
import { PRECONDITION_STATUSES } from './preconditions.ts';
import { endOf, keyIn } from './response-keys.ts';
import type { HttpResponse } from './response.ts';

/** @param more additions that take the place of those of every API */
export function plainImplementation(
  options: ImplementationOptions,
  more: Partial<HttpApi> = {},
): Implementation {
  return implementationOf(options, { ...PLAIN, ...more }, {});
}

const PLAIN: HttpApi = {
  track: ({ implementation }) => new LinkTracker(implementation),
  look(implementation, operation, { status }) {
    if (status === 401) {
      const reason = withoutCredentials(implementation, operation);
      if (reason !== undefined) {
        throw new NotPossible(reason);
      }
    }
    const isAbsent = status === 404 || status === 410;
    if (isAbsent && implementation.stated.has(operation.path)) {
      throw new NotPossible(
        `the service has nothing at the example of ${operation.path}: --data names what it has`,
      );
    }
  },
};

/** Removes the resources that a link to a DELETE names. Others stay, and are counted. */
class LinkTracker implements Tracker {
  readonly #implementation: Implementation;
  /** The requests that remove what was made, by their targets. */
  readonly #made = new Map<string, Sending>();

  constructor(implementation: Implementation) {
    this.#implementation = implementation;
  }

  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void {
    const { leftBehind, perhapsMade } = this.#implementation;
    const isCreation = operation.method === 'POST';
    if (response === undefined) {
      if (isCreation) {
        countResource(perhapsMade);
      }
      return;
    }
    if (response.status < 200 || response.status > 299) {
      return;
    }
    if (operation.method === 'DELETE') {
      this.#made.delete(requestTargetOf(operation, { ...input, query: {} }));
    }
    if (!isCreation) {
      return;
    }
    const removal = removalOf(this.#implementation.contract, operation, input, response);
    if (removal) {
      this.#made.set(removal.target, removal);
    } else if (response.status === 201) {
      countResource(leftBehind);
    }
  }

  /** The last one that was made comes first. */
  removals(): Sending[] {
    return [...this.#made.values()].toReversed();
  }

  async cleanUp(): Promise<void> {
    const { client, leftBehind } = this.#implementation;
    for (const removal of this.removals()) {
      if (!(await isRemoved(client, removal))) {
        countResource(leftBehind);
      }
    }
    this.#made.clear();
  }
}

function countResource(counts: Record<string, number>): void {
  counts['resources'] = (counts['resources'] ?? 0) + 1;
}

/**
 * Removes an item, with its entity tag if the service asks for it.
 * @returns whether the responses say that it is gone
 */
async function isRemoved(client: Client, removal: Sending): Promise<boolean> {
  const send = (sending: Sending) => client.send(sending).catch(() => undefined);
  let response = await send(removal);
  if (response && PRECONDITION_STATUSES.includes(response.status)) {
    const read = await send({ method: 'GET', target: removal.target });
    const tag = read?.headers['etag'];
    if (tag !== undefined) {
      response = await send({ ...removal, headers: { ...removal.headers, 'if-match': tag } });
    }
  }
  if (response === undefined) {
    return false;
  }
  const { status } = response;
  return status < 300 || status === 404 || status === 410;
}

/**
 * The DELETE of what a call of `from` has made; undefined if no link leads to one, or if a part of
 * its path is unknown.
 */
function removalOf(
  contract: Contract,
  from: Operation,
  { path = {} }: CallInput,
  response: HttpResponse,
): Sending | undefined {
  const link = allLinks(contract).find((one) => one.from === from && one.to.method === 'DELETE');
  if (!link) {
    return undefined;
  }
  const values: Record<string, string> = { ...path };
  for (const [name, expression] of Object.entries(link.parameters)) {
    const value = valueShown(response, name, expression);
    if (isScalar(value) && typeof value !== 'boolean') {
      values[name] = String(value);
    }
  }
  const inPath = link.to.parameters.filter((one) => one.in === 'path');
  if (inPath.every(({ name }) => name in values)) {
    return { method: 'DELETE', target: requestTargetOf(link.to, { path: values }) };
  }
  return undefined;
}

const IN_BODY = /^\$response\.body#(.*)$/;

/** The value of a parameter that a response shows, by the expression of its link. */
function valueShown(response: HttpResponse, name: string, expression: unknown): unknown {
  const [, pointer] = IN_BODY.exec(String(expression)) ?? [];
  if (pointer !== undefined) {
    return valueAt(response.json, pointer);
  }
  if (expression === SHOWN) {
    return keyIn(response, name);
  }
  if (expression === LOCATION) {
    return endOf(response);
  }
  return undefined;
}
