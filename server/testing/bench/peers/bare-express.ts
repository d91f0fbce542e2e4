/**
 * Express 5 as its guide shows it: default settings, a Map; no validation, no log, no token,
 * nothing durable. With a file of JSON values by path as its last argument, Node alone: it makes
 * the text of a value for each request.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import express from 'express';
import { announce, type Edge, lastArgument, showEdge } from './common.ts';

const edges = new Map<string, Edge>();
const app = express();
app.use(express.json());
app.post('/edges/https', (req, res) => {
  const edge = showEdge(req.body, req.headers.host);
  edges.set(edge.id, edge);
  res.status(201).location(`/edges/https/${edge.id}`).json(edge);
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
    const text = JSON.stringify(values[req.url ?? '']);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
  };
}

const listener = lastArgument.endsWith('.json') ? stringify(lastArgument) : app;
const server = createServer(listener).listen(0, '127.0.0.1', () => announce(server));
