/**
 * Validates a request against the contract: its schemas (openapi-validator.ts), and the rules that no schema can express. One
 * response reports all errors.
 */
import type { Request } from 'express';
import type { Contract, Operation } from '../../contract.ts';
import { invalidRequest } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import type { JsonObject } from '../../openapi/document.ts';
import type { JsonBody } from '../request/body.ts';
import { crossFieldErrors } from './cross-field-rules.ts';
import { compileDefaults, type FillDefaults } from './defaults.ts';
import { toFieldErrors } from './field-errors.ts';
import type { SchemaValidator } from './openapi-validator.ts';
import { parameterReader } from './parameters.ts';

/** A valid request: its values have their types, and the defaults of the contract are filled in. */
export interface ValidRequest {
  path: JsonObject;
  query: JsonObject;
  body: unknown;
}

/** @throws ApiError `invalid_request` with every error that was found */
export type ValidateRequest = (req: Request, body: JsonBody) => Promise<ValidRequest>;

/** For one operation: what can be looked up is looked up once. */
export function requestValidator(contract: Contract, schemas: SchemaValidator, operation: Operation): ValidateRequest {
  const { document } = contract;
  const readParameters = parameterReader(operation);
  const fillQuery = queryDefaults(contract, operation);
  const fillBody = bodyDefaults(contract, operation);
  return async (req, { value: body, errors: textErrors }) => {
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
