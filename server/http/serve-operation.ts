/** The way of one request, from its routing to its response. Whatever is thrown on it becomes a problem (problem.ts). */
import type { Request, RequestHandler, Response } from 'express';
import { type Contract, ContractError, type Operation } from '../contract.ts';
import { ApiError } from '../domain/api-error.ts';
import { Links } from '../domain/links.ts';
import type { Handlers } from '../operations/handler.ts';
import { faultInjector } from './faults.ts';
import { type ByteBudget, readBody } from './request/body.ts';
import { contextOf } from './request/context.ts';
import type { SchemaValidator } from './validation/openapi-validator.ts';
import { requestValidator } from './validation/request-validator.ts';

export interface OperationServices {
  contract: Contract;
  schemas: SchemaValidator;
  handlers: Handlers;
  linksOf: (req: Request) => Links;
  bodies: ByteBudget;
  /** A response that breaks the contract is an error of the service, and is never sent. */
  validateResponses: boolean;
  /** Respond with faults where a `Prefer` header asks for them. */
  faults: boolean;
}

interface Reply {
  status: number;
  /** Undefined: a response without a body. */
  body?: unknown;
  location?: string;
}

/** The common type of all handlers: the operation is known at run time only, so that the compiler cannot tell its types. */
type AnyHandler = (call: { path: unknown; query: unknown; body: unknown; links: Links }) => Promise<Reply>;

/** @throws ContractError when the contract has an operation that the server does not */
export function serveOperation(operation: Operation, services: OperationServices): RequestHandler {
  const { contract, schemas, linksOf, bodies, validateResponses } = services;
  const validate = requestValidator(contract, schemas, operation);
  const handle = services.handlers[operation.id] as unknown as AnyHandler | undefined;
  if (handle === undefined) throw new ContractError(`openapi.yaml: this server has no handler for ${operation.id}`);
  const injectFault = services.faults ? faultInjector(contract, operation) : undefined;
  return async (req, res) => {
    contextOf(res).operation = operation;
    negotiate(operation, req);
    const body = await readBody(operation, req, res, bodies);
    const call = await validate(req, body);
    if (injectFault && (await injectFault(req, res)) === 'done') return;
    const reply = await handle({ path: call.path, query: call.query, body: call.body, links: linksOf(req) });
    if (validateResponses && reply.body !== undefined && operation.produces !== undefined)
      await schemas.response(operation, { status: reply.status, type: operation.produces, body: reply.body });
    send(res, reply, operation.produces);
  };
}

/**
 * A response without a body needs no negotiation.
 * @throws ApiError `not_acceptable` when the Accept header excludes the media type of the response
 */
function negotiate({ produces }: Operation, req: Request): void {
  if (produces !== undefined && !req.accepts(produces))
    throw new ApiError('not_acceptable', `The Accept header excludes ${produces}.`);
}

const JSON_TYPE = 'application/json';

/** Does not use `res.json`: its settings, freshness and entity tags take a tenth of the CPU time of a request. */
function send(res: Response, { status, body, location }: Reply, type = JSON_TYPE): void {
  res.statusCode = status;
  if (body === undefined) {
    res.end();
    return;
  }
  const text = type === JSON_TYPE ? JSON.stringify(body) : String(body);
  res.setHeader('Content-Type', type === JSON_TYPE ? 'application/json; charset=utf-8' : type);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  if (location !== undefined) res.setHeader('Location', location);
  res.end(text);
}

/**
 * Makes the URIs of a response (D34).
 * @param publicUrl absolute, without a slash at its end; if undefined, URIs begin with the host that the request was sent
 *   to. Headers of proxies are not trusted: behind a proxy, set the public URL.
 */
export function linksFor(publicUrl: string | undefined): (req: Request) => Links {
  const links = publicUrl === undefined ? undefined : new Links(publicUrl);
  return (req) => {
    if (links !== undefined) return links;
    const { host } = req.headers;
    if (host === undefined) throw new ApiError('malformed_request', 'Send one Host header.');
    // Mounted in another application, it is reached below a path of that.
    return new Links(`http://${host}${req.baseUrl}`);
  };
}
