/**
 * A case as a shell script that stands alone: own subscriptions, ids from responses, secrets from
 * the environment.
 */
import type { Sending } from '../http/call.ts';
import { BYTES, type RecordedExchange } from '../http/exchange.ts';
import type { Implementation, Session } from '../http/implementation.ts';
import { CurlHeaders } from './curl-headers.ts';
import { lengthInShort, printfOf, quote } from './shell.ts';
import { visible } from './text.ts';
import { Variables } from './variables.ts';

/** The exchanges of a case, and the requests that remove what it made. */
type Case = Pick<Session, 'exchanges' | 'removals'>;

/** The parts that all commands of a script use. */
interface Script {
  client: Implementation['client'];
  variables: Variables;
  headers: CurlHeaders;
}

/** @param sentence the rule that the case breaks */
export function curlScript(
  sentence: string,
  { exchanges, removals }: Case,
  implementation: Implementation,
): string {
  const { client } = implementation;
  const base = client.base.href.replace(/\/$/, '');
  const removed = removals.map(({ target }) => client.urlOf(target));
  const variables = new Variables(base, exchanges, implementation, removed);
  const headers = new CurlHeaders(implementation, exchanges);
  const script: Script = { client, variables, headers };
  const steps = exchanges.flatMap((exchange, index) => {
    return stepLines(exchange, exchanges[index + 1], script, variables.captures[index] ?? []);
  });
  steps.push(...removalLines(removals, script));
  const lines = ['#!/bin/sh', `# ${sentence.replaceAll(/\s+/g, ' ')}`];
  lines.push(`BASE=\${BASE:-${quote(base)}}`);
  // The words above have shown which secrets the script needs.
  lines.push(...headers.checks, ...variables.declarations);
  lines.push(sendFunction(exchanges, script), ...variables.helpersFor(steps), ...steps);
  return `${lines.join('\n')}\n`;
}

/** The shell function that sends a request: curl, with the options that all requests share. */
function sendFunction(exchanges: readonly RecordedExchange[], { client, headers }: Script): string {
  const words = ['curl -sS -i --path-as-is'];
  for (const word of client.network.curl ?? []) {
    words.push(quote(word));
  }
  // A script that waits for a response which never comes would not end.
  if (exchanges.some(({ error }) => error !== undefined)) {
    words.push(`--max-time ${Math.ceil(client.timeoutMs / 1000)}`);
  }
  words.push(String.raw`-w '\n'`, ...headers.common, '"$@"');
  return `send() { ${words.join(' ')}; }`;
}

/** @param captures lines that take from the response what later requests need */
function stepLines(
  exchange: RecordedExchange,
  next: RecordedExchange | undefined,
  script: Script,
  captures: readonly string[],
): string[] {
  const { response, error, group } = exchange;
  const outcome = response === null ? `no response: ${error}` : `returned ${response.status}`;
  const lines = ['', `# ${outcome}`];
  const command = commandOf(exchange, script);
  if (group !== undefined) {
    // In one piece each, or responses that come at once are shown through each other.
    lines.push(`(printf '%s\\n' "$(${command})") & # at once`);
    if (next?.group !== group) {
      lines.push('wait');
    }
  } else if (captures.length > 0) {
    lines.push(`RESPONSE=$(${command})`, 'printf \'%s\\n\' "$RESPONSE"', ...captures);
  } else {
    lines.push(command);
  }
  return lines;
}

function removalLines(removals: readonly Sending[], script: Script): string[] {
  if (removals.length === 0) {
    return [];
  }
  const { client, variables, headers } = script;
  const lines = ['', '# Remove what was added.'];
  for (const removal of removals) {
    const { method, target, headers: own = {} } = client.authorized(removal);
    const words = ['send', ...headers.words({ own, url: target }), `-X ${method}`];
    lines.push(`${words.join(' ')} ${variables.url(client.urlOf(target))} > /dev/null`);
  }
  return lines;
}

/** In UTF-16 code units. Longer bodies, and those that no shell word can hold, are packed. */
const LONGEST_INLINE = 8_000;
/** In UTF-16 code units: systems bound the words of a command, some at 128 KiB. */
const LONGEST_WORD = 100_000;

function commandOf(exchange: RecordedExchange, { variables, headers }: Script): string {
  const { request, raw, fields } = exchange;
  const { method, url, body } = request;
  const bytes = raw ?? Buffer.from(body ?? '');
  if (method === BYTES) {
    return bytesCommand(url, bytes);
  }
  const { 'content-length': _, ...own } = request.headers;
  const words = ['send', ...headers.words({ own, url, fields })];
  words.push(method === 'HEAD' ? '--head' : `-X ${method}`);
  words.push(variables.url(headers.urlBeside(url)));
  if (body === null) {
    return words.join(' ');
  }
  if (!own['content-type']) {
    // Otherwise curl would add its own type.
    words.push("-H 'Content-Type:'");
  }
  if (isInline(body, bytes)) {
    words.push(`--data-binary ${variables.body(body)}`);
    return words.join(' ');
  }
  // Before a long body, curl asks whether it may come.
  words.push('-H Expect:', '--data-binary @-');
  return `${printfOf(bytes)} | ${words.join(' ')}`;
}

/**
 * Whether a body can be a word of the script, and can be copied from a report, which shows some
 * characters escaped.
 */
function isInline(body: string, bytes: Buffer): boolean {
  const isText = visible(body) === body && bytes.equals(Buffer.from(body));
  const isFileName = body.startsWith('@');
  const isShort = body.length <= LONGEST_WORD && lengthInShort(body) <= LONGEST_INLINE;
  return isText && !isFileName && isShort;
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
  return `{ ${printfOf(bytes)}; sleep 2; } | ${client}`;
}
