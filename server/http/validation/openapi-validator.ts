/**
 * express-openapi-validator, given the operation that routing has found already. Of what it does for a request, finding the
 * operation again is most of the cost, and grows with the number of paths; so that is done once for each operation, at the
 * start, and a request goes through its request step alone. What its documentation does not say, and what is done about it:
 *
 * - A contract that it cannot use shows only at each request, as a 500: it is loaded and tried before this returns.
 * - It compiles a validator at the first request for each operation and Content-Type: each is tried at the start, and it is
 *   given no other Content-Type than that of the contract.
 * - It changes the document that it is given, and follows few of its references: it gets one of its own, resolved.
 * - It fills in defaults before it validates, and not behind `oneOf`: it sees none, and defaults.ts fills them in afterwards.
 * - It refuses reserved characters in a query that stand unencoded, as RFC 3986 allows: it gets the query decoded.
 * - It sees responses in `res.json` alone: it gets one that does nothing else.
 * - Its bearer check is a substring test: security/bearer.ts does that.
 */
import * as OpenApiValidator from 'express-openapi-validator';
import framework from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import type { OpenApiRequestHandler, OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { type Contract, ContractError, type Operation, type OperationId } from '../../contract.ts';
import type { SchemaError } from './field-errors.ts';
import { contractFormats } from './formats.ts';
import { documentForValidator } from './validator-document.ts';

/** The parts of a request that schemas speak of. Texts of parameters become numbers and booleans in place. */
export interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Those alone that the contract lists, by names in lower case. */
  headers: Record<string, unknown>;
  /** Undefined where there is none. */
  body: unknown;
}

export interface SchemaValidator {
  /** What breaks the schemas of the operation. */
  request(operation: Operation, parts: Parts): Promise<readonly SchemaError[]>;
  /** @throws Error that says what in a response breaks the contract */
  response(operation: Operation, response: { status: number; type: string; body: unknown }): Promise<void>;
}

export interface SchemaValidatorOptions {
  /** Responses can be validated, too. */
  responses: boolean;
}

/** By contract, with and without responses: loading one takes half a second, and tests have many applications of one contract. */
const loaded = new WeakMap<Contract, Map<boolean, Promise<SchemaValidator>>>();

/** @throws ContractError when the contract cannot be used */
export function loadSchemaValidator(contract: Contract, options: SchemaValidatorOptions): Promise<SchemaValidator> {
  const known = loaded.get(contract) ?? new Map<boolean, Promise<SchemaValidator>>();
  loaded.set(contract, known);
  const validator = known.get(options.responses) ?? load(contract, options);
  known.set(options.responses, validator);
  return validator;
}

/** What it keeps of a request between its steps; `pathParams` alone differ from one request to another. */
interface Metadata {
  openApiRoute: string;
  pathParams: Record<string, unknown>;
}

const JSON_TYPE = 'application/json';

/** It compiles OpenAPI's own schema even where `validateApiSpec` is false, which takes a tenth of the start. */
const { OpenAPISchemaValidator } = framework;
framework.OpenAPISchemaValidator = function (options: { validateApiSpec: boolean; version: string }) {
  return options.validateApiSpec ? new OpenAPISchemaValidator(options) : {};
} as unknown as typeof OpenAPISchemaValidator;

