/** Sends a request again, as it was recorded. */
import type { Sending } from './call.ts';
import type { Client } from './client.ts';
import { BYTES, type RecordedExchange } from './exchange.ts';
import type { RawResponse } from './response.ts';

/** The header fields of the suite that a request byte for byte lacks. */
export function fieldsBeside(client: Client, request: Sending): [name: string, value: string][] {
  const { headers = {}, body } = request;
  const fields: Record<string, string> = {
    ...client.headers,
    ...client.authorized({ ...request, headers: {} }).headers,
  };
  if (body !== undefined) {
    fields['content-length'] = String(Buffer.byteLength(body));
  }
  return Object.entries(fields).filter(([name]) => !(name.toLowerCase() in headers));
}

/** @throws NoResponse */
export async function resend(
  client: Client,
  { request, raw, fields }: RecordedExchange,
): Promise<RawResponse> {
  const { method, url, headers } = request;
  const body = raw ?? request.body ?? '';
  if (method === BYTES) {
    return client.sendBytes(Buffer.from(body));
  }
  const content: Pick<Sending, 'body'> = request.body === null ? {} : { body };
  if (fields === undefined) {
    return client.send({ method, target: url, headers, ...content });
  }
  const target = url.slice(client.urlOf('').length);
  const shown: Sending = { method, target, headers, ...content };
  const all = [...fieldsBeside(client, shown), ...fields];
  return client.sendRaw({ method, target, headers: all, ...content });
}
