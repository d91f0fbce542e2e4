/**
 * The application: the order of its middleware, and nothing of the process around it. It never listens and never reads
 * the environment.
 *
 *     request id and log -> request target -> health, contract, docs, endpoints for tests -> authentication -> routing
 *       -> media types -> body -> contract -> handler -> (any error) problem
 */
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Contract } from './contract.ts';
import { requireBearer } from './http/auth.ts';
import { linksFor } from './http/base-url.ts';
import { readBody } from './http/body.ts';
import { dispatch } from './http/dispatch.ts';
import { negotiate } from './http/negotiate.ts';
import { sendProblem } from './http/problem.ts';
import { sendJson, sendThroughExpress } from './http/send-json.ts';
import { logRequests } from './http/request-log.ts';
import { readTarget } from './http/request-target.ts';
import { noSuchPath, routeOperations } from './http/router.ts';
import { samlMetadata } from './http/saml-metadata.ts';
import { serviceEndpoints } from './http/service-endpoints.ts';
import { testingEndpoints } from './http/testing-endpoints.ts';
import { createValidator } from './http/validator.ts';
import type { Services } from './operations/handler.ts';
import { createHandlers } from './operations/index.ts';

export interface AppOptions extends Services {
  contract: Contract;
  log: Logger;
  /** Undefined: open to everyone who can reach it. */
  token: string | undefined;
  /** Opens the endpoints for tests; left out or undefined, there are none. */
  testToken?: string | undefined;
  /** Puts the data of the seed file into the store, after a reset. */
  loadSeed?: () => Promise<void>;
  /** Absolute, without a slash at its end; undefined: the host of each request. */
  publicUrl: string | undefined;
  /** The rendered docs, which may be missing. */
  docsFile: string;
  /** Judge answers, too. */
  validateResponses: boolean;
}

/** @throws ContractError when the contract cannot be used */
export async function createApp(options: AppOptions): Promise<Express> {
  const { contract, store } = options;
  const app = express();
  app.disable('x-powered-by');
  // The contract has no conditional requests: an entity tag would turn answers into 304.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  const validate = await createValidator(app, contract, { responses: options.validateResponses });
  const linksOf = linksFor(options.publicUrl);
  const perform = dispatch(createHandlers(options), linksOf, options.validateResponses ? sendThroughExpress : sendJson);

  app.use(logRequests(options.log, () => options.newId('req')));
  app.use(readTarget);
  const admit = requireBearer(options.token);
  app.use(routeOperations(contract.operations, admit, [negotiate, readBody, validate, perform]));
  app.use(serviceEndpoints({ contract, store, docsFile: options.docsFile }));
  app.use(testingEndpoints(store, options.testToken, options.loadSeed ?? (async () => undefined)));
  app.use(samlMetadata(store, linksOf));
  app.use(admit);
  app.use(noSuchPath);
  app.use(sendProblem);
  return app;
}
