/** express-openapi-validator: its documented middleware, mounted on each operation (serve-operation.ts). */
import express, { type Request, type RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { type Contract, ContractError, type Operation } from '../../contract.ts';
import { isObject, type JsonObject, resolve } from '../../openapi/document.ts';
import { sendProblem } from '../problem.ts';
import { contractFormats } from '../../openapi/formats.ts';
import { errorTranslator } from './field-errors.ts';

/** To be used in this order. */
export interface SchemaValidator {
  prepare(req: Request, operation: Operation): void;
  /** Validates the body that `res.json` gets, where responses are validated: problems, too, so that it comes first. */
  ofResponse: RequestHandler[];
  ofRequest: RequestHandler[];
  translate: ReturnType<typeof errorTranslator>;
}

/** By contract, with and without responses: loading one takes half a second, and tests have many applications of one contract. */
const loaded = new WeakMap<Contract, Record<string, Promise<SchemaValidator>>>();

/** @param responses they are validated, too @throws ContractError when the contract cannot be used */
export function loadSchemaValidator(
  contract: Contract,
  responses: boolean,
): Promise<SchemaValidator> {
  const known = loaded.get(contract) ?? {};
  loaded.set(contract, known);
  return (known[String(responses)] ??= load(contract, responses));
}

async function load(contract: Contract, responses: boolean): Promise<SchemaValidator> {
  let isLoaded = false;
  const steps = middleware({
    apiSpec: documentForValidator(contract, responses) as never,
    // Tests check the contract with several validators of OpenAPI: here it would take half a second of each start.
    validateApiSpec: false,
    // parameters.ts finds all unknown ones, and not the first alone.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: responses && {
      allErrors: true,
      // In place of the response: `res.json` sends nothing more then.
      onError: (error, _body, req) => void sendProblem(error, req, req.res!, () => undefined),
    },
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: contractFormats(contract.document),
    // Express finds the operation. The search of the validator compiles an expression for every path that it tries: a
    // read takes 84 µs in place of 66 (docs/maintainers/speed.md).
    ignorePaths: () => isLoaded,
  }) as unknown as RequestHandler[];
  // A contract that it cannot use shows only with a request, and would be a 500 each time.
  const found = new Map<Operation, object>();
  for (const operation of contract.operations) {
    found.set(operation, await tryOut(steps, operation));
  }
  isLoaded = true;
  return {
    prepare: (req, operation) =>
      void Object.assign(req, { openapi: { ...found.get(operation), pathParams: req.params } }),
    ofResponse: responses ? steps.slice(-1) : [],
    ofRequest: responses ? steps.slice(0, -1) : steps,
    translate: errorTranslator(contract.document),
  };
}

/** Makes it compile what requests of an operation need, whose values need not be valid. @returns what it found */
async function tryOut(
  steps: RequestHandler[],
  { id, method, path, requestBody }: Operation,
): Promise<object> {
  const app = express().enable('strict routing');
  const url = path.replaceAll(/[{}]/g, '');
  let openapi: { openApiRoute?: string } | undefined;
  for (const body of requestBody ? [undefined, {}] : [undefined]) {
    // It compiles a validator for each Content-Type that it sees (request/body.ts).
    const headers = body ? { 'content-type': 'application/json' } : {};
    const request = {
      app,
      method: method.toUpperCase(),
      url,
      originalUrl: url,
      baseUrl: '',
      headers,
      body,
      openapi,
    };
    const req = Object.assign(Object.create(app.request) as Request, request);
    for (const step of steps) {
      const error = await new Promise<{ status?: number; message: string } | undefined>((done) => {
        step(req, {} as never, done as never);
      });
      // 400 and 415 are about this request.
      if (error && (error.status ?? 500) >= 500) {
        throw new ContractError(
          `openapi.yaml: ${id} cannot be validated: ${error.message.split('\n')[0]}`,
        );
      }
      if (error) {
        break;
      }
    }
    ({ openapi } = req as typeof request);
  }
  if (openapi?.openApiRoute !== path) {
    throw new ContractError(`openapi.yaml: ${id} cannot be distinguished from other operations`);
  }
  return openapi;
}

function documentForValidator(
  { document, operations }: Contract,
  withResponses: boolean,
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { path, method, parameters, requestBody: body } of operations) {
    const { responses } = (document['paths'] as Record<string, Record<string, JsonObject>>)[path]![
      method
    ]!;
    const operation = {
      // RFC 3986 allows reserved characters in a query.
      parameters: parameters.map((one) => ({ ...one, allowReserved: true })),
      // Explicit: it takes a body for required by default.
      ...(body && {
        requestBody: {
          required: body.required,
          content: { 'application/json': { schema: body.schema } },
        },
      }),
      responses: withResponses ? responses : {},
    };
    paths[path] = { ...paths[path], [method]: inline(document, operation) };
  }
  // The operator of the service sets the base address: paths are matched as they are.
  return {
    openapi: document['openapi'],
    info: { title: 'contract', version: '1' },
    servers: [{ url: '/' }],
    paths,
  };
}

/** A copy with schemas in place of references, without `default`. @throws ContractError for one that contains itself */
function inline(
  document: JsonObject,
  value: unknown,
  around: readonly string[] = [],
  isMap = false,
): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => inline(document, one, around));
  }
  if (!isObject(value)) {
    return value;
  }
  const { $ref, ...siblings } = value;
  // It compiles each component by itself beside every reference to it: half a second of each start.
  if (typeof $ref === 'string' && !isMap) {
    if (around.includes($ref)) {
      throw new ContractError(`openapi.yaml: ${$ref} contains itself, which is not supported`);
    }
    return inline(document, { ...resolve(document, { $ref }), ...siblings }, [...around, $ref]);
  }
  const inner = Object.entries(value)
    // It fills defaults in before it validates, and not behind `oneOf`: defaults.ts does that afterwards. In a map,
    // `default` is the name of a property.
    .filter(([name]) => isMap || name !== 'default')
    .map(([name, one]) => [name, inline(document, one, around, !isMap && name === 'properties')]);
  return Object.fromEntries(inner);
}
