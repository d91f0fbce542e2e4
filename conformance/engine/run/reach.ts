/**
 * Whether the service can be reached, and the level that it offers, as far as reads show it.
 * Nothing is created.
 */
import { setMember } from '../contract/by-name.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Level, type Operation, operationsOf } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { sendAside } from '../http/aside.ts';
import { requestTargetOf, type Sending } from '../http/call.ts';
import type { Client } from '../http/client.ts';
import { optionsFor, waysInWords } from '../http/given-credentials.ts';
import type { Implementation } from '../http/implementation.ts';
import { HttpResponse, NoResponse } from '../http/response.ts';
import type { Api } from '../requirements/api.ts';

/** After so many reads without a response, and none with one, no further ones are tried. */
const MOST_SILENT = 2;

/** Why a service cannot be checked. */
export interface Absence {
  /** Why, and what to do about it. */
  reason: string;
  /** Whether no response comes at all. */
  isSilent: boolean;
  /** Whether the first connection was closed, and further ones are refused. */
  hasJustStopped?: boolean;
}

const CHECK_CERTIFICATE = '--ca names the authorities to trust, in PEM';

/** Whether the service is there, and its certificate is not trusted. */
const ofCertificate = ({ message }: NoResponse): boolean => /\bcertificate\b/i.test(message);

/** Why the service cannot be checked; undefined if it can. Creates nothing. */
export async function reach(
  implementation: Implementation,
  api: Api,
): Promise<Absence | undefined> {
  const url = implementation.client.base.href;
  const probes = probesOf(implementation, api);
  const saysEnough = (responses: readonly HttpResponse[]): boolean =>
    probes.length === 0 || whyNothing(responses, implementation, api) === undefined;
  const { responses, silent } = await responsesTo(
    implementation,
    probes.length > 0 ? probes : ['/'],
    saysEnough,
  );
  if (responses.some(({ status }) => status === 429)) {
    const reason = `${url} limits requests (429), also after waiting: try again later, with --rate`;
    return { reason, isSilent: false };
  }
  // One operation that never responds, such as a stream of events, does not mean that the others do
  // not.
  const [first] = silent;
  if (first && responses.length === 0) {
    const advice = ofCertificate(first) ? CHECK_CERTIFICATE : 'is the service running there?';
    const reason = `${url} gives no response (${first.message}): ${advice}`;
    const next = silent[1] ?? (await responseTo(implementation, '/'));
    const isRefused = next instanceof NoResponse && next.kind === 'refused';
    return { reason, isSilent: true, hasJustStopped: first.kind === 'closed' && isRefused };
  }
  // Nothing can be read without sending more: the response shows that a service listens.
  if (probes.length === 0) {
    return undefined;
  }
  if (responses.every(({ status }) => status === 404)) {
    // That a made-up name is not found says nothing of the base URL.
    const areGuesses = api.probe === undefined && !hasFixedRead(implementation);
    if (areGuesses || (await knowsPaths(implementation))) {
      return undefined;
    }
  }
  const reason = whyNothing(responses, implementation, api);
  return reason === undefined ? undefined : { reason, isSilent: false };
}

/** In milliseconds: what a service needs at most that does nothing else. */
const SOON_MS = 3_000;

/**
 * Whether the service gives no response at all: neither at its root nor to a read that needs
 * nothing to exist. Nothing else is under way, so that it does not take long.
 */
export async function isSilent(implementation: Implementation, api: Api): Promise<boolean> {
  const [probe = '/'] = probesOf(implementation, api);
  const responses = ['/', probe].map((target) => responseTo(implementation, target));
  const first = Promise.any(responses.map(failing)).then(
    () => false,
    () => true,
  );
  const timer = new AbortController();
  const late = sleep(SOON_MS, true, { signal: timer.signal }).catch(() => true);
  const isSilentSoFar = await Promise.race([first, late]);
  timer.abort();
  return isSilentSoFar;
}

/** Fails if no response comes. */
async function failing(outcome: Promise<HttpResponse | NoResponse>): Promise<HttpResponse> {
  const response = await outcome;
  if (response instanceof NoResponse) {
    throw response;
  }
  return response;
}

/** The outcome of reads. */
interface Reads {
  responses: HttpResponse[];
  /** The reads without a response. */
  silent: NoResponse[];
}

