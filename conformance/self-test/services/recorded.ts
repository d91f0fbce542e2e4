/** Records which ids the requests of a run name, and which ones the service has shown. */
import { decode } from '../../engine/report/variables.ts';
import type { Service } from '../service.ts';

/** As the contract has them; what has another form cannot be the id of anything. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Nobody has an id that the suite made at random, or in its own name. Length alone says nothing: long ids may count. */
const OWN = /^conformance[-_]|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `guessed`: requests that name an edge, a route or a subscription that the run neither made nor was shown. */
export function recording(inner: Service) {
  const shown = new Set<string>();
  const guessed: string[] = [];
  const service: Service = async (request) => {
    const isGuess = (id: string) => ID.test(id) && !OWN.test(id) && !shown.has(id);
    if (idsIn(request.target).some(isGuess)) {
      guessed.push(`${request.method} ${request.target}`);
    }
    const response = await inner(request);
    for (const [, id] of response.body.toString().matchAll(/"(?:id|edge_id)": ?"([^"]*)"/g)) {
      shown.add(id!);
    }
    return response;
  };
  return { service, guessed };
}

/** Decoded, also routes below an own edge: a service may look at the last id alone. Sources count in subscriptions. */
function idsIn(target: string): string[] {
  const [first, second, third, fourth, fifth] = target
    .split('?')[0]!
    .split('/')
    .slice(1)
    .map(decode);
  if (first === 'event_subscriptions') {
    return second === undefined ? [] : [second];
  }
  if (first !== 'edges' || second !== 'https' || third === undefined) {
    return [];
  }
  if (fourth === 'routes' && fifth !== undefined) {
    return [third, fifth];
  }
  return [third];
}
