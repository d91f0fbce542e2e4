/** A failed case, as reports show it. */
import type { Contract } from '../contract/load.ts';
import {
  type Cause,
  causeIdOf,
  causeOf,
  causeOfServerError,
  exchangesShowing,
  type FailingRequirement,
} from '../findings/cause.ts';
import type { Other } from '../findings/findings.ts';
import { type RecordedExchange, requestInWords } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import { type Nonconformity, show, type Violation } from '../http/nonconformity.ts';
import { operationAt } from '../http/operation-of.ts';
import { NoResponse } from '../http/response.ts';
import type { WrongRetryAfter } from '../http/retry-after.ts';
import type { ServerError } from '../http/server-errors.ts';
import { pathRefusedBelow, REFUSED_BELOW, refusedBelowInWords } from './refused-below.ts';
import type { ReportedExchange, Failure } from './result.ts';
import type { Evidence } from './try-property.ts';

/** In characters: reports stay readable and small; the curl script has the whole. */
const MAX_BODY = 10_000;

/** The members of a failure that do not follow from its evidence. */
interface Surroundings {
  requirement: FailingRequirement;
  implementation: Pick<Implementation, 'contract' | 'client'>;
  /** The script that sends the requests of the case again. */
  curl: string;
  /** The command that tries the case again. */
  replay: string;
}

type Shown = Pick<Failure, 'exchanges' | 'curl' | 'replay'>;

export function failureOf(
  { error, exchanges }: Evidence,
  { requirement, implementation, curl, replay }: Surroundings,
): Failure {
  const found = causeOf({ error, exchanges }, requirement, implementation);
  const path = pageAt(error, exchanges.at(-1));
  const cause = path === undefined ? found : refusedBelow(found);
  const steps = exchangesShowing({ error, exchanges }, implementation);
  const shown = { exchanges: steps.map(shownExchange), curl, replay };
  if (error instanceof NoResponse) {
    const message = `No response came: ${error.message}.`;
    return withCause(cause, { message, expected: 'a response', got: error.message, ...shown });
  }
  const { message } = error;
  const whole = path === undefined ? message : `${message} ${refusedBelowInWords(path)}`;
  return withCause(cause, { message: whole, ...detailsOf(error), ...shown });
}

/** The path of the last request if its response is a page in place of the documented refusal. */
function pageAt(error: Evidence['error'], last: RecordedExchange | undefined): string | undefined {
  if (error instanceof NoResponse || !last?.response) {
    return undefined;
  }
  const { got, violations = [] } = error.details;
  const isOfMediaType = [got, ...violations.map((one) => one.got)].some((one) =>
    one.startsWith('Content-Type: '),
  );
  if (!isOfMediaType) {
    return undefined;
  }
  return pathRefusedBelow(last);
}

function refusedBelow(cause: Cause): Cause {
  const { what, words } = cause;
  return { ...cause, what: `${what}-below-handlers`, words: `${words} (${REFUSED_BELOW})` };
}

type ShownViolation = NonNullable<Failure['violations']>[number];
type Details = Pick<Failure, 'expected' | 'got' | 'violations'>;

function detailsOf({ details }: Nonconformity): Details {
  const { expected, got, clause, violations = [] } = details;
  const found: Details = { expected: clause ? `${expected} (${clause})` : expected, got };
  if (violations.length > 1) {
    found.violations = violations.map(shownViolation);
  }
  return found;
}

function shownViolation({ message, expected, got, clause }: Violation): ShownViolation {
  const shown: ShownViolation = { message, expected, got };
  if (clause !== undefined) {
    shown.clause = clause;
  }
  return shown;
}

type WithoutCause = Omit<Failure, 'kind' | 'operation' | 'cause' | 'cause_id' | 'evidence'>;

function withCause(cause: Cause, failure: WithoutCause): Failure {
  const { kind, operation, words, evidence } = cause;
  const whole = { ...failure, kind, operation, cause: words, cause_id: causeIdOf(cause) };
  return evidence === undefined ? whole : { ...whole, evidence };
}

/** A server error that no requirement has shown. */
export function failureOfServerError(
  { operation, status, exchanges }: ServerError,
  contract: Contract,
  curl: string,
): Failure {
  const shown: Shown = { exchanges: exchanges.map(shownExchange), curl, replay: '' };
  const message = `${operation} responds ${status}.`;
  const body = exchanges.at(-1)?.response?.body ?? '';
  const got = show(body);
  const expected = `a response that ${contract.title} documents`;
  return withCause(causeOfServerError(operation, { status, body }), {
    message,
    expected,
    got: got === '' ? String(status) : `${status}, ${got}`,
    ...shown,
  });
}

