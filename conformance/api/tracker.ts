/**
 * Keeps track of the resources that a case makes and was lent, and of those of others before and
 * after a run. Nothing here is checked.
 */
import { entry } from '../engine/contract/load.ts';
import type { Operation } from '../engine/contract/operations.ts';
import { sendAside } from '../engine/http/aside.ts';
import { type CallInput, requestTargetOf, type Sending } from '../engine/http/call.ts';
import type { Client } from '../engine/http/client.ts';
import { type Implementation, isOffered, type Tracker } from '../engine/http/implementation.ts';
import { NotPossible } from '../engine/http/nonconformity.ts';
import { HttpResponse, NoResponse, parse } from '../engine/http/response.ts';
import type { Session } from '../engine/http/session.ts';
import type { TestData } from './test-data.ts';

/**
 * An implementation of this API: that of the engine, with the pool of subscriptions that are lent
 * to cases, and the edges that the suite remembers.
 */
export interface EdgeImplementation extends Implementation {
  testData: TestData;
  subscriptions: SubscriptionPool;
  /**
   * Whether the service deletes edges although its level does not ask for it; undefined until it
   * was tried.
   */
  deletesEdges?: boolean;
  lostEdges: LostEdges;
}

/**
 * The same implementation, as `createImplementation` made it.
 * @throws Error if it is one of another API
 */
export function edgeImplementation(implementation: Implementation): EdgeImplementation {
  if (!isEdgeImplementation(implementation)) {
    throw new Error('the implementation is not one of this API');
  }
  return implementation;
}

const isEdgeImplementation = (one: Implementation): one is EdgeImplementation =>
  'testData' in one && 'subscriptions' in one && 'lostEdges' in one;

const trackers = new WeakMap<Session, CaseTracker>();

export function trackerOf(session: Session): CaseTracker {
  return entry(trackers, session, () => new CaseTracker(session));
}

/** An event source that a case sent. */
interface Source {
  subscription_id: string;
  type: string;
  /** The service said that it is there, or nothing to the contrary. */
  made: boolean;
}

/** A type that cannot mean another place in a path. */
const NAME = /^\w[\w.-]{0,127}$/;

export class CaseTracker implements Tracker {
  readonly #session: Session;
  readonly #implementation: EdgeImplementation;
  readonly #subscriptions: string[] = [];
  /** By subscription and type. */
  readonly #sources = new Map<string, Source>();
  /** Ids of the edges that the case made and did not delete; their routes go with them. */
  readonly #edges = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
    this.#implementation = edgeImplementation(session.implementation);
  }

  /** Subscriptions for this case alone, all that it needs: a case asks once. @throws NotPossible */
  async subscriptions(wanted: WantedItems, what = ''): Promise<string[]> {
    if (this.#subscriptions.length > 0) {
      throw new Error('a case takes all its subscriptions in one step');
    }
    const { subscriptions, job = 0 } = this.#implementation;
    if (subscriptions.shared && job > 0) {
      throw new Error('subscriptions are lent to the first worker alone');
    }
    const ids = await subscriptions.take(wanted);
    if (ids === undefined) {
      const needed = wanted.count === 1 ? 'a subscription' : `${wanted.count} subscriptions`;
      throw new NotPossible(
        `needs ${needed}${what}; give more with --subscription-id or --event-type`,
      );
    }
    this.#subscriptions.push(...ids);
    return ids;
  }

  observe(
    { operationId }: Operation,
    { path, json, body }: CallInput,
    response: HttpResponse | undefined,
  ): void {
    const status = response?.status;
    if (operationId === 'createEdge' && status === undefined) {
      this.#implementation.lostEdges.lost();
    }
    if (operationId === 'createEdge' && status === 201) {
      this.#trackEdge(response?.json);
    }
    if (operationId === 'deleteEdge' && isSuccess(status)) {
      this.#edges.delete(path?.['edge_id'] ?? '');
    }
    const subscription_id = path?.['subscription_id'];
    if (subscription_id === undefined) {
      return;
    }
    if (operationId === 'createEventSource' || operationId === 'updateEventSource') {
      // A service may read a body behind a byte order mark.
      const sent =
        json ?? (body === undefined ? undefined : parse(body.toString().replace(/^\uFEFF/, '')));
      this.#trackSource(
        subscription_id,
        (sent as { type?: unknown } | null | undefined)?.type,
        status,
      );
    }
    if (operationId === 'deleteEventSource' && isSuccess(status)) {
      this.#sources.delete(`${subscription_id} ${path?.['type']}`);
    }
  }

  removals(): Sending[] {
    return this.#removable().map((source) => this.#removal(source));
  }

  async cleanUp(failed: boolean): Promise<void> {
    const { leftBehind, subscriptions } = this.#implementation;
    let responds = true;
    // A service that broke a promise may also have done what it refused.
    for (const source of this.#removable(failed)) {
      const status: number | undefined = responds
        ? await statusOf(this.#implementation, this.#removal(source))
        : undefined;
      responds = status !== undefined;
      if (source.made && !saysRemoved(status)) {
        countLeft(leftBehind, 'sources');
      }
    }
    for (const id of this.#edges) {
      if (!responds || !(await this.#removeEdge(id))) {
        countLeft(leftBehind, 'edges');
      }
    }
    this.#edges.clear();
    this.#sources.clear();
    subscriptions.giveBack(this.#subscriptions.splice(0));
  }

  /**
   * @param refused also what the service refused. Never what was there before, whatever the service
   * says
   */
  #removable(refused = false): Source[] {
    const { subscriptions } = this.#implementation;
    const isForeign = ({ subscription_id, type }: Source) =>
      subscriptions.foreignIn(subscription_id).has(type);
    const isOwn = (source: Source) => !isForeign(source) && NAME.test(source.type);
    return [...this.#sources.values()].filter(
      (source) => (source.made || refused) && isOwn(source),
    );
  }

  #removal({ subscription_id, type }: Source): Sending {
    const target = requestTargetOf(this.#session.operation('deleteEventSource'), {
      path: { subscription_id, type },
    });
    return { method: 'DELETE', target };
  }

  /** False if the service does not offer it, which at the core level it need not. */
  async #removeEdge(id: string): Promise<boolean> {
    const implementation = this.#implementation;
    const operation = implementation.operations.get('deleteEdge');
    if (!operation || implementation.deletesEdges === false) {
      return false;
    }
    const target = requestTargetOf(operation, { path: { edge_id: id } });
    const status = await statusOf(implementation, { method: 'DELETE', target });
    if (isOffered(implementation, operation)) {
      return saysRemoved(status);
    }
    // The edge is there, so a 404 says that the operation is not.
    implementation.deletesEdges ??= isSuccess(status);
    return isSuccess(status);
  }

  /** @param status of the response; undefined: none came */
  #trackSource(subscription_id: string, type: unknown, status: number | undefined): void {
    if (typeof type !== 'string') {
      return;
    }
    const key = `${subscription_id} ${type}`;
    const refused = status !== undefined && status >= 400 && status < 500;
    this.#sources.set(key, {
      subscription_id,
      type,
      made: !refused || this.#sources.get(key)?.made === true,
    });
  }

  #trackEdge(edge: unknown): void {
    const { leftBehind, lostEdges } = this.#implementation;
    const id = (edge as { id?: unknown } | null | undefined)?.id;
    if (typeof id !== 'string') {
      return countLeft(leftBehind, 'edges');
    }
    this.#edges.add(id);
    lostEdges.shown(id);
  }
}

