/** A case as a script that stands alone: own subscriptions, ids from responses, secrets from the environment. */
import { gzipSync } from 'node:zlib';
import type { Implementation } from '../http/implementation.ts';
import { BYTES, type RecordedExchange, type Session } from '../http/session.ts';
import { visible } from './text.ts';
import { quote, Variables } from './variables.ts';

type Case = Pick<Session, 'exchanges' | 'removals'>;

/** @param sentence the rule that the case breaks. @param removals the requests that remove what it made */
export function curlScript(
  sentence: string,
  { exchanges, removals }: Case,
  implementation: Implementation,
): string {
  const { client } = implementation;
  const base = client.base.href.replace(/\/$/, '');
  const last = removals.map(({ target }) => client.urlOf(target));
  const variables = new Variables(base, exchanges, implementation, last);
  const headers = new Headers(implementation, exchanges);
  const steps: string[] = [];
  for (const [index, exchange] of exchanges.entries()) {
    const command = commandOf(exchange, variables, headers);
    const { response, error } = exchange;
    const outcome = response ? `returned ${response.status}` : `no response: ${error}`;
    steps.push('', `# ${outcome}`);
    if (exchange.group === undefined) {
      steps.push(...sequentialLines(command, variables.captures[index] ?? []));
    } else {
      const isLast = exchanges[index + 1]?.group !== exchange.group;
      steps.push(...concurrentLines(command, isLast));
    }
  }
  if (removals.length > 0) {
    steps.push('', '# Remove what was added.');
  }
  for (const removal of removals) {
    const { method, target, headers: own = {} } = client.authorized(removal);
    const url = variables.url(client.urlOf(target));
    steps.push(`send${headers.words(own, target)} -X ${method} ${url} > /dev/null`);
  }
  const isSilent = exchanges.some(({ error }) => error !== undefined);
  const lines = [
    '#!/bin/sh',
    `# ${sentence.replaceAll(/\s+/g, ' ')}`,
    `BASE=\${BASE:-${quote(base)}}`,
    ...headers.checks,
    ...variables.declarations,
    sendFunction(implementation, headers, isSilent),
    ...variables.helpersFor(steps),
    ...steps,
  ];
  return `${lines.join('\n')}\n`;
}

/** The shell function `send`: curl with what all requests have. @param isSilent whether a request gets no response */
function sendFunction({ client }: Implementation, headers: Headers, isSilent: boolean): string {
  const network = (client.network.curl ?? []).map((word) => ` ${quote(word)}`).join('');
  const limit = isSilent ? ` --max-time ${Math.ceil(client.timeoutMs / 1000)}` : '';
  const common = headers.common.join('');
  return `send() { curl -sS -i --path-as-is${network}${limit} -w '\\n'${common} "$@"; }`;
}

function sequentialLines(command: string, captures: readonly string[]): string[] {
  if (captures.length === 0) {
    return [command];
  }
  return [`RESPONSE=$(${command})`, 'printf \'%s\\n\' "$RESPONSE"', ...captures];
}

/** Requests that are sent at once. Each response is printed as a whole, so that they do not mix. */
function concurrentLines(command: string, isLast: boolean): string[] {
  const lines = [`(printf '%s\\n' "$(${command})") & # at once`];
  if (isLast) {
    lines.push('wait');
  }
  return lines;
}

/** Longer bodies, and those that no shell word can hold, are packed. */
const MAX_INLINE = 8_000;
/** Bytes that a terminal does not show are written as their numbers; more of them are packed. */
const MAX_ESCAPED = 2_000;

function commandOf(
  { request, raw, fields }: RecordedExchange,
  variables: Variables,
  headers: Headers,
): string {
  const { method, url, body } = request;
  if (method === BYTES) {
    return bytesCommand(url, raw ?? Buffer.alloc(0));
  }
  const { 'content-length': _, ...own } = request.headers;
  const words = headers.words(own, url, fields);
  const option = method === 'HEAD' ? '--head' : `-X ${method}`;
  const send = `send${words} ${option} ${variables.url(url)}`;
  if (body === null) {
    return send;
  }
  // Curl adds a type of its own, and a question before a long body.
  const type = own['content-type'] ? '' : " -H 'Content-Type:'";
  const bytes = raw ?? Buffer.from(body);
  // A report shows some characters in another way, which cannot be copied from it.
  const isText = visible(body) === body && bytes.equals(Buffer.from(body));
  if (isText && body.length <= MAX_INLINE && !body.startsWith('@')) {
    return `${send}${type} --data-binary ${variables.body(body)}`;
  }
  return `${written(bytes)} | ${send}${type} -H Expect: --data-binary @-`;
}

