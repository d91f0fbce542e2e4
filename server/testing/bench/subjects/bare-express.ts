/** Express 5 as its guide shows it: default settings, a Map; no validation, no log, no token, nothing durable. */
import express from 'express';
import { createEdge, getEdge, PORT } from './edge.ts';

const app = express();
app.use(express.json());
app.post('/edges/https', (req, res) => {
  const edge = createEdge(req.body, `http://${req.headers.host}`);
  res.status(201).location(`/edges/https/${edge.id}`).json(edge);
});
app.get('/edges/https/:id', (req, res) => {
  const edge = getEdge(req.params.id);
  if (edge) res.json(edge);
  else res.sendStatus(404);
});
app.listen(PORT, '127.0.0.1');
