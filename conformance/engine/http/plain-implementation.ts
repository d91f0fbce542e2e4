/** An implementation of an API that only its contract describes. */
import { memberOf, setMember } from '../contract/by-name.ts';
import { allLinks, SHOWN } from '../contract/item-links.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { entry } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { decode } from '../contract/percent-encoding.ts';
import { isObject } from '../contract/pointers.ts';
import { sendAside } from './aside.ts';
import { existedBefore } from './existing-items.ts';
import { type CallInput, queryOf, requestTargetOf, type Sending } from './call.ts';
import { withoutCredentials } from './given-credentials.ts';
import {
  countMade,
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
    if (method === 'POST') {
      this.#implementation.unconfirmed.observe(operation, input, response);
    }
    if (response === undefined) {
      if (method === 'POST') {
        countMade(this.#implementation.perhapsMade, operation);
      }
      return;
    }
    if (response.status < 200 || response.status > 299) {
      return;
    }
    const target = requestTargetOf(operation, { ...input, query: this.#namesIn(operation, input) });
    if (method === 'DELETE') {
      if (!this.#mayBringBack(operation)) {
        this.#removed.add(target);
      }
    } else if (method === 'POST' || (method === 'PUT' && this.#makesNames(operation))) {
      this.#removed.delete(target);
      this.#noteBack(target);
      const creation: Creation = { operation, input, response };
      if (isOfOthers(this.#implementation, creation)) {
        return;
      }
      this.#creations.push(creation);
      noteNames(this.#implementation, creation);
    }
  }

  /** Whether an action is reached behind this removal: any request to it may undo that. */
  #mayBringBack({ operationId }: Operation): boolean {
    const surveyed = Object.values(this.#implementation.survey);
    return surveyed.some(({ recipe }) => recipe?.before?.includes(operationId));
  }

  /** An action on what was removed has brought it back, such as `POST /books/1/restore`. */
  #noteBack(target: string): void {
    for (const removed of this.#removed) {
      if (target.startsWith(`${removed}/`)) {
        this.#removed.delete(removed);
      }
    }
  }

  /** The query parameters that name what the operation removes. */
  #namesIn({ operationId }: Operation, input: CallInput): [string, string][] {
    const known = this.#implementation.survey[operationId]?.recipe?.parameters ?? [];
    const names = known.filter(({ source }) => source !== undefined).map(({ name }) => name);
    return queryOf(input).filter(([name]) => names.includes(name));
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
  #due(removals: readonly ItemRemoval[]): ItemRemoval[] {
    const byTarget = new Map<string, ItemRemoval>();
    for (const removal of removals) {
      if (!this.#removed.has(removal.target)) {
        byTarget.set(removal.target, removal);
      }
    }
    return [...byTarget.values()].toReversed();
  }

  /** @returns the removals that were refused */
  async #remove(removals: readonly ItemRemoval[]): Promise<ItemRemoval[]> {
    const refused: ItemRemoval[] = [];
    for (const removal of removals) {
      if (!(await isRemoved(this.#implementation, removal))) {
        refused.push(removal);
      }
    }
    return refused;
  }

  async cleanUp(): Promise<void> {
    const { leftBehind } = this.#implementation;
    const removals: ItemRemoval[] = [];
    const others: Creation[] = [];
    for (const creation of this.#creations) {
      const removal = removalOf(this.#implementation, creation);
      if (removal) {
        removals.push(removal);
      } else if (creation.response.status === 201) {
        others.push(creation);
      }
    }
    // What was made below an item goes with it, whichever case made that.
    const names = entry(namesOfRemoved, this.#implementation, () => new Set<string>());
    const isBelow = ({ input }: Creation) =>
      Object.values(input.path ?? {}).some((one) => names.has(one));
    for (const { operation } of others.filter((one) => !isBelow(one))) {
      countMade(leftBehind, operation);
    }
    // An item that was made later may be in the way: an earlier one was changed to name it.
    const kept = await this.#remove(this.#due(removals));
    for (const { maker } of await this.#remove(kept)) {
      countMade(leftBehind, maker);
    }
    this.#creations = [];
  }
}

/** The DELETE of an item. */
interface ItemRemoval extends Sending {
  /** The operation that has made the item. */
  maker: Operation;
}

/** The names of items that a DELETE removes, by the implementation. */
const namesOfRemoved = new WeakMap<Implementation, Set<string>>();

/** The memory of a run is bounded. */
const MOST_NAMES = 50_000;

function noteNames(implementation: Implementation, creation: Creation): void {
  const names = entry(namesOfRemoved, implementation, () => new Set<string>());
  const removal = names.size < MOST_NAMES ? removalOf(implementation, creation) : undefined;
  if (removal) {
    scalarsIn(creation.response.json).forEach((one) => names.add(one));
    names.add(lastSegmentOf(removal.target));
  }
}

/** The texts and numbers of an object, and of those within it, that may name it. */
function scalarsIn(json: unknown, depth = 0): string[] {
  if (isScalar(json)) {
    return [String(json)];
  }
  if (!isObject(json) || depth > 1) {
    return [];
  }
  return Object.values(json).flatMap((one) => scalarsIn(one, depth + 1));
}

function lastSegmentOf(target: string): string {
  const [path = ''] = target.split('?', 1);
  return decode(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * Removes an item, with its entity tag if the service asks for it.
 * @returns whether the responses say that it is gone
 */
async function isRemoved(implementation: Implementation, removal: ItemRemoval): Promise<boolean> {
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
  if (status < 300 || status === 404 || status === 410) {
    return true;
  }
  // Another removal may have come before, which the service refuses in another way.
  const read = await send({ method: 'GET', target: removal.target });
  return read?.status === 404 || read?.status === 410;
}

/** Whether a call has returned an item that existed before the run, in place of a new one. */
const isOfOthers = (implementation: Implementation, creation: Creation): boolean =>
  waysToRemove(implementation, creation.operation).some(({ to, values }) => {
    const path = { ...creation.input.path, ...valuesIn(creation, values) };
    return existedBefore(implementation, to, path);
  });

/**
 * The DELETE of the resource that a call has made; undefined if no DELETE is known for it, or if a
 * part of its path is unknown.
 */
function removalOf(implementation: Implementation, creation: Creation): ItemRemoval | undefined {
  const maker = creation.operation;
  for (const { to, values, query = {} } of waysToRemove(implementation, maker)) {
    const path = { ...creation.input.path, ...valuesIn(creation, values) };
    const asked = valuesIn(creation, query);
    const inPath = to.parameters.filter((one) => one.in === 'path');
    const isAsked = Object.keys(query).every((name) => memberOf(asked, name) !== undefined);
    if (isAsked && inPath.every(({ name }) => memberOf(path, name) !== undefined)) {
      return { maker, method: 'DELETE', target: requestTargetOf(to, { path, query: asked }) };
    }
  }
  return undefined;
}

/** A DELETE, and the expressions that give the values of its path. */
interface Removal {
  to: Operation;
  values: Readonly<Record<string, unknown>>;
  /** Those of its query. */
  query?: Readonly<Record<string, unknown>>;
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
    const asking = recipe?.parameters.find((one) => one.source?.operationId === from.operationId);
    if (isReached && asking?.source !== undefined) {
      ways.push({ to, values: {}, query: asking.source.values });
    }
    if (from.method === 'PUT' && to.path === from.path) {
      ways.push({ to, values: {} });
    }
  }
  for (const { from: maker, to, parameters } of allLinks(contract)) {
    if (maker === from && to.method === 'DELETE') {
      ways.push({ to, values: parameters });
    }
  }
  return ways;
}

/** The values that a creation gives, by name; without those that it does not give. */
function valuesIn(
  creation: Creation,
  expressions: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, expression] of Object.entries(expressions)) {
    const value = evaluateIn(creation, name, expression);
    if (value !== undefined) {
      setMember(values, name, value);
    }
  }
  return values;
}

function evaluateIn(creation: Creation, name: string, expression: unknown): string | undefined {
  if (expression === SHOWN) {
    return keyIn(creation.response, name);
  }
  return evaluate(expression, creation);
}
