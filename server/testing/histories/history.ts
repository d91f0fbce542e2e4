/** Random calls of several clients on few items, with what each response tells of the item. */
import { setTimeout as pause } from 'node:timers/promises';
import { filler } from '../faults/workload.ts';
import { type Answer, send, type Sending } from '../send.ts';
import { type Call, type Effect, firstUnexplained } from './checker.ts';

/** Few, so that clients meet. */
const EDGES = 3;
const TYPES = ['a.v0', 'b.v0', 'c.v0'];
const SOURCES = '/event_subscriptions/sub_1/sources';
const GONE = 'gone';
const BETWEEN_ATTEMPTS_MS = 10;
/** Of a call and its response, for people. */
const SHOWN = 100;

/** An edge, whose state is its description, or the sources of a subscription: their types. */
export interface Item {
  path: string;
  initial: string;
  /** When it was known. Earlier calls tell nothing of it. */
  since: number;
  calls: Call[];
}

/** A call on an item. */
interface Asking {
  sending: Sending;
  /** What follows from a response; undefined if it is not one that is due. */
  effectOf(answer: Answer): Pick<Effect, 'after' | 'changes'> | undefined;
  /** The state after the call, where there is no response. */
  unknown?: (state: string) => string;
}

export class History {
  readonly items: Item[] = [];
  /** Responses that should not be. */
  readonly problems: string[] = [];
  calls = 0;
  /** Changes without a response, and those with 503. */
  unknown = 0;
  readonly #edges: Item[] = [];
  readonly #sources: Item;
  /** The address of the server, while it serves. */
  #url: string | undefined;
  /** Calls without a response, which may still take effect. */
  readonly #pending = new Set<Call>();
  #changes = 0;

  constructor() {
    this.#sources = { path: SOURCES, initial: '', since: now(), calls: [] };
    this.items.push(this.#sources);
  }

  /**
   * Sends calls to this server from now on.
   * @param lateMs how long after the end of a server its changes may still take effect
   */
  use(url: string, lateMs: number): void {
    for (const call of this.#pending) {
      call.end = now() + lateMs;
    }
    this.#pending.clear();
    this.#url = url;
  }

  /** Sends no more calls until the next server serves. */
  wait(): void {
    this.#url = undefined;
  }

  /** A client that sends calls, one by one, until the signal. */
  async oneClient(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#randomCall();
    }
  }

  /** Reads all items once. */
  async readAll(): Promise<void> {
    await this.#listSources();
    for (const item of this.items) {
      if (item !== this.#sources) {
        await this.#readEdge(item);
      }
    }
  }

  /** @returns for each item with responses that no order explains, what was seen of it */
  illegal(): string[] {
    const found: string[] = [];
    for (const { path, initial, calls } of this.items) {
      const call = firstUnexplained(calls, initial);
      if (call !== undefined) {
        found.push([`${path}: no order explains`, ...callsAround(call, calls)].join('\n        '));
      }
    }
    return found;
  }

