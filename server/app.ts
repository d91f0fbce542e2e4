/** The application of Express, mounted, extended and listened to as any other. It reads nothing of the environment. */
import { join } from 'node:path';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { type Contract, type Operation, type OperationId, packageFolder } from './contract.ts';
import { ApiError } from './domain/api-error.ts';
import { serviceEndpoints } from './http/endpoints.ts';
import { testingEndpoints } from './test-endpoints/endpoints.ts';
import { sendProblem } from './http/problem.ts';
import { createByteBudget } from './http/request/body.ts';
import { logRequests } from './http/request/context.ts';
import { checkEncoding, checkHost, readTarget } from './http/request/target.ts';
import { routeOperations } from './http/routing.ts';
import { allowOrigins, protectResponses } from './http/security/browsers.ts';
import { limitRate } from './http/security/rate-limit.ts';
import { requireBearer, type Tokens } from './http/security/tokens.ts';
import { bodyDefaults, linksFor, serveOperation } from './http/serve-operation.ts';
import { loadSchemaValidator } from './http/validation/openapi-validator.ts';
import { MOST_BODY_BYTES_HELD } from './limits.ts';
import { handlersOf, type Services } from './operations/handlers.ts';

export interface AppOptions extends Omit<Services, 'defaultsOf'> {
  contract: Contract;
  log: Logger;
  /** Undefined: open to everyone who can reach it under a host name that it accepts. */
  tokens: Tokens | undefined;
  /** Opens the endpoints for tests; if undefined or omitted, there are none. */
  testToken?: string | undefined;
  /** Puts the data of the seed file into the store, after a reset. */
  loadSeed?: () => Promise<void>;
  /** Absolute, without a slash at its end; undefined: the host of each request. */
  publicUrl: string | undefined;
  /** Origins whose pages may call the service, such as `https://app.example.com`, or `*`; if omitted: none. */
  corsOrigins?: readonly string[];
  /** Requests a minute that one client may send; if undefined or omitted: any number. */
  rateLimit?: number | undefined;
  /** The number of proxies in front that are trusted to report the client's address; 0 if omitted. */
  trustProxy?: number;
  /** Respond with faults where a `Prefer` header asks for them. */
  faults?: boolean;
  /** The rendered docs, which may be missing; if omitted, those of this package. */
  docsFile?: string;
  /** Requests for the docs wait for it, while they are rendered. If omitted: they are not being rendered. */
  docsReady?: () => Promise<unknown>;
  /** A response that breaks the contract becomes a 500 that is logged, and is never sent. */
  validateResponses: boolean;
  /** How many bytes of bodies may be held at once. */
  mostBodyBytesHeld?: number;
  /** Adds routes and error handlers behind those of the API and before 404. All of them need a token, too. */
  extend?: (app: Express) => void;
}

/** @throws ContractError when the contract cannot be used */
export async function createApp(options: AppOptions): Promise<Express> {
  const { contract, store, tokens, publicUrl, validateResponses } = options;
  const schemas = await loadSchemaValidator(contract, validateResponses);
  const linksOf = linksFor(publicUrl);
  const admit = requireBearer(tokens);
  const operationOf = (id: OperationId) => contract.operations.find((one) => one.id === id)!;
  const handlers = handlersOf({
    ...options,
    defaultsOf: (id) => bodyDefaults(contract, operationOf(id))({}) as never,
  });
  const bodies = createByteBudget(options.mostBodyBytesHeld ?? MOST_BODY_BYTES_HELD);
  const { faults = false } = options;
  const serve = (operation: Operation) =>
    serveOperation(operation, {
      contract,
      schemas,
      handlers,
      linksOf,
      bodies,
      validateResponses,
      faults,
    });

  const app = express();
  app.disable('x-powered-by');
  // The contract has no conditional requests: an entity tag would turn responses into 304.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Only the addresses of clients come from proxies: the base of URIs is a setting.
  app.set('trust proxy', options.trustProxy ?? 0);
  app.use(logRequests(options.log), protectResponses);
  app.use(readTarget);
  app.use(checkHost(tokens === undefined, publicUrl));
  if (options.corsOrigins?.length) {
    app.use(allowOrigins(options.corsOrigins));
  }
  if (options.rateLimit !== undefined) {
    app.use(limitRate(options.rateLimit, tokens));
  }
  app.use(checkEncoding);
  routeOperations(app, contract.operations, admit, serve);
  const { docsFile = join(packageFolder(), 'docs', 'index.html') } = options;
  app.use(serviceEndpoints(options, { docsFile, docsReady: options.docsReady }, linksOf));
  if (options.testToken !== undefined) {
    app.use(testingEndpoints(store, options.testToken, options.loadSeed));
  }
  app.use(admit);
  options.extend?.(app);
  app.use(() => {
    throw new ApiError('not_found', 'This path does not exist.');
  });
  app.use(sendProblem);
  return app;
}
