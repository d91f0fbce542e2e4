/**
 * The service under test, a case that tries it, and what an API adds to both. The three interfaces
 * refer to each other, so that they stand in one file.
 */
import { byName } from '../contract/by-name.ts';
import type { Hints } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import {
  includesLevel,
  type Level,
  type Operation,
  operationsOf,
  type Response,
} from '../contract/operations.ts';
import type { Random } from '../generate/random.ts';
import type { CallInput, Sending } from './call.ts';
import { ClaimedNames } from './claimed-names.ts';
import type { Client, RawRequest } from './client.ts';
import type { RecordedExchange } from './exchange.ts';
import type { OtherUser } from './other-user.ts';
import type { SurveyResult } from './recipe.ts';
import type { HttpResponse } from './response.ts';
import { ServerErrors } from './server-errors.ts';
import { LimitedOperations } from './limited-operations.ts';
import { Presence } from './presence.ts';
import { noteRetryAfters, WrongRetryAfters } from './retry-after.ts';
import { Suspects } from './suspects.ts';
import { Unconfirmed } from './unconfirmed.ts';

/** The service under test: the client that reaches it, its contract, and its known resources. */
export interface Implementation {
  contract: Contract;
  client: Client;
  /** Additions of the API to its contract. */
  api: HttpApi;
  /** By `operationId`. */
  operations: Map<string, Operation>;
  level: Level;
  /**
   * `source`: only what the source document states counts, and nothing that was decided beyond it.
   */
  origin: 'source' | 'all';
  token: string | undefined;
  /** Permits no change; only beside `token`. */
  readOnlyToken: string | undefined;
  /** A second user, who must not reach what the run makes. */
  otherUser?: OtherUser | undefined;
  /**
   * The number of the worker that uses it; default: 0, the first one, which alone has what a user
   * lends.
   */
  job?: number;
  /** Known and realistic values, from which values are generated. */
  hints: Hints;
  /** Made and not removable at this level: how many of each kind. */
  leftBehind: Record<string, number>;
  /** Perhaps made as well, since no response said whether. */
  perhapsMade: Record<string, number>;
  /**
   * The number of successful calls of an operation, by its id; an operation without one is missing.
   */
  succeeded: Record<string, number>;
  /**
   * Values of path parameters that the user lends, as `name=value`: the resources that they name
   * are read, and never changed.
   */
  lent: Set<string>;
  /** The way to reach each operation; empty until the service was surveyed. */
  survey: SurveyResult;
  /** Statuses from 500 on, wherever they came. */
  serverErrors: ServerErrors;
  /** Values of `Retry-After` that tell a client nothing. */
  wrongRetryAfters: WrongRetryAfters;
  /** What may be why the service stopped, if it did. */
  suspects: Suspects;
  presence: Presence;
  /** What the service limits (429) while it serves others. */
  limited: LimitedOperations;
  /** Short names that cases use at the moment. */
  claimed: ClaimedNames;
  /** Creations of which no response says what they made. */
  unconfirmed: Unconfirmed;
  /** Whether the service stopped during the run, and nobody brought it back. */
  isGone?: boolean;
  /** Why nothing more is sent, except to clean up; undefined as long as requests are sent. */
  halted?: string | undefined;
}

type Given =
  | 'contract'
  | 'client'
  | 'level'
  | 'origin'
  | 'token'
  | 'readOnlyToken'
  | 'otherUser'
  | 'job';
export type ImplementationOptions = Pick<Implementation, Given>;

export function implementationOf(
  options: ImplementationOptions,
  api: HttpApi,
  hints: Hints,
): Implementation {
  const operations = new Map<string, Operation>();
  for (const operation of operationsOf(options.contract)) {
    operations.set(operation.operationId, operation);
  }
  const implementation: Implementation = {
    ...options,
    api,
    operations,
    hints,
    leftBehind: {},
    perhapsMade: {},
    succeeded: byName(),
    lent: new Set<string>(),
    survey: byName(),
    serverErrors: new ServerErrors(),
    wrongRetryAfters: new WrongRetryAfters(),
    suspects: new Suspects(),
    presence: new Presence(),
    limited: new LimitedOperations(operations.keys()),
    claimed: new ClaimedNames(),
    unconfirmed: new Unconfirmed(),
  };
  noteRetryAfters(implementation);
  return implementation;
}

