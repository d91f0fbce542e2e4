/** The edges and event sources that a case makes, and the subscriptions that it was lent. */
import type { Client } from '../engine/http/client.ts';
import type { Tracker } from '../engine/http/implementation.ts';
import { type CallInput, requestTargetOf, type Sending } from '../engine/http/call.ts';
import { entry } from '../engine/contract/load.ts';
import type { Operation } from '../engine/contract/operations.ts';
import { type HttpResponse, parse } from '../engine/http/response.ts';
import type { Session } from '../engine/http/session.ts';
import { NotPossible } from '../engine/http/nonconformity.ts';
import type { Wanted } from './subscriptions.ts';

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
  readonly #subscriptions: string[] = [];
  /** By subscription and type. */
  readonly #sources = new Map<string, Source>();
  /** Ids of the edges that the case made and did not delete; their routes go with them. */
  readonly #edges = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Subscriptions for this case alone, all that it needs: a case asks once. @throws NotPossible */
  async subscriptions(wanted: Wanted, what = ''): Promise<string[]> {
    if (this.#subscriptions.length > 0) throw new Error('a case takes all its subscriptions in one step');
    const ids = await this.#session.implementation.subscriptions.take(wanted);
    if (ids === undefined) {
      const needed = wanted.count === 1 ? 'a subscription' : `${wanted.count} subscriptions`;
      throw new NotPossible(`needs ${needed}${what}; give more with --subscription-id or --event-type`);
    }
    this.#subscriptions.push(...ids);
    return ids;
  }

  observe({ operationId }: Operation, { path, json, body }: CallInput, response: HttpResponse | undefined): void {
    const status = response?.status;
    if (operationId === 'createEdge' && status === undefined) this.#session.implementation.lostEdges.lost();
    if (operationId === 'createEdge' && status === 201) this.#trackEdge(response?.json);
    if (operationId === 'deleteEdge' && status === 204) this.#edges.delete(path?.['edge_id'] ?? '');
    const subscription_id = path?.['subscription_id'];
    if (subscription_id === undefined) return;
    if (operationId === 'createEventSource' || operationId === 'updateEventSource') {
      // A service may read a body behind a byte order mark.
      const sent = json ?? (body === undefined ? undefined : parse(body.toString().replace(/^\uFEFF/, '')));
      this.#trackSource(subscription_id, (sent as { type?: unknown } | null | undefined)?.type, status);
    }
    if (operationId === 'deleteEventSource' && status === 204)
      this.#sources.delete(`${subscription_id} ${path?.['type']}`);
  }

  removals(): Sending[] {
    return this.#removable().map((source) => this.#removal(source));
  }

  async cleanUp(failed: boolean): Promise<void> {
    const { client, leftBehind, subscriptions } = this.#session.implementation;
    let responds = true;
    // A service that broke a promise may also have done what it refused.
    for (const source of this.#removable(failed)) {
      const status: number | undefined = responds ? await statusOf(client, this.#removal(source)) : undefined;
      responds = status !== undefined;
      if (source.made && status !== 204 && status !== 404) count(leftBehind, 'sources');
    }
    for (const id of this.#edges) if (!responds || !(await this.#removeEdge(id))) count(leftBehind, 'edges');
    this.#edges.clear();
    subscriptions.giveBack(this.#subscriptions.splice(0));
  }

  /** @param refused also what the service refused. Never what was there before, whatever the service says */
  #removable(refused = false): Source[] {
    const { foreign } = this.#session.implementation;
    const isOwn = ({ subscription_id, type }: Source) => !foreign.of(subscription_id).has(type) && NAME.test(type);
    return [...this.#sources.values()].filter((source) => (source.made || refused) && isOwn(source));
  }

  #removal({ subscription_id, type }: Source): Sending {
    const target = requestTargetOf(this.#session.operation('deleteEventSource'), { path: { subscription_id, type } });
    return { method: 'DELETE', target };
  }

  /** False where the service does not offer it, which at the core level it need not. */
  async #removeEdge(id: string): Promise<boolean> {
    const { implementation } = this.#session;
    const { client, level, operations } = implementation;
    const operation = operations.get('deleteEdge');
    if (!operation || implementation.deletesEdges === false) return false;
    const target = requestTargetOf(operation, { path: { edge_id: id } });
    const status = await statusOf(client, { method: 'DELETE', target });
    if (operation.level === 'core' || level === 'extended') return status === 204 || status === 404;
    // The edge is there, so a 404 says that the operation is not.
    implementation.deletesEdges ??= status === 204;
    return status === 204;
  }

  /** @param status of the response; undefined: none came */
  #trackSource(subscription_id: string, type: unknown, status: number | undefined): void {
    if (typeof type !== 'string') return;
    const key = `${subscription_id} ${type}`;
    const refused = status !== undefined && status >= 400 && status < 500;
    this.#sources.set(key, { subscription_id, type, made: !refused || this.#sources.get(key)?.made === true });
  }

  #trackEdge(edge: unknown): void {
    const { leftBehind, lostEdges } = this.#session.implementation;
    const id = (edge as { id?: unknown } | null | undefined)?.id;
    if (typeof id !== 'string') return count(leftBehind, 'edges');
    this.#edges.add(id);
    lostEdges.shown(id);
  }
}

/** Undefined where no response came. */
async function statusOf(client: Client, sending: Sending): Promise<number | undefined> {
  return (await client.send(sending).catch(() => undefined))?.status;
}

function count(leftBehind: Record<string, number>, kind: string): void {
  leftBehind[kind] = (leftBehind[kind] ?? 0) + 1;
}
