/** A run as the user asked for it (options -> implementation -> run -> reports and exit code). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { Contract } from '../engine/contract/load.ts';
import { type Credentials, credentialsOf, fieldsFor } from '../engine/contract/credentials.ts';
import { readKnownFailures, usable } from '../engine/run/known-failures.ts';
import {
  type Env,
  type Format,
  OptionError,
  type Options,
  replayCommand,
  secretsOf,
  shownProxy,
} from './options.ts';
import { renderHar } from '../engine/report/har.ts';
import { renderHtml } from '../engine/report/html.ts';
import { renderJunit } from '../engine/report/junit.ts';
import { renderMarkdown } from '../engine/report/markdown.ts';
import { type Output, ProgressView } from '../engine/report/progress.ts';
import { redacted, redactor } from '../engine/report/redact.ts';
import { renderSarif } from '../engine/report/sarif.ts';
import type { Report } from '../engine/run/result.ts';
import { EXIT_CODES, renderSummary } from '../engine/report/terminal.ts';
import { isServed, offeredLevel } from '../engine/run/reach.ts';
import { run } from '../engine/run/run.ts';
import { allIds } from '../engine/run/select.ts';
import { withCookies } from '../engine/http/call.ts';
import { Client } from '../engine/http/client.ts';
import type { Network } from '../engine/http/network.ts';
import { apiFor, chosenOperations, type ChosenApi } from './choose-api.ts';
import { curlScript } from '../engine/report/curl.ts';
import { type Sent, startWorkers } from './jobs.ts';

/** The surroundings of the command: the program passes those of its process, a test its own. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Env;
  /** Relative paths of options start here. */
  cwd: string;
  /** Ends a run early, with its clean-up; its reason is shown. */
  signal: AbortSignal;
  /** Since when the user waits, in milliseconds since 1970. */
  startedAt: number;
}

/** @throws OptionError for options that cannot be used, before anything is sent */
export async function runAndReport(
  options: Options,
  contract: Contract,
  suite: Report['suite'],
  io: Io,
) {
  const chosen = await apiFor(contract, options, io.cwd);
  const settings = settingsFor(options, contract, chosen);
  const known = options.knownFailures;
  const knownFailures =
    known === undefined ? [] : readKnownFailures(known, allIds(contract, chosen.api), io.cwd);
  const folder = options.report === undefined ? undefined : resolve(io.cwd, options.report);
  // No run is lost where it cannot be made.
  if (folder !== undefined) {
    usable(`--report ${options.report} cannot be made`, () =>
      mkdirSync(folder, { recursive: true }),
    );
  }

  const hasColour = ({ isTTY }: Output) => Boolean(isTTY) && !io.env['NO_COLOR'];
  const clientAt = clientsFor(options, contract, chosen, io.cwd);
  await answered(clientAt(options.url, { headers: {} }), options, io.signal);
  const { sent, fetched } = await credentialsFor(contract, options, chosen.credentials);
  const redact = redactor(secretsOf(options, [...Object.values(options.auth), ...fetched]));
  const progressTo = options.format === 'text' ? io.stdout : io.stderr;
  const progress = new ProgressView(progressTo, {
    colour: hasColour(progressTo),
    redact,
    verbose: options.verbose,
  });
  const clients = chosen.basesOf(options.url).map((base) => clientAt(base, sent));
  let report: Report;
  try {
    progress.begin(`${contract.title}, contract ${contract.version}`);
    const client = await reachable(contract, clients);
    const { level = await offeredLevel(contract, client), origin, token, readOnlyToken } = options;
    const implementation = chosen.createImplementation({
      contract,
      client,
      level,
      origin,
      token,
      readOnlyToken,
    });
    progress.about(`${options.url}, level ${level}, origin ${origin}, seed ${options.seed}`);
    const { signal, startedAt, cwd } = io;
    const job = { options, cwd, base: client.base.href, sent, level };
    const more = {
      knownFailures,
      suite,
      signal,
      startedAt,
      others: () => startWorkers(job, implementation),
    };
    const found = await run(implementation, { ...settings, ...more }, progress);
    progress.end();
    report = redacted(found, redact);
  } finally {
    for (const client of clients) {
      client.close();
    }
  }

  if (folder !== undefined) {
    for (const { file, render } of Object.values(FILES)) {
      writeFileSync(join(folder, file), render(report));
    }
  }
  // A terminal that does not know its size has 0.
  const terminal = { colour: hasColour(io.stdout), width: io.stdout.columns || 100 };
  const { format } = options;
  io.stdout.write(
    format === 'text' ? `${renderSummary(report, terminal)}\n` : FILES[format].render(report),
  );
  // Other formats have the reason somewhere within.
  if (EXIT_CODES[report.verdict] === 2 && options.format !== 'text') {
    io.stderr.write(`edge-conformance: ${report.reason}\n`);
  }
  return EXIT_CODES[report.verdict];
}

/** What workers need to know. @throws OptionError */
export function settingsFor(options: Options, contract: Contract, { api }: ChosenApi) {
  const again = {
    script: curlScript,
    replayCommand: (name: string) => replayCommand(options, name),
  };
  return { ...options, ...again, api, within: chosenOperations(contract, options) };
}

