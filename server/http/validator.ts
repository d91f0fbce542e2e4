/**
 * Requests (and, where asked, answers) against the contract, by express-openapi-validator. What its documentation does
 * not say, and what is done about it here:
 *
 * - A contract that it cannot use shows only at each request, as a 500: it is loaded and tried before this returns.
 * - It compiles an operation's validator at its first request: every one is warmed up.
 * - It changes the document that it is given: it gets a clone.
 * - It lets a request pass that it finds no route for: that is an error here.
 * - Formats that it does not know are accepted with a warning: they stop the start.
 * - It refuses reserved characters in a query that stand unencoded, as RFC 3986 allows, and takes `limit[]` for `limit`:
 *   it gets the query encoded again, and what it says of parameters that were not sent is dropped.
 * - It has no hook for own keywords: `x-max-bytes` is judged through the `format` beside it.
 * - Its bearer check is a substring test: http/auth.ts does that, and its own is off.
 */
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequestHandler, OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { type Contract, ContractError, type JsonObject, type Operation } from '../contract.ts';
import { invalidRequest } from '../domain/refusal.ts';
import type { FieldError } from '../domain/types.ts';
import { faultsBeyondSchema } from './beyond-schema.ts';
import { type Fault, toFieldErrors } from './field-errors.ts';
import { ownFormats } from './formats.ts';
import { queryFaults } from './query.ts';
import { operationOf } from './request-context.ts';
import { unicodeFaults } from './unicode.ts';

export interface ValidatorOptions {
  /** Judge answers too: one that breaks the contract becomes a 500 that is logged, and is never sent. */
  responses: boolean;
}

/**
 * A middleware that refuses what breaks the contract, with every fault in one answer.
 * @throws ContractError when the contract cannot be used
 */
export async function createValidator(
  app: Express,
  contract: Contract,
  options: ValidatorOptions,
): Promise<RequestHandler> {
  const steps = OpenApiValidator.middleware({
    apiSpec: forValidator(contract.document),
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: options.responses && { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: ownFormats(contract.document),
  });
  const judge = (req: Request, res: Response, next: NextFunction) => runAll(steps, req, res, next);
  await load(app, steps);
  for (const operation of contract.operations) await warmUp(app, judge, operation);

  return async (req, res, next) => {
    const operation = operationOf(res);
    const faults = queryFaults(req, operation);
    const judged = new Set(faults.map((fault) => fault.parameter));
    const sent = new Set([...Object.keys(req.query), ...Object.keys(req.params)]);
    req.originalUrl = `${req.path}?${encodedQuery(req.query)}`;
    for (const fault of toFieldErrors(contract.document, operation, req.body, await judge(req, res, next))) {
      const { parameter } = fault;
      if (parameter === undefined || (sent.has(parameter) && !judged.has(parameter))) faults.push(fault);
    }
    faults.push(...unicodeFaults(req.body), ...faultsBeyondSchema(req.body));
    if (faults.length > 0) throw invalidRequest(distinct(faults));
    next();
  };
}

/** One fault per place and kind: a text with a lone surrogate may break its pattern by that, too. */
function distinct(faults: FieldError[]): FieldError[] {
  return [...new Map(faults.map((fault) => [JSON.stringify([fault.pointer, fault.parameter, fault.code]), fault])).values()];
}

/** Without any reserved character in a value: `URLSearchParams` would write a space as `+`, and leave `*` as it is. */
function encodedQuery(query: Request['query']): string {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`).join('&');
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
