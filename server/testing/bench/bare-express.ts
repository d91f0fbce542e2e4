/**
 * What the server is compared with. Express 5 as its guide shows it: default settings, a Map; no
 * validation, no log, no token, nothing durable. It shows an edge as this API does, so that both
 * servers send as many bytes. With a file of JSON values by path as its last argument, Node alone:
 * it makes the text of a value for each request.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

const edges = new Map<string, object>();
const app = express();
app.use(express.json());
app.post('/edges/https', ({ body: { mutual_tls, ...body }, headers }, res) => {
  const id = `edghts_${randomUUID()}`;
  const base = `http://${headers.host}`;
  const ids = mutual_tls.certificate_authority_ids as string[];
  const certificate_authorities = ids.map((one) => ({
    id: one,
    uri: `${base}/certificate_authorities/${one}`,
  }));
  const identity = { id, created_at: new Date().toISOString(), uri: `${base}/edges/https/${id}` };
  const shown = {
    mutual_tls: { enabled: mutual_tls.enabled, certificate_authorities },
    routes: [],
  };
  const edge = { ...body, ...identity, ...shown };
  edges.set(id, edge);
  res.status(201).location(`/edges/https/${id}`).json(edge);
});
app.get('/edges/https/:id', (req, res) => {
  const edge = edges.get(req.params.id);
  if (edge) {
    res.json(edge);
  } else {
    res.sendStatus(404);
  }
});

function stringify(file: string): RequestListener {
  const values = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  return (req, res) => {
    const text = JSON.stringify(values[req.url!]);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
  };
}

const file = process.argv.at(-1)!;
const server = createServer(file.endsWith('.json') ? stringify(file) : app).listen(
  0,
  '127.0.0.1',
  () => {
    // In the form of the reference server, so that all are started in the same way.
    process.stderr.write(`API   http://127.0.0.1:${(server.address() as AddressInfo).port}\n\n\n`);
  },
);
process.once('SIGTERM', () => process.exit(0));
