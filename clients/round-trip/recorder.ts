/**
 * A server that responds as the path of the request says, and records what arrives. A segment such
 * as `503_200` is a script: the first request of a method and path gets 503, the second one and all
 * later ones 200. The words of a script are a status, `0` (a connection that ends), `503w` (a wait
 * of more than a minute), `200h` (a success that is HTML).
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorder {
  url: string;
  /** `METHOD PATH`, in the order of arrival; and `with token` if the request had one. */
  arrived: string[];
  close(): void;
}

const SCRIPT = /\/(?<script>(?:\d{1,3}[hw]?)(?:_\d{1,3}[hw]?)*)(?:\/|$)/;

export async function startRecorder(): Promise<Recorder> {
  const arrived: string[] = [];
  const counts = new Map<string, number>();
  const other = createServer((request, response) => lastPage(request, response, arrived));
  const otherUrl = await listening(other);
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    arrived.push(withToken(request, line));
    const count = counts.get(line) ?? 0;
    counts.set(line, count + 1);
    if (request.url?.includes('/pages/') === true) {
      json(response, 200, { sources: [source('a.v0')], uri: `${otherUrl}/last` });
      return;
    }
    const words = SCRIPT.exec(request.url ?? '')?.groups?.['script']?.split('_') ?? ['204'];
    respond(response, words[count] ?? words.at(-1) ?? '204', request);
  });
  const url = await listening(server);
  const close = () => {
    for (const one of [server, other]) {
      one.closeAllConnections();
      one.close();
    }
  };
  return { url, arrived, close };
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const withToken = ({ headers }: IncomingMessage, line: string): string => {
  if (headers.authorization === undefined) {
    return line;
  }
  return `${line} with token`;
};

/** The page of a list that another host serves, which must not get the token. */
function lastPage(request: IncomingMessage, response: ServerResponse, arrived: string[]): void {
  arrived.push(withToken(request, `${request.method} ${request.url}`));
  json(response, 200, { sources: [source('b.v0')], uri: null });
}

function respond(response: ServerResponse, word: string, request: IncomingMessage): void {
  const status = Number.parseInt(word, 10);
  const isFromProxy = word.endsWith('h') || status === 502 || status === 504;
  if (status === 0) {
    // Some clients repeat a request by themselves if the connection ends before any byte.
    response.socket?.end('HTTP/1.1 2');
  } else if (isFromProxy) {
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>proxy</h1>');
  } else if (status >= 400) {
    refuse(response, status, word.endsWith('w') ? '61' : '0');
  } else if (status === 204) {
    response.writeHead(204).end();
  } else {
    json(response, status, request.url?.includes('/sources') === true ? source('a.v0') : EDGE);
  }
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  429: 'too_many_requests',
  500: 'internal_error',
  503: 'service_unavailable',
};

function refuse(response: ServerResponse, status: number, seconds: string): void {
  const code = CODES[status] ?? 'conflict';
  const errors =
    code === 'invalid_request'
      ? [{ pointer: '/a', code: 'unknown', detail: 'is unknown' }]
      : undefined;
  const problem = { type: 'about:blank', title: 'No', status, detail: 'not so', code, errors };
  const type = 'application/problem+json';
  const headers = { 'Content-Type': type, 'Retry-After': seconds };
  response.writeHead(status, headers).end(JSON.stringify(problem));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

const source = (type: string) => ({ type, uri: 'http://127.0.0.1/source' });

const EDGE = {
  id: 'e1',
  description: '',
  metadata: '',
  created_at: '2026-01-15T09:30:00.000Z',
  uri: 'http://127.0.0.1/edge',
  hostports: [],
  mutual_tls: null,
  tls_termination: null,
  routes: [],
};
