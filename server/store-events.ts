/** Events of a store, in the log. */
import type { Logger } from 'pino';
import type { StoreEvents } from './store/store.ts';

export function eventsIn(log: Logger): StoreEvents {
  return {
    damaged: (error) => log.error({ err: error }, 'a damaged record was omitted from a list'),
    disconnected: (reason) => log.warn({ reason }, 'a connection to the database was lost'),
    warning: (message) => log.warn(message),
  };
}
