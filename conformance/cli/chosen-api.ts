import type { Credentials } from '../engine/contract/credentials.ts';
import type { ClientOptions } from '../engine/http/client.ts';
import type { Implementation, ImplementationOptions } from '../engine/http/implementation.ts';
import type { Api } from '../engine/requirements/api.ts';

/** The knowledge of the suite about the API of a contract, beyond the contract itself. */
export interface ChosenApi {
  /** Its additions to what follows from the contract. */
  api: Api;
  createImplementation(given: ImplementationOptions): Implementation;
  /** The `Accept` of requests that have no other. */
  accept: string;
  /** The places to which the token goes. */
  credentials: Credentials;
  /**
   * The URLs at which the paths of the contract may begin, given the one of the user: the likeliest
   * first.
   */
  basesOf(url: string): string[];
  /** Adds header fields to each request, such as its signature. */
  sign?: ClientOptions['sign'];
}
