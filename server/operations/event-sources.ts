/** The event sources of a subscription (source §4.3–4.7). */
import type { SubscriptionRecord } from '../domain/subscription.ts';
import {
  addType,
  emptySubscription,
  listSources,
  removeType,
  replaceType,
  requireType,
  showSource,
} from '../domain/subscription.ts';
import type { Handlers, Services } from './handler.ts';

export function eventSourceHandlers({ store: { subscriptions } }: Services) {
  /** Any subscription exists; one without sources is not kept (D14). */
  const read = async (id: string) => (await subscriptions.get(id)) ?? emptySubscription(id);
  const change = (id: string, rule: (subscription: SubscriptionRecord) => SubscriptionRecord) =>
    subscriptions.update(id, (current) => {
      const next = rule(current ?? emptySubscription(id));
      return next.types.length > 0 ? next : null;
    });

  return {
    async createEventSource({ path: { subscription_id }, body: { type }, links }) {
      await change(subscription_id, (subscription) => addType(subscription, type));
      const source = showSource(subscription_id, type, links);
      return { status: 201, body: source, location: source.uri };
    },

    async listEventSources({ path: { subscription_id }, query, links }) {
      return { status: 200, body: listSources(await read(subscription_id), query, links) };
    },

    async getEventSource({ path: { subscription_id, type }, links }) {
      requireType(await read(subscription_id), type);
      return { status: 200, body: showSource(subscription_id, type, links) };
    },

    async updateEventSource({ path: { subscription_id, type }, body, links }) {
      const next = body?.type ?? type;
      await change(subscription_id, (subscription) => replaceType(subscription, type, next));
      return { status: 200, body: showSource(subscription_id, next, links) };
    },

    async deleteEventSource({ path: { subscription_id, type } }) {
      await change(subscription_id, (subscription) => removeType(subscription, type));
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}
