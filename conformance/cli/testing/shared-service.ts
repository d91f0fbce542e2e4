/**
 * A service that is shared with others and has sources of theirs. It knows some subscriptions and
 * event types, one certificate authority and one domain.
 */
import { decode } from '../../engine/contract/percent-encoding.ts';
import { problem } from '../../self-test/messages.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../self-test/service.ts';
import { coreService } from './services.ts';

export const EVENT_TYPES = [
  'alpha.v0',
  'alpha.v1',
  'alpha.v2',
  'beta_done.v0',
  'beta_done.v1',
  'gamma.v10',
];
const AUTHORITY = 'ca_1';
const DOMAIN = 'example.org';

/** Event types of the sources of somebody else, by their subscriptions. */
export type Foreign = Record<string, string[]>;

export interface SharedService {
  service: Service;
  /** The event types of all sources that are there now, by their subscriptions. */
  sources(): Promise<Foreign>;
}

export async function sharedService(foreign: Foreign): Promise<SharedService> {
  const inner = new SourcesOf(coreService());
  for (const [subscription, types] of Object.entries(foreign)) {
    for (const type of types) {
      await inner.create(subscription, type);
    }
  }
  return {
    service: (request) => respond(request, foreign, inner),
    sources: async () => {
      const found: Foreign = {};
      for (const subscription of Object.keys(foreign)) {
        found[subscription] = await inner.typesOf(subscription);
      }
      return found;
    },
  };
}

const SOURCES = /^\/event_subscriptions\/([^/]+)\/sources(?:\/([^/]+))?$/;

async function respond(
  request: ServiceRequest,
  foreign: Foreign,
  inner: SourcesOf,
): Promise<ServiceResponse> {
  const [path = ''] = request.target.split('?', 1);
  const [, subscription, type] = SOURCES.exec(decode(path)) ?? [];
  const response = await inner.service(request);
  if (subscription !== undefined && !Object.hasOwn(foreign, subscription)) {
    return response.status === 405 ? response : problem(404);
  }
  const isWrite = request.method === 'POST' || request.method === 'PATCH';
  const pointer = isWrite && response.status < 300 ? unknownIn(bodyOf(request)) : undefined;
  if (pointer === undefined) {
    return response;
  }
  // The inner service has accepted it: undo that.
  const sent = bodyOf(request).type;
  if (subscription !== undefined && sent !== undefined) {
    if (type === undefined) {
      await inner.remove(subscription, sent);
    } else {
      await inner.rename(subscription, sent, type);
    }
  }
  const errors = [{ pointer, code: 'unknown', detail: 'This service does not know it.' }];
  return problem(400, { code: 'invalid_request', errors });
}

/** The sources of a service, by its API. */
class SourcesOf {
  readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  async create(subscription: string, type: string): Promise<void> {
    await this.#call('POST', pathOf(subscription), { type });
  }

  async rename(subscription: string, from: string, to: string): Promise<void> {
    await this.#call('PATCH', pathOf(subscription, from), { type: to });
  }

  async remove(subscription: string, type: string): Promise<void> {
    await this.#call('DELETE', pathOf(subscription, type));
  }

  async typesOf(subscription: string): Promise<string[]> {
    const { body } = await this.#call('GET', pathOf(subscription));
    const { sources } = JSON.parse(String(body)) as { sources: { type: string }[] };
    return sources.map(({ type }) => type);
  }

  #call(method: string, target: string, json?: object): Promise<ServiceResponse> {
    const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
    const body = Buffer.from(json === undefined ? '' : JSON.stringify(json));
    return this.service({ method, target, headers, body });
  }
}

function pathOf(subscription: string, type?: string): string {
  const sources = `/event_subscriptions/${subscription}/sources`;
  if (type === undefined) {
    return sources;
  }
  return `${sources}/${encodeURIComponent(type)}`;
}

interface Body {
  type?: string;
  hostports?: string[] | null;
  mutual_tls?: { certificate_authority_ids?: string[] | null } | null;
}

/** `TextDecoder` leaves out a byte order mark. */
function bodyOf({ body }: ServiceRequest): Body {
  return JSON.parse(new TextDecoder().decode(body) || '{}') as Body;
}

/** The pointer to a value of the body that the service does not know. */
function unknownIn({ type, hostports, mutual_tls: tls }: Body): string | undefined {
  if (type !== undefined && !EVENT_TYPES.includes(type)) {
    return '/type';
  }
  const outside = (hostports ?? []).findIndex((hostport) => {
    const [host = ''] = hostport.split(/:\d+$/);
    return !host.endsWith(`.${DOMAIN}`);
  });
  if (outside >= 0) {
    return `/hostports/${outside}`;
  }
  const authorities = tls?.certificate_authority_ids ?? [];
  const unknown = authorities.findIndex((authority) => authority !== AUTHORITY);
  if (unknown >= 0) {
    return `/mutual_tls/certificate_authority_ids/${unknown}`;
  }
  return undefined;
}

/** Options that name what the service knows, except its subscriptions. */
export function known(types = EVENT_TYPES): string {
  const named = types.map((type) => `--event-type ${type}`);
  named.push(`--hostport-domain ${DOMAIN}`, `--certificate-authority-id ${AUTHORITY}`);
  return named.join(' ');
}

/** Options that name the subscriptions. */
export function subscriptions(foreign: Foreign): string {
  return Object.keys(foreign)
    .map((subscription) => `--subscription-id ${subscription}`)
    .join(' ');
}