/**
 * One case: it sends requests, records them, and knows what to remove. `CaseSession` has the code.
 */
export interface Session {
  readonly implementation: Implementation;
  /** In the order in which the requests began. */
  readonly exchanges: RecordedExchange[];
  /** The source of the new names and texts of its calls. */
  readonly random: Random;
  /** Names of members of bodies that are under test: other data does not change them. */
  kept: readonly string[];
  /** False while a requirement itself reports that the service fails, as one of another kind. */
  notesServerErrors: boolean;
  /** Adds to each call what its operation cannot be without. */
  complete?: (operation: Operation, input: CallInput) => CallInput;
  /** @throws Error if the contract has no such operation */
  operation(operationId: string): Operation;
  /**
   * Calls an operation.
   * @throws NoResponse, BrokenOff, NotPossible; Nonconformity for a check of a user
   */
  call(operationId: string, given?: CallInput): Promise<HttpResponse>;
  /**
   * Calls an operation, and for some calls reads before and after it the resources that a cache may
   * keep.
   * @throws what `call` throws; Nonconformity
   */
  callAround(operationId: string, input: CallInput): Promise<HttpResponse>;
  /** @throws NoResponse, BrokenOff */
  send(sending: Sending): Promise<HttpResponse>;
  /**
   * Byte for byte, with headers of the suite that it lacks; reports join equal names.
   * @throws NoResponse, BrokenOff
   */
  sendRaw(request: RawRequest): Promise<HttpResponse>;
  /** Sends bytes that need not be a request. @throws NoResponse, BrokenOff */
  sendBytes(body: Buffer): Promise<HttpResponse>;
  /** Notes the resources that a request may have made which did not go out by `call`. */
  made(operationId: string, input: CallInput, response: HttpResponse): void;
  /**
   * The result of `make`, which the case must not change: other cases may use the same.
   * @throws what `make` throws
   */
  shared<T>(make: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Runs the requests that `start` sends at once, and shows them as such. @throws the error of the
   * first promise that is rejected, once all are over
   */
  together<T>(start: () => Promise<T>[]): Promise<T[]>;
  /** Whether no other case uses a short name: it is this one's now, until it has cleaned up. */
  claim(name: string): boolean;
  /**
   * Sends the requests of `act` with the credentials of the other user.
   * @throws what `act` throws
   */
  asOtherUser<T>(act: () => Promise<T>): Promise<T>;
  /** The requests that remove what the case made, for a script of it. */
  readonly removals: Sending[];
  /** Removes what the case made. */
  cleanUp(failed: boolean): Promise<void>;
}

/**
 * The additions of an API to the sending of requests and the checking of responses.
 * `engine/requirements/api.ts` has its additions to the requirements.
 */
export interface HttpApi {
  /** Keeps track of the resources that a case makes, to remove them. */
  track(session: Session): Tracker;
  /** Test data for calls, beyond the links of the contract. */
  callData?: CallData;
  /** The body as it can be sent with this call, if rules that no schema can state bind it. */
  sendable?(session: Session, operation: Operation, call: CallInput, body: unknown): unknown;
  /**
   * Another call in place of one that the contract allows the service to refuse; undefined if the
   * call must succeed.
   * @throws NotPossible if none is known
   */
  instead?(
    session: Session,
    operation: Operation,
    input: CallInput,
    response: HttpResponse,
  ): Promise<CallInput | undefined>;
  /**
   * The call with a value for each parameter that it cannot be without.
   * @throws NotPossible if no value is known
   */
  withRequired?(implementation: Implementation, operation: Operation, call: CallInput): CallInput;
  /**
   * Looks at a response before it is checked.
   * @throws NotPossible if the response says nothing about the service
   */
  look?(implementation: Implementation, operation: Operation, response: HttpResponse): void;
  /**
   * What holds of each success, whichever case asks for it: it agrees with itself and with its
   * request.
   * @throws Nonconformity
   */
  expectAgreement?(
    implementation: Implementation,
    operation: Operation,
    input: CallInput,
    response: HttpResponse,
  ): void;
  /** Whether the contract says that `5.0` and `1e1` are integers. */
  hasIntegersWithExponents?: boolean;
  /** Whether the user allows an operation to change resources that the user lends. */
  mayChangeLent?(operationId: string): boolean;
  /** A check of a user. @throws Nonconformity */
  checkResponse?(call: CheckedCall): Promise<void>;
  /**
   * The form of errors beyond what the contract documents, such as problem details.
   * @throws Nonconformity
   */
  expectError?(implementation: Implementation, response: HttpResponse, refused: Refused): void;
  /**
   * A shell variable for a path segment that the run made up; undefined for segments that must stay
   * as they are.
   */
  variableFor?(segment: string, implementation: Implementation): string | undefined;
}

/** A value of a path parameter that no operation makes. */
export type Lender = (session: Session, operation: Operation) => Promise<string>;

export interface CallData {
  /** Where it comes from, in words for the user. */
  source: string;
  /** Values of path parameters that no operation makes, by name. */
  parameters?: Readonly<Record<string, Lender>>;
  /** Those of one operation, by its id; they come first. */
  parametersOf?: Readonly<Record<string, CallData['parameters']>>;
  /** Values of parameters apart from the path, by name; a list has one for each try. */
  given?: Readonly<Record<string, unknown>>;
  /** Those of one operation, by its id; they come first. */
  givenOf?: Readonly<Record<string, CallData['given']>>;
  /** Whether there are so few that each is lent to one case, and not kept for those that come. */
  areFew?(implementation: Implementation): boolean;
  /** A body that is accepted, by operation; default: the survey finds one. */
  bodies?: Readonly<Record<string, (session: Session) => unknown>>;
  /** Whether operations accept whatever else their contract allows, too, beside these bodies. */
  takesOthers?: boolean;
}

export interface CheckedCall {
  operationId: string;
  input: CallInput;
  response: HttpResponse;
}

export interface Tracker {
  /** @param response undefined if none came: the service may have done it all the same */
  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void;
  /** The requests that remove what was made, for a script of the case. */
  removals(): Sending[];
  /**
   * Removes the resources that were made, as far as the API can; the others are counted. Errors are
   * ignored: the case is over.
   */
  cleanUp(failed: boolean): Promise<void>;
}

/** A request that was refused, with the known parts of it. */
export interface Refused {
  operation?: Operation;
  /**
   * The response that the contract documents for the status; undefined if the operation does not
   * document it.
   */
  documented?: Response | undefined;
  /** The call that was sent: only its errors may be reported. */
  input?: CallInput;
  /** The kinds of error that fit, in the words of the API; default: those of the status. */
  codes?: readonly string[];
}

/** Counts what an operation has made, such as `POST /pets`: the user sees where to look for it. */
export function countMade(counts: Record<string, number>, { method, path }: Operation): void {
  const kind = `${method} ${path}`;
  counts[kind] = (counts[kind] ?? 0) + 1;
}

/** Whether a service of the level has the operation. */
export const isOffered = (
  { level }: Pick<Implementation, 'level'>,
  operation: Operation,
): boolean => includesLevel(level, operation.level);

/** The operation with this method at the path of another one, if the level has it. */
export function operationBeside(
  implementation: Implementation,
  { path }: Operation,
  method: string,
): Operation | undefined {
  const all = [...implementation.operations.values()];
  const found = all.find((one) => one.path === path && one.method === method);
  return found && isOffered(implementation, found) ? found : undefined;
}
