/** Limits that are counted in another unit, or off by one. What a clause alone says, `clauses.ts` breaks for each. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { invalid, invalidParameter, json, problem } from '../mutate/response.ts';
import { acceptedBody, WRITING } from '../mutate/operation.ts';
import { before, instead, keeping, type Mutate, taking } from '../mutate/mutate.ts';
import { isObject, type Json, jsonIn, withParameter } from '../mutate/request.ts';

const mutant = mutantsOf('limits');

type Name = 'description' | 'metadata';

const LIMITS = { description: 255, metadata: 4096 };

/** Another measure than bytes lets a text through: it is accepted, as far as the mutant goes. */
function measures(name: Name, size: (text: string) => number, most = LIMITS[name]): Mutate {
  return keeping((body) => {
    const text = body[name];
    const passes =
      typeof text === 'string' && text.isWellFormed() && size(text) <= most && Buffer.byteLength(text) > LIMITS[name];
    return passes ? { ...body, [name]: '' } : body;
  });
}

/** Another measure than bytes stops a text that is short enough. */
function stops(name: Name, size: (text: string) => number, most = LIMITS[name]): Mutate {
  return refusing((body) => typeof body[name] === 'string' && size(body[name]) > most, `/${name}`, 'too_many_bytes');
}

function refusing(when: (body: Json) => boolean, pointer: string, code: string): Mutate {
  return instead('createEdge', async (next, request) => {
    const body = jsonIn(request);
    return isObject(body) && when(body) ? invalid(pointer, code) : next(request);
  });
}

const bytes = (text: string) => Buffer.byteLength(text);
const escaped = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;
const escapedAscii = (text: string) => JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, '\\u0000').length - 2;

const units: [name: string, description: string, size: (text: string) => number][] = [
  ['characters', 'is measured in characters', (text) => [...text].length],
  ['utf-16', 'is measured in units of UTF-16', (text) => text.length],
  [
    'graphemes',
    'is measured in what a reader takes for characters',
    (text) => [...new Intl.Segmenter().segment(text)].length,
  ],
];

