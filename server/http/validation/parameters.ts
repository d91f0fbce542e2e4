/**
 * Parameters of a request, as the contract lists them. Each is a text; what type it must have is checked here, since
 * express-openapi-validator converts more than the contract allows (`0x10`, `1e1`; D31), and knows no repeated or unknown ones
 * (D35).
 */
import type { Request } from 'express';
import type { Operation, Parameter } from '../../contract.ts';
import type { FieldError } from '../../domain/types.ts';
import { isObject, type JsonObject } from '../../openapi/document.ts';

/** What was sent, by where it was sent; names of headers are in lower case. What is in `errors` is omitted. */
export interface Parameters {
  params: JsonObject;
  query: JsonObject;
  headers: JsonObject;
  errors: FieldError[];
}

const NO_VALUES: JsonObject = {};
const NO_ERRORS: FieldError[] = [];

/** What each operation has, looked up once. */
export type ReadParameters = (req: Request) => Parameters;

export function parameterReader({ parameters }: Operation): ReadParameters {
  const inPath = parameters.filter((one) => one.in === 'path' && !isText(one.schema));
  const inQuery = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
  const inHeader = parameters.filter((one) => one.in === 'header');
  return (req) => {
    const read: Parameters = {
      params: req.params as JsonObject,
      query: NO_VALUES,
      headers: NO_VALUES,
      errors: NO_ERRORS,
    };
    if (inPath.length > 0) read.params = { ...read.params };
    for (const one of inPath) check(read, one, read.params[one.name], read.params);
    // Express parses the query whenever it is asked for.
    if (req.url.includes('?')) {
      read.query = {};
      for (const [name, value] of Object.entries(req.query)) readQuery(read, inQuery.get(name), name, value);
    }
    if (inHeader.length > 0) read.headers = {};
    for (const one of inHeader) {
      const name = one.name.toLowerCase();
      if (req.headers[name] !== undefined) read.headers[name] = String(req.headers[name]);
      check(read, one, read.headers[name], read.headers, name);
    }
    return read;
  };
}

function readQuery(read: Parameters, parameter: Parameter | undefined, name: string, value: unknown): void {
  if (parameter === undefined) {
    report(read, { parameter: name, code: 'unknown', detail: 'is not a parameter of this operation' });
  } else if (parameter.schema['type'] === 'array') {
    read.query[name] = [value].flat();
    check(read, parameter, read.query[name], read.query);
  } else if (typeof value !== 'string') {
    report(read, { parameter: name, code: 'repeated', detail: 'must be given only once' });
    // It was sent, so that nothing else is to be said of it.
  } else {
    read.query[name] = value;
    check(read, parameter, value, read.query);
  }
}

/** Reports a text that its type does not have, and takes it out of the values. */
function check(read: Parameters, { name, schema }: Parameter, value: unknown, values: JsonObject, key = name): void {
  if (value === undefined) return;
  const type = schema['type'] === 'array' ? (isObject(schema['items']) ? schema['items'] : {}) : schema;
  const detail = [value].flat().every((text) => fits(String(text), type)) ? undefined : FORMS[String(type['type'])];
  if (detail === undefined) return;
  delete values[key];
  report(read, { parameter: name, code: 'type', detail });
}

/** Decimal digits, without leading zeros; signs only where the contract allows negative numbers (D16, D31). */
function fits(text: string, { type, minimum }: JsonObject): boolean {
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

function isText(schema: JsonObject): boolean {
  return schema['type'] === 'string';
}

function report(read: Parameters, error: FieldError): void {
  read.errors = [...read.errors, error];
}
