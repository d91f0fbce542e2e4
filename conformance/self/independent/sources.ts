/** The operations on event sources. Each reads and writes without a pause, so racing requests have an order. */
import { type Check, formed } from './check.ts';
import { Fields } from './fields.ts';
import { EVENT_TYPE } from './names.ts';
import { define, type Operation } from './operation.ts';
import { pageQuery, Pages, pageUri } from './page.ts';
import { Refusal } from './problem.ts';
import { SourceStore, type Source } from './source-store.ts';

const LIST = '/event_subscriptions/{subscription_id}/sources';
const ITEM = `${LIST}/{type}`;

const newSource: Check<{ type: string }> = (value, place, faults) => {
  const fields = new Fields(value, place, faults, ['type']);
  fields.require('type');
  return { type: fields.read('type', '', formed(EVENT_TYPE)) };
};

const changedSource: Check<{ type: string | undefined }> = (value, place, faults) => {
  const fields = new Fields(value, place, faults, ['type']);
  return { type: fields.read<string | undefined>('type', undefined, formed(EVENT_TYPE)) };
};

const listUri = (base: string, subscription: string) => `${base}/event_subscriptions/${subscription}/sources`;

/** The dot is encoded, which RFC 3986 (6.2.2.2) holds for the same URI: clients follow URIs and do not build them. */
const render = (source: Source, base: string, subscription: string) => ({
  uri: `${listUri(base, subscription)}/${source.type.replaceAll('.', '%2E')}`,
  type: source.type,
  added_at: source.addedAt,
});

function required(source: Source | undefined): Source {
  if (source === undefined) throw new Refusal('not_found', 'This subscription does not trigger for this event type.');
  return source;
}

const conflict = () => new Refusal('already_exists', 'This subscription triggers for this event type as it is.');

export function sourceOperations(mostItems?: number): Operation[] {
  const store = new SourceStore();
  const pages = new Pages(mostItems);
  const find = (param: (name: string) => string) => required(store.get(param('subscription_id'), param('type')));

  return [
    define({
      method: 'POST',
      path: LIST,
      body: { required: true, read: newSource },
      run({ param, base, body }) {
        const subscription = param('subscription_id');
        const source = store.add(subscription, body.type);
        if (source === undefined) throw conflict();
        return { status: 201, body: render(source, base, subscription) };
      },
    }),
    define({
      method: 'GET',
      path: LIST,
      query: pageQuery(pages, (param) => param('subscription_id')),
      run({ param, base, query }) {
        const subscription = param('subscription_id');
        const sources = store.all(subscription);
        const page = pages.cut(sources.keys(), subscription, query);
        return {
          status: 200,
          body: {
            uri: pageUri(listUri(base, subscription), page, query),
            sources: page.names.map((name) => render(required(sources.get(name)), base, subscription)),
            on_this_page: page.names.length,
          },
        };
      },
    }),
    define({
      method: 'GET',
      path: ITEM,
      find: (param) => void find(param),
      run: ({ param, base }) => ({ status: 200, body: render(find(param), base, param('subscription_id')) }),
    }),
    define({
      method: 'PATCH',
      path: ITEM,
      find: (param) => void find(param),
      body: { required: false, read: changedSource },
      run({ param, base, body }) {
        const subscription = param('subscription_id');
        const source = store.move(subscription, find(param), body.type ?? param('type'));
        if (source === undefined) throw conflict();
        return { status: 200, body: render(source, base, subscription) };
      },
    }),
    define({
      method: 'DELETE',
      path: ITEM,
      find: (param) => void find(param),
      run({ param }) {
        store.remove(param('subscription_id'), find(param).type);
        return { status: 204 };
      },
    }),
  ];
}