export const limits: Mutant[] = [
  ...(['description', 'metadata'] as const).flatMap((name) => {
    const requirement = `createEdge.body.${name}.x-max-bytes`;
    const most = LIMITS[name];
    return [
      ...units.map(([unit, description, size]) =>
        mutant(`${name}-${unit}`, requirement, `The length of \`${name}\` ${description}.`, measures(name, size)),
      ),
      mutant(
        `${name}-one-more`,
        requirement,
        `\`${name}\` may have one byte more than the limit.`,
        measures(name, bytes, most + 1),
      ),
      mutant(
        `${name}-one-less`,
        requirement,
        `\`${name}\` may have one byte less than the limit.`,
        stops(name, bytes, most - 1),
      ),
      mutant(
        `${name}-unlimited`,
        requirement,
        `\`${name}\` has no limit.`,
        measures(name, () => 0),
      ),
      mutant(
        `${name}-escapes`,
        requirement,
        `The length of \`${name}\` is measured with the escapes of JSON.`,
        stops(name, escaped),
      ),
      mutant(
        `${name}-escapes-of-ascii`,
        requirement,
        `The length of \`${name}\` is measured as in JSON of ASCII alone.`,
        stops(name, escapedAscii),
      ),
      mutant(
        `${name}-three-bytes-each`,
        requirement,
        `Each character of \`${name}\` counts as three bytes.`,
        stops(name, (text) => 3 * [...text].length),
      ),
      mutant(
        `${name}-with-end`,
        requirement,
        `A byte for the end of \`${name}\` counts.`,
        stops(name, (text) => bytes(text) + 1),
      ),
    ];
  }),
  mutant(
    'description-of-metadata',
    'createEdge.body.metadata.x-max-bytes',
    'Metadata has the limit of the description.',
    refusing(
      (body) => typeof body['metadata'] === 'string' && bytes(body['metadata']) > 255,
      '/metadata',
      'too_many_bytes',
    ),
  ),
  mutant(
    'limit-ninety-nine',
    'listEventSources.query.limit.maximum',
    'A `limit` of 100 is refused.',
    instead('listEventSources', async (next, request) =>
      /[?&]limit=100(&|$)/.test(request.target) ? invalidParameter('limit', 'too_large') : next(request),
    ),
  ),
  mutant(
    'limit-from-two',
    'listEventSources.query.limit.minimum',
    'A `limit` of 1 is refused.',
    instead('listEventSources', async (next, request) =>
      /[?&]limit=1(&|$)/.test(request.target) ? invalidParameter('limit', 'too_small') : next(request),
    ),
  ),
  mutant(
    'limit-clamped',
    'listEventSources.query.limit.maximum',
    'A `limit` beyond 100 is taken for 100.',
    before('listEventSources', (request) =>
      withParameter(request, 'limit', (value) => (/^\d+$/.test(value) && Number(value) > 100 ? '100' : value)),
    ),
  ),
  mutant(
    'limit-zero',
    'listEventSources.query.limit.minimum',
    'A `limit` of 0 is taken for the default.',
    before('listEventSources', (request) =>
      withParameter(request, 'limit', (value) => (value === '0' ? undefined : value)),
    ),
  ),
  mutant(
    'limit-negative',
    'listEventSources.query.limit.minimum',
    'A `limit` below 0 is taken for the default.',
    before('listEventSources', (request) =>
      withParameter(request, 'limit', (value) => (/^-\d+$/.test(value) ? undefined : value)),
    ),
  ),
  ...WRITING.flatMap((operationId) => [
    mutant(
      `body-unlimited-${operationId}`,
      `${operationId}.body.size`,
      `${operationId} reads a body of more than 1 MiB.`,
      before(operationId, (request) =>
        request.body.length > 1_048_576
          ? { ...request, body: Buffer.from(JSON.stringify(acceptedBody(operationId))) }
          : request,
      ),
    ),
    mutant(
      `body-at-limit-${operationId}`,
      `${operationId}.body.size`,
      `${operationId} refuses a body of just 1 MiB.`,
      instead(operationId, async (next, request) =>
        request.body.length >= 1_048_576 ? problem(413, 'content_too_large') : next(request),
      ),
    ),
    mutant(
      `body-100-kib-${operationId}`,
      `${operationId}.body.size`,
      `${operationId} refuses a body of more than 100 KiB, as frameworks do by default.`,
      instead(operationId, async (next, request) =>
        request.body.length > 102_400 ? problem(413, 'content_too_large') : next(request),
      ),
    ),
  ]),
  mutant(
    'oversize-400',
    'createEventSource.body.size',
    'A body of more than 1 MiB is answered with 400.',
    instead('createEventSource', async (next, request) =>
      request.body.length > 1_048_576 ? problem(400, 'malformed_request') : next(request),
    ),
  ),
  mutant(
    'oversize-500',
    'createEdge.body.size',
    'A body of more than 1 MiB is answered with 500.',
    instead('createEdge', async (next, request) =>
      request.body.length > 1_048_576 ? json(500, { error: 'too large' }) : next(request),
    ),
  ),
  mutant(
    'type-64',
    'createEventSource.body.type.maxLength',
    'Event types end at 64 characters.',
    instead('createEventSource', async (next, request) =>
      tooLong(jsonIn(request), 64) ? invalid('/type', 'too_long') : next(request),
    ),
  ),
  mutant(
    'type-in-path-100',
    'sources.longest-type',
    'A type in a path ends at 100 characters, as of a router.',
    instead(['getEventSource', 'updateEventSource', 'deleteEventSource'], async (next, request, { path }) =>
      path['type']!.length > 100 ? problem(404, 'not_found') : next(request),
    ),
  ),
  mutant(
    'type-update-100',
    'sources.longest-type',
    'An update finds types of at most 100 characters.',
    instead('updateEventSource', async (next, request, { path }) =>
      path['type']!.length > 100 ? problem(404, 'not_found') : next(request),
    ),
  ),
  mutant(
    'subscription-36',
    'sources.longest-subscription',
    'A subscription id has at most 36 characters, as a UUID.',
    instead(['createEventSource', 'listEventSources'], async (next, request, { path }) =>
      path['subscription_id']!.length > 36 ? problem(404, 'not_found') : next(request),
    ),
  ),
  mutant(
    'subscription-63',
    'sources.longest-subscription',
    'A subscription id of 64 characters is refused by a removal.',
    instead('deleteEventSource', async (next, request, { path }) =>
      path['subscription_id']!.length > 63 ? invalidParameter('subscription_id', 'too_long') : next(request),
    ),
  ),
  mutant(
    'type-cut',
    'createEventSource.body.type.maxLength',
    'An event type of more than 128 characters is cut.',
    taking('createEventSource', (body) => (tooLong(body, 128) ? { ...body, type: 'cut.v0' } : body)),
  ),
];

function tooLong(body: unknown, most: number): boolean {
  return isObject(body) && typeof body['type'] === 'string' && body['type'].length > most;
}
