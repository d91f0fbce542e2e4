/** Services that do not respond to every request, as networks and restarts make them. */
import type { Service, ServiceResponse } from '../service.ts';

/** One in so many responses is lost, at no fixed place: a request that is sent again must not meet the same gap. */
const ONE_IN = 300;

function isLost(): boolean {
  return Math.random() < 1 / ONE_IN;
}

/** As the contract documents it. What was asked for may have been done by then, or not. */
export function sometimesUnavailable(inner: Service): Service {
  return async (request) => {
    if (!isLost()) return inner(request);
    if (Math.random() < 0.5) await inner(request);
    return unavailable(request.method);
  };
}

/** Half of the lost requests have been carried out. */
export function sometimesCutOff(inner: Service): Service {
  return async (request) => {
    if (!isLost()) return inner(request);
    if (Math.random() < 0.5) await inner(request);
    throw new Error('the connection is closed without a response');
  };
}

export function unavailable(method: string): ServiceResponse {
  const problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    code: 'service_unavailable',
    detail: 'Try again soon.',
    request_id: `r${Math.random()}`,
  };
  return {
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
    body: method === 'HEAD' ? '' : JSON.stringify(problem),
  };
}
