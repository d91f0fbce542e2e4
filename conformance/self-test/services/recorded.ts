/** Records which ids the requests of a run name, and which ids the service has shown. */
import { decode } from '../../engine/contract/percent-encoding.ts';
import { pathOf } from '../messages.ts';
import type { Service } from '../service.ts';

/** The form of ids in the contract: a segment of another form cannot be the id of anything. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Nobody else has an id that the suite made at random, or that has its name. Length alone proves
 * nothing, but two dozen digits are random: numbers of the services here are short.
 */
const MADE_BY_SUITE =
  /^conformance[-_]|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|_\d\d[0-9a-z]{24}$|^\d{24,}(e3)?$/i;

/** An id in the JSON of a response. */
const SHOWN_ID = /"(?:id|edge_id)": ?"([^"]*)"/g;

interface Recording {
  /** The inner service, of which each request is recorded. */
  service: Service;
  /**
   * Requests that name an edge, a route or a subscription which the run neither created nor was
   * shown.
   */
  guessed: string[];
}

export function recording(inner: Service): Recording {
  const shown = new Set<string>();
  const guessed: string[] = [];
  const isGuess = (id: string) =>
    ID.test(id) && !MADE_BY_SUITE.test(id) && !isShown(id.toLowerCase(), shown);
  const service: Service = async (request) => {
    if (idsIn(pathOf(request)).some(isGuess)) {
      guessed.push(`${request.method} ${request.target}`);
    }
    const response = await inner(request);
    for (const [, id = ''] of response.body.toString().matchAll(SHOWN_ID)) {
      shown.add(id.toLowerCase());
    }
    return response;
  };
  return { service, guessed };
}

/**
 * Whether an id was shown, perhaps with a letter or a zero around it: a service that reads numbers
 * leniently takes it for the same. Another digit would make another id.
 */
function isShown(id: string, shown: ReadonlySet<string>): boolean {
  const before = /^[a-z0]/.test(id) ? [id.slice(1)] : [];
  const behind = /[a-z]$/.test(id) ? [id.slice(0, -1)] : [];
  return [id, ...before, ...behind].some((one) => shown.has(one));
}

/**
 * The decoded ids that a path names. The ids of routes count below an edge of the run, too, since a
 * service may look at the last id alone. Event sources have no ids, but their subscriptions do.
 */
function idsIn(path: string): string[] {
  const [first, second, third, fourth, fifth] = path.split('/').slice(1).map(decode);
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
