/**
 * The URIs of resources (D34). They are made with each response, and records hold ids: a service
 * that gets another address needs no migration.
 */

export interface PageQuery {
  limit: number;
  cursor?: string;
  before_id?: string;
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

  edges(page: PageQuery): string {
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

  eventSources(subscriptionId: string, page: PageQuery): string {
    return `${this.#sources(subscriptionId)}${query(page)}`;
  }

  #sources(subscriptionId: string): string {
    return `${this.base}/event_subscriptions/${encode(subscriptionId)}/sources`;
  }
}

const encode = encodeURIComponent;

function query({ limit, cursor, before_id }: PageQuery): string {
  const parameters = new URLSearchParams({ limit: String(limit) });
  if (cursor !== undefined) {
    parameters.set('cursor', cursor);
  }
  if (before_id !== undefined) {
    parameters.set('before_id', before_id);
  }
  return `?${parameters.toString()}`;
}
