/** What Node's own HTTP server costs with our handlers: no framework, no validation, no log, no token. */
import { createServer, type ServerResponse } from 'node:http';
import { Links } from '../../../../domain/links.ts';
import { createHandlers } from '../../../../operations/index.ts';
import { benchServices, PORT } from './services.ts';

const handlers = createHandlers(benchServices());

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const [path, query] = req.url!.split('?', 2) as [string, string | undefined];
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    void answer(res, req.method!, path.split('/'), query, body, new Links(`http://${req.headers.host}`));
  });
});

async function answer(
  res: ServerResponse,
  method: string,
  [, , , id, routes]: string[],
  query: string | undefined,
  body: unknown,
  links: Links,
) {
  const limit = new URLSearchParams(query).get('limit');
  const call = {
    links,
    body,
    path: { id, edge_id: id },
    query: limit === null ? {} : { limit: Number(limit) },
  } as never;
  const handle =
    method === 'POST'
      ? routes
        ? handlers.createRoute
        : handlers.createEdge
      : id
        ? handlers.getEdge
        : handlers.listEdges;
  const reply: { status: number; body: unknown; location?: string } = await handle(call);
  const text = JSON.stringify(reply.body);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  res
    .writeHead(reply.status, reply.location === undefined ? headers : { ...headers, Location: reply.location })
    .end(text);
}

server.listen(PORT, '127.0.0.1');
