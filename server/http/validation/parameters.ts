/**
 * The parameters of a request, where express-openapi-validator is not strict: it converts more than the contract allows
 * (`0x10`, `1e1`; D31), reads names with brackets as objects, and does not find all unknown ones (D35).
 */
import type { Request } from 'express';
import type { Operation, Parameter } from '../../contract.ts';
import type { FieldError } from '../../domain/types.ts';
import { isObject, type JsonObject } from '../../openapi/document.ts';

/** @returns a function that finds errors, and leaves in `req.query` what is known and has the right form */
export function parameterCheck({ parameters }: Operation): (req: Request) => FieldError[] {
  const inQuery = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
  const converted = parameters.filter(({ schema }) => schema['type'] !== 'string');
  return (req) => {
    const errors: FieldError[] = [];
    for (const parameter of converted) {
      if (parameter.in === 'path') errors.push(...typeErrors(parameter, req.params[parameter.name]));
      if (parameter.in === 'header') errors.push(...typeErrors(parameter, req.headers[parameter.name.toLowerCase()]));
    }
    if (!req.url.includes('?')) return errors;
    const query: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(req.query)) {
      const found = queryErrors(name, value, inQuery.get(name));
      errors.push(...found);
      if (found.length === 0) query[name] = value;
    }
    // Express parses it anew at each access.
    Object.defineProperty(req, 'query', { value: query, writable: true });
    return errors;
  };
}

function queryErrors(name: string, value: unknown, parameter: Parameter | undefined): FieldError[] {
  if (parameter === undefined)
    return [{ parameter: name, code: 'unknown', detail: 'is not a parameter of this operation' }];
  if (parameter.schema['type'] !== 'array' && typeof value !== 'string')
    return [{ parameter: name, code: 'repeated', detail: 'must be given only once' }];
  return typeErrors(parameter, value);
}

const FORMS: Record<string, string> = {
  integer: 'must be an integer in decimal digits',
  number: 'must be a number in decimal digits',
  boolean: 'must be true or false',
};

/** Whether each text has the type of the parameter. */
function typeErrors({ name, schema }: Parameter, value: unknown): FieldError[] {
  if (value === undefined) return [];
  const type = schema['type'] === 'array' && isObject(schema['items']) ? schema['items'] : schema;
  const fits = [value].flat().every((text) => isOfType(String(text), type));
  return fits ? [] : [{ parameter: name, code: 'type', detail: FORMS[String(type['type'])] ?? '' }];
}

/** Decimal digits, without leading zeros; signs only where the contract allows negative numbers (D16, D31). */
function isOfType(text: string, { type, minimum }: JsonObject): boolean {
  const digits = typeof minimum === 'number' && minimum >= 0 ? text : text.replace(/^-/, '');
  if (type === 'integer') return /^(?:0|[1-9][0-9]*)$/.test(digits);
  if (type === 'number') return /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(digits);
  return type !== 'boolean' || text === 'true' || text === 'false';
}