  async #randomCall(): Promise<void> {
    const slot = Math.floor(Math.random() * EDGES);
    const edge = this.#edges[slot] ?? (await this.#createEdge(slot));
    const type = TYPES[Math.floor(Math.random() * TYPES.length)]!;
    const chance = Math.random();
    if (chance < 0.3) {
      await this.#readEdge(edge);
    } else if (chance < 0.6) {
      await this.#changeEdge(edge);
    } else if (chance < 0.65) {
      await this.#listEdges();
    } else if (chance < 0.67) {
      await this.#removeEdge(edge);
      delete this.#edges[slot];
    } else if (chance < 0.77) {
      await this.#addSource(type);
    } else if (chance < 0.87) {
      await this.#removeSource(type);
    } else if (chance < 0.94) {
      await this.#readSource(type);
    } else {
      await this.#listSources();
    }
  }

  /** Until one is there: what had no response is not an item. */
  async #createEdge(slot: number): Promise<Item> {
    for (;;) {
      const description = this.#newValue();
      const body = { description, metadata: filler(description) };
      const answer = await this.#send({ method: 'POST', path: '/edges/https', body });
      if (answer?.status === 201) {
        const path = `/edges/https/${answer.json.id}`;
        const item = { path, initial: description, since: now(), calls: [] };
        this.items.push(item);
        this.#edges[slot] = item;
        return item;
      }
      this.#expectRefusal(answer);
      await pause(BETWEEN_ATTEMPTS_MS);
    }
  }

  #readEdge(edge: Item): Promise<void> {
    return this.#ask(edge, {
      sending: { path: edge.path },
      effectOf: ({ status, json }) => {
        if (status === 200) {
          return shows(stateOfEdge(json));
        }
        return status === 404 ? shows(GONE) : undefined;
      },
    });
  }

  #changeEdge(edge: Item): Promise<void> {
    const description = this.#newValue();
    const body = { description, metadata: filler(description) };
    const change = (state: string) => (state === GONE ? GONE : description);
    return this.#ask(edge, {
      sending: { method: 'PATCH', path: edge.path, body },
      effectOf: ({ status }) => {
        if (status === 200) {
          return changes((state) => state !== GONE, change);
        }
        return status === 404 ? shows(GONE) : undefined;
      },
      unknown: change,
    });
  }

  #removeEdge(edge: Item): Promise<void> {
    return this.#ask(edge, {
      sending: { method: 'DELETE', path: edge.path },
      effectOf: ({ status }) => {
        if (status === 204) {
          return changes(
            (state) => state !== GONE,
            () => GONE,
          );
        }
        return status === 404 ? shows(GONE) : undefined;
      },
      unknown: () => GONE,
    });
  }

  /** Each edge in a list is read at some moment of that list; so is one that is not in it. */
  async #listEdges(): Promise<void> {
    const start = now();
    const known = this.items.filter((item) => item !== this.#sources && item.since < start);
    const answer = await this.#send({ path: '/edges/https?limit=100' });
    const end = now();
    if (answer?.status !== 200) {
      this.#expectRefusal(answer);
      return;
    }
    const { https_edges: listed, next_page_uri: next } = answer.json;
    const states = new Map<string, string>(
      listed.map((edge: any) => [`/edges/https/${edge.id}`, stateOfEdge(edge)]),
    );
    for (const item of known) {
      const state = states.get(item.path) ?? (next === null ? GONE : undefined);
      if (state !== undefined) {
        const text = `list of edges: ${state}`;
        item.calls.push({ ...shows(state), text, start, end, isUnknown: false });
      }
    }
  }

  #addSource(type: string): Promise<void> {
    return this.#ask(this.#sources, {
      sending: { method: 'POST', path: SOURCES, body: { type } },
      effectOf: ({ status }) => {
        if (status === 201) {
          return changes((state) => !has(state, type), withType(type));
        }
        if (status === 409) {
          return showsThat((state) => has(state, type));
        }
        return undefined;
      },
      unknown: withType(type),
    });
  }

  #removeSource(type: string): Promise<void> {
    return this.#ask(this.#sources, {
      sending: { method: 'DELETE', path: `${SOURCES}/${type}` },
      effectOf: ({ status }) => {
        if (status === 204) {
          return changes((state) => has(state, type), withoutType(type));
        }
        if (status === 404) {
          return showsThat((state) => !has(state, type));
        }
        return undefined;
      },
      unknown: withoutType(type),
    });
  }

  #readSource(type: string): Promise<void> {
    return this.#ask(this.#sources, {
      sending: { path: `${SOURCES}/${type}` },
      effectOf: ({ status }) => {
        if (status === 200) {
          return showsThat((state) => has(state, type));
        }
        if (status === 404) {
          return showsThat((state) => !has(state, type));
        }
        return undefined;
      },
    });
  }

  /** A subscription is one record: its list is its state at one moment. */
  #listSources(): Promise<void> {
    return this.#ask(this.#sources, {
      sending: { path: SOURCES },
      effectOf: ({ status, json }) => {
        if (status !== 200) {
          return undefined;
        }
        const types: string[] = json.sources.map((source: any) => source.type);
        return shows(types.toSorted().join(' '));
      },
    });
  }

  async #ask(item: Item, { sending, effectOf, unknown }: Asking): Promise<void> {
    // The address first: a call begins when it is sent.
    await this.#server();
    const start = now();
    const answer = await this.#send(sending);
    const effect = answer && effectOf(answer);
    const text = textOf(sending, answer);
    if (effect !== undefined) {
      item.calls.push({ ...effect, text, start, end: now(), isUnknown: false });
      return;
    }
    this.#expectRefusal(answer);
    if (unknown !== undefined) {
      const call = { text, start, end: Infinity, changes: true, isUnknown: true, after: unknown };
      this.unknown += 1;
      this.#pending.add(call);
      item.calls.push(call);
    }
  }

  async #server(): Promise<string> {
    while (this.#url === undefined) {
      await pause(BETWEEN_ATTEMPTS_MS);
    }
    return this.#url;
  }

  /** Undefined when the connection broke. */
  async #send(sending: Sending): Promise<Answer | undefined> {
    const url = await this.#server();
    this.calls += 1;
    try {
      return await send(url, sending);
    } catch {
      await pause(BETWEEN_ATTEMPTS_MS);
      return undefined;
    }
  }

  /** A broken connection and 503 may be. */
  #expectRefusal(answer: Answer | undefined): void {
    if (answer !== undefined && answer.status !== 503) {
      this.problems.push(`a call got ${answer.status} ${answer.text.slice(0, SHOWN)}`);
    }
  }

  #newValue(): string {
    this.#changes += 1;
    return `v${this.#changes}`;
  }
}

