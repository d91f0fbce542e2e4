/** The servers of a contract, a path and an operation: where their paths begin (OpenAPI 3.1, Server Object). */
import type { Contract } from './load.ts';
import { joinPointer, valueAt } from './pointers.ts';

interface ServerVariable {
  default?: unknown;
  enum?: unknown[];
}

/** The variables of the first server of the contract. */
export const serverVariablesOf = ({ document }: Contract): Record<string, ServerVariable> =>
  (valueAt(document, '/servers/0/variables') ?? {}) as Record<string, ServerVariable>;

/** The path of the first server, such as `/v1`, with these variables, or their defaults; `''` without a server. */
export function serverPathOf(
  contract: Contract,
  given: Readonly<Record<string, string>> = {},
): string {
  return serverPathAt(contract, '', given) ?? '';
}

/**
 * The path of the first of the servers that stand at the pointer, with its variables.
 * @returns undefined if none stands there: then the servers above hold (OpenAPI 3.1, Path Item Object)
 */
export function serverPathAt(
  { document }: Contract,
  pointer: string,
  given: Readonly<Record<string, string>> = {},
): string | undefined {
  const server = joinPointer(pointer, 'servers', 0);
  const template = valueAt(document, joinPointer(server, 'url'));
  if (typeof template !== 'string') {
    return undefined;
  }
  const variables = (valueAt(document, joinPointer(server, 'variables')) ?? {}) as Record<
    string,
    ServerVariable
  >;
  const url = template.replaceAll(
    /\{([^{}]+)\}/g,
    (_, name: string) => given[name] ?? String(variables[name]?.default ?? name),
  );
  // A relative URL is allowed, too.
  const base = 'http://server.example';
  return URL.canParse(url, base) ? new URL(url, base).pathname.replace(/\/+$/, '') : '';
}
