/**
 * The servers of a contract, a path and an operation: the URLs at which their paths begin (OpenAPI
 * 3.1, Server Object).
 */
import { memberOf } from './by-name.ts';
import type { Contract } from './load.ts';
import { joinPointer, valueAt } from './pointers.ts';

interface ServerVariable {
  default?: unknown;
  enum?: unknown[];
}

type Variables = Record<string, ServerVariable>;

/** The variables of the first server of the contract, by name. */
export const serverVariablesOf = ({ document }: Contract): Variables =>
  variablesAt(document, '/servers/0');

const variablesAt = (document: unknown, server: string): Variables =>
  (valueAt(document, joinPointer(server, 'variables')) ?? {}) as Variables;

/**
 * The path of the first server, such as `/v1`, with these values of variables, or their defaults;
 * `''` for no server.
 */
export function serverPathOf(
  contract: Contract,
  given: Readonly<Record<string, string>> = {},
): string {
  return serverPathAt(contract, '', given) ?? '';
}

/**
 * The path of the first of the servers that are stated at the pointer, with its variables.
 * @returns undefined if no server is stated there: then the servers above apply (OpenAPI 3.1, Path
 * Item Object)
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
  const variables = variablesAt(document, server);
  const valueOf = (name: string) =>
    memberOf(given, name) ?? String(memberOf(variables, name)?.default ?? name);
  const url = template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => valueOf(name));
  // A relative URL is allowed, too.
  const base = 'http://server.example';
  if (!URL.canParse(url, base)) {
    return '';
  }
  const { pathname } = new URL(url, base);
  return pathname.replace(/\/+$/, '');
}
