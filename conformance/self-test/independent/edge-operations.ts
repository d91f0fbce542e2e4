/** The operations on edges. */
import { EDGE } from './bodies.ts';
import { applied, type Edge, type Edges, EMPTY_EDGE, now, withTlsVersion } from './edges.ts';
import type { OperationCall, Operation, Params } from './operation.ts';
import { type PageOptions, Pages } from './pages.ts';
import type { HttpResponse } from './response.ts';
import { EDGES_PATH, shownEdge } from './representations.ts';

const EDGE_PATH = `${EDGES_PATH}/{edge_id}`;

/** @param newId returns an id that it did not return before */
export function edgeOperations(
  edges: Edges,
  newId: () => string,
  pageOptions: PageOptions,
): Operation[] {
  const find = (params: Params): void => {
    edges.edge(params);
  };
  return [
    createEdge(edges, newId),
    listEdges(edges, new Pages(pageOptions)),
    {
      method: 'GET',
      path: EDGE_PATH,
      find,
      run: ({ params, base }) => ({ status: 200, body: shownEdge(edges.edge(params), base) }),
    },
    {
      method: 'PATCH',
      path: EDGE_PATH,
      find,
      body: { required: true, kind: EDGE },
      run: (call) => change(edges, edges.edge(call.params), 200, call),
    },
    {
      method: 'DELETE',
      path: EDGE_PATH,
      find,
      run({ params }) {
        edges.delete(edges.edge(params).id);
        return { status: 204 };
      },
    },
  ];
}

function createEdge(edges: Edges, newId: () => string): Operation {
  let lastRank = Number.MAX_SAFE_INTEGER;
  return {
    method: 'POST',
    path: EDGES_PATH,
    body: { required: true, kind: EDGE },
    run(call) {
      // The newest edge has the lowest rank, also as a text: all ranks have as many digits.
      lastRank--;
      const own = { id: newId(), created_at: now(), rank: String(lastRank), routes: [] };
      return change(edges, { ...EMPTY_EDGE, ...own }, 201, call);
    },
  };
}

function listEdges(edges: Edges, pages: Pages): Operation {
  const list = { owner: EDGES_PATH, nameOf: (id: string) => edges.find(id)?.rank };
  return {
    method: 'GET',
    path: EDGES_PATH,
    pages: { of: pages, list: () => list },
    run({ base, page, search }) {
      const byRank = new Map<string, Edge>();
      for (const edge of edges.all()) {
        byRank.set(edge.rank, edge);
      }
      const listUri = `${base}${EDGES_PATH}`;
      const { names, next } = pages.cut(byRank.keys(), EDGES_PATH, listUri, page);
      const listed = names.map((name) => byRank.get(name)).filter((edge) => edge !== undefined);
      const body = {
        next_page_uri: next,
        uri: `${listUri}${search}`,
        https_edges: listed.map((edge) => shownEdge(edge, base)),
        on_this_page: names.length,
      };
      return { status: 200, body };
    },
  };
}

/** Keeps the edge with what the request states. */
function change(
  edges: Edges,
  edge: Edge,
  status: number,
  { body, base }: OperationCall,
): HttpResponse {
  const changed = withTlsVersion(applied(edge, body, EMPTY_EDGE));
  edges.put(changed);
  return { status, body: shownEdge(changed, base) };
}
