/**
 * The operations on event sources, which are kept in memory. Each one runs without a pause, so
 * racing ones have an order.
 */
import type { OwnKind } from './check.ts';
import { isEventType } from './forms.ts';
import type { OperationCall, Operation, Params } from './operation.ts';
import { type PageOptions, Pages } from './pages.ts';
import { ApiError } from './problem.ts';
import type { HttpResponse } from './response.ts';

const LIST_PATH = '/event_subscriptions/{subscription_id}/sources';
const SOURCE_PATH = `${LIST_PATH}/{type}`;

const TYPE: OwnKind = { is: 'text', least: 4, most: 128, fits: isEventType };
const NEW_SOURCE: OwnKind = { is: 'object', fields: { type: { ...TYPE, required: true } } };
const SOURCE_CHANGE: OwnKind = { is: 'object', fields: { type: TYPE } };

/** When each type of a subscription was added, by type. */
type Sources = Map<string, string>;

class Subscriptions {
  readonly #sources = new Map<string, Sources>();

  /** The event sources of a subscription. Every subscription exists. */
  sourcesOf({ subscription_id = '' }: Params): Sources {
    return this.#sources.get(subscription_id) ?? new Map<string, string>();
  }

  /** The time when the event source in the path was added. @throws ApiError if it does not exist */
  timeOf(params: Params): string {
    const time = this.sourcesOf(params).get(typeIn(params));
    if (time === undefined) {
      throw new ApiError('not_found', 'This subscription does not trigger for this event type.');
    }
    return time;
  }

  /** @throws ApiError if the subscription has the type */
  add(params: Params, type: string, time: string): void {
    const sources = this.sourcesOf(params);
    if (sources.has(type)) {
      throw new ApiError('already_exists', 'This subscription triggers for this event type.');
    }
    sources.set(type, time);
    this.#sources.set(params['subscription_id'] ?? '', sources);
  }
}

const typeIn = ({ type = '' }: Params): string => type;

function listUri({ params, base }: OperationCall): string {
  return `${base}/event_subscriptions/${params['subscription_id']}/sources`;
}

/**
 * The dot is encoded, which is the same URI (RFC 3986, 6.2.2.2): clients follow URIs and do not
 * build them.
 */
function shownSource(call: OperationCall, type: string, time: string | undefined) {
  const segment = type.replaceAll('.', '%2E');
  return { uri: `${listUri(call)}/${segment}`, type, added_at: time };
}

export function sourceOperations(pageOptions: PageOptions): Operation[] {
  const subscriptions = new Subscriptions();
  const find = (params: Params): void => {
    subscriptions.timeOf(params);
  };
  return [
    {
      method: 'POST',
      path: LIST_PATH,
      body: { required: true, kind: NEW_SOURCE },
      run(call) {
        const type = String(call.body['type']);
        const time = new Date().toISOString();
        subscriptions.add(call.params, type, time);
        return { status: 201, body: shownSource(call, type, time) };
      },
    },
    listSources(subscriptions, new Pages(pageOptions)),
    {
      method: 'GET',
      path: SOURCE_PATH,
      find,
      run(call) {
        const time = subscriptions.timeOf(call.params);
        return { status: 200, body: shownSource(call, typeIn(call.params), time) };
      },
    },
    {
      method: 'PATCH',
      path: SOURCE_PATH,
      find,
      body: { required: false, kind: SOURCE_CHANGE },
      run: (call) => changeType(subscriptions, call),
    },
    {
      method: 'DELETE',
      path: SOURCE_PATH,
      find,
      run({ params }) {
        subscriptions.sourcesOf(params).delete(typeIn(params));
        return { status: 204 };
      },
    },
  ];
}

function listSources(subscriptions: Subscriptions, pages: Pages): Operation {
  return {
    method: 'GET',
    path: LIST_PATH,
    pages: { of: pages, list: ({ subscription_id: owner = '' }) => ({ owner }) },
    run(call) {
      const sources = subscriptions.sourcesOf(call.params);
      const { subscription_id: owner = '' } = call.params;
      const { names, next } = pages.cut(sources.keys(), owner, listUri(call), call.page);
      const shown = names.map((type) => shownSource(call, type, sources.get(type)));
      return { status: 200, body: { uri: next, sources: shown, on_this_page: names.length } };
    },
  };
}

/** The time stays that of the old type. */
function changeType(subscriptions: Subscriptions, call: OperationCall): HttpResponse {
  const { params, body } = call;
  const oldType = typeIn(params);
  const newType = String(body['type'] ?? oldType);
  const time = subscriptions.timeOf(params);
  if (newType !== oldType) {
    subscriptions.add(params, newType, time);
    subscriptions.sourcesOf(params).delete(oldType);
  }
  return { status: 200, body: shownSource(call, newType, time) };
}
