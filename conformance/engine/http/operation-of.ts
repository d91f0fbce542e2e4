/** The operation that a request calls, by its method and its path. */
import { escapeRegExp } from '../contract/escape-reg-exp.ts';
import { setMember } from '../contract/by-name.ts';
import { type Contract, perContract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { decode } from '../contract/percent-encoding.ts';
import type { Client } from './client.ts';

/** A path template as an expression for the paths that it has. */
interface Route {
  operation: Operation;
  expression: RegExp;
  /** The number of characters outside of parameters: the more, the closer it fits. */
  literal: number;
}

const PARAMETER = /\{[^{}]*\}/;

const routesOf = perContract((contract: Contract): readonly Route[] => {
  const routes = operationsOf(contract).map(routeOf);
  return routes.toSorted((one, other) => other.literal - one.literal);
});

function routeOf(operation: Operation): Route {
  const [path = ''] = operation.path.split(/[?#]/, 1);
  const texts = path.split(PARAMETER);
  const escaped = texts.map(escapeRegExp);
  return {
    operation,
    expression: new RegExp(`^${escaped.join('[^/]*')}$`),
    literal: texts.join('').length,
  };
}

/**
 * The operation of the contract with this method and URL; undefined if it has none.
 * @param url whole, as requests are recorded
 */
export function operationAt(
  contract: Contract,
  { base }: Pick<Client, 'base'>,
  { method, url }: { method: string; url: string },
): Operation | undefined {
  const paths = pathsOf(url, base);
  const found = routesOf(contract).find(({ operation, expression }) => {
    if (operation.method !== method) {
      return false;
    }
    const path = operation.serverPath === undefined ? paths.below : paths.without(operation);
    return path !== undefined && expression.test(path);
  });
  return found?.operation;
}

/** The values of the path parameters of a request to the operation, by name. */
export function pathValuesOf({ path }: Operation, url: string): Record<string, string> {
  const template = path.split('/');
  const [whole = ''] = url.split('?', 1);
  const segments = whole.split('/').slice(-template.length);
  const values: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const name = PARAMETER.exec(part)?.[0].slice(1, -1);
    const segment = segments[index] ?? '';
    if (name !== undefined && segment !== '') {
      setMember(values, name, decode(segment));
    }
  }
  return values;
}

interface Paths {
  /** Below the base URL; undefined if the URL is not below it. */
  below: string | undefined;
  /** Below the server path of an operation. */
  without(operation: Operation): string | undefined;
}

function pathsOf(url: string, base: URL): Paths {
  const [whole = ''] = url.split(/[?#]/, 1);
  const rest = whole.startsWith(base.origin) ? whole.slice(base.origin.length) : whole;
  const below = (prefix: string): string | undefined => {
    const path = prefix.replace(/\/$/, '');
    if (!rest.startsWith(path)) {
      return undefined;
    }
    return rest.slice(path.length);
  };
  return {
    below: below(base.pathname),
    without: ({ serverPath = '' }) => below(serverPath),
  };
}
