/** The event sources of one subscription: a set of event types (source §2.12, D12–D16). */
import type { Links, PageQuery } from './links.ts';
import { ApiError } from './api-error.ts';
import type { EventSource, EventSourceList } from './types.ts';

export interface SubscriptionRecord {
  id: string;
  /** Ascending in the order of ASCII, without repeats. */
  types: string[];
}

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
  return {
    ...subscription,
    types: subscription.types.toSpliced(requireType(subscription, type), 1),
  };
}

/** The same record if nothing changes (D12). @throws ApiError `not_found` for `from`, else `already_exists` for `to` */
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

export function showSource(subscriptionId: string, type: string, links: Links): EventSource {
  return { type, uri: links.eventSource(subscriptionId, type) };
}

/** One page of 1–100 by ascending type (D16). The cursor, the last type of the page before, needs no state. */
export function listSources(
  { id, types }: SubscriptionRecord,
  { limit, cursor }: PageQuery,
  links: Links,
) {
  // Any text is a position, also a type that is not there any more.
  const rest = cursor === undefined ? types : types.filter((type) => type > cursor);
  const sources = rest.slice(0, limit).map((type) => showSource(id, type, links));
  const next =
    rest.length > limit ? links.eventSources(id, { limit, cursor: sources.at(-1)!.type }) : null;
  return { sources, uri: next } satisfies EventSourceList;
}

function withTypes(subscription: SubscriptionRecord, types: string[]): SubscriptionRecord {
  // The default sort compares UTF-16 code units; event types are ASCII, where that is the order of D16.
  return { ...subscription, types: types.sort() };
}

function alreadyExists(type: string): ApiError {
  return new ApiError(
    'already_exists',
    `The subscription has a source of the type ${type} already.`,
  );
}
