/**
 * A typed client of the edge API.
 *
 *     const api = createClient({ baseUrl: 'http://127.0.0.1:4010', token: process.env.API_TOKEN });
 *     const edge = await api.createEdge({ hostports: ['shop.example.com:443'] });
 *     for await (const each of api.listEdges()) console.log(each.id);
 */
export { createClient } from './client.ts';
export type { Call, CallOptions, WithResponse } from './call.ts';
export type {
  EdgeClient,
  EdgePath,
  ListOptions,
  PathOf,
  RoutePath,
  Schemas,
  SourcePath,
  SubscriptionPath,
} from './edge-client.ts';
export { type Page, Pages } from './pages.ts';
export {
  AlreadyExistsError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InternalServerError,
  InvalidRequestError,
  NotFoundError,
  ProblemError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
} from './errors.ts';
/** Each schema of the contract under its name, such as `HTTPSEdge`. */
export type * from '../../generated/openapi.ts';
export { type Connection } from './transport.ts';
export type { Middleware } from 'openapi-fetch';
