/** Looks whether the service can be checked at all, before it is checked. */
import { HttpResponse, NoResponse } from '../http/response.ts';
import { requestTargetOf, type Sending } from '../http/call.ts';
import { documentedFor, type Operation, operationsOf } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import type { Contract } from '../contract/load.ts';
import type { Api } from '../requirements/api.ts';
import type { Level } from './result.ts';
import type { Client } from '../http/client.ts';
import type { Implementation } from '../http/implementation.ts';

/** Why the service cannot be checked, and what to do about it; undefined when it can. Creates nothing. */
export async function reach(implementation: Implementation, api: Api): Promise<string | undefined> {
  const { client } = implementation;
  const responses: HttpResponse[] = [];
  const probes = probesOf(implementation, api);
  for (const probe of probes.length > 0 ? probes : ['/']) {
    try {
      const response = new HttpResponse(await client.send({ method: 'GET', target: probe }));
      if (response.status === 429)
        return `${client.base.href} limits requests (429), also after waiting: try again later, with --rate`;
      responses.push(response);
    } catch (error) {
      if (error instanceof NoResponse)
        return `${client.base.href} gives no response (${error.message}): is the service running there?`;
      throw error;
    }
  }
  // Nothing can be read without sending more: the response shows that a service listens.
  if (probes.length === 0) return undefined;
  return (await knowsPaths(implementation, responses)) ? undefined : whyNothing(responses, implementation, api);
}

/** Why all responses say nothing about the API, where they have that in common. */
function whyNothing(responses: HttpResponse[], { client, token }: Implementation, api: Api): string | undefined {
  const [{ status, headers }] = responses as [HttpResponse];
  const all = (...statuses: number[]) => responses.every((response) => statuses.includes(response.status));
  const to = `${client.base.href} returns ${status} to every operation that was tried`;
  if (all(401, 403)) {
    return token === undefined
      ? `${client.base.href} asks for credentials (${status}): give them with --token or --header`
      : `${client.base.href} refuses the token (${status}): check --token`;
  }
  if (all(404))
    return `${to}: is the base URL right?${api.adviceWhenNothingIsFound ? ` ${api.adviceWhenNothingIsFound}` : ''}`;
  if (all(301, 302, 303, 307, 308))
    return `${to} and leads to ${headers['location'] ?? 'nowhere'}: aim at the service itself`;
  if (all(502, 503, 504)) return `${to}: is the service up?`;
  if (responses.every(({ mediaType }) => mediaType === 'text/html'))
    return `${to}, with an HTML page: is the base URL that of the API?`;
  return undefined;
}

/**
 * Whether a path of the API is there although nothing is found: a body that cannot be read is refused otherwise than
 * a path that is unknown, and creates nothing.
 */
async function knowsPaths({ client, operations }: Implementation, responses: HttpResponse[]): Promise<boolean> {
  if (!responses.every(({ status }) => status === 404)) return false;
  const headers = { 'content-type': 'application/json' };
  for (const operation of operations.values()) {
    if (operation.method !== 'POST' || pathNames(operation).length > 0) continue;
    const response = await sendTo(client, operation, { headers, body: '{' });
    if (response && response.status >= 400 && response.status < 500 && response.status !== 404) return true;
  }
  return false;
}

function pathNames({ parameters }: Operation): string[] {
  return parameters.filter((one) => one.in === 'path').map(({ name }) => name);
}

/** @param valueOf gives values of path parameters; by default they name nothing */
function targetOf(operation: Operation, valueOf: (name: string) => string | undefined = () => undefined): string {
  const values = pathNames(operation).map((name) => [name, valueOf(name) ?? 'conformance-probe']);
  return requestTargetOf(operation, { path: Object.fromEntries(values) as Record<string, string> });
}

/** The response to a call of the operation; undefined where none came. */
async function sendTo(client: Client, operation: Operation, more: Pick<Sending, 'headers' | 'body'> = {}) {
  const { method } = operation;
  const response = await client.send({ method, target: targetOf(operation), ...more }).catch(() => undefined);
  return response && new HttpResponse(response);
}

/** Reads that need nothing to exist; by default they find nothing. */
function probesOf(implementation: Implementation, api: Api): string[] {
  return [...implementation.operations.values()]
    .filter(({ method, level }) => method === 'GET' && level === 'core')
    .map((operation) => targetOf(operation, (name) => api.probe?.(name, implementation)));
}

/** The highest level that the service offers: a list responds as its operation does, not as an unknown path does. */
export async function offeredLevel(contract: Contract, client: Client): Promise<Level> {
  for (const operation of operationsOf(contract)) {
    const isList = operation.method === 'GET' && pathNames(operation).length === 0;
    if (!isList || operation.level !== 'extended') continue;
    const response = await sendTo(client, operation);
    if (response && isOffered(contract, operation, response)) return 'extended';
  }
  return 'core';
}

/** Whether some operation that only reads is found, whatever it responds. */
export async function isServed(contract: Contract, client: Client): Promise<boolean> {
  for (const operation of operationsOf(contract).filter(({ method }) => method === 'GET')) {
    const response = await sendTo(client, operation);
    if (response?.status !== 404) return response !== undefined;
  }
  return false;
}

/** A service that returns 200 to every path shows no list, and one that fails at the list has it all the same. */
function isOffered(contract: Contract, operation: Operation, { status, mediaType, json }: HttpResponse): boolean {
  if (status === 404 || status === 405) return false;
  if (status < 200 || status > 299) return true;
  const schema = documentedFor(operation, status)?.content[mediaType];
  if (schema === undefined || typeof json !== 'object' || json === null) return false;
  return [...shapeOf(contract, schema).required].some((name) => name in json);
}
