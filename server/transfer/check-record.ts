/**
 * Whether a record is one that this server could have made: whatever reads it later relies on that.
 */
import type { Contract } from '../contract.ts';
import { crossFieldErrors } from '../cross-field-rules.ts';
import { ApiError } from '../domain/api-error.ts';
import { checkedEdge, type EdgeRecord } from '../domain/edge.ts';
import type { RouteRecord } from '../domain/route.ts';
import type { SubscriptionRecord } from '../domain/subscription.ts';
import type { FieldError } from '../domain/types.ts';
import { loneSurrogates } from '../http/request/json-rules.ts';
import { compileShape } from '../openapi/shape.ts';
import type { CollectionName } from '../store/store.ts';
import { edgeRecordSchema, subscriptionRecordSchema } from './record-schema.ts';

/** @returns why the record cannot be kept, in one line without its values; undefined if it can */
export type RecordCheck = (collection: CollectionName, record: unknown) => string | undefined;

export function recordCheck({ document }: Contract): RecordCheck {
  const whole = 'the record';
  const shapes = {
    edges: compileShape(document, edgeRecordSchema(document), whole),
    subscriptions: compileShape(document, subscriptionRecordSchema(document), whole),
  };
  const rules = { edges: edgeError, subscriptions: subscriptionError };
  return (collection, record) => {
    const [unicode] = loneSurrogates(record);
    if (unicode !== undefined) {
      return inWords(unicode);
    }
    // The rules read what has the right shape only.
    return shapes[collection](record) ?? rules[collection](record as never);
  };
}

function inWords({ pointer, detail }: FieldError, place = ''): string {
  return `${place}${pointer} ${detail}`;
}

function edgeError(edge: EdgeRecord): string | undefined {
  const ids = new Set<string>();
  for (const [index, route] of edge.routes.entries()) {
    const place = `/routes/${index}`;
    if (ids.has(route.id)) {
      return `${place}/id occurs twice`;
    }
    ids.add(route.id);
    const error = routeError(route, place);
    if (error !== undefined) {
      return error;
    }
  }
  try {
    checkedEdge(edge);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return error.detail;
  }
}

function routeError(route: RouteRecord, place: string): string | undefined {
  const [error] = crossFieldErrors(route);
  if (error !== undefined) {
    return inWords(error, place);
  }
  if (route.saml !== null && route.signing === null) {
    return `${place}/signing must be a certificate, since the route has saml`;
  }
  return undefined;
}

function subscriptionError({ types }: SubscriptionRecord): string | undefined {
  for (const [index, type] of types.entries()) {
    const before = types[index - 1];
    if (before !== undefined && before >= type) {
      return `/types/${index} must come after the one before it, in the order of ASCII`;
    }
  }
  return undefined;
}
