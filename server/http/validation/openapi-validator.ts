/**
 * express-openapi-validator, given the operation that routing has found already. Most of its cost for a request is to find
 * the operation again, and grows with the number of paths; so that is done once for each operation, at the start, and a
 * request goes through its request step alone. Its undocumented properties, and what is done about them:
 *
 * - A contract that it cannot use shows only at each request, as a 500: it is loaded and tried before this returns.
 * - It compiles a validator at the first request for each operation and Content-Type: each is tried at the start, and it is
 *   given no other Content-Type than that of the contract.
 * - It changes the document that it is given, and follows few of its references: it gets a document of its own, resolved.
 * - It fills in defaults before it validates, and not behind `oneOf`: it sees none, and defaults.ts fills them in afterwards.
 * - It refuses reserved characters in a query that are not encoded, as RFC 3986 allows: it gets the query decoded.
 * - It sees responses in `res.json` alone: it gets one that does nothing else.
 * - Its bearer check is a substring test: security/tokens.ts does that.
 */
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequestHandler, OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { type Contract, ContractError, type Operation, type OperationId } from '../../contract.ts';
import { isObject, type JsonObject, resolve } from '../../openapi/document.ts';
import type { SchemaError } from './field-errors.ts';
import { contractFormats } from './formats.ts';

/** The parts of a request that have schemas. Texts of parameters become numbers and booleans in place. */
interface Parts {
  params: JsonObject;
  query: JsonObject;
  /** Only those that the contract lists, by names in lower case. */
  headers: JsonObject;
  /** Undefined where there is none. */
  body: unknown;
}

export interface SchemaValidator {
  /** The errors by the schemas of the operation. */
  request(operation: Operation, parts: Parts): Promise<readonly SchemaError[]>;
  /** @throws Error that says what in a response breaks the contract */
  response(operation: Operation, response: { status: number; type: string; body: unknown }): Promise<void>;
}

/** By contract, with and without responses: loading one takes half a second, and tests have many applications of one contract. */
const loaded = new WeakMap<Contract, Map<boolean, Promise<SchemaValidator>>>();

/**
 * @param responses they can be validated, too
 * @throws ContractError when the contract cannot be used
 */
export function loadSchemaValidator(contract: Contract, responses: boolean): Promise<SchemaValidator> {
  const known = loaded.get(contract) ?? new Map<boolean, Promise<SchemaValidator>>();
  loaded.set(contract, known);
  const validator = known.get(responses) ?? load(contract, responses);
  known.set(responses, validator);
  return validator;
}