/** Undefined if no response came. */
async function statusOf(
  implementation: Implementation,
  sending: Sending,
): Promise<number | undefined> {
  return (await sendAside(implementation, sending).catch(() => undefined))?.status;
}

/** Any success of a DELETE: that it is not the documented one is a finding of its requirement. */
const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

const saysRemoved = (status: number | undefined): boolean => isSuccess(status) || status === 404;

function countLeft(leftBehind: Record<string, number>, kind: string): void {
  leftBehind[kind] = (leftBehind[kind] ?? 0) + 1;
}

export interface WantedItems {
  count: number;
  /** Selects those that will do; all by default. */
  suits?: (id: string) => boolean;
}

/**
 * Subscriptions: new ones for each case, with the name of the run; or those that the user names,
 * each lent to one case. A case takes all that it needs in one step, in the order of cases: none
 * waits while it holds one, so that none waits for ever.
 */
export class SubscriptionPool {
  readonly #namespace: string;
  /** Those that the user named. */
  readonly existing: readonly string[];
  readonly #idle: string[];
  readonly #waiting: { wanted: WantedItems; serve: (ids: string[] | undefined) => void }[] = [];
  readonly #foreign = new Map<string, ReadonlySet<string>>();
  #made = 0;

  constructor(namespace: string, existing: readonly string[]) {
    this.#namespace = namespace;
    this.existing = [...new Set(existing)];
    this.#idle = [...this.existing];
  }

  /** True when subscriptions may hold sources that the suite did not make. */
  get shared(): boolean {
    return this.existing.length > 0;
  }

  /** Whether the pool made this id. */
  made(id: string): boolean {
    return id.startsWith(`${this.#namespace}-`);
  }

  /**
   * The sources that an existing subscription held when the run began: somebody else's, to be left
   * alone.
   */
  foreignIn(id: string): ReadonlySet<string> {
    return this.#foreign.get(id) ?? new Set();
  }

  addForeign(id: string, types: Iterable<string>): void {
    this.#foreign.set(id, new Set([...this.foreignIn(id), ...types]));
  }

  /** Undefined when there are not so many that suit, and never will be. */
  async take(wanted: WantedItems): Promise<string[] | undefined> {
    if (!this.shared) {
      return Array.from({ length: wanted.count }, () => `${this.#namespace}-${++this.#made}`);
    }
    return new Promise((serve) => {
      this.#waiting.push({ wanted, serve });
      this.#serve();
    });
  }

  giveBack(ids: readonly string[]): void {
    if (!this.shared) {
      return;
    }
    this.#idle.push(...ids);
    this.#serve();
  }

