/**
 * Validates a request against the contract: its schemas (openapi-validator.ts), and the rules that no schema can express. One
 * response reports all errors.
 */
import type { Request } from 'express';
import type { Contract, Operation, Parameter } from '../../contract.ts';
import { invalidRequest } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import type { JsonBody } from '../request/body.ts';
import { crossFieldErrors } from './cross-field-rules.ts';
import { compileDefaults, type FillDefaults } from './defaults.ts';
import { toFieldErrors } from './field-errors.ts';
import type { SchemaValidator } from './openapi-validator.ts';

/** A valid request: its values have their types, and the defaults of the contract are filled in. */
interface ValidRequest {
  path: JsonObject;
  query: JsonObject;
  body: unknown;
}

/** @returns a validator for one operation, which throws ApiError `invalid_request` with every error that it finds */
export function requestValidator(contract: Contract, schemas: SchemaValidator, operation: Operation) {
  const { document } = contract;
  const readParameters = parameterReader(operation);
  const fillQuery = queryDefaults(contract, operation);
  const fillBody = bodyDefaults(contract, operation);
  return async (req: Request, { value: body, errors: textErrors }: JsonBody): Promise<ValidRequest> => {
    const { params, query, headers, errors } = readParameters(req);
    const schemaErrors = await schemas.request(operation, { params, query, headers, body });
    const crossField = crossFieldErrors(body);
    if (schemaErrors.length + errors.length + textErrors.length + crossField.length > 0) {
      const reported = new Set(errors.map(({ parameter }) => parameter));
      const others = toFieldErrors(document, operation, body, schemaErrors).filter(
        // The validator does not get one of the wrong type, and may report it as missing.
        ({ parameter }) => parameter === undefined || !reported.has(parameter),
      );
      throw invalidRequest(distinct([...errors, ...others, ...textErrors, ...crossField]));
    }
    return { path: params, query: fillQuery(query) as JsonObject, body: fillBody(body) };
  };
}

/** Fills the defaults of the body of an operation. */
export function bodyDefaults({ document }: Contract, { requestBody }: Operation): FillDefaults {
  return requestBody === undefined ? (value) => value : compileDefaults(document, requestBody.schema);
}

function queryDefaults({ document }: Contract, { parameters }: Operation): FillDefaults {
  const own = parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]);
  return compileDefaults(document, { properties: Object.fromEntries(own) });
}

/** One error per place and kind: a lone surrogate may break a pattern, too. */
function distinct(errors: FieldError[]): FieldError[] {
  return [
    ...new Map(errors.map((error) => [JSON.stringify([error.pointer, error.parameter, error.code]), error])).values(),
  ];
}

/** The values that were sent, by place; names of headers are in lower case. Values with an entry in `errors` are omitted. */
interface Parameters {
  params: JsonObject;
  query: JsonObject;
  headers: JsonObject;
  errors: FieldError[];
}

/**
 * Reads parameters as the contract lists them. Each is a text; its type is checked here, since express-openapi-validator
 * converts more than the contract allows (`0x10`, `1e1`; D31), and does not detect repeated or unknown ones (D35).
 */
function parameterReader({ parameters }: Operation): (req: Request) => Parameters {
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
