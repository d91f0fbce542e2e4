/** The operations of a contract, and the one to which a request belongs. */
import { load } from 'js-yaml';

export interface Operation {
  /** In capitals. */
  method: string;
  /** The template, without the base path. */
  path: string;
}

export interface Contract {
  /** Such as `/api/v2`; empty if the paths begin at the root. */
  basePath: string;
  operations: Operation[];
  /** The operation of a request, by its raw path without a query; undefined if there is none. */
  find(method: string, path: string): Operation | undefined;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Document {
  basePath?: string;
  servers?: { url: string }[];
  paths: Record<string, Record<string, unknown>>;
}

/**
 * @param text a contract in YAML or JSON, OpenAPI or Swagger 2.0
 * @param basePath in place of that of the contract
 */
export function readContract(text: string, basePath?: string): Contract {
  const document = load(text) as Document;
  return contractOf(operationsOf(document), basePath ?? basePathOf(document));
}

function contractOf(operations: Operation[], basePath: string): Contract {
  const patterns = operations.map((operation) => ({
    operation,
    pattern: patternOf(basePath + operation.path),
  }));
  // `/things/count` is more exact than `/things/{id}`.
  patterns.sort((a, b) => parametersIn(a.operation) - parametersIn(b.operation));
  return {
    basePath,
    operations,
    find(method, path) {
      const found = patterns.find(
        ({ operation, pattern }) => operation.method === method && pattern.test(path),
      );
      return found?.operation;
    },
  };
}

export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function basePathOf({ basePath, servers }: Document): string {
  const url = basePath ?? servers?.[0]?.url ?? '';
  const { pathname } = new URL(url, 'http://127.0.0.1');
  return pathname.replace(/\/$/, '');
}

function operationsOf({ paths }: Document): Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      if (item[method] !== undefined) {
        operations.push({ method: method.toUpperCase(), path });
      }
    }
  }
  return operations;
}

const PARAMETER = /\{[^}]*\}/g;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

function patternOf(template: string): RegExp {
  const literals = template.split(PARAMETER);
  const escaped = literals.map((literal) => literal.replace(SPECIAL, String.raw`\$&`));
  return new RegExp(`^${escaped.join('[^/]*')}$`);
}

function parametersIn({ path }: Operation): number {
  return path.match(PARAMETER)?.length ?? 0;
}