const WRONG_RETRY_AFTER =
  '`Retry-After` is neither a number of seconds nor an HTTP date (RFC 9110, 10.2.3).';

/** The rule that a response breaks, as a sentence. */
export function ruleOfWaiting({ status, name = '', value }: WrongRetryAfter): string {
  if (value === undefined) {
    return `A ${status} has no \`${name}\`, which the contract requires.`;
  }
  return WRONG_RETRY_AFTER;
}

/** Clients read the field in the same way wherever it comes from: it is one finding a status. */
export function failureOfRetryAfter(wrong: WrongRetryAfter, curl: string): Failure {
  const { status, value, exchange } = wrong;
  const shown = { exchanges: [shownExchange(exchange)], curl, replay: '' };
  if (value === undefined) {
    return failureOfMissingField(wrong, shown);
  }
  const cause: Cause = {
    kind: 'response',
    operation: '*',
    what: `retry-after-${status}`,
    words: `A ${status} has a \`Retry-After\` that is neither seconds nor an HTTP date`,
  };
  return withCause(cause, {
    message: ruleOfWaiting(wrong),
    expected: '`Retry-After: 120`, or `Retry-After: Sun, 06 Nov 1994 08:49:37 GMT`',
    got: `Retry-After: ${value}`,
    ...shown,
  });
}

/** What limits requests stands before all operations. */
function failureOfMissingField(wrong: WrongRetryAfter, shown: Shown): Failure {
  const { status, name = '' } = wrong;
  const message = ruleOfWaiting(wrong);
  const cause: Cause = {
    kind: 'response',
    operation: '*',
    what: `${name.toLowerCase()}-${status}-missing`,
    words: message.replace(/\.$/, ''),
  };
  return withCause(cause, { message, expected: name, got: 'none', ...shown });
}

/** The requests after which a service stops. */
interface Stop {
  /** The last one stops it. */
  exchanges: readonly RecordedExchange[];
  /** Requests that may be the reason as well; empty if it is known. */
  others: readonly RecordedExchange[];
  /** Whether the last one does not stop it alone. */
  needsAll: boolean;
}

const SERVICE_STOPS = 'service-stops';
const STOPS = 'the service stops, and does not respond any more';
const STOPS_BEHIND = 'the service stops after several requests, and not after the last one alone';

export function stopOf(
  { exchanges, others, needsAll }: Stop,
  { contract, client }: Surroundings['implementation'],
  curl: string,
): Other {
  const last = exchanges.at(-1);
  const operations = [...exchanges.slice(-1), ...others].map(({ request }) => {
    return operationAt(contract, client, request)?.operationId ?? '*';
  });
  const [operation = '*', ...different] = new Set(operations);
  const several = `the service stops during or after one of ${operations.length} requests`;
  const isKnown = others.length === 0;
  const known = needsAll ? STOPS_BEHIND : STOPS;
  const cause: Cause = {
    kind: 'stopped',
    operation: different.length === 0 ? operation : '*',
    what: needsAll ? `${SERVICE_STOPS}-after-several` : SERVICE_STOPS,
    words: isKnown ? known : several,
  };
  const one = needsAll
    ? 'The service stops after these requests, and not after the last one alone.'
    : 'The service stops after this request, and does not respond any more.';
  const failure = withCause(cause, {
    message: isKnown
      ? one
      : 'The service stopped during or after this request, or one of the others.',
    expected: 'a response, and a service that goes on',
    got: last?.error ?? `${last?.response?.status ?? 'no response'}, and then nothing`,
    exchanges: exchanges.map(shownExchange),
    curl,
    replay: '',
  });
  const notes = others.map(({ request }) => requestInWords(request));
  return { failure, times: 1 + notes.length, notes };
}

function shownExchange({ request, response, error }: RecordedExchange): ReportedExchange {
  const body = request.body === null ? null : show(request.body, MAX_BODY);
  const exchange: ReportedExchange = {
    request: { ...request, body },
    response: response && { ...response, body: show(response.body, MAX_BODY) },
  };
  if (error !== undefined) {
    exchange.error = error;
  }
  return exchange;
}
