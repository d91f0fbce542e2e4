/**
 * The cause of a failure: its kind, the operation whose response shows it, and a description. A
 * cause has words of the suite and names of the contract, and no values, so that it is the same in
 * each run.
 */
import { isRule } from '../contract/keywords.ts';
import { parsePointer, placeInWords } from '../contract/pointers.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { operationAt } from '../http/operation-of.ts';
import { NoResponse, type Silence } from '../http/response.ts';
import { isServerError } from '../http/server-errors.ts';
import { nameOfError, ruleCounted } from './evidence.ts';
import type { Kind } from './kinds.ts';

export interface Cause {
  kind: Kind;
  /** The id of an operation, or the area of a law. */
  operation: string;
  /** The description as a part of the id. */
  what: string;
  /** The description behind the name of the operation; for a law, a whole sentence. */
  words: string;
  /** What operations with the same cause have in common, if there is such a thing. */
  evidence?: string | undefined;
}

/** The parts of the failed requirement that decide its cause. */
export interface FailingRequirement {
  id: string;
  clause: string;
  /** Whether it is about a resource, and not about one call. */
  isLaw: boolean;
}

export interface FailedCase {
  error: Nonconformity | NoResponse;
  exchanges: readonly RecordedExchange[];
}

type Service = Pick<Implementation, 'contract' | 'client'>;

export function causeIdOf({ kind, operation, what }: Cause): string {
  return [kind, partOfId(operation), partOfId(what)].join(':');
}

/** An id has no white space, and a colon separates its parts. */
export const partOfId = (text: string): string => text.replaceAll(/[\s:]+/g, '-');

export function causeOf(
  { error, exchanges: all }: FailedCase,
  requirement: FailingRequirement,
  service: Service,
): Cause {
  if (error instanceof Nonconformity && error.details.kind === 'effect') {
    return lawOf(error, requirement);
  }
  const exchanges = upToWrongStatus(all, error);
  const root = firstServerError(exchanges, service);
  if (root !== undefined) {
    const cause = causeOfServerError(root.operation, root.exchange.response);
    const isMalformed = requirement.id === root.operation + MALFORMED_CREDENTIALS;
    if (isMalformed) {
      return ofAuthentication(cause);
    }
    return cause;
  }
  const operation = operationOf(exchanges, requirement, service);
  if (error instanceof NoResponse) {
    return { operation, ...causeOfSilence(error) };
  }
  const last = exchanges.at(-1)?.response ?? undefined;
  const status = last?.status;
  const isMeant = isDocumentedError(exchanges.at(-1), service);
  if (last !== undefined && last.status >= 500 && error.details.kind === 'status' && !isMeant) {
    return causeOfServerError(operation, last);
  }
  const [violation] = error.details.violations ?? [];
  if (violation !== undefined) {
    const { what, words } = violation;
    return { kind: 'response', operation, what, words };
  }
  if (isRefusalOfRemovedDue(error, exchanges)) {
    return { operation, ...REMOVED_IS_THERE };
  }
  if (error.details.kind === 'status' && status !== undefined) {
    const named = namedDue(error, exchanges.at(-1), service);
    return { operation, ...causeOfStatus(error, { status, isMeant, named }, requirement) };
  }
  return causeOfOther(error, { operation, status }, requirement);
}

/** The part of the id of a requirement. */
const MALFORMED_CREDENTIALS = '.credentials.malformed';

/** What reads credentials fails: it is the same code for each operation. */
function ofAuthentication(cause: Cause): Cause {
  const { what, words } = cause;
  return { ...cause, what: what + OF_AUTHENTICATION, words: `${words} to malformed credentials` };
}

const OF_AUTHENTICATION = '-for-malformed-credentials';

/** Whether the error of a service is due to code that several operations share. */
export const isOfAuthentication = (causeId: string): boolean => causeId.endsWith(OF_AUTHENTICATION);

/** The requests of a failed case up to the one whose response shows the failure. */
export function exchangesShowing(
  { error, exchanges }: FailedCase,
  service: Service,
): readonly RecordedExchange[] {
  if (error instanceof Nonconformity && error.details.kind === 'effect') {
    return exchanges;
  }
  const shown = upToWrongStatus(exchanges, error);
  const root = firstServerError(shown, service);
  if (root === undefined) {
    return shown;
  }
  return shown.slice(0, shown.indexOf(root.exchange) + 1);
}

/** What came begins with the status. */
const STATUS_DIGITS = 3;

/** Without what a case sends after a wrong status, such as a read of what must not have changed. */
function upToWrongStatus(
  exchanges: readonly RecordedExchange[],
  error: Nonconformity | NoResponse,
): readonly RecordedExchange[] {
  if (error instanceof NoResponse || error.details.kind !== 'status') {
    return exchanges;
  }
  const got = error.details.got.slice(0, STATUS_DIGITS);
  const last = exchanges.findLastIndex(({ response }) => String(response?.status) === got);
  return last === -1 ? exchanges : exchanges.slice(0, last + 1);
}