async function load(contract: Contract, responses: boolean): Promise<SchemaValidator> {
  const steps = OpenApiValidator.middleware({
    apiSpec: documentForValidator(contract, responses) as unknown as OpenAPIV3.DocumentV3_1,
    // Tests check the contract with several validators of OpenAPI: here it would take half a second of each start.
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: responses && { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: contractFormats(contract.document),
  });
  const requestStep = stepNamed(steps, 'requestMiddleware');
  const known = await findOperations(contract, steps);
  const stepInput = ({ id, method }: Operation, { params, query, headers, body }: Parts) => ({
    method: method.toUpperCase(),
    path: '/',
    // It would look for reserved characters here.
    originalUrl: '/',
    openapi: { ...known.get(id), pathParams: params },
    params,
    query,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
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
      if (!operation.statuses.includes(status)) throw new Error(`${operation.id} documents no response ${status}`);
      const input = stepInput(operation, { params: {}, query: {}, headers: {}, body: undefined });
      const json: (value: unknown) => void = () => undefined;
      const sent = { statusCode: status, getHeaders: () => ({ 'content-type': type }), json };
      let breach: unknown;
      await run(stepNamed(steps, 'responseMiddleware'), input, sent, (error) => (breach = error));
      // The step has replaced it by a function that validates what it is called with.
      sent.json(body);
      if (breach !== undefined) throw breach;
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

/** @param later gets the error of a step that has already passed the request on */
function run(
  step: OpenApiRequestHandler,
  req: object,
  res: object = {},
  later?: (error: unknown) => void,
): Promise<void> {
  return new Promise((resolveWith, reject) => {
    let settled = false;
    step(req as never, res as never, (error?: unknown) => {
      if (settled) later?.(error);
      else if (error === undefined) resolveWith();
      else reject(error as Error);
      settled = true;
    });
  });
}

/** The state of a request between its steps; `pathParams` alone differ from one request to another. */
interface Metadata {
  openApiRoute: string;
  pathParams: JsonObject;
}

/** Makes it load the contract and find each operation, by a request for it. */
async function findOperations(contract: Contract, steps: OpenApiRequestHandler[]): Promise<Map<OperationId, Metadata>> {
  const app = { enabled: () => true, param: () => undefined };
  const found = new Map<OperationId, Metadata>();
  for (const { id, method, path } of contract.operations) {
    const target = path.replaceAll(/[{}]/g, '');
    const openapi = undefined as Metadata | undefined;
    const request = { app, method: method.toUpperCase(), path: target, originalUrl: target, baseUrl: '', openapi };
    try {
      for (const name of ['pathParamsMiddleware', 'metadataMiddleware']) await run(stepNamed(steps, name), request);
    } catch (error) {
      throw new ContractError(`openapi.yaml cannot be used: ${firstLine(error)}`);
    }
    if (request.openapi?.openApiRoute !== path)
      throw new ContractError(`openapi.yaml: ${id} cannot be distinguished from other operations`);
    found.set(id, request.openapi);
  }
  return found;
}

/**
 * Makes it compile what it needs for the requests of an operation; it does not matter whether the values are valid. The
 * parts for responses, which are validated during development alone, are compiled when the first one comes.
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

/**
 * A document that it understands as a whole and may change. Schemas replace the references to them: it compiles each
 * component by itself beside every place that refers to it, which took most of the start.
 */
function documentForValidator({ document, operations }: Contract, responses: boolean): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { path, method, parameters } of operations) {
    const operation = (document['paths'] as Record<string, Record<string, JsonObject>>)[path]![method]!;
    const body = operation['requestBody'] === undefined ? undefined : resolve(document, operation['requestBody']);
    const reduced = {
      parameters,
      // Explicit: it takes a body for required by default, and asks for a Content-Type.
      ...(body && { requestBody: { required: body['required'] === true, content: schemasByType(body['content']) } }),
      responses: responses ? responsesFor(document, operation['responses'] as JsonObject) : {},
    };
    paths[path] = { ...paths[path], [method]: inline(document, reduced) };
  }
  // The operator of the service sets the base address: paths are matched as they are.
  return { openapi: document['openapi'], info: { title: 'contract', version: '1' }, servers: [{ url: '/' }], paths };
}

/** Where all errors have the same schema, which is usual, one stands for all: each costs as much to compile as a request. */
function responsesFor(document: JsonObject, responses: JsonObject): JsonObject {
  const all = Object.entries(responses).map(([status, response]): [string, JsonObject] => {
    const { description, content } = resolve(document, response);
    return [status, { description, ...(content === undefined ? {} : { content: schemasByType(content) }) }];
  });
  const errors = all.filter(([status]) => status.startsWith('4'));
  const contents = new Set(errors.map(([, { content }]) => JSON.stringify(content)));
  const successes = all.filter(([status]) => status.startsWith('2'));
  return Object.fromEntries([...successes, ...(contents.size === 1 ? [['4XX', errors[0]![1]]] : errors)]);
}

/** Without examples, whose references would not resolve. */
function schemasByType(content: unknown): JsonObject {
  const media = Object.entries(content as Record<string, JsonObject>);
  return Object.fromEntries(media.map(([type, { schema }]) => [type, { schema }]));
}

/**
 * A copy in which each schema replaces the references to it, without `default`.
 * @throws ContractError for a schema that contains itself, which cannot be written like that
 */
function inline(document: JsonObject, value: unknown, around: readonly string[] = [], isMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => inline(document, one, around));
  if (!isObject(value)) return value;
  const { $ref, ...siblings } = value;
  if (typeof $ref === 'string' && !isMap) {
    if (around.includes($ref)) throw new ContractError(`openapi.yaml: ${$ref} contains itself, which is not supported`);
    return inline(document, { ...resolve(document, { $ref }), ...siblings }, [...around, $ref]);
  }
  const inner = Object.entries(value)
    // In a map, `default` is the name of a property.
    .filter(([name]) => isMap || name !== 'default')
    .map(([name, one]) => [name, inline(document, one, around, !isMap && name === 'properties')]);
  return Object.fromEntries(inner);
}
