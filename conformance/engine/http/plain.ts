/** An implementation of an API that only its contract describes. */
import { allLinks, type Operation } from '../contract/operations.ts';
import { valueAt } from '../contract/pointers.ts';
import { type CallInput, requestTargetOf, type Sending } from './call.ts';
import {
  type HttpApi,
  type Implementation,
  implementationOf,
  type ImplementationOptions,
  type Tracker,
  withoutCredentials,
} from './implementation.ts';
import { NotPossible } from './nonconformity.ts';
import type { HttpResponse } from './response.ts';

export function plainImplementation(options: ImplementationOptions): Implementation {
  return implementationOf(options, PLAIN, {}) as Implementation;
}

const PLAIN: HttpApi = {
  track: ({ implementation }) => new LinkTracker(implementation),
  look(implementation, operation, { status }) {
    const reason = status === 401 ? withoutCredentials(implementation, operation) : undefined;
    if (reason !== undefined) throw new NotPossible(reason);
  },
};

/** Removes the resources that a link to a DELETE names. Others stay, and are counted. */
class LinkTracker implements Tracker {
  readonly #implementation: Implementation;
  readonly #made = new Map<string, Sending>();

  constructor(implementation: Implementation) {
    this.#implementation = implementation;
  }

  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void {
    const { leftBehind, perhapsMade } = this.#implementation;
    if (response === undefined && operation.method === 'POST') this.#count(perhapsMade);
    if (response === undefined || response.status < 200 || response.status > 299) return;
    if (operation.method === 'DELETE') this.#made.delete(requestTargetOf(operation, { ...input, query: {} }));
    if (operation.method !== 'POST') return;
    const removal = this.#removalOf(operation, input, response);
    if (removal) this.#made.set(removal.target, removal);
    else if (response.status === 201) this.#count(leftBehind);
  }

  removals(): Sending[] {
    return [...this.#made.values()].toReversed();
  }

  async cleanUp(): Promise<void> {
    for (const removal of this.removals()) {
      const gone = await this.#implementation.client.send(removal).catch(() => undefined);
      const isGone = gone !== undefined && (gone.status < 300 || gone.status === 404 || gone.status === 410);
      if (!isGone) this.#count(this.#implementation.leftBehind);
    }
    this.#made.clear();
  }

  #removalOf(from: Operation, { path = {} }: CallInput, response: HttpResponse): Sending | undefined {
    const { contract } = this.#implementation;
    const link = allLinks(contract).find((one) => one.from === from && one.to.method === 'DELETE');
    if (!link) return undefined;
    const values: Record<string, string> = { ...path };
    for (const [name, expression] of Object.entries(link.parameters)) {
      const pointer = /^\$response\.body#(.*)$/.exec(String(expression))?.[1];
      const value = pointer === undefined ? undefined : valueAt(response.json, pointer);
      if (typeof value === 'string' || typeof value === 'number') values[name] = String(value);
    }
    const isWhole = link.to.parameters.every((one) => one.in !== 'path' || one.name in values);
    return isWhole ? { method: 'DELETE', target: requestTargetOf(link.to, { path: values }) } : undefined;
  }

  #count(counts: Record<string, number>): void {
    counts['resources'] = (counts['resources'] ?? 0) + 1;
  }
}
