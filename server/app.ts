/**
 * The application: the order of its middleware, and nothing of the process around it. It never listens and never reads
 * the environment.
 *
 *     request id and log -> other origins -> rate limit -> request target -> health, contract,
 *       docs, endpoints for tests -> authentication -> routing -> media types -> body -> contract -> (faults on request)
 *       -> handler -> (any error) problem
 */
import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Contract } from './contract.ts';
import { requireBearer } from './http/auth.ts';
import { linksFor } from './http/base-url.ts';
import { readBody } from './http/body.ts';
import { allowOrigins } from './http/cors.ts';
import { dispatch } from './http/dispatch.ts';
import { injectFaults } from './http/faults.ts';
import { inTurn } from './http/in-turn.ts';
import { negotiate } from './http/negotiate.ts';
import { answerBy } from './http/only-handler.ts';
import { sendProblem } from './http/problem.ts';
import { protectAnswers } from './http/protective-headers.ts';
import { limitRate } from './http/rate-limit.ts';
import { sendJson, sendThroughExpress } from './http/send-json.ts';
import { logRequests } from './http/request-log.ts';
import { readTarget } from './http/request-target.ts';
import { noSuchPath, routeOperations } from './http/router.ts';
import { samlMetadata } from './http/saml-metadata.ts';
import { serviceEndpoints } from './http/service-endpoints.ts';
import { testingEndpoints } from './http/testing-endpoints.ts';
import type { Tokens } from './http/tokens.ts';
import { createValidator } from './http/validator.ts';
import type { Services } from './operations/handler.ts';
import { createHandlers } from './operations/index.ts';
import { rehearsal, warmUp } from './warm-up.ts';

export interface AppOptions extends Services {
  contract: Contract;
  log: Logger;
  /** Undefined: open to everyone who can reach it. */
  tokens: Tokens | undefined;
  /** Opens the endpoints for tests; left out or undefined, there are none. */
  testToken?: string | undefined;
  /** Puts the data of the seed file into the store, after a reset. */
  loadSeed?: () => Promise<void>;
  /** Absolute, without a slash at its end; undefined: the host of each request. */
  publicUrl: string | undefined;
  /** Whose pages may call the service, such as `https://app.example.com`, or `*`; left out: nobody's. */
  corsOrigins?: readonly string[];
  /** Requests a minute that one client may send; left out or undefined: any number. */
  rateLimit?: number | undefined;
  /** How many proxies stand in front and are believed what they say of the client's address; 0 when left out. */
  trustProxy?: number;
  /** Answer with faults where a `Prefer` header asks for them. */
  faults?: boolean;
  /** The rendered docs, which may be missing. */
  docsFile: string;
  /** Whoever asks for the docs waits for it: they may be rendered at this moment. Left out: nobody renders them. */
  docsReady?: () => Promise<unknown>;
  /** Judge answers, too. */
  validateResponses: boolean;
  /** Ask it some requests before it is given out, so that the first caller need not wait for compilers. */
  warmUp?: boolean;
}

/** @throws ContractError when the contract cannot be used */
export async function createApp(options: AppOptions): Promise<Express> {
  const app = express();
  app.disable('x-powered-by');
  // The contract has no conditional requests: an entity tag would turn answers into 304.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Addresses of clients alone are taken from proxies: what URIs begin with is configured.
  app.set('trust proxy', options.trustProxy ?? 0);
  protectAnswers(app);
  const own = await createSteps(app, options);
  let current = own;
  answerBy(app, (req, res, next) => current(req, res, next), sendProblem);
  if (options.warmUp) {
    const token = randomUUID();
    current = await createSteps(app, { ...options, ...rehearsal(token) });
    await warmUp(app, token);
    current = own;
  }
  return app;
}

async function createSteps(app: Express, options: AppOptions): Promise<RequestHandler> {
  const { contract, store } = options;
  const validate = await createValidator(app, contract, { responses: options.validateResponses });
  const linksOf = linksFor(options.publicUrl);
  const send = options.validateResponses ? sendThroughExpress : sendJson;
  const perform = dispatch(createHandlers(options), linksOf, send);
  const steps = [negotiate, readBody, validate, ...(options.faults ? [injectFaults(contract)] : []), perform];

  const admit = requireBearer(options.tokens);
  return inTurn([
    logRequests(options.log),
    allowOrigins(options.corsOrigins ?? []),
    await limitRate(options.rateLimit, options.tokens),
    readTarget,
    routeOperations(contract.operations, admit, steps),
    serviceEndpoints(options),
    testingEndpoints(store, options.testToken, options.loadSeed ?? (async () => undefined)),
    samlMetadata(store, linksOf),
    admit,
    noSuchPath,
  ]);
}
