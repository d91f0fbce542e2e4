/**
 * The exchanges of a case as a shell script that stands alone: it works on a subscription of its own, takes ids from the
 * answers that bring them, and reads the token from the environment.
 */
import { gzipSync } from 'node:zlib';
import type { RecordedExchange } from '../check/session.ts';
import type { Target } from '../target/target.ts';

export function curlScript(sentence: string, exchanges: readonly RecordedExchange[], target: Target): string {
  const base = target.client.base.href.replace(/\/$/, '');
  const variables = new Variables(base, exchanges, target);
  const lines = [
    '#!/bin/sh',
    `# ${sentence.replaceAll(/\s+/g, ' ')}`,
    `BASE=\${BASE:-${quote(base)}}`,
    ...(target.token === undefined ? [] : ['# Put the bearer token into TOKEN first.']),
    ...variables.declarations,
  ];
  let group: number | undefined;
  for (const [index, exchange] of exchanges.entries()) {
    if (group !== undefined && exchange.group !== group) lines.push('wait');
    group = exchange.group;
    const command = curl(exchange, variables, target.token !== undefined);
    const captures = variables.capturesAfter(index);
    lines.push('', `# ${exchange.response ? `answered ${exchange.response.status}` : `no answer: ${exchange.error}`}`);
    if (captures.length > 0) lines.push(`ANSWER=$(${command})`, 'printf \'%s\\n\' "$ANSWER"', ...captures);
    else lines.push(group === undefined ? command : `${command} &`);
  }
  if (group !== undefined) lines.push('wait');
  return `${lines.join('\n')}\n`;
}

/** Texts of the case that another run must replace by its own. */
class Variables {
  readonly declarations: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #captures = new Map<number, string[]>();

  constructor(base: string, exchanges: readonly RecordedExchange[], target: Target) {
    this.#names.set(base, 'BASE');
    if (!target.subscriptions.shared) this.#declareSubscriptions(exchanges);
    exchanges.forEach((exchange, index) => this.#captureFrom(exchange, index, exchanges.slice(index + 1)));
  }

  capturesAfter(index: number): string[] {
    return this.#captures.get(index) ?? [];
  }

  /** The text as a shell word, with variables in place of what they stand for. */
  word(text: string): string {
    let parts: (string | { name: string })[] = [text];
    for (const [value, name] of [...this.#names].toSorted(([a], [b]) => b.length - a.length)) {
      parts = parts.flatMap((part) => (typeof part === 'string' ? split(part, value, name) : [part]));
    }
    const words = parts.filter((part) => part !== '').map((part) => (typeof part === 'string' ? quote(part) : `"$${part.name}"`));
    return words.join('') || "''";
  }

  #declareSubscriptions(exchanges: readonly RecordedExchange[]): void {
    const ids = new Set(exchanges.flatMap(({ request }) => /\/event_subscriptions\/([A-Za-z0-9_-]{12,})\//.exec(request.url)?.[1] ?? []));
    for (const id of ids) {
      const name = `SUBSCRIPTION${this.declarations.length + 1}`;
      this.#names.set(id, name);
      this.declarations.push(`${name}=conformance-$(date +%s)-$$-${this.declarations.length + 1}`);
    }
  }

  /** `id` and `uri` of an answer, where a later request repeats them. */
  #captureFrom({ response }: RecordedExchange, index: number, later: readonly RecordedExchange[]): void {
    const json = response && parse(response.body);
    for (const property of ['uri', 'id']) {
      const value = json?.[property];
      if (typeof value !== 'string' || value.length < 4 || this.#names.has(value)) continue;
      if (!later.some(({ request }) => request.url.includes(value))) continue;
      const name = `${property.toUpperCase()}${index + 1}`;
      this.#names.set(value, name);
      const capture = String.raw`${name}=$(printf '%s' "$ANSWER" | tr -d '\n' | sed 's/.*"${property}" *: *"\([^"]*\)".*/\1/')`;
      this.#captures.set(index, [...this.capturesAfter(index), capture]);
    }
  }
}

function split(text: string, value: string, name: string): (string | { name: string })[] {
  return text.split(value).flatMap((part, index) => (index === 0 ? [part] : [{ name }, part]));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function curl({ request, raw }: RecordedExchange, variables: Variables, authenticated: boolean): string {
  const { 'content-length': _, ...headers } = request.headers;
  const parts = ['curl -sS --path-as-is -i'];
  if (request.method === 'HEAD') parts.push('--head');
  else parts.push(`-X ${request.method}`);
  parts.push(variables.word(request.url));
  if (authenticated && headers['authorization'] === undefined) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) if (value !== '') parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (request.body === null) return parts.join(' ');
  const inline = raw === undefined && request.body.length <= MAX_INLINE && !request.body.includes('\0');
  if (inline) return `${parts.join(' ')} --data-binary ${variables.word(request.body)}`;
  const packed = gzipSync(raw ?? Buffer.from(request.body)).toString('base64');
  return `printf %s ${quote(packed)} | base64 -d | gunzip | ${parts.join(' ')} --data-binary @-`;
}

/** Longer bodies, and those that no shell word can hold, are packed. */
const MAX_INLINE = 8_000;

function quote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
