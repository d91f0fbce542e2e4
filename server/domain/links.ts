/** The URIs of resources (D34), made with responses: records hold ids, so that another address needs no migration. */
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

  /** The URLs that the service supplies for SAML: all below the route (D26). */
  saml(edgeId: string, id: string) {
    const base = `${this.route(edgeId, id)}/saml`;
    return {
      entity_id: `${base}/metadata`,
      metadata_url: `${base}/metadata`,
      assertion_consumer_service_url: `${base}/acs`,
      single_logout_url: `${base}/slo`,
    };
  }

  /** @param collection of resources that other services have */
  other(collection: 'backends' | 'ip_policies' | 'certificate_authorities', id: string): string {
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

/** Ids have no other characters, and to look takes a third of the time of encoding. */
const UNRESERVED = /^[\w.~-]*$/;

function encode(segment: string): string {
  return UNRESERVED.test(segment) ? segment : encodeURIComponent(segment);
}

export type PageQuery = { limit: number; cursor?: string; before_id?: string };

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
