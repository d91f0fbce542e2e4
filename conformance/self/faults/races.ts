/** Requests that come at once are not as if they had come one after the other. */
import { type Fault, faultsOf } from '../fault.ts';
import type { ServiceResponse } from '../service.ts';
import { problem, succeeded } from '../plant/answer.ts';
import { busy } from '../plant/busy.ts';
import { wholeList } from '../plant/list.ts';
import { type Call, type OperationId } from '../plant/operation.ts';
import { pause } from '../plant/pause.ts';
import { instead, type Plant } from '../plant/plant.ts';
import { ask, isObject, jsonIn, sourcesPath } from '../plant/request.ts';

const fault = faultsOf('races');

/** Looks first, then acts without looking again: whoever saw it possible gets the answer of success. */
function checkThenAct(
  operation: OperationId,
  isPossible: (status: number) => boolean,
  targetOf: (call: Call, type: string) => string,
): Plant {
  return instead(operation, async (next, request, call) => {
    const body = jsonIn(request);
    const type = isObject(body) && typeof body['type'] === 'string' ? body['type'] : (call.path['type'] ?? '');
    const looked = await ask(next, request, 'GET', targetOf(call, type));
    await pause();
    const answer = await next(request);
    if (succeeded(answer) || !isPossible(looked.status)) return answer;
    return winner(operation, await ask(next, request, 'GET', targetOf(call, type)));
  });
}

function winner(operation: OperationId, found: ServiceResponse): ServiceResponse {
  if (operation === 'deleteEventSource') return { status: 204, headers: {}, body: '' };
  return { ...found, status: operation === 'createEventSource' ? 201 : 200 };
}

const own = ({ path }: Call, type: string) => sourcesPath(path['subscription_id']!, type);

/** The set is read, changed and written back: what others wrote in between is lost. */
const readModifyWrite: Plant = instead('createEventSource', async (next, request, { path }) => {
  const subscription = path['subscription_id']!;
  const looked = new Set((await wholeList(next, request, subscription).catch(() => [])).map(({ type }) => type));
  await pause();
  const answer = await next(request);
  if (answer.status !== 201) return answer;
  const sent = jsonIn(request) as { type: string };
  for (const { type } of await wholeList(next, request, subscription)) {
    if (type !== sent.type && !looked.has(type))
      await ask(next, request, 'DELETE', sourcesPath(subscription, String(type)));
  }
  return answer;
});

export const races: Fault[] = [
  fault(
    'two-adds-win',
    'sources.race.add',
    'Of several adds of one type at once, all succeed.',
    checkThenAct('createEventSource', (status) => status === 404, own),
  ),
  fault(
    'two-removals-win',
    'sources.race.remove',
    'Of several removals of one source at once, all succeed.',
    checkThenAct('deleteEventSource', (status) => status === 200, own),
  ),
  fault(
    'two-updates-win',
    'sources.race.update',
    'Of several updates to one type at once, all succeed.',
    checkThenAct('updateEventSource', (status) => status === 404, own),
  ),
  fault(
    'lost-update',
    'sources.race.lost-update',
    'Of several adds at once, those that are written first are lost.',
    readModifyWrite,
  ),
  fault(
    'busy-500',
    'sources.race.add',
    'An add while another is under way is answered with 500.',
    busy(
      'createEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(500, 'internal_error'),
    ),
  ),
  fault(
    'busy-409',
    'sources.race.lost-update',
    'An add of another type while one is under way is answered with 409.',
    busy(
      'createEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(409, 'already_exists'),
    ),
  ),
  fault(
    'removal-busy-500',
    'sources.race.remove',
    'A removal while another is under way is answered with 500.',
    busy(
      'deleteEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(500, 'internal_error'),
    ),
  ),
  fault(
    'update-busy-503',
    'sources.race.update',
    'An update while another is under way is answered with 503.',
    busy(
      'updateEventSource',
      ({ path }) => path['subscription_id'],
      () => problem(503, 'service_unavailable'),
    ),
  ),
  fault(
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
