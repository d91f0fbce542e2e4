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
  const last = removals.map(({ target }) => base + target);
  const variables = new Variables(base, exchanges, implementation, last);
  const headers = new Headers(implementation, exchanges);
  const steps = exchanges.flatMap((exchange, index) => {
    const { response, error } = exchange;
    const command = commandOf(exchange, variables, headers);
    const lines = stepLines(
      exchange.group,
      exchanges[index + 1]?.group,
      command,
      variables.captures[index]!,
    );
    return [
      '',
      `# ${response ? `returned ${response.status}` : `no response: ${error}`}`,
      ...lines,
    ];
  });
  const removing = removals.map((removal) => {
    const { method, target, headers: own = {} } = client.authorized(removal);
    return `send${headers.words(own, target)} -X ${method} ${variables.url(base + target)} > /dev/null`;
  });
  const isSilent = exchanges.some(({ error }) => error !== undefined);
  const limit = isSilent ? ` --max-time ${Math.ceil(client.timeoutMs / 1000)}` : '';
  const way = (client.network.curl ?? []).map((word) => ` ${quote(word)}`).join('');
  const lines = [
    '#!/bin/sh',
    `# ${sentence.replaceAll(/\s+/g, ' ')}`,
    `BASE=\${BASE:-${quote(base)}}`,
    ...headers.checks,
    ...variables.declarations,
    `send() { curl -sS -i --path-as-is${way}${limit} -w '\\n'${headers.common.join('')} "$@"; }`,
    ...variables.helpersFor(steps),
    ...steps,
    ...(removing.length > 0 ? ['', '# Remove what was added.', ...removing] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** @param next the group of the next exchange */
function stepLines(
  group: number | undefined,
  next: number | undefined,
  command: string,
  captures: readonly string[],
) {
  // In one piece each, or responses that come at once are shown through each other.
  if (group !== undefined) {
    return [`(printf '%s\\n' "$(${command})") & # at once`, ...(next === group ? [] : ['wait'])];
  }
  if (captures.length === 0) {
    return [command];
  }
  return [`RESPONSE=$(${command})`, 'printf \'%s\\n\' "$RESPONSE"', ...captures];
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
    return bytesCommand(url, raw!);
  }
  const { 'content-length': _, ...own } = request.headers;
  const words = headers.words(own, url, fields);
  const send = `send${words} ${method === 'HEAD' ? '--head' : `-X ${method}`} ${variables.url(url)}`;
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

/** The text before it in a header, its variable, and what a user puts there. */
type Secret = readonly [scheme: string, variable: string, description: string];

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
      this.#secrets.set(value, ['', variable, `the value of the header ${name}`]);
    }
    for (const [scheme, fields] of Object.entries(client.given ?? {})) {
      for (const value of Object.values(fields)) {
        this.#secrets.set(value, [
          '',
          `AUTH_${scheme.replaceAll(/\W+/g, '_')}`,
          `the header field for ${scheme}`,
        ]);
      }
    }
    if (token !== undefined) {
      this.#secrets.set(`Bearer ${token}`, ['Bearer ', 'TOKEN', 'the bearer token']);
    }
    if (readOnlyToken !== undefined) {
      this.#secrets.set(`Bearer ${readOnlyToken}`, [
        'Bearer ',
        'READ_ONLY_TOKEN',
        'the token that may only read',
      ]);
    }
    for (const name of Object.keys(client.query)) {
      this.#needed.add(['', 'TOKEN', `the value of the query parameter ${name}`]);
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
    return [...this.#needed].map(
      ([, variable, what]) => `: "\${${variable}:?put ${what} into it first}"`,
    );
  }

  /** @param own of one request; an empty value leaves one out @param fields all of them, where `own` lacks some */
  words(own: Record<string, string>, url: string, fields?: RecordedExchange['fields']): string {
    const varying = this.#varying.filter(([name]) => own[name] === undefined);
    // Curl sends an `Accept` by itself.
    const sent =
      fields ?? Object.entries(own).filter(([name, value]) => value !== '' || name === 'accept');
    const empty = fields ? ';' : ':';
    const wordOf = (name: string, value: string) =>
      value === '' ? quote(name + empty) : this.#word(name, value);
    const words = [
      ...[...varying, ...sent].map(([name, value]) => `-H ${wordOf(name, value)}`),
      ...Object.keys(this.#client.query)
        .filter((name) => !new RegExp(`[?&]${encodeURIComponent(name)}=`).test(url))
        .map((name) => `--url-query "${name}=$TOKEN"`),
    ];
    return words.map((word) => ` ${word}`).join('');
  }

  #word(name: string, value: string): string {
    const secret = this.#secrets.get(value);
    if (secret !== undefined) {
      this.#needed.add(secret);
      const [scheme, variable] = secret;
      return `"${name}: ${scheme}$${variable}"`;
    }
    // A cookie of the case goes out beside the one that has the credentials.
    const { cookie } = this.#client.headers;
    if (name !== 'cookie' || cookie === undefined || value.includes(cookie.split('=', 1)[0]!)) {
      return quote(`${name}: ${value}`);
    }
    this.#needed.add(this.#secrets.get(cookie)!);
    return `${quote(`cookie: ${value}; `)}"$HEADER_COOKIE"`;
  }
}
