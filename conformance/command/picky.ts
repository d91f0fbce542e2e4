/**
 * A service that is shared: only some subscriptions exist, and some of them hold sources of somebody else; only some
 * event types and one certificate authority are known, and hostports must be in one domain.
 */
import type { Report } from '../engine/run/result.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../self/service.ts';
import { suite } from './suite.ts';
import { coreService, implementation as serve } from './services.ts';

export const EVENT_TYPES = [
  'alpha_created.v0',
  'alpha_deleted.v0',
  'alpha_updated.v0',
  'beta_done.v0',
  'beta_done.v1',
  'gamma.v10',
];
export const AUTHORITY = 'ca_1';
export const DOMAIN = 'example.org';

/** What somebody else has there. */
export type Foreign = Record<string, string[]>;

export interface Picky {
  service: Service;
  /** All sources that are there now. */
  sources(): Promise<Foreign>;
}

export async function pickyService(foreign: Foreign): Promise<Picky> {
  const inner = coreService();
  const call = (method: string, target: string, json?: unknown) =>
    inner({
      method,
      target,
      headers: { host: '127.0.0.1', 'content-type': 'application/json' },
      body: Buffer.from(json === undefined ? '' : JSON.stringify(json)),
    });
  for (const [id, types] of Object.entries(foreign)) {
    for (const type of types) await call('POST', `/event_subscriptions/${id}/sources`, { type });
  }
  const sources = async (): Promise<Foreign> => {
    const all: Foreign = {};
    for (const id of Object.keys(foreign)) {
      const { body } = await call('GET', `/event_subscriptions/${id}/sources`);
      all[id] = (JSON.parse(String(body)) as { sources: { type: string }[] }).sources.map(({ type }) => type);
    }
    return all;
  };

  const service: Service = async (request) => {
    const path = decoded(request.target.split('?', 1)[0]!);
    const [, subscription, type] = /^\/event_subscriptions\/([^/]+)\/sources(?:\/([^/]+))?$/.exec(path) ?? [];
    if (subscription !== undefined && !Object.hasOwn(foreign, subscription)) {
      const response = await inner(request);
      return response.status === 405 ? response : problem(404, 'not_found');
    }
    const response = await inner(request);
    const reads = request.method === 'POST' || request.method === 'PATCH';
    const fault = reads && response.status < 300 ? faultOf(request) : undefined;
    if (fault === undefined) return response;
    // It was too easily accepted: as if it had not been.
    const sent = (JSON.parse(textOf(request.body)) as { type?: string }).type;
    if (request.method === 'POST' && sent)
      await call('DELETE', `/event_subscriptions/${subscription}/sources/${encodeURIComponent(sent)}`);
    if (request.method === 'PATCH' && sent)
      await call('PATCH', `/event_subscriptions/${subscription}/sources/${encodeURIComponent(sent)}`, { type });
    return problem(400, 'invalid_request', fault);
  };
  return { service, sources };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Without a byte order mark. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body);
}

/** Where the body names what is not known. */
function faultOf({ body }: ServiceRequest): string | undefined {
  if (body.length === 0) return undefined;
  const { type, hostports, mutual_tls } = JSON.parse(textOf(body)) as {
    type?: string;
    hostports?: string[] | null;
    mutual_tls?: { certificate_authority_ids?: string[] | null } | null;
  };
  if (type !== undefined && !EVENT_TYPES.includes(type)) return '/type';
  const outside = (hostports ?? []).findIndex((one) => !one.replace(/:\d+$/, '').endsWith(`.${DOMAIN}`));
  if (outside >= 0) return `/hostports/${outside}`;
  const unknown = (mutual_tls?.certificate_authority_ids ?? []).findIndex((one) => one !== AUTHORITY);
  return unknown >= 0 ? `/mutual_tls/certificate_authority_ids/${unknown}` : undefined;
}

function problem(status: number, code: string, pointer?: string): ServiceResponse {
  const errors =
    pointer === undefined ? {} : { errors: [{ pointer, code: 'unknown', detail: 'This service does not know it.' }] };
  const body = { type: 'about:blank', title: 'Refused', status, code, detail: 'Not here.', request_id: 'r', ...errors };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

/** What a user says that the service knows, but for its subscriptions. */
export const KNOWN = [
  ...EVENT_TYPES.flatMap((type) => ['--event-type', type]),
  '--hostport-domain',
  DOMAIN,
  '--certificate-authority-id',
  AUTHORITY,
];

/** A run with all that the service knows, and what was there before and after it. */
export async function runAgainst(foreign: Foreign, args: readonly string[]) {
  const { service, sources } = await pickyService(foreign);
  await using served = await serve(service);
  const before = await sources();
  const subscriptions = Object.keys(foreign).flatMap((id) => ['--subscription-id', id]);
  const { code, stdout, stderr } = await suite([served.url, ...subscriptions, ...KNOWN, '--format', 'json', ...args]);
  const report = JSON.parse(stdout) as Report;
  return { code, stderr, report, before, after: await sources(), requests: served.requests };
}
