/**
 * 32 clients that write without a pause, and a ledger of the responses and of the state that must
 * follow from them.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../../../tools/reference-server.ts';
import { type Answer, send, type Sending } from '../send.ts';

export const WRITERS = 32;
/** Few, so that writers meet. */
const SUBSCRIPTIONS = 4;

/**
 * A response of 2xx is a promise; after anything else, both states are right until the next promise
 * about the path.
 */
export class Ledger {
  /** Changes that were promised. */
  acknowledged = 0;
  /** Responses 503 with Retry-After. */
  refused = 0;
  readonly lost: string[] = [];
  /** Records that are not whole. */
  readonly torn: string[] = [];
  /** Other things that must not be, such as a response 500. */
  readonly problems: string[] = [];
  /** For each path, the states that are right: the description of an edge, `there`, or `gone`. */
  readonly #states = new Map<string, Set<string>>();

  mayBe(path: string, state: string): void {
    this.#states.set(path, (this.#states.get(path) ?? new Set(['gone'])).add(state));
  }

  is(path: string, state: string): void {
    this.#states.set(path, new Set([state]));
  }

  canBeGone(path: string): boolean {
    return this.#states.get(path)?.has('gone') ?? true;
  }

  /** Counts a response to a change. @returns whether it is a promise */
  count({ status, headers, text }: Answer): boolean {
    const promised = status >= 200 && status < 300;
    if (promised) {
      this.acknowledged += 1;
    } else if (status === 503 && headers['retry-after'] !== undefined) {
      this.refused += 1;
    } else {
      this.problems.push(`a change got ${status} ${text.slice(0, 200)}`);
    }
    return promised;
  }

  async verify(base: string): Promise<void> {
    for (const [path, states] of this.#states) {
      const { status, json } = await send(base, { path });
      const state = stateOf(status, json);
      const half =
        status === 200 && json.metadata !== undefined && json.metadata !== filler(json.description);
      if (status === 500 || half) {
        this.torn.push(path);
      } else if (state === undefined || !states.has(state)) {
        this.lost.push(`${path}: ${status}`);
      }
    }
  }
}

/** The result of a read of an edge; undefined if it has none. */
function stateOf(status: number, json: any): string | undefined {
  if (status === 200) {
    return json.description ?? 'there';
  }
  return status === 404 ? 'gone' : undefined;
}

/**
 * 4,096 bytes that belong to a description, so that an edge of two halves is noticed. They compress
 * badly.
 */
export function filler(description: string): string {
  return createHash('shake256', { outputLength: 3072 }).update(description).digest('base64url');
}

/**
 * The writers at work, who go on after a broken connection as long as the server runs, or until
 * `stop`.
 */
export interface Load {
  /** How many connections broke before the response was whole. */
  cut(): number;
  /** Resolves when so many more changes were promised, or all writers have ended. */
  progress(changes: number): Promise<void>;
  /** Ends after the requests that are under way. */
  stop(): Promise<void>;
  /** Resolves when every writer has ended: after a call of `stop`, or when the server is gone. */
  ended: Promise<unknown>;
}

/** @param run names this load */
export function startLoad(server: ServerProcess, ledger: Ledger, run: string): Load {
  const client = new LedgerClient(server.url, ledger);
  const state = { stopped: false, over: false };
  const write = async (number: number) => {
    const writer = new Writer(client, ledger, { run, number });
    for (let n = 0; !state.stopped; n++) {
      const answer = await writer.change(n);
      if (answer === undefined && !server.runs()) {
        return;
      }
      if (answer === undefined || answer.status === 503) {
        await pause(25);
      }
    }
  };
  const ended = Promise.all(Array.from({ length: WRITERS }, (_, number) => write(number)));
  void ended.then(() => {
    state.over = true;
  });
  return {
    cut: () => client.cut,
    progress: async (changes) => {
      const goal = ledger.acknowledged + changes;
      while (ledger.acknowledged < goal && !state.over) {
        await pause(2);
      }
    },
    stop: async () => {
      state.stopped = true;
      await ended;
    },
    ended,
  };
}

/** Sends requests, and enters in the ledger what must follow from their responses. */
class LedgerClient {
  /** How many connections broke before the response was whole. */
  cut = 0;
  readonly #url: string;
  readonly #ledger: Ledger;

  constructor(url: string, ledger: Ledger) {
    this.#url = url;
    this.#ledger = ledger;
  }

  /** Undefined when the connection broke. */
  ask(sending: Sending): Promise<Answer | undefined> {
    return send(this.#url, sending).catch(() => {
      this.cut += 1;
      return undefined;
    });
  }

  async change(path: string, state: string, sending: Sending): Promise<Answer | undefined> {
    const canBeGone = this.#ledger.canBeGone(path);
    this.#ledger.mayBe(path, state);
    const answer = await this.ask(sending);
    // Its add was not acknowledged, and was not made.
    if (answer?.status === 404 && canBeGone) {
      return answer;
    }
    if (answer && this.#ledger.count(answer)) {
      this.#ledger.is(path, state);
    }
    return answer;
  }
}

interface WriterName {
  run: string;
  number: number;
}

/** One of the 32: it creates edges and changes them, and adds and removes event sources. */
class Writer {
  readonly #client: LedgerClient;
  readonly #ledger: Ledger;
  readonly #name: string;
  readonly #sources: string;
  #edge: string | undefined;
  #type = '';

  constructor(client: LedgerClient, ledger: Ledger, { run, number }: WriterName) {
    this.#client = client;
    this.#ledger = ledger;
    this.#name = `${run}_${number}`;
    this.#sources = `/event_subscriptions/sub_${number % SUBSCRIPTIONS}/sources`;
  }

  /** Its n-th change. @returns undefined when the connection broke */
  change(n: number): Promise<Answer | undefined> {
    const name = `${this.#name}_${n}`;
    // Every second source stays.
    if (n % 8 === 3) {
      return this.#removeSource();
    }
    if (n % 2 === 1) {
      return this.#addSource(name);
    }
    const body = { description: name, metadata: filler(name) };
    if (n % 4 === 2 && this.#edge !== undefined) {
      const path = this.#edge;
      return this.#client.change(path, name, { method: 'PATCH', path, body });
    }
    return this.#createEdge(name, body);
  }

  #removeSource(): Promise<Answer | undefined> {
    const path = `${this.#sources}/${this.#type}`;
    return this.#client.change(path, 'gone', { method: 'DELETE', path });
  }

  #addSource(name: string): Promise<Answer | undefined> {
    const type = `t${name}.v0`;
    this.#type = type;
    const sending = { method: 'POST', path: this.#sources, body: { type } };
    return this.#client.change(`${this.#sources}/${type}`, 'there', sending);
  }

  async #createEdge(name: string, body: object): Promise<Answer | undefined> {
    const answer = await this.#client.ask({ method: 'POST', path: '/edges/https', body });
    if (answer && this.#ledger.count(answer)) {
      this.#edge = `/edges/https/${answer.json.id}`;
      this.#ledger.is(this.#edge, name);
    }
    return answer;
  }
}
