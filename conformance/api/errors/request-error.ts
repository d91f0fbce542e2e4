/** An error that a request has by the contract, and that a service may report. */
import type { Parameter } from '../../engine/contract/operations.ts';

/** Any of the codes may be reported, at the parameter or at any of the places. */
export interface RequestError {
  /** Undefined if the contract gives no code for the keyword: any code is right. */
  codes: readonly string[] | undefined;
  /** The name of a parameter. */
  parameter?: string;
  /**
   * The part of the request that has the parameter; undefined if the operation has no such
   * parameter.
   */
  in?: Parameter['in'];
  /** JSON Pointers into the body. */
  pointers?: readonly string[];
  /** It may be reported beside another error, at these places and below them, but need not be. */
  beside?: true;
  /** JSON Pointer into the contract of the keyword that is broken. */
  clause: string;
}
