/** Express 5 as its guide shows it, with our handlers: default settings, no validation, no log, no token. */
import express, { type Request, type Response } from 'express';
import { Links } from '../../../../domain/links.ts';
import { createHandlers } from '../../../../operations/index.ts';
import { benchServices, type Handle, PORT } from './services.ts';

const handlers = createHandlers(benchServices());
const app = express();
app.use(express.json());

const answer = (handle: Handle) => async (req: Request, res: Response) => {
  const { limit, ...query } = req.query;
  const call = {
    path: req.params,
    query: limit === undefined ? query : { ...query, limit: Number(limit) },
    body: req.body as unknown,
    links: new Links(`http://${req.headers.host}`),
  };
  const { status, body, location } = await handle(call as never);
  if (location !== undefined) res.set('Location', location);
  res.status(status).json(body);
};

app.post('/edges/https', answer(handlers.createEdge));
app.get('/edges/https', answer(handlers.listEdges));
app.get('/edges/https/:id', answer(handlers.getEdge));
app.post('/edges/https/:edge_id/routes', answer(handlers.createRoute));
app.listen(PORT, '127.0.0.1');
