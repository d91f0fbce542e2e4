/**
 * Services that keep the contract and do otherwise than most where it leaves a choice, each by its name. The suite must
 * pass them all.
 */
import { createIndependentService, type IndependentServiceOptions } from '../independent/index.ts';
import type { Tokens } from '../mutant.ts';
import type { Service } from '../service.ts';
import { naming } from './one-error.ts';
import { optionsWith200 } from './options.ts';
import { sometimesCutOff, sometimesUnavailable } from './unstable.ts';

const independent = (options: IndependentServiceOptions): Service => createIndependentService(options);

export const SERVICES: Record<string, (tokens: Tokens) => Service> = {
  '503 with Retry-After in 1 of 300 responses': (tokens) => sometimesUnavailable(independent(tokens)),
  'a connection that breaks in 1 of 300 requests': (tokens) => sometimesCutOff(independent(tokens)),
  'ids 0, 1, 2, …': (tokens) => {
    let next = 0;
    return independent({ ...tokens, newId: () => String(next++) });
  },
  'pages of up to 100 items': (tokens) => independent({ ...tokens, mostItems: 100 }),
  'OPTIONS with 200': (tokens) => optionsWith200(independent(tokens)),
  'the rest of a request is checked before its resource': (tokens) =>
    independent({ ...tokens, order: 'resource last' }),
  'only the first error': (tokens) => naming('the first', independent(tokens)),
  'only the last error': (tokens) => naming('the last', independent(tokens)),
};
