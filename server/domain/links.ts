/**
 * The URIs of resources (D34). Records hold ids only, so that a service that moves to another address needs no
 * migration; URIs are made when an answer is.
 */
export class Links {
  readonly base: string;

  /** @param base absolute, without a slash at its end */
  constructor(base: string) {
    this.base = base;
  }

  edge(id: string): string {
    return this.#to('edges', 'https', id);
  }

  certificateAuthority(id: string): string {
    return this.#to('certificate_authorities', id);
  }

  eventSource(subscriptionId: string, type: string): string {
    return this.#to('event_subscriptions', subscriptionId, 'sources', type);
  }

  eventSources(subscriptionId: string, page: { limit: number; cursor: string }): string {
    const query = new URLSearchParams({ limit: String(page.limit), cursor: page.cursor });
    return `${this.#to('event_subscriptions', subscriptionId, 'sources')}?${query}`;
  }

  #to(...segments: string[]): string {
    return [this.base, ...segments.map(encodeURIComponent)].join('/');
  }
}
