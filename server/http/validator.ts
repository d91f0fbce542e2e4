/**
 * Requests against the contract: its schemas, and the rules that no schema can say. Two judges know the schemas, and judge
 * alike (judges.test.ts): express-openapi-validator, which also checks the contract itself and every answer, and validators
 * that are compiled for each operation, which cost a fraction and serve production.
 */
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { Contract, Operation } from '../contract.ts';
import { invalidRequest } from '../domain/refusal.ts';
import type { FieldError } from '../domain/types.ts';
import { faultsBeyondSchema } from './beyond-schema.ts';
import { createCompiledJudge } from './compiled-judge.ts';
import { type Fault, toFieldErrors } from './field-errors.ts';
import { queryFaults } from './query.ts';
import { operationOf, textFaultsOf } from './request-context.ts';

/**
 * Finds what breaks the schemas of an operation in the path, the query and the body of a request. Fills in the defaults of
 * the schemas, and turns numbers of the query into numbers.
 */
export type Judge = (
  operation: Operation,
  req: Request,
  res: Response,
  next: NextFunction,
) => readonly Fault[] | Promise<readonly Fault[]>;

export interface ValidatorOptions {
  /** Judge answers too: one that breaks the contract becomes a 500 that is logged, and is never sent. */
  responses: boolean;
}

/** Express parses the query anew whenever it is asked for. */
const NO_QUERY: Request['query'] = {};

/**
 * A middleware that refuses what breaks the contract, with every fault in one answer.
 * @throws ContractError when the contract cannot be used
 */
export async function createValidator(
  app: Express,
  contract: Contract,
  { responses }: ValidatorOptions,
): Promise<RequestHandler> {
  const judge = responses ? await libraryJudge(app, contract) : createCompiledJudge(contract);
  return (req, res, next) => {
    const before = { query: req.url.includes('?') ? req.query : NO_QUERY, params: req.params };
    const go = (found: readonly Fault[]) => {
      const faults = [
        ...faultsOf(contract, operationOf(res), before, req.body, found),
        ...textFaultsOf(res),
        ...faultsBeyondSchema(req.body),
      ];
      if (faults.length > 0) throw invalidRequest(distinct(faults));
      next();
    };
    const found = judge(operationOf(res), req, res, next);
    // Waiting for what is there already would cost a turn of the queue.
    return found instanceof Promise ? found.then(go) : go(found);
  };
}

/** Loaded by those only who use it. */
async function libraryJudge(app: Express, contract: Contract): Promise<Judge> {
  const { createLibraryJudge } = await import('./library-judge.ts');
  return createLibraryJudge(app, contract, { responses: true });
}

/**
 * Of the schemas and of the query.
 * @param found by the judge
 */
function faultsOf(
  contract: Contract,
  operation: Operation,
  { query, params }: Pick<Request, 'query' | 'params'>,
  body: unknown,
  found: readonly Fault[],
): FieldError[] {
  const faults = queryFaults(query, operation);
  if (found.length > 0) {
    // The library takes `limit[]` for `limit`, and adds it: what it says of parameters that were not sent is dropped.
    const sent = new Set([...Object.keys(query), ...Object.keys(params)]);
    const judged = new Set(faults.map((fault) => fault.parameter));
    for (const fault of toFieldErrors(contract.document, operation, body, found)) {
      const { parameter } = fault;
      if (parameter === undefined || (sent.has(parameter) && !judged.has(parameter))) faults.push(fault);
    }
  }
  return faults;
}

/** One fault per place and kind: a text with a lone surrogate may break its pattern by that, too. */
function distinct(faults: FieldError[]): FieldError[] {
  return [
    ...new Map(faults.map((fault) => [JSON.stringify([fault.pointer, fault.parameter, fault.code]), fault])).values(),
  ];
}
