/** What the servers that are compared do beside HTTP: they keep edges in a Map, without validating anything. */
import { randomUUID } from 'node:crypto';

const edges = new Map<string, object>();

/** @returns the edge as this API shows one, so that all servers send as many bytes */
export function createEdge(body: Record<string, any>, base: string): { id: string } {
  const id = `edghts_${randomUUID()}`;
  const edge = {
    id,
    description: body['description'] ?? '',
    metadata: body['metadata'] ?? '',
    created_at: new Date().toISOString(),
    uri: `${base}/edges/https/${id}`,
    hostports: body['hostports'] ?? [],
    mutual_tls: body['mutual_tls'] && {
      enabled: body['mutual_tls'].enabled ?? true,
      certificate_authorities: body['mutual_tls'].certificate_authority_ids.map((one: string) => ({
        id: one,
        uri: `${base}/certificate_authorities/${one}`,
      })),
    },
    tls_termination: body['tls_termination'] ?? null,
    routes: [],
  };
  edges.set(id, edge);
  return edge;
}

export function getEdge(id: string): object | undefined {
  return edges.get(id);
}

/** The port that the measuring process chose. */
export const PORT = Number(process.env['PORT']);
