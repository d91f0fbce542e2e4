/** A failed case, as reports show it. */
import type { RecordedExchange } from '../http/exchange.ts';
import { Nonconformity, show } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import { causeOf, mediaTypeOf, otherMediaType } from './cause.ts';
import { pathRefusedBelow, REFUSED_BELOW, refusedBelowInWords } from './refused-below.ts';
import type { Exchange, Failure } from './result.ts';
import type { Evidence } from './try-property.ts';

/** In characters: reports stay readable and small; the curl script has the whole. */
const MAX_BODY = 10_000;

/** The members of a failure that do not follow from its evidence. */
interface Surroundings {
  /** The clause of the requirement, as a JSON Pointer into the contract. */
  clause: string;
  /** The script that sends the requests of the case again. */
  curl: string;
  /** The command that tries the case again. */
  replay: string;
}

export function failureOf(
  { error, exchanges }: Evidence,
  { clause, curl, replay }: Surroundings,
): Failure {
  const last = exchanges.at(-1);
  const path = pageAt(error, last);
  const cause = causeOf(error, clause, last?.response);
  const shown = {
    cause: path === undefined ? cause : `${cause} (${REFUSED_BELOW})`,
    exchanges: exchanges.map(shownExchange),
    curl,
    replay,
  };
  const { message } = error;
  if (error instanceof NoResponse) {
    const words = `No response came: ${message}.`;
    return { message: words, expected: 'a response', got: message, ...shown };
  }
  const { expected, got, clause: exact } = error.details;
  const due = exact === undefined ? expected : `${expected} (${exact})`;
  const whole = path === undefined ? message : `${message} ${refusedBelowInWords(path)}`;
  return { message: whole, expected: due, got, ...shown };
}

/** The path of the last request if what is wrong is a page in place of the documented refusal. */
function pageAt(error: Evidence['error'], last: RecordedExchange | undefined): string | undefined {
  const isOfMediaType = error instanceof Nonconformity && otherMediaType(error) !== undefined;
  if (!isOfMediaType || !last?.response) {
    return undefined;
  }
  return pathRefusedBelow(last, mediaTypeOf(last.response));
}

function shownExchange({ request, response, error }: RecordedExchange): Exchange {
  const body = request.body === null ? null : show(request.body, MAX_BODY);
  const exchange: Exchange = {
    request: { ...request, body },
    response: response && { ...response, body: show(response.body, MAX_BODY) },
  };
  if (error !== undefined) {
    exchange.error = error;
  }
  return exchange;
}
