/**
 * One case: what it sends, what comes back, and what it leaves to be cleaned up. Every exchange is kept, so that a
 * failure can be shown and sent again.
 */
import type { Operation } from '../contract/operations.ts';
import type { Exchange } from '../report/report.ts';
import { NoAnswer } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import { Answer } from './answer.ts';

export interface Sending {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface CallInput {
  /** Path parameters, undecoded. */
  path?: Record<string, string>;
  /** Query parameters, undecoded. */
  query?: Record<string, string> | [string, string][];
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export interface RecordedExchange extends Exchange {
  /** Exchanges with the same number were under way at once. */
  group?: number;
  raw?: Buffer;
}

export class Session {
  readonly target: Target;
  readonly exchanges: RecordedExchange[] = [];
  readonly #subscriptions: string[] = [];
  readonly #sources = new Map<string, { subscription_id: string; type: string }>();
  #group = 0;
  #grouped = false;

  constructor(target: Target) {
    this.target = target;
  }

  /** An operation of the contract by its id. */
  operation(operationId: string): Operation {
    const operation = this.target.operations.get(operationId);
    if (!operation) throw new Error(`the contract has no operation ${operationId}`);
    return operation;
  }

  /** Calls an operation. @throws NoAnswer */
  async call(operationId: string, input: CallInput = {}): Promise<Answer> {
    const operation = this.operation(operationId);
    const answer = await this.send({ method: operation.method, target: targetOf(operation, input), ...contentOf(input) });
    this.#observe(operationId, input, answer);
    return answer;
  }

  /** @throws NoAnswer */
  async send(sending: Sending): Promise<Answer> {
    const exchange: RecordedExchange = {
      request: {
        method: sending.method,
        url: this.#urlOf(sending.target),
        headers: sending.headers ?? {},
        body: sending.body === undefined ? null : sending.body.toString('utf8'),
      },
      response: null,
      ...(this.#grouped ? { group: this.#group } : {}),
      ...(Buffer.isBuffer(sending.body) ? { raw: sending.body } : {}),
    };
    this.exchanges.push(exchange);
    try {
      const received = await this.target.client.send(sending);
      const answer = new Answer(received);
      exchange.response = { status: answer.status, headers: answer.headers, body: answer.text };
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) exchange.error = error.message;
      throw error;
    }
  }

  /** Runs what `start` sends at once, and shows it so. */
  async together<T>(start: () => Promise<T>[]): Promise<T[]> {
    this.#group++;
    this.#grouped = true;
    const running = start();
    this.#grouped = false;
    return Promise.all(running);
  }

  /** A subscription for this case alone. */
  async subscription(): Promise<string> {
    const id = await this.target.subscriptions.take();
    this.#subscriptions.push(id);
    return id;
  }

  /** Removes what the case made, as far as the API can. Faults do not count: the case has been judged. */
  async cleanUp(): Promise<void> {
    for (const { subscription_id, type } of this.#sources.values()) {
      const target = targetOf(this.operation('deleteEventSource'), { path: { subscription_id, type } });
      const gone = await this.target.client.send({ method: 'DELETE', target }).catch(() => undefined);
      if (gone?.status !== 204 && gone?.status !== 404) this.target.leftBehind.sources++;
    }
    this.#sources.clear();
    for (const id of this.#subscriptions.splice(0)) this.target.subscriptions.giveBack(id);
  }

  #observe(operationId: string, { path, json }: CallInput, answer: Answer): void {
    if (operationId === 'createEdge' && answer.status === 201) this.target.leftBehind.edges++;
    const subscription_id = path?.['subscription_id'];
    if (subscription_id === undefined) return;
    const sent = (json as { type?: unknown } | undefined)?.type;
    if (operationId === 'createEventSource' && answer.status === 201) this.#track(subscription_id, sent);
    if (operationId === 'updateEventSource' && answer.status === 200) this.#track(subscription_id, sent);
    if (operationId === 'deleteEventSource' && answer.status === 204) this.#sources.delete(`${subscription_id} ${path?.['type']}`);
  }

  #track(subscription_id: string, type: unknown): void {
    if (typeof type === 'string') this.#sources.set(`${subscription_id} ${type}`, { subscription_id, type });
  }

  #urlOf(target: string): string {
    return /^https?:/i.test(target) ? target : this.target.client.base.href.replace(/\/$/, '') + target;
  }
}

/** Path and query of a call. */
export function targetOf(operation: Operation, { path = {}, query = {} }: CallInput): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

function contentOf({ json, body, headers }: CallInput): Pick<Sending, 'headers' | 'body'> {
  const content = body ?? (json === undefined ? undefined : JSON.stringify(json));
  if (content === undefined) return headers === undefined ? {} : { headers };
  return { body: content, headers: { 'content-type': 'application/json', ...headers } };
}