export function causeOfServerError(operation: string, response: ShownResponse): Cause {
  const { status, body } = response;
  return {
    kind: 'server-error',
    operation,
    what: String(status),
    words: `responds ${status}`,
    evidence: nameOfError(body),
  };
}

type ShownResponse = Pick<NonNullable<RecordedExchange['response']>, 'status' | 'body'>;

interface Root {
  operation: string;
  exchange: ExchangeWithResponse;
}

type ExchangeWithResponse = RecordedExchange & { response: ShownResponse };

const hasResponse = (exchange: RecordedExchange): exchange is ExchangeWithResponse =>
  exchange.response !== null;

/** The first response that says that the service failed: later errors may be due to it. */
function firstServerError(
  exchanges: readonly RecordedExchange[],
  { contract, client }: Service,
): Root | undefined {
  for (const exchange of exchanges.filter(hasResponse)) {
    const { request, response } = exchange;
    if (response.status < 500) {
      continue;
    }
    const operation = operationAt(contract, client, request);
    if (operation !== undefined && isServerError(operation, response.status)) {
      return { operation: operation.operationId, exchange };
    }
  }
  return undefined;
}

/**
 * The operation of the last request; the area of the requirement if the contract does not have that
 * operation.
 */
function operationOf(
  exchanges: readonly RecordedExchange[],
  { id }: FailingRequirement,
  { contract, client }: Service,
): string {
  const last = exchanges.at(-1);
  const found = last && operationAt(contract, client, last.request);
  return found?.operationId ?? areaOf(id);
}

export function areaOf(id: string): string {
  const [area = ''] = id.split('.', 1);
  return area;
}

type Wrong = Omit<Cause, 'operation'>;

const SILENCES: Readonly<Record<Silence, Pick<Wrong, 'kind' | 'words'>>> = {
  closed: { kind: 'stopped', words: 'closes the connection without a response' },
  late: { kind: 'stopped', words: 'gives no response in time' },
  refused: { kind: 'stopped', words: 'cannot be reached any more' },
  unavailable: { kind: 'server-error', words: 'responds 503, also after waiting' },
  garbled: { kind: 'response', words: 'sends what is not HTTP' },
  endless: { kind: 'response', words: 'sends a response that does not end' },
};

function causeOfSilence({ kind: silence }: NoResponse): Wrong {
  return { ...SILENCES[silence], what: silence };
}

/** Nobody asks for them, or they pass: errors of the service, documented or not. */
const NEVER_MEANT = [500, 503];

/** Whether a status from 501 on is one that the contract documents, such as a version it lacks. */
function isDocumentedError(
  exchange: RecordedExchange | undefined,
  { contract, client }: Service,
): boolean {
  const status = exchange?.response?.status ?? 0;
  const operation = exchange && operationAt(contract, client, exchange.request);
  const mayBeMeant = status > 500 && !NEVER_MEANT.includes(status);
  return mayBeMeant && operation !== undefined && String(status) in operation.responses;
}

interface WrongStatus {
  status: number;
  /** Whether the contract documents it for an error. */
  isMeant: boolean;
  /** The statuses that were due, as the cause names them. */
  named: readonly number[];
}

/**
 * The statuses that were due, each once, without refusals that HTTP allows as well if the contract
 * documents another one: requests that break different rules have one cause.
 */
function namedDue(
  { details }: Nonconformity,
  exchange: RecordedExchange | undefined,
  { contract, client }: Service,
): number[] {
  const due = [...new Set(details.due)];
  const operation = exchange && operationAt(contract, client, exchange.request);
  const documented = due.filter((one) => String(one) in (operation?.responses ?? {}));
  return documented.length > 0 ? documented : due;
}

function causeOfStatus(
  error: Nonconformity,
  { status, isMeant, named }: WrongStatus,
  requirement: FailingRequirement,
): Wrong {
  const due = error.details.due ?? [];
  const wasRefusalDue = due.some(isRefusal);
  const wasSuccessDue = due.some((one) => one < 300);
  if ((isMeant || isRefusal(status)) && wasSuccessDue) {
    const what = String(status);
    const words = `refuses valid requests with ${status}`;
    return { kind: 'refuses-valid', what, words, evidence: ruleCounted(requirement.clause) };
  }
  if (isMeant || isRefusal(status)) {
    const what = `${status}-for-${named.join('-or-')}`;
    return {
      kind: 'response',
      what,
      words: `refuses with ${status} in place of ${inWords(named)}`,
    };
  }
  if (!wasRefusalDue) {
    const what = `${status}-for-${named.join('-or-')}`;
    return { kind: 'response', what, words: `responds ${status} in place of ${inWords(named)}` };
  }
  if (requirement.isLaw) {
    return lawOf(error, requirement);
  }
  return causeOfAcceptance(error, requirement);
}