  /**
   * Serves the first in the queue only, otherwise one that wants much would wait for ever. It gets
   * no subscription if none suits any longer.
   */
  #serve(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const ids = choose(this.#idle, first.wanted);
      if (ids === undefined && choose(this.existing, first.wanted) !== undefined) {
        return;
      }
      for (const id of ids ?? []) {
        this.#idle.splice(this.#idle.indexOf(id), 1);
      }
      this.#waiting.shift();
      first.serve(ids);
    }
  }
}

function choose(
  from: readonly string[],
  { count, suits = () => true }: WantedItems,
): string[] | undefined {
  const suitable = from.filter(suits);
  if (suitable.length < count) {
    return undefined;
  }
  return suitable.slice(0, count);
}

/**
 * Notes sources of others, to be left alone.
 * @returns why the service cannot be checked, and what to do about it
 */
export async function noteForeignSources(
  implementation: Implementation,
): Promise<string | undefined> {
  const { client, operations, subscriptions } = edgeImplementation(implementation);
  for (const id of subscriptions.existing) {
    const list = requestTargetOf(operations.get('listEventSources')!, {
      path: { subscription_id: id },
    });
    let pages = 0;
    for await (const { status, items } of pagesFrom(client, list, 'sources', 'uri')) {
      if (pages++ === 0 && status === 404) {
        return (
          `--subscription-id ${id} is not known at ` +
          `${client.base.href}: name a subscription that exists there`
        );
      }
      const types = items.map(({ type }) => type).filter((type) => typeof type === 'string');
      subscriptions.addForeign(id, types);
    }
  }
  return undefined;
}

/** Timestamps may be cut to seconds. */
const MARGIN_MS = 5_000;
/** More would hide the rest of the output. */
const MOST_NAMED = 5;

/**
 * Edges whose creation got no response. New ones in the list may be these or of others: named, and
 * never touched.
 */
export class LostEdges {
  readonly #shown = new Set<string>();
  #count = 0;
  /** By the clock of the suite. */
  #firstAt = 0;

  /** A response showed that the run made it. */
  shown(id: string): void {
    this.#shown.add(id);
  }

  lost(): void {
    if (this.#count++ === 0) {
      this.#firstAt = Date.now();
    }
  }

  /**
   * Counts what may have been made.
   * @returns sentences about it, if there is something to report
   */
  async lookFor(implementation: Implementation): Promise<string[]> {
    const { operations, level, perhapsMade, halted } = implementation;
    if (this.#count === 0) {
      return [];
    }
    perhapsMade['edges'] = this.#count;
    const list = operations.get('listEdges');
    if (!list || level === 'core' || halted !== undefined) {
      return [];
    }
    const found = await this.#unknownEdges(implementation, requestTargetOf(list, {}));
    if (found === undefined) {
      return [];
    }
    perhapsMade['edges'] = Math.min(this.#count, found.length);
    if (found.length === 0) {
      return [];
    }
    const names = found.slice(0, MOST_NAMED).join(', ');
    const named = found.length > MOST_NAMED ? `${names}, …` : names;
    return [
      'Requests that create edges got no response. These edges are as ' +
        'new, and no response showed them to the suite: ' +
        `${named}. It left them alone; if nobody else works on the service, remove them.`,
    ];
  }

  /** Undefined if the list could not be read. */
  async #unknownEdges({ client }: Implementation, target: string): Promise<string[] | undefined> {
    const found: string[] = [];
    const longestAgo = Date.now() - this.#firstAt + MARGIN_MS;
    for await (const { status, headers, items } of pagesFrom(
      client,
      target,
      'https_edges',
      'next_page_uri',
    )) {
      if (status !== 200) {
        return undefined;
      }
      const now = headers['date'] === undefined ? Date.now() : Date.parse(headers['date']);
      for (const { id, created_at } of items) {
        // Newest first.
        if (now - Date.parse(String(created_at)) > longestAgo) {
          return found;
        }
        if (typeof id === 'string' && !this.#shown.has(id)) {
          found.push(id);
        }
      }
    }
    return found;
  }
}

/**
 * A page of a list that is not checked: what cannot be read is not there. Without items, the
 * response is not a page.
 */
type Page = Pick<HttpResponse, 'status' | 'headers'> & { items: Record<string, unknown>[] };

const MAX_PAGES = 100;

/** Undefined if there was no response. @param next the member with the URI of the next page */
async function* pagesFrom(
  client: Client,
  list: string,
  member: string,
  next: string,
): AsyncGenerator<Page> {
  let target = list;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const response = new HttpResponse(await client.send({ method: 'GET', target }));
      const { status, headers } = response;
      const { [member]: items, [next]: uri } = (response.json ?? {}) as Record<string, unknown>;
      const isPage = status === 200 && Array.isArray(items);
      yield {
        status,
        headers,
        items: isPage ? items.filter((item) => typeof item === 'object' && item !== null) : [],
      };
      if (!isPage || typeof uri !== 'string' || !URL.canParse(uri)) {
        return;
      }
      // Only the query leads on: a service behind a proxy may name another host.
      target = list + new URL(uri).search;
    }
  } catch (error) {
    if (!(error instanceof NoResponse)) {
      throw error;
    }
  }
}
