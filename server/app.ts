/**
 * The application of Express, mounted, extended and listened to as any other. It reads nothing of
 * the environment.
 */
import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type Contract, type Operation, packageFolder } from './contract.ts';
import { ApiError } from './domain/api-error.ts';
import type { DocsReady } from './http/docs.ts';
import { serviceEndpoints } from './http/endpoints.ts';
import { linksFor } from './http/links.ts';
import { sendProblem } from './http/problem.ts';
import { createByteBudget } from './http/request/byte-budget.ts';
import { logRequests } from './http/request/context.ts';
import { bodyDefaults } from './http/request/defaults.ts';
import { checkHost } from './http/request/host.ts';
import { checkEncoding, readTarget } from './http/request/target.ts';
import { routeOperations } from './http/routing.ts';
import { allowOrigins, protectResponses } from './http/security/browsers.ts';
import { limitRate } from './http/security/rate-limit.ts';
import { requireBearer, type Tokens } from './http/security/tokens.ts';
import { type OperationServices, serveOperation } from './http/serve-operation.ts';
import { loadSchemaValidator } from './http/validation/openapi-validator.ts';
import { MOST_BODY_BYTES_HELD } from './limits.ts';
import type { Metrics } from './metrics.ts';
import type { FilledBodies } from './operations/handler-types.ts';
import { handlersOf, type Services } from './operations/handlers.ts';
import { testingEndpoints } from './test-endpoints/endpoints.ts';

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
  /**
   * Origins whose pages may call the service, such as `https://app.example.com`, or `*`; if
   * omitted: none.
   */
  corsOrigins?: readonly string[];
  /** Requests a minute that one client may send; if undefined or omitted: any number. */
  rateLimit?: number | undefined;
  /**
   * The number of proxies in front that are trusted to report the client's address; 0 if omitted.
   */
  trustProxy?: number;
  /** Respond with faults if a `Prefer` header asks for them; false if omitted. */
  faults?: boolean;
  /** The rendered docs, which may be missing; if omitted, those of this package. */
  docsFile?: string;
  /**
   * Requests for the docs wait for it, while they are rendered. If omitted: they are not being
   * rendered.
   */
  docsReady?: DocsReady;
  /** Counts requests, and shows what it counts; if undefined or omitted, nothing does. */
  metrics?: Metrics | undefined;
  /** A response that breaks the contract becomes a 500 that is logged, and is never sent. */
  validateResponses: boolean;
  /** How many bytes of bodies may be held at once. */
  mostBodyBytesHeld?: number;
  /**
   * Adds routes and error handlers behind those of the API and before 404. All of them need a
   * token, too. A promise is awaited.
   */
  extend?: (app: Express) => unknown;
}

/** @throws ContractError if the contract cannot be used, and whatever `extend` throws */
export async function createApp(options: AppOptions): Promise<Express> {
  const { contract, store, tokens, testToken } = options;
  const services = await operationServices(options);
  const serve = (operation: Operation) => serveOperation(operation, services);
  const admit = requireBearer(tokens);
  const isBehindProxy = (options.trustProxy ?? 0) > 0;

  const app = configuredExpress(options);
  app.use(logRequests(options.log, isBehindProxy), protectResponses);
  if (options.metrics !== undefined) {
    app.use(options.metrics.ofRequests);
  }
  app.use(readTarget);
  app.use(checkHost(tokens === undefined, options.publicUrl));
  if (options.corsOrigins?.length) {
    app.use(allowOrigins(options.corsOrigins));
  }
  if (options.rateLimit !== undefined) {
    app.use(limitRate(options.rateLimit, tokens));
  }
  app.use(checkEncoding);
  routeOperations(app, contract.operations, admit, serve);
  app.use(
    serviceEndpoints({
      contract,
      store,
      linksOf: services.linksOf,
      docsFile: options.docsFile ?? join(packageFolder(), 'docs', 'index.html'),
      docsReady: options.docsReady,
    }),
  );
  if (testToken !== undefined) {
    const { loadSeed } = options;
    app.use(testingEndpoints({ contract, store, token: testToken, loadSeed }));
  }
  app.use(admit);
  if (options.metrics !== undefined) {
    app.use(options.metrics.endpoint);
  }
  await options.extend?.(app);
  app.use(refuseUnknownPath);
  app.use(sendProblem);
  return app;
}

function configuredExpress({ trustProxy = 0 }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  // The contract has no conditional requests: an entity tag would turn responses into 304.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Only the addresses of clients come from proxies: the base of URIs is a setting.
  app.set('trust proxy', trustProxy);
  return app;
}

async function operationServices(options: AppOptions): Promise<OperationServices> {
  const { contract, store, newId, publicUrl, validateResponses, faults = false } = options;
  const defaultsOf = <K extends keyof FilledBodies>(id: K) =>
    defaultsOfBody(contract, id) as FilledBodies[K];
  return {
    contract,
    schemas: await loadSchemaValidator(contract, validateResponses),
    handlers: handlersOf({ store, newId, defaultsOf }),
    linksOf: linksFor(publicUrl),
    bodies: createByteBudget(options.mostBodyBytesHeld ?? MOST_BODY_BYTES_HELD),
    validateResponses,
    faults,
  };
}

/** An empty body with the defaults of the contract. */
function defaultsOfBody(contract: Contract, id: keyof FilledBodies): unknown {
  const operation = contract.operations.find((one) => one.id === id);
  return operation && bodyDefaults(contract, operation)({});
}

const refuseUnknownPath: RequestHandler = () => {
  throw new ApiError('not_found', 'This path does not exist.');
};