async function load(contract: Contract, { responses }: SchemaValidatorOptions): Promise<SchemaValidator> {
  const steps = OpenApiValidator.middleware({
    apiSpec: documentForValidator(contract, { responses }) as unknown as OpenAPIV3.DocumentV3_1,
    // Tests check the contract, by several validators of OpenAPI: here it would take half a second of each start.
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: responses && { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: contractFormats(contract.document),
  });
  const requestStep = stepNamed(steps, 'requestMiddleware');
  const responseStep = responses ? stepNamed(steps, 'responseMiddleware') : undefined;
  const known = await findOperations(contract, steps);

  const stepInput = ({ id, method }: Operation, { params, query, headers, body }: Parts) => ({
    method: method.toUpperCase(),
    path: '/',
    // It would look for reserved characters here.
    originalUrl: '/',
    openapi: { ...known.get(id), pathParams: params },
    params,
    query,
    headers: body === undefined ? headers : { ...headers, 'content-type': JSON_TYPE },
    body,
  });
  const validator: SchemaValidator = {
    request: async (operation, parts) => {
      try {
        await run(requestStep, stepInput(operation, parts));
        return [];
      } catch (error) {
        const { status, errors } = error as { status?: number; errors?: SchemaError[] };
        if (status === 400 && errors) return errors;
        throw error;
      }
    },
    response: async (operation, { status, type, body }) => {
      if (responseStep === undefined) throw new Error('responses are not validated');
      if (!operation.statuses.includes(status)) throw new Error(`${operation.id} documents no response ${status}`);
      const sent = { statusCode: status, getHeaders: () => ({ 'content-type': type }), json: () => undefined };
      const input = stepInput(operation, { params: {}, query: {}, headers: {}, body: undefined });
      await new Promise<void>((resolve, reject) => {
        const next = (error?: unknown) => {
          if (error !== undefined) reject(error as Error);
        };
        // Its step puts its own `json` into the response, which validates what it is called with.
        void run(responseStep, input, sent, next).then(() => {
          (sent.json as (value: unknown) => void)(body);
          resolve();
        }, reject);
      });
    },
  };
  for (const operation of contract.operations) await tryOut(validator, operation);
  return validator;
}

/** @throws Error where another version of the library has other steps */
function stepNamed(steps: OpenApiRequestHandler[], name: string): OpenApiRequestHandler {
  const step = steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`express-openapi-validator has no step ${name}`);
  return step;
}

/** Has it load the contract and find each operation, by a request for it. */
async function findOperations(contract: Contract, steps: OpenApiRequestHandler[]): Promise<Map<OperationId, Metadata>> {
  const app = { enabled: () => true, param: () => undefined };
  const metadata = new Map<OperationId, Metadata>();
  for (const { id, method, path } of contract.operations) {
    const target = path.replaceAll(/[{}]/g, '');
    const request = {
      app,
      method: method.toUpperCase(),
      path: target,
      originalUrl: target,
      baseUrl: '',
      openapi: undefined,
    };
    try {
      for (const name of ['pathParamsMiddleware', 'metadataMiddleware']) await run(stepNamed(steps, name), request);
    } catch (error) {
      throw new ContractError(`openapi.yaml cannot be used: ${firstLine(error)}`);
    }
    const found = request.openapi as Metadata | undefined;
    if (found?.openApiRoute !== path)
      throw new ContractError(`openapi.yaml: ${id} cannot be distinguished from other operations`);
    metadata.set(id, found);
  }
  return metadata;
}

/**
 * Has it compile what it needs for the requests of an operation; whether the values are valid does not matter. What it needs
 * for responses, which are validated during development alone, it compiles when the first one comes.
 */
async function tryOut(validator: SchemaValidator, operation: Operation): Promise<void> {
  const parts = { params: {}, query: {}, headers: {} };
  try {
    if (!operation.requestBody?.required) await validator.request(operation, { ...parts, body: undefined });
    if (operation.requestBody) await validator.request(operation, { ...parts, body: {} });
  } catch (error) {
    throw new ContractError(`openapi.yaml: ${operation.id} cannot be validated: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}

/** @param later gets what goes wrong after the step has passed the request on */
function run(
  step: OpenApiRequestHandler,
  req: object,
  res: object = {},
  later?: (error?: unknown) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let settled = false;
    step(req as never, res as never, (error?: unknown) => {
      if (settled) later?.(error);
      else if (error === undefined) resolve();
      else reject(error as Error);
      settled = true;
    });
  });
}
