/**
 * A proxy between a tool and a service, which counts the statuses of each operation. Both tools are
 * counted by it, so that no tool counts for itself.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** In place of a status, if the service closes the connection without a response. */
export const NO_RESPONSE = 0;

/** Is called once for each request: `path` is as it was sent, without the query. */
export type Recorder = (method: string, path: string, status: number) => void;

export interface RecordingProxy {
  url: string;
  close(): Promise<void>;
}

/** @param target the URL of a service, without a path */
export async function startRecordingProxy(
  target: string,
  record: Recorder,
): Promise<RecordingProxy> {
  const { hostname: host, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    void forward({ incoming, outgoing, record, to: { host, port, agent } });
  });
  // A tool may pause for longer than Node keeps an idle connection.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  record: Recorder;
  to: RequestOptions;
}

/** Passes one request on, and the response back, with all headers but those of the connection. */
async function forward({ incoming, outgoing, record, to }: Exchange): Promise<void> {
  const { method = '', url = '' } = incoming;
  // The tool sees a lost connection when the service has lost one.
  const disconnect = () => {
    outgoing.destroy();
  };
  const [path = ''] = url.split('?', 1);
  try {
    const body = await buffer(incoming);
    const options = { ...to, method, path: url, headers: headersOf(incoming) };
    const response = await send(options, body);
    const { statusCode: status = 0, statusMessage = '', rawHeaders } = response;
    record(method, path, status);
    outgoing.sendDate = false;
    outgoing.writeHead(status, statusMessage, forwarded(rawHeaders).flat());
    response.pipe(outgoing);
    response.on('error', disconnect);
    outgoing.on('close', () => response.destroy());
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('ERR_')) {
      // An error of this file, not of the network.
      throw error;
    }
    const toolWaits = !outgoing.destroyed;
    if (toolWaits) {
      record(method, path, NO_RESPONSE);
    }
    disconnect();
  }
}

/** Sends a request, a second time if the service had closed the connection before. */
async function send(options: RequestOptions, body: Buffer): Promise<IncomingMessage> {
  for (;;) {
    const outgoing = request(options);
    // Some services send content after a response to HEAD: the response is complete by then.
    outgoing.on('error', () => undefined);
    outgoing.end(body);
    try {
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return response;
    } catch (error) {
      if (!outgoing.reusedSocket) {
        throw error;
      }
    }
  }
}

/** Headers between two neighbours: each connection of the proxy has its own. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'expect']);

type Header = [name: string, value: string];

/** The headers that are passed on, in the spelling and the order in which they came. */
function forwarded(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!OF_CONNECTION.has(name.toLowerCase())) {
      headers.push([name, value]);
    }
  }
  return headers;
}

/** A header that occurs twice has a list of values. */
function headersOf({ rawHeaders }: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of forwarded(rawHeaders)) {
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat().map(String);
  }
  return headers;
}
