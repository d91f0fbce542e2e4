/**
 * The way of one request from its routing to its response. Whatever is thrown on it becomes a
 * problem (problem.ts).
 */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { type Contract, ContractError, type Operation } from '../contract.ts';
import { crossFieldErrors } from '../cross-field-rules.ts';
import { ApiError, invalidRequest } from '../domain/api-error.ts';
import type { Links } from '../domain/links.ts';
import type { FieldError } from '../domain/types.ts';
import type { Handlers } from '../operations/handler-types.ts';
import { JsonText } from '../operations/json-text.ts';
import { faultInjector } from '../test-endpoints/faults.ts';
import type { LinksOf } from './links.ts';
import { readBody } from './request/body.ts';
import type { ByteBudget } from './request/byte-budget.ts';
import { contextOf } from './request/context.ts';
import { bodyDefaults, queryDefaults } from './request/defaults.ts';
import { negotiate } from './request/media-types.ts';
import { expressionErrors, expressionsOf } from './validation/expressions.ts';
import type { SchemaError } from './validation/field-errors.ts';
import type { SchemaValidator } from './validation/openapi-validator.ts';
import { parameterCheck } from './validation/parameters.ts';

export interface OperationServices {
  contract: Contract;
  schemas: SchemaValidator;
  handlers: Handlers;
  linksOf: LinksOf;
  bodies: ByteBudget;
  /** A response that breaks the contract is an error of the service, and is never sent. */
  validateResponses: boolean;
  /** Respond with faults if a `Prefer` header asks for them. */
  faults: boolean;
}

/** @throws ContractError if the contract has an operation that the server does not */
export function serveOperation(
  operation: Operation,
  services: OperationServices,
): (RequestHandler | ErrorRequestHandler)[] {
  const { schemas } = services;
  return [
    begin(operation, schemas),
    ...schemas.ofResponse,
    readRequest(operation, services),
    ...schemas.ofRequest,
    reportErrors(schemas),
    respond(operation, services),
  ];
}

function begin(operation: Operation, schemas: SchemaValidator): RequestHandler {
  return (req, res, next) => {
    contextOf(res).operation = operation;
    schemas.prepare(req, operation);
    next();
  };
}

function readRequest(
  operation: Operation,
  { contract, bodies }: Pick<OperationServices, 'contract' | 'bodies'>,
): RequestHandler {
  const parameterErrors = parameterCheck(operation);
  const findExpressions = expressionsOf(contract, operation);
  return async (req, res, next) => {
    negotiate(operation, req);
    const body = await readBody(operation, req, res, bodies);
    req.body = body.value;
    const expressions = findExpressions(body.value);
    const errors = [...parameterErrors(req), ...body.errors, ...crossFieldErrors(body.value)];
    // Expressions take a turn of the event loop: requests without one do not wait for it.
    if (expressions.length > 0) {
      errors.push(...(await expressionErrors(expressions)));
    }
    contextOf(res).errors = errors;
    next();
  };
}

/** The validator passes on such errors, and any others. */
interface ValidatorError {
  status?: number;
  errors?: SchemaError[];
}

/** One response reports all errors: those of the schemas, and those that were found before. */
function reportErrors(schemas: SchemaValidator): ErrorRequestHandler {
  return (error: ValidatorError, req, res, next) => {
    const isOfSchemas = error.status === 400 && !(error instanceof ApiError);
    if (!isOfSchemas || error.errors === undefined) {
      next(error);
      return;
    }
    const ofSchemas = schemas.translate(error.errors, req.body);
    next(invalidRequest(merged(contextOf(res).errors, ofSchemas)));
  };
}

/** One error for each place and code: a lone surrogate may break a pattern, too. */
function merged(found: readonly FieldError[], ofSchemas: readonly FieldError[]): FieldError[] {
  // The validator may report a repeated parameter as missing.
  const reported = new Set(found.map(({ parameter }) => parameter));
  const others = ofSchemas.filter(
    ({ parameter }) => parameter === undefined || !reported.has(parameter),
  );
  const byPlace = new Map<string, FieldError>();
  for (const error of [...found, ...others]) {
    byPlace.set(JSON.stringify([error.pointer, error.parameter, error.code]), error);
  }
  return [...byPlace.values()];
}

/**
 * The common type of all handlers: the operation is known at run time only, so that the compiler
 * cannot tell its types.
 */
type AnyHandler = (call: AnyCall) => Promise<Reply>;

interface AnyCall {
  path: unknown;
  query: unknown;
  body: unknown;
  links: Links;
}

interface Reply {
  status: number;
  /** Undefined: a response without a body. */
  body?: unknown;
  location?: string;
}

function respond(operation: Operation, services: OperationServices): RequestHandler {
  const { contract, linksOf, validateResponses } = services;
  const handle = handlerOf(operation, services.handlers);
  const injectFault = services.faults ? faultInjector(contract, operation) : undefined;
  const fillQuery = queryDefaults(contract, operation);
  const fillBody = bodyDefaults(contract, operation);
  return async (req, res) => {
    const { errors } = contextOf(res);
    if (errors.length > 0) {
      throw invalidRequest(merged(errors, []));
    }
    if (injectFault !== undefined && (await injectFault(req, res))) {
      return;
    }
    const query = fillQuery(req.query);
    const body = fillBody(req.body);
    const reply = await handle({ path: req.params, query, body, links: linksOf(req) });
    send(res, reply, validateResponses);
  };
}

function handlerOf({ id }: Operation, handlers: Handlers): AnyHandler {
  const handler = handlers[id] as unknown as AnyHandler | undefined;
  if (handler === undefined) {
    throw new ContractError(`openapi.yaml: this server has no handler for ${id}`);
  }
  return handler;
}

/**
 * Uses `res.json` only if responses are validated: with it, a read takes a third more CPU on Node
 * 20, and a tenth to a third on Node 24 and 26.
 */
function send(res: Response, { status, body, location }: Reply, validate: boolean): void {
  res.statusCode = status;
  if (location !== undefined) {
    res.setHeader('Location', location);
  }
  if (body === undefined) {
    res.end();
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  const content = body instanceof JsonText ? body.content : JSON.stringify(body);
  if (validate) {
    // `*` matches any response, with an entity tag or not: Express would turn it into 304.
    delete res.req.headers['if-none-match'];
    res.json(JSON.parse(content.toString()));
    return;
  }
  res.setHeader('Content-Length', Buffer.byteLength(content));
  res.end(content);
}
