/** Mutants of a service that is a function: what is wrong with its responses, whatever the request was. */
import type { Service, ServiceResponse } from '../service.ts';

type Change = (response: ServiceResponse, method: string) => ServiceResponse;

/** The service with its responses changed. */
export function changed(service: Service, change: Change): Service {
  return async (request) => change(await service(request), request.method);
}

/** Successes with another body. */
export function withBody(service: Service, change: (body: Record<string, unknown>) => unknown): Service {
  return changed(service, (response) => {
    if (response.status >= 300 || response.body === '') return response;
    const value = JSON.parse(response.body.toString()) as Record<string, unknown>[] | Record<string, unknown>;
    const other = Array.isArray(value) ? value.map(change) : change(value);
    return { ...response, body: JSON.stringify(other) };
  });
}

/** A change that takes one property away. */
export function without(name: string) {
  return (body: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(body).filter(([one]) => one !== name));
}

/** Errors with another body. */
export function withErrors(service: Service, body: string): Service {
  return changed(service, (response) => (response.status >= 400 ? { ...response, body } : response));
}

/** Another status in place of one. */
export function withStatus(service: Service, from: number, to: number): Service {
  return changed(service, (response) => (response.status === from ? { ...response, status: to } : response));
}

export function withHeader(service: Service, name: string, value: string | undefined): Service {
  return changed(service, (response) => {
    const headers = without(name)(response.headers) as Record<string, string>;
    return response.status < 300
      ? { ...response, headers: value === undefined ? headers : { ...headers, [name]: value } }
      : response;
  });
}
