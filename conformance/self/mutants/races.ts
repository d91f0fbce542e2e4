/** Requests that come at once are not as if they had come one after the other. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { ServiceResponse } from '../service.ts';
import { problem, succeeded } from '../mutate/response.ts';
import { busy } from '../mutate/busy.ts';
import { wholeList } from '../mutate/list.ts';
import { type Call, type OperationId } from '../mutate/operation.ts';
import { pause } from '../mutate/pause.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { ask, isObject, jsonIn, sourcesPath } from '../mutate/request.ts';

const mutant = mutantsOf('races');

/** Looks first, then acts without looking again: whoever saw it possible gets the answer of success. */
function checkThenAct(
  operation: OperationId,
  isPossible: (status: number) => boolean,
  requestTargetOf: (call: Call, type: string) => string,
): Mutate {
  return instead(operation, async (next, request, call) => {
    const body = jsonIn(request);
    const type = isObject(body) && typeof body['type'] === 'string' ? body['type'] : (call.path['type'] ?? '');
    const looked = await ask(next, request, 'GET', requestTargetOf(call, type));
    await pause();
    const response = await next(request);
    if (succeeded(response) || !isPossible(looked.status)) return response;
    return winner(operation, await ask(next, request, 'GET', requestTargetOf(call, type)));
  });
}

function winner(operation: OperationId, found: ServiceResponse): ServiceResponse {
  if (operation === 'deleteEventSource') return { status: 204, headers: {}, body: '' };
  return { ...found, status: operation === 'createEventSource' ? 201 : 200 };
}

const own = ({ path }: Call, type: string) => sourcesPath(path['subscription_id']!, type);

/** The set is read, changed and written back: what others wrote in between is lost. */
const readModifyWrite: Mutate = instead('createEventSource', async (next, request, { path }) => {
  const subscription = path['subscription_id']!;
  const looked = new Set((await wholeList(next, request, subscription).catch(() => [])).map(({ type }) => type));
  await pause();
  const response = await next(request);
  if (response.status !== 201) return response;
  const sent = jsonIn(request) as { type: string };
  for (const { type } of await wholeList(next, request, subscription)) {
    if (type !== sent.type && !looked.has(type))
      await ask(next, request, 'DELETE', sourcesPath(subscription, String(type)));
  }
  return response;
});

export const races: Mutant[] = [
  mutant(
    'two-adds-win',
    'sources.race.add',
    'Of several adds of one type at once, all succeed.',
    checkThenAct('createEventSource', (status) => status === 404, own),
  ),
  mutant(
    'two-removals-win',
    'sources.race.remove',
    'Of several removals of one source at once, all succeed.',
    checkThenAct('deleteEventSource', (status) => status === 200, own),
  ),
  mutant(
    'two-updates-win',
    'sources.race.update',
    'Of several updates to one type at once, all succeed.',
    checkThenAct('updateEventSource', (status) => status === 404, own),
  ),
  mutant(
    'lost-update',
    'sources.race.lost-update',
    'Of several adds at once, those that are written first are lost.',
    readModifyWrite,
  ),
  mutant(
    'busy-500',
    'sources.race.add',
    'An add while another is under way is answered with 500.',
    busy(
      'createEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(500, 'internal_error'),
    ),
  ),
  mutant(
    'busy-409',
    'sources.race.lost-update',
    'An add of another type while one is under way is answered with 409.',
    busy(
      'createEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(409, 'already_exists'),
    ),
  ),
  mutant(
    'removal-busy-500',
    'sources.race.remove',
    'A removal while another is under way is answered with 500.',
    busy(
      'deleteEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(500, 'internal_error'),
    ),
  ),
  mutant(
    'update-busy-503',
    'sources.race.update',
    'An update while another is under way is answered with 503.',
    busy(
      'updateEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(503, 'service_unavailable'),
    ),
  ),
  mutant(
    'create-busy-409',
    'edges.ids-unique',
    'An edge that is created while another is under way is answered with 409.',
    busy(
      'createEdge',
      ({ path }) => path['subscription_id'],
      () => problem(409, 'already_exists'),
    ),
  ),
];