/** Waits until there is a response, and no gateway sends it in place of the service. */
async function answered(
  client: Client,
  { waitSeconds }: Options,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + waitSeconds * 1000;
  while (performance.now() < end && !signal.aborted) {
    const response = await client.send({ method: 'GET', target: '/' }).catch(() => undefined);
    if (response && (response.status < 502 || response.status > 504)) {
      break;
    }
    await setTimeout(PAUSE_MS);
  }
  client.close();
}

const PAUSE_MS = 200;

/** A mock server ignores the path of the contract's server: the next base is tried where nothing is found below one. */
async function reachable(contract: Contract, clients: Client[]): Promise<Client> {
  if (clients.length > 1) {
    for (const client of clients) {
      if (await isServed(contract, client)) {
        return client;
      }
    }
  }
  return clients[0]!;
}

function networkOf({ tls, proxy }: Options, cwd: string): Network {
  const read = ([name, file]: [string, string]) =>
    [
      name,
      usable(`--${name} ${file} cannot be read`, () => readFileSync(resolve(cwd, file), 'utf8')),
    ] as const;
  const files = Object.entries(tls).filter((one): one is [string, string] => one[1] !== undefined);
  const texts = Object.fromEntries(files.map(read)) as NonNullable<Network['tls']>;
  usable('--cert, --key or --ca cannot be used', () => createSecureContext(texts));
  const words = files.flatMap(([name, file]) => [name === 'ca' ? '--cacert' : `--${name}`, file]);
  return {
    tls: texts,
    ...(proxy && { proxy }),
    curl: [...words, ...(proxy ? ['--proxy', shownProxy(proxy)] : [])],
  };
}

/** Makes clients; files are read before anything is sent. @throws OptionError */
export function clientsFor(
  options: Options,
  contract: Contract,
  { accept, sign }: ChosenApi,
  cwd: string,
) {
  const { headers, timeoutMs, rate = Infinity, concurrency, jobs } = options;
  const network = networkOf(options, cwd);
  return (base: string, sent: Sent) =>
    new Client({
      base,
      ...sent,
      timeoutMs,
      sign,
      network,
      rate: rate / jobs,
      ...(sent.given && { fieldsFor: fieldsFor(contract, sent.given) }),
      headers: { accept, ...sent.headers, ...headers },
      // A case may have several requests under way at once.
      connections: concurrency * 8,
    });
}

/** The reports that `--report` writes. */
const FILES: Record<
  Exclude<Format, 'text'>,
  { file: string; render: (report: Report) => string }
> = {
  json: { file: 'report.json', render: (report) => `${JSON.stringify(report, null, 2)}\n` },
  junit: { file: 'junit.xml', render: renderJunit },
  html: { file: 'report.html', render: renderHtml },
  markdown: { file: 'report.md', render: renderMarkdown },
  sarif: { file: 'report.sarif', render: renderSarif },
  har: { file: 'failures.har', render: renderHar },
};

/**
 * Credentials, each where its scheme wants it, and tokens that were fetched for this run. @param usual that of --token
 * @throws OptionError for a scheme that takes none, and for a token URL that gives none
 */
async function credentialsFor(contract: Contract, options: Options, usual: Credentials) {
  const sent = { headers: {} as Record<string, string>, query: {} as Record<string, string> };
  const given: Record<string, Record<string, string>> = {};
  let isShared = false;
  const fetched: string[] = [];
  const add = ({ in: place, name, scheme, of = '' }: Credentials, token: string) => {
    const encoded = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token;
    const value = scheme === undefined ? encoded : `${scheme} ${encoded}`;
    const to = place === 'query' ? sent.query : sent.headers;
    const key = place === 'cookie' ? 'cookie' : name;
    if (place === 'query' && to[key] !== undefined) {
      throw new OptionError(
        `two of the credentials go to ${key}: give one of them, and try the rest in another run`,
      );
    }
    given[of] = place === 'header' ? { [key]: value } : {};
    // Each operation gets that of its scheme.
    isShared ||= place === 'header' && to[key] !== undefined;
    to[key] = place === 'cookie' ? withCookies(to[key], [`${name}=${value}`]) : (to[key] ?? value);
  };
  if (options.token !== undefined) {
    add(usual, options.token);
  }
  for (const [name, value] of Object.entries(options.auth)) {
    const credentials = credentialsOf(contract, name);
    if (typeof credentials === 'string') {
      throw new OptionError(`--auth ${name}: ${credentials}`);
    }
    const token = await tokenFor(name, value, credentials, options);
    if (token !== value) {
      fetched.push(token);
    }
    add(credentials, token);
  }
  return { sent: isShared ? { ...sent, given } : sent, fetched };
}

/** The value; for the id and secret of an OAuth 2 client, the token that they give (RFC 6749, 4.4). */
async function tokenFor(
  name: string,
  value: string,
  { tokenUrl, scope }: Credentials,
  { url, timeoutMs }: Options,
) {
  if (tokenUrl === undefined || !value.includes(':')) {
    return value;
  }
  const where = new URL(tokenUrl, `${url}/`);
  const failed = (reason: unknown) =>
    new OptionError(`--auth ${name}: ${where.href} gives no token (${String(reason)})`);
  const response = await fetch(where, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(value).toString('base64')}`,
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw failed(error.message);
  });
  const token: unknown = Object(await response.json().catch(() => ({})))['access_token'];
  if (!response.ok || typeof token !== 'string') {
    throw failed(`HTTP ${response.status}`);
  }
  return token;
}
