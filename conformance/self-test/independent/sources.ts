/** Event sources, in memory. Each operation reads and writes without a pause, so that racing requests have an order. */
import { isEventType, type OwnKind } from './bodies.ts';
import { Refusal } from './http.ts';
import { type Operation, type PageOptions, Pages, type Params } from './operation.ts';

const LIST = '/event_subscriptions/{subscription_id}/sources';
const ITEM = `${LIST}/{type}`;

const TYPE: OwnKind = { is: 'text', least: 4, most: 128, fits: isEventType };
const NEW: OwnKind = { is: 'object', fields: { type: { ...TYPE, required: true } } };
const CHANGE: OwnKind = { is: 'object', fields: { type: TYPE } };

const listUri = (base: string, { subscription_id }: Params) =>
  `${base}/event_subscriptions/${subscription_id}/sources`;

export function sourceOperations(pageOptions?: PageOptions): Operation[] {
  const pages = new Pages(pageOptions);
  /** For each subscription, when each of its types was added. */
  const subscriptions = new Map<string, Map<string, string>>();
  const all = ({ subscription_id = '' }: Params) =>
    subscriptions.get(subscription_id) ?? new Map<string, string>();
  const find = (params: Params): void => {
    if (!all(params).has(params['type']!)) {
      throw new Refusal('not_found', 'This subscription does not trigger for this event type.');
    }
  };
  const add = (params: Params, type: string, at: string): void => {
    const types = all(params);
    if (types.has(type)) {
      throw new Refusal('already_exists', 'This subscription triggers for this event type.');
    }
    subscriptions.set(params['subscription_id']!, types.set(type, at));
  };
  /** The dot is encoded, which is the same URI (RFC 3986, 6.2.2.2): clients follow URIs and do not build them. */
  const shown = (base: string, params: Params, type: string) => ({
    uri: `${listUri(base, params)}/${type.replaceAll('.', '%2E')}`,
    type,
    added_at: all(params).get(type),
  });

  return [
    {
      method: 'POST',
      path: LIST,
      body: { required: true, kind: NEW },
      run({ params, base, body }) {
        add(params, body['type'] as string, new Date().toISOString());
        return { status: 201, body: shown(base, params, body['type'] as string) };
      },
    },
    {
      method: 'GET',
      path: LIST,
      pages: { of: pages, owner: ({ subscription_id = '' }) => subscription_id },
      run({ params, base, page }) {
        const { names, next } = pages.cut(
          all(params).keys(),
          params['subscription_id']!,
          listUri(base, params),
          page,
        );
        const sources = names.map((type) => shown(base, params, type));
        return { status: 200, body: { uri: next, sources, on_this_page: names.length } };
      },
    },
    {
      method: 'GET',
      path: ITEM,
      find,
      run: ({ params, base }) => ({ status: 200, body: shown(base, params, params['type']!) }),
    },
    {
      method: 'PATCH',
      path: ITEM,
      find,
      body: { required: false, kind: CHANGE },
      run({ params, base, body }) {
        const from = params['type']!;
        const to = (body['type'] as string | undefined) ?? from;
        if (to !== from) {
          add(params, to, all(params).get(from)!);
          all(params).delete(from);
        }
        return { status: 200, body: shown(base, params, to) };
      },
    },
    {
      method: 'DELETE',
      path: ITEM,
      find,
      run({ params }) {
        all(params).delete(params['type']!);
        return { status: 204 };
      },
    },
  ];
}