/** A command that writes these bytes. */
function written(bytes: Buffer): string {
  if (bytes.length > MAX_ESCAPED) {
    return `printf %s ${quote(gzipSync(bytes).toString('base64'))} | base64 -d | gunzip`;
  }
  const text = bytes.toString('latin1').replaceAll(/[^ -~]|[\\%]/g, (character) => {
    if (character === '\r') {
      return String.raw`\r`;
    }
    if (character === '\n') {
      return String.raw`\n`;
    }
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `printf ${quote(text)}`;
}

/** Sends bytes that need not be a request, which no option of curl does. */
function bytesCommand(url: string, bytes: Buffer): string {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = `${hostname}:${port || (isSecure ? 443 : 80)}`;
  const client = isSecure
    ? `openssl s_client -quiet -connect ${host}`
    : `curl -sS telnet://${host}`;
  // The end of its input would end the connection before the response comes.
  return `{ ${written(bytes)}; sleep 2; } | ${client}`;
}

interface Secret {
  /** The text before it in a header, such as `Bearer `. */
  scheme: string;
  /** The name of the shell variable that has its value. */
  variable: string;
  /** The value in words, for a user who must provide it. */
  description: string;
}

/** The headers of requests as words of curl, with secrets as variables. */
class Headers {
  /** For every request: what the suite sends with each, unless a request of the case has another value. */
  readonly common: string[] = [];
  readonly #client: Implementation['client'];
  /** Values of headers that are secret. */
  readonly #secrets = new Map<string, Secret>();
  readonly #needed = new Set<Secret>();
  /** The rest of what the suite sends with each request. */
  readonly #varying: [string, string][] = [];

  constructor(
    { client, token, readOnlyToken }: Implementation,
    exchanges: readonly RecordedExchange[],
  ) {
    this.#client = client;
    const sentAlways = Object.entries(client.headers);
    for (const [name, value] of sentAlways.filter(([one]) => one !== 'accept')) {
      const variable = `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
      const description = `the value of the header ${name}`;
      this.#secrets.set(value, { scheme: '', variable, description });
    }
    for (const [scheme, fields] of Object.entries(client.given ?? {})) {
      const variable = `AUTH_${scheme.replaceAll(/\W+/g, '_')}`;
      const description = `the header field for ${scheme}`;
      for (const value of Object.values(fields)) {
        this.#secrets.set(value, { scheme: '', variable, description });
      }
    }
    if (token !== undefined) {
      const description = 'the bearer token';
      this.#secrets.set(`Bearer ${token}`, { scheme: 'Bearer ', variable: 'TOKEN', description });
    }
    if (readOnlyToken !== undefined) {
      const variable = 'READ_ONLY_TOKEN';
      const description = 'the token that may only read';
      this.#secrets.set(`Bearer ${readOnlyToken}`, { scheme: 'Bearer ', variable, description });
    }
    for (const name of Object.keys(client.query)) {
      const description = `the value of the query parameter ${name}`;
      this.#needed.add({ scheme: '', variable: 'TOKEN', description });
    }
    for (const [name, value] of sentAlways) {
      if (exchanges.some(({ request }) => request.headers[name] !== undefined)) {
        this.#varying.push([name, value]);
      } else {
        this.common.push(` -H ${this.#word(name, value)}`);
      }
    }
  }

  /** Lines that end the script where a secret is missing: complete once all words are made. */
  get checks(): string[] {
    return Array.from(this.#needed, ({ variable, description }) => {
      return `: "\${${variable}:?put ${description} into it first}"`;
    });
  }

  /** @param own of one request; an empty value leaves one out @param fields all of them, where `own` lacks some */
  words(own: Record<string, string>, url: string, fields?: RecordedExchange['fields']): string {
    const varying = this.#varying.filter(([name]) => own[name] === undefined);
    // Curl sends an `Accept` by itself.
    const sent =
      fields ?? Object.entries(own).filter(([name, value]) => value !== '' || name === 'accept');
    // For curl, `Name;` is an empty field, and `Name:` leaves a field out.
    const empty = fields ? ';' : ':';
    const words: string[] = [];
    for (const [name, value] of [...varying, ...sent]) {
      const word = value === '' ? quote(name + empty) : this.#word(name, value);
      words.push(` -H ${word}`);
    }
    for (const name of Object.keys(this.#client.query)) {
      const isSent = new RegExp(`[?&]${encodeURIComponent(name)}=`).test(url);
      if (!isSent) {
        words.push(` --url-query "${name}=$TOKEN"`);
      }
    }
    return words.join('');
  }

  #word(name: string, value: string): string {
    const secret = this.#secrets.get(value);
    if (secret !== undefined) {
      this.#needed.add(secret);
      return `"${name}: ${secret.scheme}$${secret.variable}"`;
    }
    const { cookie } = this.#client.headers;
    const credentials = cookie === undefined ? undefined : this.#secrets.get(cookie);
    const [nameOfCookie = ''] = (cookie ?? '').split('=', 1);
    if (name !== 'cookie' || !credentials || value.includes(nameOfCookie)) {
      return quote(`${name}: ${value}`);
    }
    // A cookie of the case is sent beside the one that has the credentials.
    this.#needed.add(credentials);
    return `${quote(`cookie: ${value}; `)}"$HEADER_COOKIE"`;
  }
}
