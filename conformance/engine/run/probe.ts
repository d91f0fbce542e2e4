/** Looks whether the service can be checked at all, before anything is said about it. */
import { HttpResponse, NoResponse } from '../http/response.ts';
import { requestTargetOf } from '../http/call.ts';
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
  // Nothing can be read without sending more: what was sent shows that somebody listens.
  if (probes.length === 0) return undefined;
  return (await knowsPaths(implementation, responses)) ? undefined : nothingToJudge(responses, implementation, api);
}

/** What all responses have in common, where that is no matter of the API. */
function nothingToJudge(responses: HttpResponse[], { client, token }: Implementation, api: Api): string | undefined {
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
  const writes = [...operations.values()].filter(
    ({ method, parameters }) => method === 'POST' && !parameters.some((one) => one.in === 'path'),
  );
  for (const operation of writes) {
    const target = requestTargetOf(operation, {});
    const sent = await client
      .send({ method: operation.method, target, headers: { 'content-type': 'application/json' }, body: '{' })
      .catch(() => undefined);
    if (sent !== undefined && sent.status >= 400 && sent.status < 500 && sent.status !== 404) return true;
  }
  return false;
}

/** Reads that need nothing to exist; by default they find nothing. */
function probesOf(implementation: Implementation, api: Api): string[] {
  const valueOf = (name: string) => api.probe?.(name, implementation) ?? 'conformance-probe';
  return [...implementation.operations.values()]
    .filter(({ method, level }) => method === 'GET' && level === 'core')
    .map((operation) => {
      const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      return requestTargetOf(operation, { path: Object.fromEntries(names.map((name) => [name, valueOf(name)])) });
    });
}

/**
 * The highest level that the target offers: the list of edges answers as an operation, not as an unknown path or as
 * anything.
 */
export async function offeredLevel(contract: Contract, client: Client): Promise<Level> {
  const reads = operationsOf(contract).filter(
    ({ method, level, parameters }) =>
      method === 'GET' && level === 'extended' && !parameters.some((one) => one.in === 'path'),
  );
  for (const operation of reads) {
    const response = await client
      .send({ method: 'GET', target: requestTargetOf(operation, {}) })
      .catch(() => undefined);
    if (response !== undefined && isOffered(contract, operation, new HttpResponse(response))) return 'extended';
  }
  return 'core';
}

/** Whether some operation that only reads is found, whatever it responds. */
export async function isServed(contract: Contract, client: Client): Promise<boolean> {
  const reads = operationsOf(contract).filter(({ method }) => method === 'GET');
  for (const operation of reads) {
    const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    const path = Object.fromEntries(names.map((name) => [name, 'conformance-probe']));
    const response = await client
      .send({ method: 'GET', target: requestTargetOf(operation, { path }) })
      .catch(() => undefined);
    if (response === undefined) return false;
    if (response.status !== 404) return true;
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
