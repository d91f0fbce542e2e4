/** A failed case, as reports show it. */
import type { RecordedExchange } from '../http/exchange.ts';
import { show } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import { causeOf } from './cause.ts';
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
  const shown = {
    cause: causeOf(error, clause, exchanges.at(-1)?.response),
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
  return { message, expected: due, got, ...shown };
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
