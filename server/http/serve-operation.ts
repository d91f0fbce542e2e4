/** The way of one request from its routing to its response. Whatever is thrown on it becomes a problem (problem.ts). */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { type Contract, ContractError, type Operation } from '../contract.ts';
import { ApiError, invalidRequest } from '../domain/api-error.ts';
import { Links } from '../domain/links.ts';
import type { FieldError } from '../domain/types.ts';
import type { Handlers } from '../operations/handlers.ts';
import { Shown } from '../operations/shown.ts';
import { faultInjector } from '../test-endpoints/faults.ts';
import { type ByteBudget, readBody } from './request/body.ts';
import { contextOf } from './request/context.ts';
import { negotiate } from './request/media-types.ts';
import { crossFieldErrors } from '../cross-field-rules.ts';
import { compileDefaults, type FillDefaults } from '../openapi/defaults.ts';
import type { SchemaError } from './validation/field-errors.ts';
import type { SchemaValidator } from './validation/openapi-validator.ts';
import { parameterCheck } from './validation/parameters.ts';

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
type AnyHandler = (call: {
  path: unknown;
  query: unknown;
  body: unknown;
  links: Links;
}) => Promise<Reply>;

/** @throws ContractError when the contract has an operation that the server does not */
export function serveOperation(operation: Operation, services: OperationServices) {
  const { contract, schemas, linksOf, bodies, validateResponses } = services;
  const handle = services.handlers[operation.id] as unknown as AnyHandler | undefined;
  if (handle === undefined) {
    throw new ContractError(`openapi.yaml: this server has no handler for ${operation.id}`);
  }
  const injectFault = services.faults ? faultInjector(contract, operation) : undefined;
  const parameterErrors = parameterCheck(operation);
  const fillQuery = queryDefaults(contract, operation);
  const fillBody = bodyDefaults(contract, operation);

  const begin: RequestHandler = (req, res, next) => {
    contextOf(res).operation = operation;
    schemas.prepare(req, operation);
    next();
  };
  const read: RequestHandler = async (req, res, next) => {
    negotiate(operation, req);
    const body = await readBody(operation, req, res, bodies);
    req.body = body.value;
    contextOf(res).errors = [
      ...parameterErrors(req),
      ...body.errors,
      ...crossFieldErrors(body.value),
    ];
    next();
  };
  // One response reports all errors: those of the schemas with the others.
  const report: ErrorRequestHandler = (
    error: { status?: number; errors?: SchemaError[] },
    req,
    res,
    next,
  ) => {
    const isOfSchemas =
      error.status === 400 && error.errors !== undefined && !(error instanceof ApiError);
    const others = isOfSchemas ? schemas.translate(error.errors!, req.body) : [];
    next(isOfSchemas ? invalidRequest(merged(contextOf(res).errors, others)) : error);
  };
  const respond: RequestHandler = async (req, res) => {
    const { errors } = contextOf(res);
    if (errors.length > 0) {
      throw invalidRequest(merged(errors, []));
    }
    if (injectFault && (await injectFault(req, res)) === 'done') {
      return;
    }
    const query = fillQuery(req.query);
    const body = fillBody(req.body);
    const reply = await handle({ path: req.params, query, body, links: linksOf(req) });
    send(res, reply, validateResponses);
  };
  return [begin, ...schemas.ofResponse, read, ...schemas.ofRequest, report, respond];
}

/** One error per place and kind: a lone surrogate may break a pattern, too. */
function merged(own: readonly FieldError[], ofSchemas: readonly FieldError[]): FieldError[] {
  // The validator may report a repeated parameter as missing.
  const reported = new Set(own.map(({ parameter }) => parameter));
  const all = [
    ...own,
    ...ofSchemas.filter((one) => one.parameter === undefined || !reported.has(one.parameter)),
  ];
  return [
    ...new Map(
      all.map((one) => [JSON.stringify([one.pointer, one.parameter, one.code]), one]),
    ).values(),
  ];
}

export function bodyDefaults({ document }: Contract, { requestBody }: Operation): FillDefaults {
  if (requestBody === undefined) {
    return (value) => value;
  }
  return compileDefaults(document, requestBody.schema);
}

function queryDefaults({ document }: Contract, { parameters }: Operation): FillDefaults {
  const own = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => [name, schema]);
  return compileDefaults(document, { properties: Object.fromEntries(own) });
}

/** Uses `res.json` only where responses are validated: it takes a tenth of the CPU time of a request. */
function send(res: Response, { status, body, location }: Reply, validate: boolean): void {
  res.statusCode = status;
  if (location !== undefined) {
    res.setHeader('Location', location);
  }
  if (body === undefined) {
    return void res.end();
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  const content = body instanceof Shown ? body.content : JSON.stringify(body);
  if (validate) {
    // `*` matches any response, with an entity tag or not: Express would turn it into 304.
    delete res.req.headers['if-none-match'];
    return void res.json(JSON.parse(content.toString()));
  }
  const length = Buffer.byteLength(content);
  // ASCII is the same in both, and is copied without a look at each character.
  res
    .setHeader('Content-Length', length)
    .end(content, length === content.length ? 'latin1' : 'utf8');
}

/** URIs (D34) begin with the public URL, or the host of the request: headers of proxies are not trusted. */
export function linksFor(publicUrl: string | undefined): (req: Request) => Links {
  const links = publicUrl === undefined ? undefined : new Links(publicUrl);
  return (req) => {
    if (links !== undefined) {
      return links;
    }
    const { host } = req.headers;
    if (host === undefined) {
      throw new ApiError('malformed_request', 'Send one Host header.');
    }
    // Mounted in another application, it is reached below a path of that.
    return new Links(`http://${host}${req.baseUrl}`);
  };
}
