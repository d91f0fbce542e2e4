/** The requests that another one needs: those that made what its path names. */
import type { Implementation } from './implementation.ts';
import type { RecordedExchange } from './exchange.ts';
import { operationAt, pathValuesOf } from './operation-of.ts';

type Service = Pick<Implementation, 'contract' | 'client'>;

/**
 * The last exchange, and those before it that made what it names, as far as it can be seen: a
 * session, such as that of the survey, may have sent hundreds that have nothing to do with it.
 */
export function neededSteps(
  exchanges: readonly RecordedExchange[],
  service: Service,
): RecordedExchange[] {
  const last = exchanges.at(-1);
  if (last === undefined) {
    return [];
  }
  const steps = [last];
  const names = new Set(namesIn(last, service));
  for (const exchange of exchanges.slice(0, -1).toReversed()) {
    if (made(exchange, names)) {
      steps.unshift(exchange);
      namesIn(exchange, service).forEach((name) => names.add(name));
    }
  }
  return steps;
}

/** Whether the exchange is a change that shows or sent one of the names, and was accepted. */
function made({ request, response }: RecordedExchange, names: ReadonlySet<string>): boolean {
  const { method, url, body } = request;
  const isMaking = method === 'POST' || method === 'PUT';
  if (!isMaking || response === null || response.status < 200 || response.status > 299) {
    return false;
  }
  const location = response.headers['location'] ?? '';
  const text = [method === 'PUT' ? url : '', body ?? '', location, response.body].join('\n');
  return [...names].some((name) => text.includes(name));
}

/** The values of the path parameters of a request. */
function namesIn({ request }: RecordedExchange, { contract, client }: Service): string[] {
  const operation = operationAt(contract, client, request);
  if (operation === undefined) {
    return [];
  }
  return Object.values(pathValuesOf(operation, request.url));
}
