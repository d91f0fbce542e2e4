/** An implementation of an API that only its contract describes. */
import { allLinks, SHOWN } from '../contract/item-links.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { sendAside } from './aside.ts';
import { type CallInput, requestTargetOf, type Sending } from './call.ts';
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
import { keyIn } from './response-keys.ts';
import type { HttpResponse } from './response.ts';
import { evaluate } from './runtime-expressions.ts';

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
  },
};

/** A call that made something, or may have. */
interface Creation {
  operation: Operation;
  input: CallInput;
  response: HttpResponse;
}

/**
 * Removes the resources that a DELETE names: by a link, or by the recipe of the survey. Others
 * stay, and are counted.
 */
class LinkTracker implements Tracker {
  readonly #implementation: Implementation;
  #creations: Creation[] = [];
  /** The targets of items that the case has removed. */
  readonly #removed = new Set<string>();

  constructor(implementation: Implementation) {
    this.#implementation = implementation;
  }

  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void {
    const { method } = operation;
    if (response === undefined) {
      if (method === 'POST') {
        countResource(this.#implementation.perhapsMade);
      }
      return;
    }
    if (response.status < 200 || response.status > 299) {
      return;
    }
    const target = requestTargetOf(operation, { ...input, query: {} });
    if (method === 'DELETE') {
      this.#removed.add(target);
    } else if (method === 'POST' || (method === 'PUT' && this.#makesNames(operation))) {
      this.#removed.delete(target);
      this.#creations.push({ operation, input, response });
    }
  }

  /** Whether a PUT makes the resource that its path names, with a new name for each call. */
  #makesNames({ operationId }: Operation): boolean {
    const fresh = this.#implementation.survey[operationId]?.recipe?.path.fresh ?? [];
    return fresh.length > 0;
  }

  /** The last one that was made comes first. */
  removals(): Sending[] {
    const found = this.#creations.map((one) => removalOf(this.#implementation, one));
    return this.#due(found.filter((one) => one !== undefined));
  }

  /** One removal for each item that the case has not removed. */
  #due(removals: readonly Sending[]): Sending[] {
    const byTarget = new Map<string, Sending>();
    for (const removal of removals) {
      if (!this.#removed.has(removal.target)) {
        byTarget.set(removal.target, removal);
      }
    }
    return [...byTarget.values()].toReversed();
  }

  async cleanUp(): Promise<void> {
    const { leftBehind } = this.#implementation;
    const removals: Sending[] = [];
    for (const creation of this.#creations) {
      const removal = removalOf(this.#implementation, creation);
      if (removal) {
        removals.push(removal);
      } else if (creation.response.status === 201) {
        countResource(leftBehind);
      }
    }
    for (const removal of this.#due(removals)) {
      if (!(await isRemoved(this.#implementation, removal))) {
        countResource(leftBehind);
      }
    }
    this.#creations = [];
  }
}

function countResource(counts: Record<string, number>): void {
  counts['resources'] = (counts['resources'] ?? 0) + 1;
}

/**
 * Removes an item, with its entity tag if the service asks for it.
 * @returns whether the responses say that it is gone
 */
async function isRemoved(implementation: Implementation, removal: Sending): Promise<boolean> {
  const send = (sending: Sending) => sendAside(implementation, sending).catch(() => undefined);
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
 * The DELETE of the resource that a call has made; undefined if no DELETE is known for it, or if a
 * part of its path is unknown.
 */
function removalOf(implementation: Implementation, creation: Creation): Sending | undefined {
  for (const { to, values } of waysToRemove(implementation, creation.operation)) {
    const path: Record<string, string> = { ...creation.input.path };
    for (const [name, expression] of Object.entries(values)) {
      const value = evaluateIn(creation, name, expression);
      if (value !== undefined) {
        path[name] = value;
      }
    }
    const inPath = to.parameters.filter((one) => one.in === 'path');
    if (inPath.every(({ name }) => path[name] !== undefined)) {
      return { method: 'DELETE', target: requestTargetOf(to, { path }) };
    }
  }
  return undefined;
}

/** A DELETE, and the expressions that give the values of its path. */
interface Removal {
  to: Operation;
  values: Readonly<Record<string, unknown>>;
}

/** A recipe of the survey takes precedence over links that paths and schemas suggest. */
function waysToRemove({ contract, survey }: Implementation, from: Operation): Removal[] {
  const ways: Removal[] = [];
  const removals = operationsOf(contract).filter(({ method }) => method === 'DELETE');
  for (const to of removals) {
    const { isReached, recipe } = survey[to.operationId] ?? {};
    const source = recipe?.path.sources.at(-1);
    if (isReached && source?.operationId === from.operationId) {
      ways.push({ to, values: source.values });
    }
  }
  for (const { from: maker, to, parameters } of allLinks(contract)) {
    if (maker === from && to.method === 'DELETE') {
      ways.push({ to, values: parameters });
    }
  }
  return ways;
}

function evaluateIn(creation: Creation, name: string, expression: unknown): string | undefined {
  if (expression === SHOWN) {
    return keyIn(creation.response, name);
  }
  return evaluate(expression, creation);
}
