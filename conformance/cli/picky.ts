/** A shared service, with sources of others: it knows some subscriptions and types, one authority and one domain. */
import { decode } from '../engine/report/variables.ts';
import { problem } from '../self-test/mutation/operator.ts';
import type { Service, ServiceRequest } from '../self-test/service.ts';
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
const SOURCES = /^\/event_subscriptions\/([^/]+)\/sources(?:\/([^/]+))?$/;

/** Sources of somebody else, by their subscriptions. */
export type Foreign = Record<string, string[]>;

/** @returns the service, and what shows all sources that are there now */
export async function pickyService(
  foreign: Foreign,
): Promise<{ service: Service; sources(): Promise<Foreign> }> {
  const inner = coreService();
  const call = (method: string, target: string, json: unknown = '') => {
    const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
    return inner({
      method,
      target,
      headers,
      body: Buffer.from(json === '' ? '' : JSON.stringify(json)),
    });
  };
  const pathOf = (id: string, type = '') =>
    `/event_subscriptions/${id}/sources${type && `/${encodeURIComponent(type)}`}`;
  for (const [id, types] of Object.entries(foreign)) {
    for (const type of types) {
      await call('POST', pathOf(id), { type });
    }
  }

  const sources = async (): Promise<Foreign> => {
    const lists = Object.keys(foreign).map(async (id) => {
      const { body } = await call('GET', pathOf(id));
      const { sources: all } = JSON.parse(String(body)) as { sources: { type: string }[] };
      return [id, all.map(({ type }) => type)] as const;
    });
    return Object.fromEntries(await Promise.all(lists));
  };

  const service: Service = async (request) => {
    const [, subscription = '', type] =
      SOURCES.exec(decode(request.target.split('?', 1)[0]!)) ?? [];
    const response = await inner(request);
    if (subscription !== '' && !Object.hasOwn(foreign, subscription)) {
      return response.status === 405 ? response : problem(404);
    }
    const pointer =
      response.status < 300 && /^(POST|PATCH)$/.test(request.method)
        ? unknownIn(bodyOf(request))
        : undefined;
    if (pointer === undefined) {
      return response;
    }
    // The inner service has accepted it: undo that.
    const sent = bodyOf(request).type;
    if (sent !== undefined && request.method === 'POST') {
      await call('DELETE', pathOf(subscription, sent));
    }
    if (sent !== undefined && request.method === 'PATCH') {
      await call('PATCH', pathOf(subscription, sent), { type });
    }
    const errors = [{ pointer, code: 'unknown', detail: 'This service does not know it.' }];
    return problem(400, { code: 'invalid_request', errors });
  };
  return { service, sources };
}

interface Body {
  type?: string;
  hostports?: string[] | null;
  mutual_tls?: { certificate_authority_ids?: string[] | null } | null;
}

/** `TextDecoder` leaves out a byte order mark. */
const bodyOf = ({ body }: ServiceRequest) =>
  JSON.parse(new TextDecoder().decode(body) || '{}') as Body;

/** The pointer to what the body names and the service does not know. */
function unknownIn({ type, hostports, mutual_tls }: Body): string | undefined {
  if (type !== undefined && !EVENT_TYPES.includes(type)) {
    return '/type';
  }
  const outside = (hostports ?? []).findIndex(
    (one) => !one.replace(/:\d+$/, '').endsWith(`.${DOMAIN}`),
  );
  if (outside >= 0) {
    return `/hostports/${outside}`;
  }
  const unknown = (mutual_tls?.certificate_authority_ids ?? []).findIndex(
    (one) => one !== AUTHORITY,
  );
  if (unknown >= 0) {
    return `/mutual_tls/certificate_authority_ids/${unknown}`;
  }
  return undefined;
}

/** Options that name what the service knows, except its subscriptions. */
export function known(types = EVENT_TYPES): string {
  const named = types.map((type) => `--event-type ${type}`).join(' ');
  return `${named} --hostport-domain ${DOMAIN} --certificate-authority-id ${AUTHORITY}`;
}

export const subscriptions = (foreign: Foreign): string =>
  Array.from(Object.keys(foreign), (id) => `--subscription-id ${id}`).join(' ');
