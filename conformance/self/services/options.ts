/** OPTIONS with another 2xx status than 204: the contract asks for `Allow` and leaves the status open. */
import type { Service } from '../service.ts';

export function optionsWith200(inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    if (request.method !== 'OPTIONS') return response;
    return { status: 200, headers: { ...response.headers, 'content-type': 'text/plain' }, body: 'OK' };
  };
}
