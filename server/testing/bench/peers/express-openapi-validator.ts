/**
 * Express 5 with express-openapi-validator as the README of that shows it, responses included, for
 * this contract. SQLite; no log.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import express, { type ErrorRequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { packageFolder } from '../../../contract.ts';
import { announce, lastArgument, showEdge } from './common.ts';
import { openEdges } from './sqlite.ts';

const edges = await openEdges(lastArgument);
const app = express();
app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec: join(packageFolder(), 'openapi.yaml'),
    validateRequests: true,
    validateResponses: true,
  }),
);
app.post('/edges/https', (req, res) => {
  const edge = showEdge(req.body, req.headers.host);
  edges.add(edge);
  res.status(201).location(`/edges/https/${edge.id}`).json(edge);
});
app.get('/edges/https/:id', (req, res) => {
  const edge = edges.get(req.params.id);
  if (edge === undefined) {
    res.sendStatus(404);
  } else {
    res.json(edge);
  }
});
const sendError: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
};
app.use(sendError);
const server = createServer(app).listen(0, '127.0.0.1', () => announce(server));
