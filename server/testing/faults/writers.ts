/** 32 clients that write without a pause and note in a ledger what they are told. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, send, type Sending } from '../send.ts';
import type { ServerProcess } from '../../../tools/reference-server.ts';
import { filler, type Ledger } from './ledger.ts';

export const WRITERS = 32;

/** Few, so that writers meet. */
const SUBSCRIPTIONS = 4;

export interface Load {
  /** Requests that were sent and have no response yet; a request is removed when its response is whole. */
  inFlight: Set<object>;
  /** Requests whose connection broke before the response was whole. */
  cut: Set<object>;
  /** Resolves when that many changes more were promised. */
  progress(changes: number): Promise<void>;
  /** Ends after the requests that are under way. */
  stop(): Promise<void>;
  /** Resolves when every writer has ended: without `patient`, when their connections broke; else when the server is gone. */
  ended: Promise<unknown>;
}

export interface LoadOptions {
  /** Tells runs apart that use the same ledger. */
  run: string;
  /** Goes on after a broken connection, as long as the server runs. */
  patient: boolean;
}

export function startLoad(server: ServerProcess, ledger: Ledger, { run, patient }: LoadOptions): Load {
  const inFlight = new Set<object>();
  const cut = new Set<object>();
  const stopped = new AbortController();

  /** Undefined when the connection broke. */
  async function ask(sending: Sending): Promise<Answer | undefined> {
    const request = {};
    inFlight.add(request);
    try {
      return await send(server.url, sending);
    } catch {
      cut.add(request);
      return undefined;
    } finally {
      inFlight.delete(request);
    }
  }

  async function write(writer: number): Promise<void> {
    const edges: string[] = [];
    for (let n = 0; !stopped.signal.aborted; n++) {
      const name = `${run}_${writer}_${n}`;
      const answer = await [createEdge, addSource, changeEdge, removeSource][n % 4]!(name, writer, n, edges);
      if (answer === undefined && !(patient && server.runs())) return;
      if (answer === undefined || answer.status === 503) await pause(25);
    }
  }

  async function createEdge(name: string, _writer: number, _n: number, edges: string[]) {
    const answer = await ask({
      method: 'POST',
      path: '/edges/https',
      body: { description: name, metadata: filler(name) },
    });
    if (answer && ledger.count(answer)) {
      edges.push(answer.json.id);
      ledger.edgeIs(answer.json.id, name);
    }
    return answer;
  }

  async function changeEdge(name: string, writer: number, n: number, edges: string[]) {
    const id = edges.at(-1);
    if (id === undefined) return createEdge(name, writer, n, edges);
    ledger.edgeMayBe(id, name);
    const answer = await ask({
      method: 'PATCH',
      path: `/edges/https/${id}`,
      body: { description: name, metadata: filler(name) },
    });
    if (answer && ledger.count(answer)) ledger.edgeIs(id, name);
    return answer;
  }

  async function addSource(name: string, writer: number) {
    const [subscription, type] = [`sub_${writer % SUBSCRIPTIONS}`, `t${name}.v0`];
    ledger.sourceMayBe(`${subscription} ${type}`, 'there');
    const answer = await ask({ method: 'POST', path: `/event_subscriptions/${subscription}/sources`, body: { type } });
    if (answer && ledger.count(answer)) ledger.sourceIs(`${subscription} ${type}`, 'there');
    return answer;
  }

  /** The one that this writer added last; every second one stays. */
  async function removeSource(_name: string, writer: number, n: number) {
    const [subscription, type] = [`sub_${writer % SUBSCRIPTIONS}`, `t${run}_${writer}_${n - 2}.v0`];
    if (n % 8 === 3) return addSource(`${run}_${writer}_${n}`, writer);
    const promised = ledger.isPromised(`${subscription} ${type}`);
    ledger.sourceMayBe(`${subscription} ${type}`, 'gone');
    const answer = await ask({ method: 'DELETE', path: `/event_subscriptions/${subscription}/sources/${type}` });
    // Its add was not acknowledged, and was not made.
    if (answer?.status === 404 && !promised) return answer;
    if (answer && ledger.count(answer)) ledger.sourceIs(`${subscription} ${type}`, 'gone');
    return answer;
  }

  const ended = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const over = new AbortController();
  void ended.then(() => over.abort());
  return {
    inFlight,
    cut,
    ended,
    progress: async (changes) => {
      const goal = ledger.acknowledged + changes;
      while (ledger.acknowledged < goal && !over.signal.aborted) await pause(2);
    },
    stop: async () => {
      stopped.abort();
      await ended;
    },
  };
}
