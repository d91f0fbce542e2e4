/** Path parameters that would make a request reach another resource than the one that is meant. */
import type { Middleware } from 'openapi-fetch';

/**
 * A URL parser removes these segments (RFC 3986, 5.2.4): `/edges/https/E1/routes/..` becomes
 * `/edges/https/E1/`.
 */
const DOT_SEGMENTS = new Set(['.', '..']);

const PARAMETER_NAME = /\{([^{}]+)\}/g;

/**
 * Refuses a request whose path parameters are missing, empty or dot segments. Nothing is sent then.
 */
export const pathParameterCheck: Middleware = {
  onRequest({ schemaPath, params }) {
    requirePathParameters(schemaPath, params.path);
  },
};

/**
 * @param template the path as the contract has it, such as `/edges/https/{edge_id}`
 * @throws {TypeError} that names the parameter which is not a text, empty, `.` or `..`
 */
export function requirePathParameters(
  template: string,
  values: Readonly<Record<string, unknown>> = {},
): void {
  for (const [, name = ''] of template.matchAll(PARAMETER_NAME)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== 'string') {
      throw new TypeError(`the path parameter ${name} must be a string, not ${typeName(value)}`);
    }
    if (value === '' || DOT_SEGMENTS.has(value)) {
      const problem = "an empty value, '.' and '..' would address another resource";
      throw new TypeError(`the path parameter ${name} must not be '${value}': ${problem}`);
    }
  }
}

function typeName(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}
