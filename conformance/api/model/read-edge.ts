import { expectSame } from '../../engine/http/nonconformity.ts';
import { expectShown, routesOf } from '../route-steps.ts';
import type { RouteGround } from './route-command.ts';

/** The edge shows the routes of the model, in their order. */
export async function readEdge({ session, edge_id, model }: RouteGround): Promise<void> {
  const routes = await routesOf(session, edge_id);
  expectSame(
    'The edge shows other routes',
    routes.map(({ id }) => id),
    model.routes.map(({ id }) => id),
  );
  for (const [index, { shown }] of model.routes.entries())
    expectShown('The edge shows a route otherwise than it is', routes[index]!, shown);
}
