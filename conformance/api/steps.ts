/** Steps that many cases take, each checked as it is taken. */
import { expectThat } from '../engine/http/nonconformity.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import type { Session } from '../engine/http/session.ts';
import { refuse, succeed } from '../engine/http/expect-response.ts';

export interface EdgeResponse {
  id: string;
  uri: string;
  created_at: string;
  [name: string]: unknown;
}

export { refuse, succeed };

export async function createEdge(session: Session, json: unknown): Promise<EdgeResponse> {
  return edgeIn(await succeed(session, 'createEdge', { json }));
}

export async function getEdge(session: Session, id: string): Promise<EdgeResponse> {
  return edgeIn(await succeed(session, 'getEdge', { path: { id } }, 'The edge exists.'));
}

function edgeIn(response: HttpResponse): EdgeResponse {
  const edge = response.json as EdgeResponse;
  // Checked by the source alone, a schema may let a response without these pass; nothing can be tried without them.
  expectThat(typeof edge.id === 'string', 'An edge has an id.', { expected: 'a text', got: edge });
  return edge;
}

export async function addSource(session: Session, subscription_id: string, type: string): Promise<HttpResponse> {
  const response = await succeed(session, 'createEventSource', { path: { subscription_id }, json: { type } });
  expectType(response, type);
  return response;
}

/** @throws Nonconformity unless the response is the source of this type */
export function expectType(response: HttpResponse, type: string): void {
  const got = (response.json as { type?: unknown } | undefined)?.type;
  expectThat(got === type, 'The response is another source than the one asked for.', { expected: type, got });
}
