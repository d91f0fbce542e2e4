/**
 * Fastify 5 with its schemas: those of the contract, for what comes in by Ajv and for what goes out by
 * fast-json-stringify. With our handlers; no log, no token, and none of the rules that schemas cannot say.
 *
 * The package is no dependency of this project: FASTIFY says where the measuring process has installed it.
 */
import { pathToFileURL } from 'node:url';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type JsonObject, readContract } from '../../../../contract.ts';
import { Links } from '../../../../domain/links.ts';
import { contractFormats } from '../../../../http/validation/formats.ts';
import { createHandlers } from '../../../../operations/index.ts';
import { benchServices, type Handle, PORT } from './services.ts';

interface Request {
  params: unknown;
  query: unknown;
  body: unknown;
  headers: { host: string };
}
interface Reply {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): Reply;
}
interface Fastify {
  setValidatorCompiler(compile: (route: { schema: unknown; httpPart?: string }) => unknown): void;
  route(route: {
    method: string;
    url: string;
    schema: object;
    handler: (request: Request, reply: Reply) => Promise<unknown>;
  }): void;
  listen(where: { port: number; host: string }): Promise<string>;
}

const { default: fastify } = (await import(pathToFileURL(process.env['FASTIFY']!).href)) as {
  default: (options: object) => Fastify;
};
const contract = readContract();
const handlers = createHandlers(benchServices());
const schemas = (contract.document['components'] as { schemas: Record<string, JsonObject> }).schemas;
const app = fastify({ logger: false });

const validating = (coerceTypes: boolean) => {
  const ajv = new Ajv2020({ strict: false, coerceTypes, formats: contractFormats(contract.document) });
  addFormats.default(ajv, { mode: 'full' });
  return ajv;
};
const [ofBodies, ofTexts] = [validating(false), validating(true)];
app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === 'body' ? ofBodies : ofTexts).compile(schema as object),
);

/** Without references, which both compilers of Fastify would look for in a place of their own. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as JsonObject;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, whole(one)]));
  return typeof $ref === 'string' ? { ...(whole(schemas[$ref.split('/').at(-1)!]) as object), ...inner } : inner;
}

const CONDITIONS = new Set(['if', 'then', 'else', 'allOf', 'not', 'dependentRequired']);

/** For the compiler of answers: what a conditional says adds nothing to the shape, and it knows null by another name. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  const rest = Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !CONDITIONS.has(name))
      .map(([name, one]) => [name, shape(one)]),
  );
  const { oneOf, ...others } = rest as JsonObject;
  return Array.isArray(oneOf)
    ? { ...(oneOf.find((one: JsonObject) => one['type'] !== 'null') as object), ...others, nullable: true }
    : rest;
}

function add(id: string, method: string, url: string, handle: Handle): void {
  const { requestBody, parameters } = contract.operations.find((one) => one.id === id)!;
  const texts = (place: string) => ({
    type: 'object',
    properties: Object.fromEntries(
      parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, whole(schema)]),
    ),
  });
  const item = (contract.document['paths'] as Record<string, Record<string, JsonObject>>)[
    url.replaceAll(/:(\w+)/g, '{$1}')
  ]!;
  const responses = item[method.toLowerCase()]!['responses'] as Record<
    string,
    { content?: Record<string, { schema: unknown }> }
  >;
  const [status, { content }] = Object.entries(responses).find(([one]) => one.startsWith('2'))!;
  app.route({
    method,
    url,
    schema: {
      params: texts('path'),
      querystring: texts('query'),
      ...(requestBody ? { body: whole(requestBody.schema) } : {}),
      response: { [status]: shape(whole(content!['application/json']!.schema)) },
    },
    handler: async (request, reply) => {
      const call = {
        path: request.params,
        query: request.query,
        body: request.body,
        links: new Links(`http://${request.headers.host}`),
      };
      const { status: code, body, location } = await handle(call as never);
      if (location !== undefined) reply.header('Location', location);
      return reply.code(code).send(body);
    },
  });
}

add('createEdge', 'POST', '/edges/https', handlers.createEdge);
add('listEdges', 'GET', '/edges/https', handlers.listEdges);
add('getEdge', 'GET', '/edges/https/:id', handlers.getEdge);
add('createRoute', 'POST', '/edges/https/:edge_id/routes', handlers.createRoute);
await app.listen({ port: PORT, host: '127.0.0.1' });