/**
 * Reads one target after the other, until the responses say enough, the service limits requests or
 * is not there, or the run is over.
 */
async function responsesTo(
  implementation: Implementation,
  targets: readonly string[],
  saysEnough: (responses: readonly HttpResponse[]) => boolean,
): Promise<Reads> {
  const responses: HttpResponse[] = [];
  const silent: NoResponse[] = [];
  for (const target of targets) {
    if (implementation.halted !== undefined) {
      break;
    }
    const outcome = await responseTo(implementation, target);
    if (outcome instanceof NoResponse) {
      silent.push(outcome);
      // A service that is not there does not respond to others, either.
      const isAbsent = responses.length === 0 && silent.length >= MOST_SILENT;
      if (outcome.kind === 'refused' || isAbsent) {
        break;
      }
    } else {
      responses.push(outcome);
      if (outcome.status === 429 || saysEnough(responses)) {
        break;
      }
    }
  }
  return { responses, silent };
}

async function responseTo(
  implementation: Implementation,
  target: string,
): Promise<HttpResponse | NoResponse> {
  try {
    return new HttpResponse(await sendAside(implementation, { method: 'GET', target }));
  } catch (error) {
    if (error instanceof NoResponse) {
      return error;
    }
    throw error;
  }
}

/** The common reason why no response says anything about the API, if there is one. */
function whyNothing(
  responses: readonly HttpResponse[],
  implementation: Implementation,
  api: Api,
): string | undefined {
  const { client, operations, token } = implementation;
  const [first] = responses;
  if (first === undefined) {
    return undefined;
  }
  const { status, headers } = first;
  const url = client.base.href;
  const all = (...statuses: number[]): boolean =>
    responses.every((response) => statuses.includes(response.status));
  const to = `${url} returns ${status} to every operation that was tried`;
  if (all(401)) {
    if (token === undefined) {
      return `${url} ${whichCredentials(implementation, status)}`;
    }
    return `${url} refuses the token (${status}): check --token`;
  }
  if (all(401, 403)) {
    const advice = token === undefined ? 'give' : 'check';
    return `${to}${saidIn(first)}: ${advice} what it asks for with --token or --header`;
  }
  if (all(404)) {
    const advice = api.adviceWhenNothingIsFound;
    return `${to}: is the base URL right?${advice === undefined ? '' : ` ${advice}`}`;
  }
  const documented = documentedBy(operations.values());
  if (all(301, 302, 303, 307, 308) && !documented.hasRedirects) {
    return `${to} and leads to ${headers['location'] ?? 'nowhere'}: aim at the service itself`;
  }
  if (all(502, 503, 504)) {
    return `${to}: is the service up?`;
  }
  // A service that fails may show it as a page.
  const isPage = responses.every((one) => one.status < 500 && one.mediaType === 'text/html');
  if (isPage && !documented.hasPages) {
    return `${to}, with an HTML page: is the base URL that of the API?`;
  }
  return undefined;
}

/** Of different operations: the others are in the contract. */
const MOST_WAYS = 3;

/** The credentials that operations of the contract ask for, and how to give them. */
function whichCredentials({ contract, operations }: Implementation, status: number): string {
  const all = [...operations.values()].flatMap(({ security }) => security);
  const different = new Map(all.map((names) => [names.join(' '), names]));
  const ways = [...different.values()].filter(({ length }) => length > 0).slice(0, MOST_WAYS);
  if (ways.length === 0) {
    const unstated = `asks for credentials (${status}), which the contract does not say`;
    return `${unstated}: give them with --token or --header`;
  }
  const asked = `asks for credentials (${waysInWords(contract, ways)}), ${status}`;
  return `${asked}: give them with ${optionsFor(contract, ways)}`;
}

/** In characters. */
const LONGEST_SAID = 120;
const WHITE_SPACE = /\s+/g;

/** The body of a response if it is a short text or JSON: only the service knows why. */
function saidIn({ text, mediaType }: HttpResponse): string {
  const said = text.replaceAll(WHITE_SPACE, ' ').trim();
  if (said === '' || mediaType === 'text/html') {
    return '';
  }
  return ` and says ${said.slice(0, LONGEST_SAID)}`;
}

