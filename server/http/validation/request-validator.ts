/**
 * What of a request breaks the contract: its schemas (openapi-validator.ts), and the rules that no schema can say. Everything
 * that was found is reported in one response.
 */
import type { Request } from 'express';
import type { Contract, Operation } from '../../contract.ts';
import { invalidRequest } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import type { JsonBody } from '../request/body.ts';
import { crossFieldErrors } from './cross-field-rules.ts';
import { compileDefaults, type FillDefaults } from './defaults.ts';
import { toFieldErrors } from './field-errors.ts';
import type { Parts, SchemaValidator } from './openapi-validator.ts';
import { parameterReader } from './parameters.ts';

/** A request that keeps the contract: its values have their types, and defaults where something was omitted. */
export interface ValidRequest {
  path: Parts['params'];
  query: Parts['query'];
  headers: Parts['headers'];
  body: unknown;
}

/** @throws ApiError `invalid_request` with every error that was found */
export type ValidateRequest = (req: Request, body: JsonBody) => Promise<ValidRequest>;

/** For one operation: what can be looked up is looked up once. */
export function requestValidator(contract: Contract, schemas: SchemaValidator, operation: Operation): ValidateRequest {
  const { document } = contract;
  const readParameters = parameterReader(operation);
  const fillQuery = parameterDefaults(contract, operation, 'query');
  const fillHeaders = parameterDefaults(contract, operation, 'header');
  const fillBody = bodyDefaults(contract, operation);
  return async (req, { value: body, errors: textErrors }) => {
    const { params, query, headers, errors } = readParameters(req);
    const parts: Parts = { params, query, headers, body };
    const schemaErrors = await schemas.request(operation, parts);
    const crossField = crossFieldErrors(body);
    if (schemaErrors.length + errors.length + textErrors.length + crossField.length > 0) {
      const reported = new Set(errors.map(({ parameter }) => parameter));
      const others = toFieldErrors(document, operation, body, schemaErrors).filter(
        // One that cannot be read was not given to the validator, which may report it as missing.
        ({ parameter }) => parameter === undefined || !reported.has(parameter),
      );
      throw invalidRequest(distinct([...errors, ...others, ...textErrors, ...crossField]));
    }
    return {
      path: params,
      query: fillQuery(query) as Parts['query'],
      headers: fillHeaders(headers) as Parts['headers'],
      body: fillBody(body),
    };
  };
}

/** Fills the defaults of the body of an operation. */
export function bodyDefaults({ document }: Contract, { requestBody }: Operation): FillDefaults {
  return requestBody === undefined ? (value) => value : compileDefaults(document, requestBody.schema);
}

/** Gives new values, since those without any are shared. */
function parameterDefaults({ document }: Contract, { parameters }: Operation, place: 'query' | 'header'): FillDefaults {
  const own = parameters.filter((one) => one.in === place);
  if (own.length === 0) return (values) => values;
  const properties = own.map(({ name, schema }) => [place === 'header' ? name.toLowerCase() : name, schema]);
  const fill = compileDefaults(document, { properties: Object.fromEntries(properties) });
  return (values) => fill({ ...(values as object) });
}

/** One error per place and kind: a text with a lone surrogate may break its pattern by that, too. */
function distinct(errors: FieldError[]): FieldError[] {
  return [
    ...new Map(errors.map((error) => [JSON.stringify([error.pointer, error.parameter, error.code]), error])).values(),
  ];
}
