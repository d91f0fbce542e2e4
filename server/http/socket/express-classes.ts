/**
 * Classes of requests and responses that are Express's own from the start.
 *
 * Express gives each request and response of Node another prototype, which makes the engine drop what it has learnt about
 * their shape: every later access to a property is slow, in Node's own code, too. A server that creates them with the
 * prototypes that Express would set spares it that: setting them again changes nothing.
 */
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

const known = new WeakMap<Express, ServerOptions>();

/** For `createServer`; the same for each server of an application. To be called before its first request. */
export function expressClasses(app: Express): ServerOptions {
  const classes = known.get(app) ?? createClasses(app);
  known.set(app, classes);
  return classes;
}

function createClasses(app: Express): ServerOptions {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  // Between the class and Node's own class: the methods of Express.
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as unknown as Express['request'];
  app.response = AppResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } as ServerOptions;
}
