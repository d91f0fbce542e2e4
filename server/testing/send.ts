/** A client that sends exactly what it is given. */
import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { jsonOf } from '../store/record-text.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined if the text is not JSON. */
  json: any;
}

export interface Sending {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Text and bytes are sent as they are; anything else as JSON with its Content-Type. */
  body?: unknown;
  /** Node's own when omitted, which keeps connections alive. */
  agent?: Agent | undefined;
}

export async function send(
  base: string,
  { method = 'GET', path, headers, body, agent }: Sending,
): Promise<Answer> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const { hostname, port } = new URL(base);
  const all = raw ? headers : { 'content-type': 'application/json', ...headers };
  const outgoing = request({ hostname, port, method, path, headers: all, agent });
  // A connection may also break when the response is here.
  outgoing.on('error', () => undefined).end(raw ? body : JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  return { status: response.statusCode!, headers: response.headers, text, json: jsonOf(text) };
}
