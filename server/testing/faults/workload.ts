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

/** What a read says of an edge; undefined if it says nothing. */
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
function filler(description: string): string {
  return createHash('shake256', { outputLength: 3072 }).update(description).digest('base64url');
}

export type Load = ReturnType<typeof startLoad>;

/**
 * Starts the writers, who go on after a broken connection as long as the server runs.
 * @param run names this load
 */
export function startLoad(server: ServerProcess, ledger: Ledger, run: string) {
  const load = { cut: 0, stopped: false, over: false };

  /** Undefined when the connection broke. */
  async function ask(sending: Sending): Promise<Answer | undefined> {
    return send(server.url, sending).catch(() => {
      load.cut += 1;
      return undefined;
    });
  }

  async function change(
    path: string,
    state: string,
    sending: Sending,
  ): Promise<Answer | undefined> {
    const canBeGone = ledger.canBeGone(path);
    ledger.mayBe(path, state);
    const answer = await ask(sending);
    // Its add was not acknowledged, and was not made.
    if (answer?.status === 404 && canBeGone) {
      return answer;
    }
    if (answer && ledger.count(answer)) {
      ledger.is(path, state);
    }
    return answer;
  }

  async function write(writer: number): Promise<void> {
    const sources = `/event_subscriptions/sub_${writer % SUBSCRIPTIONS}/sources`;
    let edge: string | undefined;
    let type = '';
    for (let n = 0; !load.stopped; n++) {
      const name = `${run}_${writer}_${n}`;
      const body = { description: name, metadata: filler(name) };
      let answer: Answer | undefined;
      // Every second source stays.
      if (n % 8 === 3) {
        answer = await change(`${sources}/${type}`, 'gone', {
          method: 'DELETE',
          path: `${sources}/${type}`,
        });
      } else if (n % 2 === 1) {
        type = `t${name}.v0`;
        answer = await change(`${sources}/${type}`, 'there', {
          method: 'POST',
          path: sources,
          body: { type },
        });
      } else if (n % 4 === 2 && edge !== undefined) {
        answer = await change(edge, name, { method: 'PATCH', path: edge, body });
      } else {
        answer = await ask({ method: 'POST', path: '/edges/https', body });
        if (answer && ledger.count(answer)) {
          edge = `/edges/https/${answer.json.id}`;
          ledger.is(edge, name);
        }
      }
      if (answer === undefined && !server.runs()) {
        return;
      }
      if (answer === undefined || answer.status === 503) {
        await pause(25);
      }
    }
  }

  const ended = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  void ended.then(() => (load.over = true));
  return {
    /** How many connections broke before the response was whole. */
    cut: () => load.cut,
    /** Resolves when so many more changes were promised, or all writers have ended. */
    progress: async (changes: number) => {
      const goal = ledger.acknowledged + changes;
      while (ledger.acknowledged < goal && !load.over) {
        await pause(2);
      }
    },
    /** Ends after the requests that are under way. */
    stop: async () => {
      load.stopped = true;
      await ended;
    },
    /** Resolves when every writer has ended: after a call of `stop`, or when the server is gone. */
    ended,
  };
}
