/** The operations on edges. */
import { requireAgreement, requireSmall } from './agreement.ts';
import { apply } from './changes.ts';
import { changedEdge, newEdge } from './edge-input.ts';
import type { Edge, EdgeStore } from './edge-store.ts';
import { define, type Operation } from './operation.ts';
import { pageQuery, Pages, pageUri } from './page.ts';
import { edgesUri, renderEdge } from './view.ts';

const LIST = '/edges/https';
const ITEM = `${LIST}/{id}`;

export function edgeOperations(edges: EdgeStore, mostItems?: number): Operation[] {
  const pages = new Pages(mostItems);
  const find = (param: (name: string) => string): Edge => edges.get(param('id'));

  return [
    define({
      method: 'POST',
      path: LIST,
      body: { required: true, read: newEdge },
      run: ({ base, body }) => ({ status: 201, body: renderEdge(edges.add(body), base) }),
    }),
    define({
      method: 'GET',
      path: LIST,
      query: pageQuery(pages, () => LIST),
      run({ base, query, search }) {
        const all = edges.all();
        const page = pages.cut(all.keys(), LIST, query);
        return {
          status: 200,
          body: {
            next_page_uri: pageUri(edgesUri(base), page, query),
            uri: `${edgesUri(base)}${search}`,
            https_edges: page.names.flatMap((rank) => all.get(rank) ?? []).map((edge) => renderEdge(edge, base)),
            on_this_page: page.names.length,
          },
        };
      },
    }),
    define({
      method: 'GET',
      path: ITEM,
      find: (param) => void find(param),
      run: ({ param, base }) => ({ status: 200, body: renderEdge(find(param), base) }),
    }),
    define({
      method: 'PATCH',
      path: ITEM,
      find: (param) => void find(param),
      body: { required: true, read: changedEdge },
      run({ param, base, body }) {
        const changed = apply(find(param), body);
        requireAgreement(changed, changed.routes);
        requireSmall(changed, changed.routes);
        return { status: 200, body: renderEdge(edges.put(changed), base) };
      },
    }),
    define({
      method: 'DELETE',
      path: ITEM,
      find: (param) => void find(param),
      run({ param }) {
        edges.remove(param('id'));
        return { status: 204 };
      },
    }),
  ];
}
