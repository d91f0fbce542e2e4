/**
 * express-openapi-validator: its documented middleware, mounted on each operation
 * (serve-operation.ts).
 */
import express, { type Request, type RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { type Contract, ContractError, type Operation } from '../../contract.ts';
import { contractFormats, RE2 } from '../../openapi/formats.ts';
import { sendProblem } from '../problem.ts';
import { type ErrorTranslator, errorTranslator } from './field-errors.ts';
import { documentForValidator } from './validator-document.ts';

/** To be used in this order. */
export interface SchemaValidator {
  prepare(req: Request, operation: Operation): void;
  /**
   * Validates the body that `res.json` gets, if responses are validated: problems, too, so that it
   * comes first.
   */
  ofResponse: RequestHandler[];
  ofRequest: RequestHandler[];
  translate: ErrorTranslator;
}

interface LoadedValidators {
  ofRequests?: Promise<SchemaValidator>;
  ofBoth?: Promise<SchemaValidator>;
}

/**
 * By contract: loading one takes half a second, and tests have many applications of one contract.
 */
const loaded = new WeakMap<Contract, LoadedValidators>();

/** @param responses they are validated, too @throws ContractError if the contract cannot be used */
export function loadSchemaValidator(
  contract: Contract,
  responses: boolean,
): Promise<SchemaValidator> {
  const validators = loaded.get(contract) ?? {};
  loaded.set(contract, validators);
  const kind = responses ? 'ofBoth' : 'ofRequests';
  validators[kind] ??= load(contract, responses);
  return validators[kind];
}

/** expressions.ts checks them. */
const ANY_TEXT = { type: 'string', validate: () => true } as const;

async function load(contract: Contract, responses: boolean): Promise<SchemaValidator> {
  let isLoaded = false;
  const steps = middleware({
    apiSpec: documentForValidator(contract, responses) as never,
    // Tests check the contract with several validators of OpenAPI: here it would take half a second
    // of each start.
    validateApiSpec: false,
    // parameters.ts finds all unknown ones, and not the first alone.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: responses && {
      allErrors: true,
      // In place of the response: `res.json` sends nothing more then.
      onError: (error, _body, req) => {
        if (req.res !== undefined) {
          void sendProblem(error, req, req.res, () => undefined);
        }
      },
    },
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: { ...contractFormats(contract.document), [RE2]: ANY_TEXT },
    // Express finds the operation. The search of the validator compiles an expression for every
    // path that it tries: with it, a read takes a quarter more CPU (Node 20 and 24).
    ignorePaths: () => isLoaded,
  }) as unknown as RequestHandler[];
  // A contract that it cannot use would show only at a request, as a 500 each time.
  const found = new Map<Operation, FoundOperation>();
  for (const operation of contract.operations) {
    found.set(operation, await tryOut(steps, operation));
  }
  isLoaded = true;
  return {
    prepare: (req, operation) => {
      Object.assign(req, { openapi: { ...found.get(operation), pathParams: req.params } });
    },
    ofResponse: responses ? steps.slice(-1) : [],
    ofRequest: responses ? steps.slice(0, -1) : steps,
    translate: errorTranslator(contract.document),
  };
}

/** The validator finds it for a request, and keeps it as `req.openapi`. */
interface FoundOperation {
  openApiRoute?: string;
}

/** Makes it compile what requests of an operation need, whose values need not be valid. */
async function tryOut(steps: RequestHandler[], operation: Operation): Promise<FoundOperation> {
  const app = express().enable('strict routing');
  const url = operation.path.replaceAll(/[{}]/g, '');
  // It compiles a validator for each Content-Type that it sees (request/body.ts).
  const requests: object[] = [{ headers: {} }];
  if (operation.requestBody !== undefined) {
    requests.push({ headers: { 'content-type': 'application/json' }, body: {} });
  }
  let openapi: FoundOperation | undefined;
  for (const request of requests) {
    const req = Object.create(app.request) as Request & { openapi?: FoundOperation };
    const method = operation.method.toUpperCase();
    Object.assign(req, { app, method, url, originalUrl: url, baseUrl: '', openapi, ...request });
    await runSteps(steps, req, operation);
    ({ openapi } = req);
  }
  if (openapi?.openApiRoute !== operation.path) {
    const reason = 'cannot be distinguished from other operations';
    throw new ContractError(`openapi.yaml: ${operation.id} ${reason}`);
  }
  return openapi;
}

/** The validator passes on such errors. */
interface StepError {
  status?: number;
  message: string;
}

/** Stops at the first error. @throws ContractError if it is not about the values of the request */
async function runSteps(
  steps: readonly RequestHandler[],
  req: Request,
  { id }: Operation,
): Promise<void> {
  for (const step of steps) {
    const error = await new Promise<StepError | undefined>((done) => {
      void step(req, {} as never, done as never);
    });
    if (error === undefined) {
      continue;
    }
    // 400 and 415 are about this request.
    const { status = 500, message } = error;
    if (status >= 500) {
      const [reason] = message.split('\n');
      throw new ContractError(`openapi.yaml: ${id} cannot be validated: ${reason}`);
    }
    return;
  }
}
