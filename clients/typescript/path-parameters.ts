/** Path parameters that would make a request reach another resource than the one that is meant. */
import type { operations } from '../../generated/openapi.ts';

type Operation = operations[keyof operations];
type NamesOf<One extends Operation> = One extends { parameters: { path: infer Path } }
  ? keyof Path
  : never;
type PathParameter = NamesOf<Operation>;

const ID = /^[A-Za-z0-9_-]+$/;

/**
 * The pattern of each path parameter in the contract; path-parameters.test.ts compares them. None
 * allows an empty value, or `.` and `..`, which a URL parser removes (RFC 3986, 5.2.4):
 * `/edges/https/E1/routes/..` becomes `/edges/https/E1/`.
 */
export const PATTERNS: Readonly<Record<PathParameter, RegExp>> = {
  edge_id: ID,
  route_id: ID,
  subscription_id: ID,
  type: /^[a-z][a-z0-9_]*\.v(0|[1-9][0-9]*)$/,
};

const PARAMETER_NAME = /\{([^{}]+)\}/g;

/**
 * @param template the path as the contract has it, such as `/edges/https/{edge_id}`
 * @throws {TypeError} that names the parameter which is no string, or does not match its pattern;
 * or if the values are no object
 */
export function requirePathParameters(
  template: string,
  values: Readonly<Record<string, unknown>> = {},
): void {
  const names = [...template.matchAll(PARAMETER_NAME)].map(([, name = '']) => name);
  if (names.length > 0 && (typeof values !== 'object' || values === null)) {
    const example = names.map((name) => `${name}: '...'`).join(', ');
    throw new TypeError(
      `path parameters must be an object, { ${example} }, not ${typeName(values)}: ` +
        'nothing was sent',
    );
  }
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== 'string') {
      const type = typeName(value);
      throw new TypeError(`path parameter ${name} must be a string, not ${type}: nothing was sent`);
    }
    const pattern = PATTERNS[name as PathParameter];
    if (!pattern.test(value)) {
      const rule = `must match ${pattern.source}, not ${JSON.stringify(value)}`;
      throw new TypeError(`path parameter ${name} ${rule}: nothing was sent`);
    }
  }
}

function typeName(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}
