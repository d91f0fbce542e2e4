/** A planted fault: the correct service with one promise of the contract broken, and the requirement that must notice. */
import type { Target } from '../target/target.ts';
import type { Service } from './service.ts';

export type FaultClass =
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

export interface Fault {
  /** `class.name`, unique. */
  id: string;
  class: FaultClass;
  /** One sentence: which promise is broken, and how. */
  promise: string;
  /** The id of the requirement that must fail. */
  caughtBy: string;
  /** Shows only on a service that asks for a token. */
  needsToken?: true;
  /** Called once for each service: what a fault remembers is that service's own. */
  plant(service: Service): Service;
}

/** What a service asks for where a fault needs one that asks. Letters of both cases, since faults play with them. */
export const TOKEN = 'conformance-Self-Test-7fA3';

/** Beside it, and good for reading alone. */
export const READ_ONLY_TOKEN = 'conformance-Self-Look-2cB9';

/** What a service asks for, and the suite is given. */
export type Tokens = Pick<Target, 'token' | 'readOnlyToken'>;

export const GUARDED: Tokens = { token: TOKEN, readOnlyToken: READ_ONLY_TOKEN };
export const OPEN: Tokens = { token: undefined, readOnlyToken: undefined };

type Define = (name: string, caughtBy: string, promise: string, plant: Fault['plant']) => Fault;

/** Shortens the definition of the faults of one class. */
export function faultsOf(kind: FaultClass): Define {
  return (name, caughtBy, promise, plant) => ({ id: `${kind}.${name}`, class: kind, promise, caughtBy, plant });
}
