/**
 * Parameters that the contract refuses and express-openapi-validator takes: `0x10` (D31), brackets,
 * unknown parameters (D35).
 */
import type { Request } from 'express';
import type { Operation, Parameter } from '../../contract.ts';
import type { FieldError } from '../../domain/types.ts';

/**
 * @returns a function that finds errors, and leaves in `req.query` what is known and has the right
 * form
 */
export function parameterCheck({ parameters }: Operation): (req: Request) => FieldError[] {
  const inQuery = parameters.filter((one) => one.in === 'query');
  const byName = new Map(inQuery.map((one) => [one.name, one]));
  return (req) => {
    if (!req.url.includes('?')) {
      return [];
    }
    const errors: FieldError[] = [];
    const query: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(req.query)) {
      const error = errorOf(value, byName.get(name));
      if (error === undefined) {
        query[name] = value;
      } else {
        errors.push({ parameter: name, ...error });
      }
    }
    // Express parses it anew at each access.
    Object.defineProperty(req, 'query', { value: query, writable: true });
    return errors;
  };
}

/** Without a sign or leading zeros (D16, D31). */
const DECIMAL_DIGITS = /^(?:0|[1-9][0-9]*)$/;

function errorOf(
  value: unknown,
  parameter: Parameter | undefined,
): Pick<FieldError, 'code' | 'detail'> | undefined {
  if (parameter === undefined) {
    return { code: 'unknown', detail: 'is not a parameter of this operation' };
  }
  if (typeof value !== 'string') {
    return { code: 'repeated', detail: 'must be given only once' };
  }
  if (parameter.schema['type'] === 'integer' && !DECIMAL_DIGITS.test(value)) {
    return { code: 'type', detail: 'must be an integer in decimal digits' };
  }
  return undefined;
}
