/** Looks whether the target can be judged at all, before anything is said about it. */
import { Answer } from './check/answer.ts';
import { targetOf } from './check/session.ts';
import { type Operation, operationsOf } from './contract/operations.ts';
import type { Contract } from './contract/load.ts';
import type { Level } from './report/report.ts';
import { type Client, NoAnswer } from './target/client.ts';
import type { Target } from './target/target.ts';

/** Why the target cannot be judged, and what to do about it; undefined when it can. Creates nothing. */
export async function reach({ client, operations, token }: Pick<Target, 'client' | 'operations' | 'token'>): Promise<string | undefined> {
  const statuses: number[] = [];
  for (const target of probesOf([...operations.values()])) {
    try {
      statuses.push(new Answer(await client.send({ method: 'GET', target })).status);
    } catch (error) {
      if (error instanceof NoAnswer) return `${client.base.origin} does not answer (${error.message}): is the service running there?`;
      throw error;
    }
  }
  if (statuses.every((status) => status === 401 || status === 403)) {
    return token === undefined
      ? `${client.base.origin} asks for credentials: give them with --token or --header`
      : `${client.base.origin} refuses the token: check --token`;
  }
  if (statuses.every((status) => status === 404)) {
    return `${client.base.href} answers 404 to every operation of the API: is the base URL right?`;
  }
  return undefined;
}

/** Reads that need nothing to exist, and one that finds nothing. */
function probesOf(operations: Operation[]): string[] {
  const path = { id: 'conformance-probe', subscription_id: 'conformance-probe', type: 'conformance_probe.v0' };
  return operations.filter(({ method, level }) => method === 'GET' && level === 'core').map((operation) => targetOf(operation, { path }));
}

/** The highest level that the target offers: a read of the level above answers as an operation, not as an unknown path. */
export async function offeredLevel(contract: Contract, client: Client): Promise<Level> {
  const reads = operationsOf(contract).filter(({ method, level, parameters }) => method === 'GET' && level === 'extended' && !parameters.some((one) => one.in === 'path'));
  for (const operation of reads) {
    const answer = await client.send({ method: 'GET', target: targetOf(operation, {}) }).catch(() => undefined);
    if (answer !== undefined && answer.status !== 404 && answer.status !== 405) return 'extended';
  }
  return 'core';
}
