/** A client that sends exactly what it is told. */
import { type Agent, request } from 'node:http';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined where the text is not JSON. */
  json: any;
}

export interface Sending {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Text and bytes go out as they are; anything else as JSON with its Content-Type. */
  body?: unknown;
  /** Left out: Node's own, which keeps connections alive. */
  agent?: Agent;
}

export function send(base: string, { method = 'GET', path, headers = {}, body, agent }: Sending): Promise<Answer> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path,
        headers: raw ? headers : { 'content-type': 'application/json', ...headers },
        ...(agent ? { agent } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode!, headers: response.headers, text, json: parse(text) });
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(raw ? body : JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
