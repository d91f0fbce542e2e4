/** Whether the service can be reached, and what it offers, as far as reading shows it. Nothing is created. */
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Level, type Operation, operationsOf } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { requestTargetOf, type Sending } from '../http/call.ts';
import type { Client } from '../http/client.ts';
import type { Implementation } from '../http/implementation.ts';
import { HttpResponse, NoResponse } from '../http/response.ts';
import type { Api } from '../requirements/api.ts';

/** After so many reads without a response, and none with one, no further ones are tried. */
const MOST_SILENT = 2;

/** Why the service cannot be checked, and what to do about it; undefined when it can. Creates nothing. */
export async function reach(implementation: Implementation, api: Api): Promise<string | undefined> {
  const { client } = implementation;
  const responses: HttpResponse[] = [];
  const probes = probesOf(implementation, api);
  const silent: NoResponse[] = [];
  for (const probe of probes.length > 0 ? probes : ['/']) {
    const outcome = await responseTo(client, probe);
    if (outcome instanceof NoResponse) {
      silent.push(outcome);
      // A service that is not there does not respond to others, either.
      const isAbsent = responses.length === 0 && silent.length >= MOST_SILENT;
      if (outcome.kind === 'refused' || isAbsent) {
        break;
      }
      continue;
    }
    if (outcome.status === 429) {
      return `${client.base.href} limits requests (429), also after waiting: try again later, with --rate`;
    }
    responses.push(outcome);
  }
  // One operation that never responds, such as a stream of events, says nothing of the others.
  const [first] = silent;
  if (first && responses.length === 0) {
    return `${client.base.href} gives no response (${first.message}): is the service running there?`;
  }
  // Nothing can be read without sending more: the response shows that a service listens.
  if (probes.length === 0) {
    return undefined;
  }
  if (await knowsPaths(implementation, responses)) {
    return undefined;
  }
  return whyNothing(responses, implementation, api);
}

async function responseTo(client: Client, target: string): Promise<HttpResponse | NoResponse> {
  try {
    return new HttpResponse(await client.send({ method: 'GET', target }));
  } catch (error) {
    if (error instanceof NoResponse) {
      return error;
    }
    throw error;
  }
}

/** Why all responses say nothing about the API, where they have that in common. */
function whyNothing(
  responses: HttpResponse[],
  implementation: Implementation,
  api: Api,
): string | undefined {
  const { client, operations, token } = implementation;
  const [first] = responses;
  if (first === undefined) {
    return undefined;
  }
  const { status, headers } = first;
  const all = (...statuses: number[]) =>
    responses.every((response) => statuses.includes(response.status));
  const to = `${client.base.href} returns ${status} to every operation that was tried`;
  if (all(401, 403)) {
    if (token === undefined) {
      return `${client.base.href} asks for credentials (${status}): give them with --token or --header`;
    }
    return `${client.base.href} refuses the token (${status}): check --token`;
  }
  if (all(404)) {
    const advice = api.adviceWhenNothingIsFound;
    return `${to}: is the base URL right?${advice === undefined ? '' : ` ${advice}`}`;
  }
  const documented = [...operations.values()].flatMap((operation) =>
    Object.entries(operation.responses),
  );
  if (all(301, 302, 303, 307, 308) && !documented.some(([code]) => code.startsWith('3'))) {
    return `${to} and leads to ${headers['location'] ?? 'nowhere'}: aim at the service itself`;
  }
  if (all(502, 503, 504)) {
    return `${to}: is the service up?`;
  }
  const isPage = ([, { content }]: (typeof documented)[number]) => 'text/html' in content;
  if (responses.every(({ mediaType }) => mediaType === 'text/html') && !documented.some(isPage)) {
    return `${to}, with an HTML page: is the base URL that of the API?`;
  }
  return undefined;
}

/** Whether a path is known although nothing is found: a body that is not JSON is refused otherwise, and creates nothing. */
async function knowsPaths(
  { client, operations }: Implementation,
  responses: HttpResponse[],
): Promise<boolean> {
  if (!responses.every(({ status }) => status === 404)) {
    return false;
  }
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
    path[name] = valueOf(name) ?? 'conformance-probe';
  }
  return requestTargetOf(operation, { path });
}

/** The response to a call of the operation; undefined where none came. */
async function sendTo(
  client: Client,
  operation: Operation,
  more: Pick<Sending, 'headers' | 'body'> = {},
) {
  const { method } = operation;
  const response = await client
    .send({ method, target: targetOf(operation), ...more })
    .catch(() => undefined);
  return response && new HttpResponse(response);
}

/** Reads that need nothing to exist; by default they find nothing. */
function probesOf(implementation: Implementation, api: Api): string[] {
  const operations = [...implementation.operations.values()].filter(
    ({ method, level, unsupported }) =>
      method === 'GET' && level === 'core' && unsupported === undefined,
  );
  return operations.map((operation) =>
    targetOf(operation, (name) => api.probe?.(name, implementation)),
  );
}

/** The highest level that the service offers: a list responds as its operation does, not as an unknown path does. */
export async function offeredLevel(contract: Contract, client: Client): Promise<Level> {
  for (const operation of operationsOf(contract)) {
    const isList = operation.method === 'GET' && pathNames(operation).length === 0;
    const isKnown = operation.unsupported === undefined;
    if (!isList || !isKnown || operation.level !== 'extended') {
      continue;
    }
    const response = await sendTo(client, operation);
    if (response && isOffered(contract, operation, response)) {
      return 'extended';
    }
  }
  return 'core';
}

/** Whether some operation that only reads is found, whatever it responds. */
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

/** A service that returns 200 to every path shows no list, and one that fails at the list has it all the same. */
function isOffered(
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
