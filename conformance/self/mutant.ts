/** A mutant: the correct service with one rule of the contract broken, and the requirement that must notice. */
import type { Implementation } from '../engine/http/implementation.ts';
import type { Service } from './service.ts';

export type MutantClass =
  | 'success'
  | 'schema'
  | 'echo'
  | 'defaults'
  | 'tls'
  | 'limits'
  | 'strictness'
  | 'formats'
  | 'reads'
  | 'sets'
  | 'lists'
  | 'races'
  | 'refused'
  | 'protocol'
  | 'problems'
  | 'authentication'
  | 'read-only'
  | 'uri'
  | 'edge-updates'
  | 'edge-deletes'
  | 'edge-pages'
  | 'edge-races'
  | 'routes'
  | 'matches'
  | 'upstream'
  | 'route-updates'
  | 'route-races'
  | 'route-model'
  | 'modules'
  | 'module-defaults'
  | 'headers'
  | 'sign-in'
  | 'secrets'
  | 'saml'
  | 'exclusion'
  | 'clauses';

export interface Mutant {
  /** `class.name`, unique. */
  id: string;
  class: MutantClass;
  /** What is broken, in one sentence. */
  description: string;
  /** The id of the requirement that must fail. */
  killedBy: string;
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

type Define = (name: string, killedBy: string, description: string, mutate: Mutant['mutate']) => Mutant;

/** Shortens the definition of the mutants of one class. */
export function mutantsOf(kind: MutantClass): Define {
  return (name, killedBy, description, mutate) => ({
    id: `${kind}.${name}`,
    class: kind,
    description,
    killedBy,
    mutate,
  });
}
