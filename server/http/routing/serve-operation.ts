/** The way of one request, from its routing to its response. What is thrown on it becomes a problem (response/problem.ts). */
import type { Request, RequestHandler } from 'express';
import { type Contract, ContractError, type Operation } from '../../contract.ts';
import type { Links } from '../../domain/links.ts';
import type { Handlers } from '../../operations/handler.ts';
import { faultInjector } from '../faults/inject.ts';
import { readBody } from '../request/body.ts';
import type { ByteBudget } from '../request/byte-budget.ts';
import { contextOf } from '../request/context.ts';
import { negotiate } from '../response/negotiate.ts';
import { type Reply, send } from '../response/send.ts';
import type { SchemaValidator } from '../validation/openapi-validator.ts';
import { requestValidator } from '../validation/request-validator.ts';

export interface OperationServices {
  contract: Contract;
  schemas: SchemaValidator;
  handlers: Handlers;
  linksOf: (req: Request) => Links;
  bodies: ByteBudget;
  /** A response that breaks the contract is an error of the service, and is never sent. */
  validateResponses: boolean;
  /** Answer with faults where a `Prefer` header asks for them. */
  faults: boolean;
}

/**
 * What all handlers have in common. Which call goes to which handler is decided at run time, behind the validator, so
 * that the types of one operation can no longer be told here.
 */
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
    if (validateResponses && reply.body !== undefined && operation.produces !== undefined) {
      await schemas.response(operation, { status: reply.status, type: operation.produces, body: reply.body });
    }
    send(res, reply, operation.produces);
  };
}
