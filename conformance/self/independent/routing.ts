/** From a path to the operations on it. */
import { isPossible } from './names.ts';
import type { Operation, Params } from './operation.ts';
import { Refusal } from './problem.ts';

export interface Routed {
  params: Params;
  /** All on this path, by method. */
  operations: ReadonlyMap<string, Operation>;
}

function match(template: string, segments: readonly string[]): Params | undefined {
  const parts = template.split('/').slice(1);
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? segment !== part : segment === '') return undefined;
    if (name !== undefined) params[name] = segment;
  }
  return params;
}

export function route(operations: readonly Operation[], segments: readonly string[]): Routed {
  const found = new Map<string, Operation>();
  let params: Params = {};
  for (const operation of operations) {
    const matched = match(operation.path, segments);
    if (matched === undefined) continue;
    params = matched;
    found.set(operation.method, operation);
  }
  if (found.size === 0) throw new Refusal('not_found', 'Nothing lives under this path.');
  return { params, operations: found };
}

export function allow({ operations }: Routed): string {
  return ['OPTIONS', ...operations.keys(), ...(operations.has('GET') ? ['HEAD'] : [])].join(',');
}

/** A path parameter that breaks its form names nothing that could exist; the contract allows 404 for it. */
export function requirePossible(params: Params): void {
  if (!Object.entries(params).every(([name, value]) => isPossible(name, value))) {
    throw new Refusal('not_found', 'Nothing can have this name.');
  }
}
