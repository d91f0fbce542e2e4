/** A mutant: the correct service with something broken. Nothing says what must notice. */
import type { Implementation } from '../engine/http/implementation.ts';
import type { Level } from '../engine/run/result.ts';
import type { Service } from './service.ts';

export type { Level };

export interface Mutant {
  /** `operator/operation/field`, or `group/name` where it is written by hand; unique. */
  id: string;
  /** The operator, or the group of mutants that are written by hand. */
  group: string;
  /** What is broken, in one sentence. */
  description: string;
  /** That of the operation which is broken: a run at the core level comes first for a core mutant. */
  level: Level;
  /** Shows only on a service that asks for a token. */
  needsToken?: true;
  /** Called once for each service: what a mutant remembers is that service's own. */
  mutate(service: Service): Service;
}

/** What a service asks for where a mutant shows on no other. Letters of both cases, since mutants change the case. */
export const TOKEN = 'conformance-Self-Test-7fA3';

/** Beside it, and good for reading alone. */
export const READ_ONLY_TOKEN = 'conformance-Self-Look-2cB9';

/** What a service asks for, and the suite is given. */
export type Tokens = Pick<Implementation, 'token' | 'readOnlyToken'>;

export const GUARDED: Tokens = { token: TOKEN, readOnlyToken: READ_ONLY_TOKEN };
export const OPEN: Tokens = { token: undefined, readOnlyToken: undefined };
