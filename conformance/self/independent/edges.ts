/** The operations on edges. */
import { randomBytes, randomInt } from 'node:crypto';
import { type EdgeInput, edgeInput } from './edge-input.ts';
import { define, type Operation } from './operation.ts';
import { Refusal } from './problem.ts';
import { now } from './time.ts';

interface Edge extends EdgeInput {
  id: string;
  createdAt: string;
}

/** 12 to 64 characters: ids are opaque, so nothing may rest on their length. */
const newId = () => randomBytes(randomInt(9, 49)).toString('base64url');

/** Refs lead to resources of other services, so their URIs need not begin with the base URL of this one. */
const ref = (id: string) => ({ uri: `https://authorities.example.net/v7/${id}`, id, kind: 'certificate_authority' });

/** The routes of an edge are always none: the operations that add them are not of the core level. */
const render = (edge: Edge, base: string) => ({
  routes: [],
  tls_termination: edge.tlsTermination && {
    min_version: edge.tlsTermination.minVersion,
    terminate_at: edge.tlsTermination.terminateAt,
    enabled: edge.tlsTermination.enabled,
    ciphers: 'default',
  },
  mutual_tls: edge.mutualTls && {
    certificate_authorities: edge.mutualTls.authorityIds.map(ref),
    enabled: edge.mutualTls.enabled,
  },
  hostports: edge.hostports,
  uri: `${base}/edges/https/${edge.id}`,
  metadata: edge.metadata,
  description: edge.description,
  created_at: edge.createdAt,
  id: edge.id,
  kind: 'https_edge',
});

export function edgeOperations(): Operation[] {
  const edges = new Map<string, Edge>();

  function find(id: string): Edge {
    const edge = edges.get(id);
    if (edge === undefined) throw new Refusal('not_found', 'No edge bears this id.');
    return edge;
  }

  return [
    define({
      method: 'POST',
      path: '/edges/https',
      body: { required: true, read: edgeInput },
      run({ base, body }) {
        const edge: Edge = { ...body, id: newId(), createdAt: now() };
        edges.set(edge.id, edge);
        return { status: 201, body: render(edge, base) };
      },
    }),
    define({
      method: 'GET',
      path: '/edges/https/{id}',
      find: (param) => void find(param('id')),
      run: ({ param, base }) => ({ status: 200, body: render(find(param('id')), base) }),
    }),
  ];
}
