/** The body of an edge for which everything was omitted, with the defaults of the contract. */
import type { NewEdge } from '../domain/edge.ts';

export const BARE_EDGE: NewEdge = { description: '', metadata: '', hostports: [] };
