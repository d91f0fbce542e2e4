/**
 * Fastify 5 with what it brings: Ajv with the schema of the contract for an edge, and the log of
 * pino. A token, and SQLite.
 */
import Fastify from 'fastify';
import { readContract } from '../../../contract.ts';
import { documentForValidator } from '../../../http/validation/validator-document.ts';
import { announce, lastArgument, type NewEdge, showEdge } from './common.ts';
import { openEdges } from './sqlite.ts';

const EXPECTED = `Bearer ${process.env['API_TOKEN']}`;

interface WithBody {
  requestBody: { content: { 'application/json': { schema: unknown } } };
}

/** The schema of the body that makes an edge, without references. */
function schemaOfEdge(): unknown {
  const { paths } = documentForValidator(readContract(), false);
  const { post } = (paths as { '/edges/https': { post: WithBody } })['/edges/https'];
  return post.requestBody.content['application/json'].schema;
}

const edges = await openEdges(lastArgument);
const app = Fastify({
  logger: true,
  // The contract has its own keywords and formats.
  ajv: { customOptions: { strict: false } },
});
app.addHook('onRequest', (request, reply, done) => {
  if (request.headers.authorization === EXPECTED) {
    done();
  } else {
    void reply.code(401).send({ message: 'unauthorized' });
  }
});
app.post('/edges/https', { schema: { body: schemaOfEdge() } }, (request, reply) => {
  const edge = showEdge(request.body as NewEdge, request.headers.host);
  edges.add(edge);
  void reply.code(201).header('location', `/edges/https/${edge.id}`).send(edge);
});
app.get<{ Params: { id: string } }>('/edges/https/:id', (request, reply) => {
  const edge = edges.get(request.params.id);
  void (edge === undefined ? reply.code(404).send({ message: 'not found' }) : reply.send(edge));
});
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
