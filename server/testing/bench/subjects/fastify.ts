/**
 * Fastify 5 with a Map, and with the contract's schema of the body, compiled by Ajv as Fastify does it; no log, no token,
 * nothing durable.
 *
 * The package is no dependency of this project: FASTIFY says where the measuring process has installed it.
 */
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readContract } from '../../../contract.ts';
import { createEdge, getEdge, PORT } from './edge.ts';

interface Request {
  params: { id: string };
  body: Record<string, unknown>;
  headers: { host: string };
}
interface Reply {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): Reply;
}
type Handler = (request: Request, reply: Reply) => Promise<unknown>;
interface Fastify {
  setValidatorCompiler(compile: (route: { schema: object }) => unknown): void;
  post(path: string, options: object, handler: Handler): void;
  get(path: string, handler: Handler): void;
  listen(where: { port: number; host: string }): Promise<string>;
}

const { default: fastify } = (await import(pathToFileURL(process.env['FASTIFY']!).href)) as { default(): Fastify };
const { document } = readContract();
// Formats are omitted: each server has its own, and the body of this comparison is valid.
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'contract');
const app = fastify();
app.setValidatorCompiler(({ schema }) => ajv.compile(schema));
app.post(
  '/edges/https',
  { schema: { body: { $ref: 'contract#/paths/~1edges~1https/post/requestBody/content/application~1json/schema' } } },
  async (request, reply) => {
    const edge = createEdge(request.body, `http://${request.headers.host}`);
    return reply.code(201).header('Location', `/edges/https/${edge.id}`).send(edge);
  },
);
app.get('/edges/https/:id', async (request, reply) => {
  const edge = getEdge(request.params.id);
  return edge ?? reply.code(404).send({});
});
await app.listen({ port: PORT, host: '127.0.0.1' });
