/**
 * Parameters of a request, as the contract lists them. Each is a text; its type is checked here, since
 * express-openapi-validator converts more than the contract allows (`0x10`, `1e1`; D31), and does not detect repeated or
 * unknown ones (D35).
 */
import type { Request } from 'express';
import type { Operation, Parameter } from '../../contract.ts';
import type { FieldError } from '../../domain/types.ts';
import { isObject, type JsonObject } from '../../openapi/document.ts';

/** What was sent, by place; names of headers are in lower case. Values with an entry in `errors` are omitted. */
export interface Parameters {
  params: JsonObject;
  query: JsonObject;
  headers: JsonObject;
  errors: FieldError[];
}

export function parameterReader({ parameters }: Operation): (req: Request) => Parameters {
  const inQuery = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
  return (req) => {
    const read: Parameters = { params: { ...req.params }, query: {}, headers: {}, errors: [] };
    const check = (place: 'params' | 'query' | 'headers', { name, schema }: Parameter, value: unknown) => {
      if (value === undefined) return;
      const detail = typeError(schema, value);
      if (detail === undefined) {
        read[place][place === 'headers' ? name.toLowerCase() : name] = value;
      } else {
        delete read[place][name];
        read.errors.push({ parameter: name, code: 'type', detail });
      }
    };
    for (const one of parameters) {
      if (one.in === 'path') check('params', one, req.params[one.name]);
      if (one.in === 'header') check('headers', one, req.headers[one.name.toLowerCase()]);
    }
    // Express parses the query at each access.
    for (const [name, value] of req.url.includes('?') ? Object.entries(req.query) : []) {
      const parameter = inQuery.get(name);
      const isArray = parameter?.schema['type'] === 'array';
      if (parameter === undefined)
        read.errors.push({ parameter: name, code: 'unknown', detail: 'is not a parameter of this operation' });
      else if (!isArray && typeof value !== 'string')
        read.errors.push({ parameter: name, code: 'repeated', detail: 'must be given only once' });
      else check('query', parameter, isArray ? [value].flat() : value);
    }
    return read;
  };
}

/** How a value does not have its type, in words; undefined where it has. */
function typeError(schema: JsonObject, value: unknown): string | undefined {
  const type = schema['type'] === 'array' && isObject(schema['items']) ? schema['items'] : schema;
  const fits = [value].flat().every((text) => isOfType(String(text), type));
  return fits ? undefined : FORMS[String(type['type'])];
}

/** Decimal digits, without leading zeros; signs only where the contract allows negative numbers (D16, D31). */
function isOfType(text: string, { type, minimum }: JsonObject): boolean {
  const digits = typeof minimum === 'number' && minimum >= 0 ? text : text.replace(/^-/, '');
  if (type === 'integer') return /^(?:0|[1-9][0-9]*)$/.test(digits);
  if (type === 'number') return /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(digits);
  return type !== 'boolean' || text === 'true' || text === 'false';
}

const FORMS: Record<string, string> = {
  integer: 'must be an integer in decimal digits',
  number: 'must be a number in decimal digits',
  boolean: 'must be true or false',
};
