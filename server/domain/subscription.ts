/** The event sources of one subscription: a set of event types (source §2.12, D12–D16). */
import type { Links } from './links.ts';
import { ApiError } from './api-error.ts';
import type { EventSource, EventSourceList } from './types.ts';

export interface SubscriptionRecord {
  id: string;
  /** Ascending in the order of ASCII, without repeats. */
  types: string[];
}

export function emptySubscription(id: string): SubscriptionRecord {
  return { id, types: [] };
}

/** @throws ApiError `already_exists` (D15) */
export function addType(subscription: SubscriptionRecord, type: string): SubscriptionRecord {
  if (subscription.types.includes(type)) throw alreadyExists(type);
  return withTypes(subscription, [...subscription.types, type]);
}

/** @throws ApiError `not_found` (D15) */
export function removeType(subscription: SubscriptionRecord, type: string): SubscriptionRecord {
  requireType(subscription, type);
  return withTypes(
    subscription,
    subscription.types.filter((other) => other !== type),
  );
}

/**
 * Replaces `from` by `to` in one step; the same record when nothing changes (D12).
 * @throws ApiError `not_found` when `from` is not there, else `already_exists` when `to` is
 */
export function replaceType(subscription: SubscriptionRecord, from: string, to: string): SubscriptionRecord {
  requireType(subscription, from);
  if (from === to) return subscription;
  if (subscription.types.includes(to)) throw alreadyExists(to);
  return withTypes(
    subscription,
    subscription.types.map((type) => (type === from ? to : type)),
  );
}

/** @throws ApiError `not_found` (D15) */
export function requireType(subscription: SubscriptionRecord, type: string): void {
  if (!subscription.types.includes(type)) {
    throw new ApiError('not_found', `The subscription has no source of the type ${type}.`);
  }
}

export function showSource(subscriptionId: string, type: string, links: Links): EventSource {
  return { type, uri: links.eventSource(subscriptionId, type) };
}

/**
 * One page, by ascending type (D16). The cursor is the last type of the page before: it needs no state, stays valid while
 * types are added and removed, and any string is a position, so that none has to be refused.
 * @param page `limit` 1–100; without `cursor`, the first page
 */
export function listSources(
  subscription: SubscriptionRecord,
  page: { limit: number; cursor: string | undefined },
  links: Links,
): EventSourceList {
  const { cursor } = page;
  const rest = cursor === undefined ? subscription.types : subscription.types.filter((type) => type > cursor);
  const types = rest.slice(0, page.limit);
  const last = types.at(-1);
  return {
    sources: types.map((type) => showSource(subscription.id, type, links)),
    uri:
      last === undefined || rest.length === types.length
        ? null
        : links.eventSources(subscription.id, { limit: page.limit, cursor: last }),
  };
}

function withTypes(subscription: SubscriptionRecord, types: string[]): SubscriptionRecord {
  // The default sort compares UTF-16 code units; event types are ASCII, where that is the order of D16.
  return { ...subscription, types: types.sort() };
}

function alreadyExists(type: string): ApiError {
  return new ApiError('already_exists', `The subscription has a source of the type ${type} already.`);
}