function now(): number {
  return performance.now();
}

/** An edge of two halves has a state that nobody wrote. */
function stateOfEdge({ description, metadata }: any): string {
  if (metadata === filler(description)) {
    return description;
  }
  return `${description} with the metadata of another change`;
}

function shows(value: string) {
  return showsThat((state) => state === value);
}

function showsThat(isTrue: (state: string) => boolean) {
  const after = (state: string) => (isTrue(state) ? state : undefined);
  return { changes: false, after };
}

function changes(canBe: (state: string) => boolean, change: (state: string) => string) {
  const after = (state: string) => (canBe(state) ? change(state) : undefined);
  return { changes: true, after };
}

function typesOf(state: string): string[] {
  return state.split(' ').filter((type) => type !== '');
}

function has(state: string, type: string): boolean {
  return typesOf(state).includes(type);
}

function withType(type: string): (state: string) => string {
  return (state) => [...new Set([...typesOf(state), type])].toSorted().join(' ');
}

function withoutType(type: string): (state: string) => string {
  return (state) =>
    typesOf(state)
      .filter((one) => one !== type)
      .join(' ');
}

function textOf({ method = 'GET', path, body }: Sending, answer: Answer | undefined): string {
  const value = body as { description?: string; type?: string } | undefined;
  const sent = value?.description ?? value?.type ?? '';
  const response = answer?.json;
  const types = response?.sources?.map((source: any) => source.type).join(' ');
  const received = answer?.status === 200 ? (types ?? response?.description ?? '') : '';
  const result = answer === undefined ? 'no response' : `${answer.status} ${received}`;
  return `${method} ${path} ${sent} -> ${result}`.trim();
}

/** How many calls before the one that is not explained are shown. */
const SHOWN_CALLS = 12;

function callsAround(call: Call, calls: readonly Call[]): string[] {
  const before = calls.filter((one) => one.start <= call.end && one !== call);
  const last = before.toSorted((one, other) => one.end - other.end).slice(-SHOWN_CALLS);
  return [call, ...last].map(({ start, end, text }) => {
    return `${start.toFixed(1)} to ${end.toFixed(1)} ms: ${text}`;
  });
}
