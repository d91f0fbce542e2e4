/** The additions of an API to what follows from its contract, all optional; those to the sending are `HttpApi`. */
import type { Session } from '../http/session.ts';
import type { Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import type { Level, Operation } from '../contract/operations.ts';
import type * as fc from 'fast-check';
import type { HttpResponse } from '../http/response.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Requirement } from './requirement.ts';
import type { CallInput } from '../http/call.ts';

export interface CallData {
  /** Values of path parameters that no operation makes, by name. */
  parameters?: Readonly<
    Record<string, (session: Session, operation: Operation) => Promise<string>>
  >;
  /** Those of one operation, by its id; they come first. */
  parametersOf?: Readonly<Record<string, CallData['parameters']>>;
  /** Whether there are so few that each is lent to one case, and not kept for those that come. */
  areFew?(implementation: Implementation): boolean;
  /** The body of a call, by operation; by default a generated one. */
  bodies?: Readonly<Record<string, (session: Session) => unknown>>;
}

declare module '../http/implementation.ts' {
  interface HttpApi {
    /** Test data for calls, beyond the links of the contract. */
    callData?: CallData;
    /** The body as it can be sent with this call, where rules that no schema can state bind it. */
    sendable?(session: Session, operation: Operation, call: CallInput, body: unknown): unknown;
  }
}

export interface Api {
  /** Its promises beyond the rules of its schemas; one with the id of a requirement of the engine replaces it. */
  laws?(contract: Contract, level: Level): Requirement[];
  /** Bodies that the operation must accept; by default whatever its schema allows. Undefined: its laws send them. */
  bodies?(operation: Operation, implementation: Implementation): fc.Arbitrary<unknown> | undefined;
  /** Whether an implementation knows what a body names; undefined where it knows any. */
  knows?(implementation: Implementation): ((body: unknown) => boolean) | undefined;
  /** @throws Nonconformity when the response to an accepted body is not what was sent */
  expectEcho?(operation: Operation, sent: unknown, response: HttpResponse): void;
  /** Where the contract says that a header field which it does not name changes nothing. */
  ignoresFields?: { origin: string; pointer: string; words?: string };
  /** The contract says how numbers and booleans are written in a text; else `01` and `1e1` may be numbers, or not. */
  exactTexts?: boolean;
  /** Whether a value on a limit of this parameter may be refused all the same, such as a cursor that nobody issued. */
  mayRefuse?(parameter: string): boolean;
  /** Its part of the cases that each requirement gets, for the clause of a body; by default all. */
  weight?(operation: Operation, clause: Clause): number;
  /** A value for a path parameter, to see whether the implementation can be reached: it need not exist. */
  probe?(parameter: string, implementation: Implementation): string | undefined;
  /** Advice about a service that finds nothing, as a half sentence. */
  adviceWhenNothingIsFound?: string;
  /** Looks at what is there before the run. @returns why the implementation cannot be tried; undefined when it can */
  survey?(implementation: Implementation): Promise<string | undefined>;
  /** Looks after the run for what requests without a response have made. @returns what the user must know about it */
  lookBack?(implementation: Implementation): Promise<string[]>;
}
