/**
 * The exchanges of a case as a shell script that stands alone: it works on subscriptions of its own, takes ids and next
 * pages from the responses that bring them, reads secrets from the environment, and removes what it added.
 */
import { gzipSync } from 'node:zlib';
import { BYTES, type RecordedExchange } from '../http/session.ts';
import type { Implementation } from '../http/implementation.ts';
import { quote, variableName } from './shell.ts';
import { visible } from './text.ts';
import { Variables } from './variables.ts';
import type { Sending } from '../http/call.ts';

export interface Case {
  exchanges: readonly RecordedExchange[];
  /** The requests that remove what it made. */
  removals: readonly Sending[];
}

export function curlScript(sentence: string, { exchanges, removals }: Case, implementation: Implementation): string {
  const base = implementation.client.base.href.replace(/\/$/, '');
  const variables = new Variables(base, exchanges, implementation);
  const common = new CommonHeaders(implementation, exchanges);
  const steps = exchanges.flatMap((exchange, index) =>
    stepLines(exchange, exchanges[index + 1], variables, common, index),
  );
  const removing = removals.map(
    ({ method, target }) => `${common.send({}, target)} -X ${method} ${variables.url(`${base}${target}`)} > /dev/null`,
  );
  const limit = exchanges.some(({ error }) => error !== undefined)
    ? ` --max-time ${Math.ceil(implementation.client.timeoutMs / 1000)}`
    : '';
  const lines = [
    '#!/bin/sh',
    `# ${sentence.replaceAll(/\s+/g, ' ')}`,
    `BASE=\${BASE:-${quote(base)}}`,
    ...common.secrets,
    ...variables.declarations,
    `send() { curl -sS -i --path-as-is${limit} -w '\\n'${common.words} "$@"; }`,
    ...variables.helpers,
    ...steps,
    ...(removing.length > 0 ? ['', '# Remove what was added.', ...removing] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function stepLines(
  exchange: RecordedExchange,
  next: RecordedExchange | undefined,
  variables: Variables,
  common: CommonHeaders,
  index: number,
): string[] {
  const command = commandOf(exchange, variables, common);
  const response = exchange.response ? `returned ${exchange.response.status}` : `no response: ${exchange.error}`;
  if (exchange.group !== undefined) {
    // In one piece each, or responses that come at once are shown through each other.
    const racing = `(printf '%s\\n' "$(${command})") &`;
    return ['', `# at once; ${response}`, racing, ...(next?.group === exchange.group ? [] : ['wait'])];
  }
  const captures = variables.capturesAfter(index);
  if (captures.length === 0) return ['', `# ${response}`, command];
  return ['', `# ${response}`, `RESPONSE=$(${command})`, 'printf \'%s\\n\' "$RESPONSE"', ...captures];
}

/** Longer bodies, and those that no shell word can hold, are packed. */
const MAX_INLINE = 8_000;
/** Bytes that a terminal does not show are written as their numbers; more of them are packed. */
const MAX_ESCAPED = 400;

/** Bytes are shown as text where that is what they are to every terminal. */
const isPlain = (bytes: Buffer): boolean => /^[\t\n\x20-\x7e]*$/.test(bytes.toString('latin1'));

function commandOf({ request, raw, fields }: RecordedExchange, variables: Variables, common: CommonHeaders): string {
  if (request.method === BYTES) return bytesCommand(request.url, raw!);
  const { 'content-length': _, ...headers } = request.headers;
  const method = request.method === 'HEAD' ? '--head' : `-X ${request.method}`;
  const send = `${common.send(headers, request.url, fields)} ${method} ${variables.url(request.url)}`;
  if (request.body === null) return send;
  // What curl adds by itself: a type of its own, and a question before a long body.
  const type = headers['content-type'] ? '' : " -H 'Content-Type:'";
  const inline =
    (raw === undefined || isPlain(raw)) &&
    request.body.length <= MAX_INLINE &&
    // What a report shows in another way cannot be copied from it.
    visible(request.body) === request.body &&
    !request.body.startsWith('@');
  if (inline) return `${send}${type} --data-binary ${variables.body(request.body)}`;
  return `${written(raw ?? Buffer.from(request.body), MAX_ESCAPED)} | ${send}${type} -H Expect: --data-binary @-`;
}

/** A command that writes these bytes. */
function written(bytes: Buffer, mostEscaped: number): string {
  if (bytes.length > mostEscaped) return `printf %s ${quote(gzipSync(bytes).toString('base64'))} | base64 -d | gunzip`;
  const isText = (byte: number) => byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x25;
  return `printf ${quote([...bytes].map((byte) => (isText(byte) ? String.fromCharCode(byte) : escaped(byte))).join(''))}`;
}

/** Bytes as they are: no option of curl makes a request that is none. */
function bytesCommand(url: string, bytes: Buffer): string {
  const { protocol, hostname, port } = new URL(url);
  const [scheme, usual] = protocol === 'https:' ? ['https', 443] : ['http', 80];
  const address = `${hostname}:${port || usual}`;
  const client = scheme === 'https' ? `openssl s_client -quiet -connect ${address}` : `curl -sS telnet://${address}`;
  // The end of its input would end the connection before the response comes.
  return `{ ${written(bytes, MAX_INLINE)}; sleep 2; } | ${client}`;
}

function escaped(byte: number): string {
  if (byte === 0x0d) return String.raw`\r`;
  if (byte === 0x0a) return String.raw`\n`;
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

/**
 * What the suite sends with every request, unless a request of the case has it otherwise: then it is said each time.
 */
class CommonHeaders {
  /** Checks that say which secrets are needed. */
  readonly secrets: string[] = [];
  readonly words: string;
  readonly #rest: [string, string][];
  /** Names of query parameters that every request has. */
  readonly #query: string[];
  /** The cookie that every request has. */
  readonly #cookie: string | undefined;
  /** The header with the token that may only read, which some requests of a case have in place of the other. */
  readonly #readOnly: string | undefined;
  readonly #token: string | undefined;

  constructor({ client, token, readOnlyToken }: Implementation, exchanges: readonly RecordedExchange[]) {
    this.#token = token === undefined ? undefined : `Bearer ${token}`;
    this.#readOnly = readOnlyToken === undefined ? undefined : `Bearer ${readOnlyToken}`;
    this.#query = Object.keys(client.query);
    this.#cookie = client.headers['cookie'];
    for (const name of this.#query)
      this.secrets.push(`: "\${TOKEN:?put the value of the query parameter ${name} into it first}"`);
    const all = Object.entries(client.headers).map(([name, value]): [string, string] => {
      if (name === 'accept') return [name, `-H ${quote(`${name}: ${value}`)}`];
      const bearer = name === 'authorization' && value === this.#token;
      const variable = bearer ? 'TOKEN' : `HEADER_${variableName(name)}`;
      this.secrets.push(
        `: "\${${variable}:?put ${bearer ? 'the bearer token' : `the value of the header ${name}`} into it first}"`,
      );
      return [name, `-H "${name}: ${bearer ? 'Bearer ' : ''}$${variable}"`];
    });
    if (exchanges.some(({ request }) => this.#isReadOnly('authorization', request.headers['authorization']))) {
      this.secrets.push(': "${READ_ONLY_TOKEN:?put the token that may only read into it first}"');
    }
    const varies = (name: string) => exchanges.some(({ request }) => request.headers[name] !== undefined);
    this.words = all
      .filter(([name]) => !varies(name))
      .map(([, word]) => ` ${word}`)
      .join('');
    this.#rest = all.filter(([name]) => varies(name));
  }

  /** @param fields as they went out, where not all are in the headers */
  send(headers: Record<string, string>, url: string, fields?: RecordedExchange['fields']): string {
    const own = fields
      ? fields.map(([name, value]) => ` -H ${value === '' ? quote(`${name};`) : this.#word(name, value)}`)
      : Object.entries(headers).map(([name, value]) =>
          value === '' ? without(name) : ` -H ${this.#word(name, value)}`,
        );
    const rest = this.#rest.filter(([name]) => headers[name] === undefined).map(([, word]) => ` ${word}`);
    const query = this.#query
      .filter((name) => !new RegExp(`[?&]${encodeURIComponent(name)}=`).test(url))
      .map((name) => ` --url-query "${name}=$TOKEN"`);
    return `send${rest.join('')}${own.join('')}${query.join('')}`;
  }

  #word(name: string, value: string): string {
    const isBeside = name === 'cookie' && this.#cookie !== undefined && !value.includes(this.#cookie.split('=', 1)[0]!);
    if (isBeside) return `${quote(`cookie: ${value}; `)}"$HEADER_COOKIE"`;
    if (this.#isReadOnly(name, value)) return `"${name}: Bearer $READ_ONLY_TOKEN"`;
    const isToken = this.#token !== undefined && value === this.#token;
    return isToken ? `"${name}: Bearer $TOKEN"` : quote(`${name}: ${value}`);
  }

  #isReadOnly(name: string, value: string | undefined): boolean {
    return name.toLowerCase() === 'authorization' && this.#readOnly !== undefined && value === this.#readOnly;
  }
}

/** Curl sends an `Accept` by itself. */
function without(name: string): string {
  return name === 'accept' ? " -H 'accept:'" : '';
}
