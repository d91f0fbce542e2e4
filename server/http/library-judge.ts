/**
 * Judges requests (and, where asked, answers) by express-openapi-validator. It loads the contract whole, checks that it is
 * OpenAPI and sees every answer: that takes its time, and is for development. What its documentation does not say, and what
 * is done about it here:
 *
 * - A contract that it cannot use shows only at each request, as a 500: it is loaded and tried before this returns.
 * - It compiles an operation's validator at its first request: every one is warmed up.
 * - It changes the document that it is given: it gets a clone.
 * - It lets a request pass that it finds no route for: that is an error here.
 * - Formats that it does not know are accepted with a warning: they stop the start.
 * - It refuses reserved characters in a query that stand unencoded, as RFC 3986 allows: it gets the query encoded again.
 * - It has no hook for own keywords: `x-max-bytes` is judged through the `format` beside it.
 * - Its bearer check is a substring test: http/auth.ts does that, and its own is off.
 */
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequestHandler, OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Express, NextFunction, Request, Response } from 'express';
import { type Contract, ContractError, type JsonObject, type Operation } from '../contract.ts';
import type { Fault } from './field-errors.ts';
import { ownFormats } from './formats.ts';
import type { Judge } from './validator.ts';

export interface LibraryJudgeOptions {
  /** Judge answers too: one that breaks the contract becomes a 500 that is logged, and is never sent. */
  responses: boolean;
}

/** By contract, with and without answers: to load one takes a second, and a process may have many applications of it, as tests do. */
const known = new WeakMap<Contract, Map<boolean, Promise<Judge>>>();

/** @throws ContractError when the contract cannot be used */
export function createLibraryJudge(app: Express, contract: Contract, options: LibraryJudgeOptions): Promise<Judge> {
  const judges = known.get(contract) ?? new Map<boolean, Promise<Judge>>();
  known.set(contract, judges);
  const judge = judges.get(options.responses) ?? loadJudge(app, contract, options);
  judges.set(options.responses, judge);
  return judge;
}

async function loadJudge(app: Express, contract: Contract, options: LibraryJudgeOptions): Promise<Judge> {
  const steps = OpenApiValidator.middleware({
    apiSpec: forValidator(contract.document),
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: options.responses && { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: ownFormats(contract.document),
  });
  const judge: Judge = (_operation, req, res, next) => {
    req.originalUrl = `${req.path}?${encodedQuery(req.query)}`;
    return runAll(steps, req, res, next);
  };
  await load(app, steps);
  for (const operation of contract.operations)
    await warmUp(app, (req, res, next) => runAll(steps, req, res, next), operation);
  return judge;
}

/** Without any reserved character in a value: `URLSearchParams` would write a space as `+`, and leave `*` as it is. */
function encodedQuery(query: Request['query']): string {
  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
    .join('&');
}

/** The base address is the business of whoever runs the service: paths are matched as they stand. */
function forValidator(document: JsonObject): OpenAPIV3.DocumentV3_1 {
  return { ...structuredClone(document), servers: [{ url: '/' }] } as unknown as OpenAPIV3.DocumentV3_1;
}

/** Runs the validator's middlewares; the faults that they find. Other errors are thrown. */
async function runAll(
  steps: OpenApiRequestHandler[],
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<readonly Fault[]> {
  for (const step of steps) {
    try {
      await run(step, req, res, next);
    } catch (error) {
      const { status, errors } = error as { status?: number; errors?: Fault[] };
      if (status === 400 && errors) return errors;
      throw error;
    }
  }
  if (!('openapi' in req)) throw new Error('express-openapi-validator found no route for a request that has one');
  return [];
}

function run(step: OpenApiRequestHandler, req: Request, res: Response, next: NextFunction): Promise<void> {
  return new Promise((resolve, reject) => {
    let settled = false;
    step(req as never, res, (error?: unknown) => {
      // The response validator calls again later, when an answer breaks the contract.
      if (settled) {
        if (error !== undefined) next(error);
        return;
      }
      settled = true;
      if (error === undefined) resolve();
      else reject(error as Error);
    });
  });
}

async function load(app: Express, steps: OpenApiRequestHandler[]): Promise<void> {
  try {
    await run(steps[0]!, { app } as unknown as Request, {} as Response, () => undefined);
  } catch (error) {
    throw new ContractError(`openapi.yaml is not a valid OpenAPI document: ${(error as Error).message}`);
  }
}

/** A request that reaches the validators of an operation and stops there; whether it is valid does not matter. */
async function warmUp(
  app: Express,
  judge: (req: Request, res: Response, next: NextFunction) => Promise<unknown>,
  operation: Operation,
): Promise<void> {
  const path = operation.path.replaceAll(/[{}]/g, '');
  const request = {
    app,
    method: operation.method.toUpperCase(),
    path,
    originalUrl: path,
    baseUrl: '',
    headers: operation.requestBody ? { 'content-type': 'application/json' } : {},
    query: {},
    params: {},
    body: operation.requestBody ? {} : undefined,
  } as unknown as Request;
  try {
    await judge(request, {} as Response, () => undefined);
  } catch (error) {
    throw new ContractError(`openapi.yaml: ${operation.id} cannot be validated: ${(error as Error).message}`);
  }
}
