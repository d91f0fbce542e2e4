/** The total map from the contract's operations to their handlers. */
import { edgeHandlers } from './edges.ts';
import { eventSourceHandlers } from './event-sources.ts';
import type { Handlers, Services } from './handler.ts';
import { routeHandlers } from './routes.ts';

export function createHandlers(services: Services): Handlers {
  return { ...edgeHandlers(services), ...routeHandlers(services), ...eventSourceHandlers(services) };
}
