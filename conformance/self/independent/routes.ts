/** The operations on routes, and the metadata that a route with SAML publishes. */
import { requireAgreement, requireOneSignIn, requireRoom, requireSmall, requireUnique } from './agreement.ts';
import { apply } from './changes.ts';
import type { EdgeStore, Route } from './edge-store.ts';
import { define, type Operation } from './operation.ts';
import { Refusal } from './problem.ts';
import { changedRoute, newRoute } from './route-input.ts';
import { metadata, METADATA_PATH, supplied } from './service-provider.ts';
import { renderRoute } from './view.ts';

const LIST = '/edges/https/{edge_id}/routes';
const ITEM = `${LIST}/{id}`;

export function routeOperations(edges: EdgeStore): Operation[] {
  const find = (param: (name: string) => string): Route => edges.route(param('edge_id'), param('id'));

  return [
    define({
      method: 'POST',
      path: LIST,
      find: (param) => void edges.get(param('edge_id')),
      body: { required: true, read: newRoute },
      run({ param, base, body }) {
        const edge = edges.get(param('edge_id'));
        requireRoom(edge);
        requireAgreement(edge, [body]);
        requireUnique(edge, body);
        requireSmall(edge, [...edge.routes, body]);
        return { status: 201, body: renderRoute(edges.addRoute(edge, body), edge.id, base) };
      },
    }),
    define({
      method: 'GET',
      path: ITEM,
      find: (param) => void find(param),
      run: ({ param, base }) => ({ status: 200, body: renderRoute(find(param), param('edge_id'), base) }),
    }),
    define({
      method: 'PATCH',
      path: ITEM,
      find: (param) => void find(param),
      body: { required: true, read: changedRoute },
      run({ param, base, body }) {
        const edge = edges.get(param('edge_id'));
        const route = find(param);
        const changed = apply(route, body);
        requireAgreement(edge, [changed]);
        requireOneSignIn(changed);
        requireUnique(edge, changed, route);
        requireSmall(edge, [...edge.routes.filter((one) => one !== route), changed]);
        return { status: 200, body: renderRoute(edges.putRoute(edge, changed), edge.id, base) };
      },
    }),
    define({
      method: 'DELETE',
      path: ITEM,
      find: (param) => void find(param),
      run({ param }) {
        edges.removeRoute(edges.get(param('edge_id')), param('id'));
        return { status: 204 };
      },
    }),
    define({
      method: 'GET',
      path: METADATA_PATH,
      open: true,
      find: (param) => void find(param),
      run({ param, base }) {
        const { saml } = find(param);
        if (saml === null) throw new Refusal('not_found', 'This route has no SAML.');
        return {
          status: 200,
          headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' },
          text: metadata(supplied(base, param('edge_id'), param('id')), saml.nameid_format),
        };
      },
    }),
  ];
}
