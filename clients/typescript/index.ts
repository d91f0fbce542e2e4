/**
 * A typed client of the edge API.
 *
 *     const api = createClient({ baseUrl: 'http://127.0.0.1:4010', token: process.env.API_TOKEN });
 *     const edge = await api.createEdge({ hostports: ['shop.example.com:443'] });
 *     for await (const each of api.listEdges()) console.log(each.id);
 */
export { createClient } from './client.ts';
export type { CallOptions, EdgeClient, ListOptions, PathOf, Schemas } from './edge-client.ts';
export { type Page, Pages } from './pages.ts';
export { ProblemError, UnexpectedResponseError } from './errors.ts';
/** Each schema of the contract under its name, such as `HTTPSEdge`. */
export type * from '../../generated/openapi.ts';
export { type Connection } from './transport.ts';
