/** Calls a service as a function and reads its responses, for tests. */
import type { Service } from '../service.ts';

export interface Sent {
  /** A string or buffer is sent as it is, another value as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Undefined when there is no content, or another one than JSON. */
  json: any;
}

export const HOST = 'localhost:8080';

export type Send = (method: string, target: string, sent?: Sent) => Promise<Received>;

export function client(service: Service): Send {
  return async (method, target, { body, headers = {} } = {}) => {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await service({
      method,
      target,
      headers: { host: HOST, ...(raw !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: Buffer.from(raw ?? ''),
    });
    const text = response.body.toString();
    const isJson = text !== '' && /[/+]json/.test(response.headers['content-type'] ?? '');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
}

/** The faults of a response as `place code`, sorted. */
export function faults(response: Received): string[] {
  const errors: { pointer?: string; parameter?: string; code: string }[] = response.json?.errors ?? [];
  return errors.map(({ pointer, parameter, code }) => `${pointer ?? `?${parameter}`} ${code}`).sort();
}
