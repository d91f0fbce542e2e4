/** The event sources of one subscription: a set of event types (source §2.12, D12–D16). */
import { ApiError } from './api-error.ts';
import type { EventSourcesQuery, Links } from './links.ts';
import type { EventSource, EventSourceList, EventSourceProperty } from './types.ts';

export interface SubscriptionRecord {
  id: string;
  /** Ascending in the order of ASCII, without repeats. */
  types: string[];
}

/**
 * Shows every property that a client may send, so that one added to the contract does not compile.
 */
type ShownSource = Required<EventSource> & Record<EventSourceProperty, unknown>;

export const emptySubscription = (id: string): SubscriptionRecord => ({ id, types: [] });

/** @throws ApiError `already_exists` (D15) */
export function addType(subscription: SubscriptionRecord, type: string): SubscriptionRecord {
  if (subscription.types.includes(type)) {
    throw alreadyExists(type);
  }
  return withTypes(subscription, [...subscription.types, type]);
}

/** @throws ApiError `not_found` (D15) */
export function removeType(subscription: SubscriptionRecord, type: string): SubscriptionRecord {
  const index = requireType(subscription, type);
  return { ...subscription, types: subscription.types.toSpliced(index, 1) };
}

/**
 * The same record if nothing changes (D12).
 *
 * @throws ApiError `not_found` for `from`, else `already_exists` for `to`
 */
export function replaceType(
  subscription: SubscriptionRecord,
  from: string,
  to: string,
): SubscriptionRecord {
  const index = requireType(subscription, from);
  if (from === to) {
    return subscription;
  }
  if (subscription.types.includes(to)) {
    throw alreadyExists(to);
  }
  return withTypes(subscription, subscription.types.with(index, to));
}

/** @returns its index @throws ApiError `not_found` (D15) */
export function requireType({ types }: SubscriptionRecord, type: string): number {
  const index = types.indexOf(type);
  if (index < 0) {
    throw new ApiError('not_found', `The subscription has no source of the type ${type}.`);
  }
  return index;
}

export function showSource(subscriptionId: string, type: string, links: Links): ShownSource {
  return { type, uri: links.eventSource(subscriptionId, type) };
}

/**
 * One page of 1 to 100 sources, by ascending type (D16). The cursor is the last type of the page
 * before: any text is a position, also a type that was removed in the meantime.
 */
export function listSources(
  { id, types }: SubscriptionRecord,
  { limit, cursor }: EventSourcesQuery,
  links: Links,
): Required<EventSourceList> {
  const rest = cursor === undefined ? types : types.filter((type) => type > cursor);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasNextPage = rest.length > limit && last !== undefined;
  return {
    sources: page.map((type) => showSource(id, type, links)),
    uri: hasNextPage ? links.eventSources(id, { limit, cursor: last }) : null,
  };
}

function withTypes(subscription: SubscriptionRecord, types: string[]): SubscriptionRecord {
  // The default order compares UTF-16 code units. That is the order of D16: event types
  // are ASCII.
  return { ...subscription, types: types.toSorted() };
}

function alreadyExists(type: string): ApiError {
  const detail = `The subscription has a source of the type ${type} already.`;
  return new ApiError('already_exists', detail);
}
