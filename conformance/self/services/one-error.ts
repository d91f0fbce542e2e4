/** Services that name one error of a request, where the contract says that a service should name all. */
import type { Service } from '../service.ts';

export function naming(which: 'the first' | 'the last', inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    if (response.status !== 400 || request.method === 'HEAD') return response;
    const { errors, ...problem } = JSON.parse(response.body.toString()) as { errors?: unknown[] };
    if (errors === undefined) return response;
    const one = which === 'the first' ? errors.slice(0, 1) : errors.slice(-1);
    const { 'content-length': _, ...headers } = response.headers;
    return { ...response, headers, body: JSON.stringify({ ...problem, errors: one }) };
  };
}