const REMOVED_IS_THERE: Wrong = {
  kind: 'law',
  what: 'removed-is-still-there',
  words: 'What was removed is still there',
};

/** Whether the last request succeeds at what was removed, whichever requirement notices it. */
function isRefusalOfRemovedDue(
  { details }: Nonconformity,
  exchanges: readonly RecordedExchange[],
): boolean {
  const last = exchanges.at(-1);
  const isRefusalDue = details.kind === 'status' && (details.due ?? []).some(isRefusal);
  if (last === undefined || !isRefusalDue || !hasSucceeded(last)) {
    return false;
  }
  const isOfItem = ({ request }: RecordedExchange) => request.url === last.request.url;
  const changes = exchanges.slice(0, -1).filter((one) => isOfItem(one) && hasSucceeded(one));
  const change = changes.findLast(({ request }) => request.method !== 'GET');
  return change?.request.method === 'DELETE' && last.request.method !== 'DELETE';
}

function hasSucceeded({ response }: RecordedExchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** More statuses than these are a range. */
const FEW = 4;

function inWords(due: readonly number[]): string {
  return due.length > FEW ? 'a documented status' : due.join(' or ');
}

const ACCEPTED: Readonly<Record<string, string>> = {
  type: 'accepts values of another type',
  required: 'accepts requests without what is required',
  additionalProperties: 'accepts unknown properties',
  enum: 'accepts values that are not in `enum`',
  missing: 'accepts requests without a required parameter',
};

/** A request that breaks a rule was accepted: the rule is a keyword, or has a name. */
function causeOfAcceptance(error: Nonconformity, { id, clause }: FailingRequirement): Wrong {
  const keyword = parsePointer(error.details.clause ?? clause).at(-1) ?? '';
  const what = isRule(keyword) ? keyword : (id.split('.').at(-1) ?? id);
  const known = ACCEPTED[what];
  if (known !== undefined) {
    return { kind: 'accepts-invalid', what, words: known };
  }
  if (isRule(keyword)) {
    return { kind: 'accepts-invalid', what, words: `accepts what breaks \`${keyword}\`` };
  }
  const [sentence = ''] = error.message.split(BETWEEN_SENTENCES);
  const rule = sentence.replace(/\.$/, '');
  return {
    kind: 'accepts-invalid',
    what,
    words: `accepts what must be refused (${what}): ${rule}`,
  };
}

/** Between the sentences of a message: the next one begins with a capital letter or a name. */
const BETWEEN_SENTENCES = /(?<=[.)]) (?=[A-Z`])/;

/**
 * The cause is neither a status nor the form of a response: a law, or a message of the requirement
 * itself.
 */
function causeOfOther(
  error: Nonconformity,
  { operation, status }: Pick<Cause, 'operation'> & { status: number | undefined },
  requirement: FailingRequirement,
): Cause {
  if (requirement.isLaw) {
    return lawOf(error, requirement);
  }
  const words = withoutNumbers(lastSentenceOf(error));
  const isError = status !== undefined && status >= 400;
  const shown = isError ? `${words} (in a ${status})` : words;
  return { kind: 'response', operation, what: inOneWord(words), words: shown };
}

/** The place that a message names at its end. */
const PLACE = / \(at (\/\S*)\)\.?$/;

function lawOf(error: Nonconformity, { id }: FailingRequirement): Cause {
  const [, place = ''] = PLACE.exec(error.message) ?? [];
  const words = withoutNumbers(error.message.replace(/\.$/, ''));
  const what = inOneWord(words.replace(PLACE, '')) + placeInWords(place);
  return { kind: 'law', operation: areaOf(id), what, words };
}

/** In characters. */
const LONGEST_WORD = 80;

/** `something-else-is-shown` */
function inOneWord(words: string): string {
  const hyphenated = words.toLowerCase().replaceAll(/[^a-z0-9*]+/g, '-');
  return hyphenated.slice(0, LONGEST_WORD).replaceAll(/^-|-$/g, '');
}

function lastSentenceOf({ message }: Nonconformity): string {
  const last = message.split(BETWEEN_SENTENCES).at(-1) ?? message;
  return last.replace(/\.$/, '');
}

/** An index in a pointer. */
const INDEX = /(?<=\/)\d+(?=\/|\b)/g;
/** A number that stands alone, and is not a status. */
const NUMBER = /(?<![\w./-])(?![1-5]\d\d\b)\d[\d,]*(?![\w-]|\.\d)/g;
const SPACES = /\s+/g;

/** Places in lists, and how long something is, differ from case to case; a status does not. */
function withoutNumbers(text: string): string {
  return text.replaceAll(INDEX, '*').replaceAll(NUMBER, '*').replaceAll(SPACES, ' ');
}