function documentedBy(operations: Iterable<Operation>) {
  const documented = { hasRedirects: false, hasPages: false };
  for (const { responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      documented.hasRedirects ||= status.startsWith('3');
      documented.hasPages ||= 'text/html' in content;
    }
  }
  return documented;
}

/**
 * Whether a path is known although nothing is found: a body that is not JSON is not refused with
 * 404, and creates nothing.
 */
async function knowsPaths({ client, operations }: Implementation): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  for (const operation of operations.values()) {
    if (operation.method !== 'POST' || pathNames(operation).length > 0) {
      continue;
    }
    const response = await sendTo(client, operation, { headers, body: '{' });
    if (response && response.status >= 400 && response.status < 500 && response.status !== 404) {
      return true;
    }
  }
  return false;
}

const pathNames = ({ parameters }: Operation) =>
  parameters.filter((one) => one.in === 'path').map(({ name }) => name);

/** @param valueOf gives values of path parameters; by default they name nothing */
function targetOf(
  operation: Operation,
  valueOf: (name: string) => string | undefined = () => undefined,
): string {
  const path: Record<string, string> = {};
  for (const name of pathNames(operation)) {
    setMember(path, name, valueOf(name) ?? 'conformance-probe');
  }
  return requestTargetOf(operation, { path });
}

/** The response to a call of the operation; undefined if none came. */
async function sendTo(
  client: Client,
  operation: Operation,
  more: Pick<Sending, 'headers' | 'body'> = {},
): Promise<HttpResponse | undefined> {
  const sending = { method: operation.method, target: targetOf(operation), ...more };
  const response = await client.send(sending).catch(() => undefined);
  return response && new HttpResponse(response);
}

/**
 * Reads that need nothing to exist, those without path parameters first: the others find nothing by
 * default, which says little.
 */
function probesOf(implementation: Implementation, api: Api): string[] {
  const valueOf = (name: string): string | undefined => api.probe?.(name, implementation);
  const reads = readsOf(implementation);
  const ordered = reads.toSorted((one, other) => pathNames(one).length - pathNames(other).length);
  return ordered.map((operation) => targetOf(operation, valueOf));
}

function readsOf({ operations }: Implementation): Operation[] {
  return [...operations.values()].filter(
    ({ method, level, unsupported }) =>
      method === 'GET' && level === 'core' && unsupported === undefined,
  );
}

/** Whether some read has a path without parameters. */
const hasFixedRead = (implementation: Implementation): boolean =>
  readsOf(implementation).some((operation) => pathNames(operation).length === 0);

/**
 * The highest level that the service offers: a list responds as its operation does, not as an
 * unknown path does. Of a contract without levels, all is due.
 */
export async function offeredLevel(contract: Contract, client: Client): Promise<Level> {
  if (!contract.statesLevels) {
    return 'extended';
  }
  for (const operation of operationsOf(contract)) {
    const isList = operation.method === 'GET' && pathNames(operation).length === 0;
    const isKnown = operation.unsupported === undefined;
    if (!isList || !isKnown || operation.level !== 'extended') {
      continue;
    }
    const response = await sendTo(client, operation);
    if (response && respondsAsOffered(contract, operation, response)) {
      return 'extended';
    }
  }
  return 'core';
}

/** Whether some operation that only reads is found, with whatever status. */
export async function isServed(contract: Contract, client: Client): Promise<boolean> {
  const reads = operationsOf(contract).filter(
    ({ method, unsupported }) => method === 'GET' && unsupported === undefined,
  );
  for (const operation of reads) {
    const response = await sendTo(client, operation);
    if (response && response.status !== 404) {
      return true;
    }
  }
  return false;
}

/**
 * A service that returns 200 to every path shows no list, and one that fails at the list has it all
 * the same.
 */
function respondsAsOffered(
  contract: Contract,
  operation: Operation,
  { status, mediaType, json }: HttpResponse,
): boolean {
  if (status === 404 || status === 405) {
    return false;
  }
  if (status < 200 || status > 299) {
    return true;
  }
  const schema = documentedFor(operation, status)?.content[mediaType];
  if (schema === undefined || typeof json !== 'object' || json === null) {
    return false;
  }
  return [...shapeOf(contract, schema).required].some((name) => name in json);
}
