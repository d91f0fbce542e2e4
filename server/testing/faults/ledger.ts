/**
 * What writers were told, and what must therefore be there.
 *
 * A response of 2xx is a promise. Anything else, a broken connection too, leaves open whether the change was made: then
 * both states are right, until the next promise about the same thing.
 */
import { type Answer, send } from '../send.ts';

/** A source: a type of a subscription. */
type Source = `${string} ${string}`;

export class Ledger {
  /** Changes that were promised. */
  acknowledged = 0;
  /** Answers 503. */
  refused = 0;
  /** What must never come: other statuses, 503 without Retry-After. */
  readonly surprises: string[] = [];
  /** The descriptions that an edge may have. */
  readonly #edges = new Map<string, Set<string>>();
  readonly #sources = new Map<Source, Set<'there' | 'gone'>>();
  /** Edges and sources whose state was not looked at since they changed. */
  #unchecked = new Set<string>();

  edgeMayBe(id: string, description: string): void {
    this.#edges.get(id)?.add(description);
    this.#unchecked.add(id);
  }

  edgeIs(id: string, description: string): void {
    this.#edges.set(id, new Set([description]));
    this.#unchecked.add(id);
  }

  sourceMayBe(source: Source, state: 'there' | 'gone'): void {
    const states = this.#sources.get(source) ?? new Set(['gone']);
    this.#sources.set(source, states.add(state));
    this.#unchecked.add(source);
  }

  sourceIs(source: Source, state: 'there' | 'gone'): void {
    this.#sources.set(source, new Set([state]));
    this.#unchecked.add(source);
  }

  /** True when nothing else than `there` is right. */
  isPromised(source: Source): boolean {
    const states = this.#sources.get(source);
    return states !== undefined && states.has('there') && states.size === 1;
  }

  /** True for a promise. */
  count({ status, headers, text }: Answer): boolean {
    if (status >= 200 && status < 300) {
      this.acknowledged += 1;
      return true;
    }
    if (status === 503 && headers['retry-after'] !== undefined) this.refused += 1;
    else this.surprises.push(`${status} ${text.slice(0, 200)}`);
    return false;
  }

  /** Looks at what changed since the last time, or at everything. */
  async verify(base: string, what: 'changed' | 'all'): Promise<{ lost: string[]; torn: string[] }> {
    const lost: string[] = [];
    const torn: string[] = [];
    const wanted = (name: string) => what === 'all' || this.#unchecked.has(name);
    for (const [id, descriptions] of this.#edges) {
      if (!wanted(id)) continue;
      const { status, json } = await send(base, { path: `/edges/https/${id}` });
      if (status === 500) torn.push(id);
      else if (status !== 200 || !descriptions.has(json.description)) lost.push(`edge ${id}: ${status}`);
      else if (json.metadata !== filler(json.description)) torn.push(id);
    }
    const listed = new Map<string, Set<string> | undefined>();
    for (const [source, states] of this.#sources) {
      if (!wanted(source)) continue;
      const [subscription, type] = source.split(' ') as [string, string];
      if (!listed.has(subscription)) listed.set(subscription, await typesOf(base, subscription));
      // It cannot be read: every promise about it is broken.
      if (listed.get(subscription) === undefined) torn.push(source);
      else if (!states.has(listed.get(subscription)!.has(type) ? 'there' : 'gone')) lost.push(`source ${source}`);
    }
    this.#unchecked = new Set();
    return { lost, torn };
  }
}

/** 4,096 bytes that belong to a description, so that an edge of two halves is noticed. They compress badly. */
export function filler(description: string): string {
  let state = [...description].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  let text = '';
  while (text.length < 4096) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    text += state.toString(36);
  }
  return text.slice(0, 4096);
}

/** Undefined where the record is damaged. */
async function typesOf(base: string, subscription: string): Promise<Set<string> | undefined> {
  const types = new Set<string>();
  for (let path: string | null = `/event_subscriptions/${subscription}/sources`; path !== null;) {
    const { status, json, text } = await send(base, { path });
    if (status === 500) return undefined;
    if (status !== 200) throw new Error(`the sources of ${subscription} cannot be listed: ${status} ${text}`);
    for (const { type } of json.sources as { type: string }[]) types.add(type);
    path = json.uri === null ? null : (json.uri as string).replace(/^https?:\/\/[^/]+/, '');
  }
  return types;
}
