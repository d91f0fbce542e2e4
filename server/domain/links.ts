/**
 * The URIs of resources (D34). They are made with each response, and records hold ids: a service
 * that gets another address needs no migration.
 */
import type { EdgesParameter, EventSourcesParameter } from './types.ts';

/** A page of the list of edges. */
export interface EdgesQuery extends Record<EdgesParameter, unknown> {
  limit: number;
  cursor: string | undefined;
  before_id: string | undefined;
}

/** A page of the list of event sources. */
export interface EventSourcesQuery extends Record<EventSourcesParameter, unknown> {
  limit: number;
  cursor: string | undefined;
}

/** Identity providers need these of a route with SAML. All are below the route (D26). */
export interface SamlUris {
  entity_id: string;
  metadata_url: string;
  assertion_consumer_service_url: string;
  single_logout_url: string;
}

/** Collections of resources that other services have. */
type OtherCollection = 'backends' | 'ip_policies' | 'certificate_authorities';

export class Links {
  readonly base: string;

  /** @param base absolute, without a slash at its end */
  constructor(base: string) {
    this.base = base;
  }

  edge(id: string): string {
    return `${this.base}/edges/https/${encode(id)}`;
  }

  edges(page: EdgesQuery): string {
    return `${this.base}/edges/https${query(page)}`;
  }

  route(edgeId: string, id: string): string {
    return `${this.edge(edgeId)}/routes/${encode(id)}`;
  }

  saml(edgeId: string, routeId: string): SamlUris {
    const base = `${this.route(edgeId, routeId)}/saml`;
    return {
      entity_id: `${base}/metadata`,
      metadata_url: `${base}/metadata`,
      assertion_consumer_service_url: `${base}/acs`,
      single_logout_url: `${base}/slo`,
    };
  }

  other(collection: OtherCollection, id: string): string {
    return `${this.base}/${collection}/${encode(id)}`;
  }

  eventSource(subscriptionId: string, type: string): string {
    return `${this.#sources(subscriptionId)}/${encode(type)}`;
  }

  eventSources(subscriptionId: string, page: EventSourcesQuery): string {
    return `${this.#sources(subscriptionId)}${query(page)}`;
  }

  #sources(subscriptionId: string): string {
    return `${this.base}/event_subscriptions/${encode(subscriptionId)}/sources`;
  }
}

const encode = encodeURIComponent;

/** In the order of the properties. */
function query(page: EdgesQuery | EventSourcesQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(page)) {
    if (value !== undefined) {
      parameters.set(name, String(value));
    }
  }
  return `?${parameters.toString()}`;
}
