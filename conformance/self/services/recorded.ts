/**
 * Records which ids the requests of a run name, and which ones the service has shown. A route below an edge of the run
 * cannot be anybody else's.
 */
import type { Service } from '../service.ts';

/** As the contract has them; what has another form cannot be the id of anything. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** An id of so many characters that is made at random is nobody's. */
const LONG = 16;

export interface Recording {
  service: Service;
  /** Requests that name an edge or a subscription that the run neither made nor was shown, in their order. */
  guessed: string[];
}

export function recording(service: Service): Recording {
  const shown = new Set<string>();
  const guessed: string[] = [];
  return {
    guessed,
    service: async (request) => {
      for (const id of idsIn(request.target)) {
        if (ID.test(id) && id.length < LONG && !shown.has(id)) guessed.push(`${request.method} ${request.target}`);
      }
      const response = await service(request);
      for (const [, id] of response.body.toString().matchAll(/"(?:id|edge_id)": ?"([^"]*)"/g)) shown.add(id!);
      return response;
    },
  };
}

/** Of edges and subscriptions, decoded: routes and sources count within them. */
function idsIn(target: string): string[] {
  const path = target.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/)[0]!;
  const [first, second, third] = path.split('/').slice(1).map(decoded);
  if (first === 'event_subscriptions') return second === undefined ? [] : [second];
  return first === 'edges' && second === 'https' && third !== undefined ? [third] : [];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
