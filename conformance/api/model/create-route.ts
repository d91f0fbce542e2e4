import { createRoute, expectShown } from '../route-steps.ts';
import { refuse } from '../steps.ts';
import type { Json } from './route.ts';
import { shownRoute } from './route.ts';
import type { RouteGround } from './route-command.ts';

export async function createRouteCommand(
  { session, edge_id, model, ids }: RouteGround,
  { body }: { body: Json },
): Promise<void> {
  if (model.create(body) === 409) {
    await refuse(
      session,
      'createRoute',
      { path: { edge_id }, json: body },
      [409],
      'The route does not go together with what is there.',
    );
    return;
  }
  const route = await createRoute(session, edge_id, body);
  expectShown('The new route is not what was sent', route, shownRoute(body));
  model.add(route.id, body);
  ids.push(route.id);
}
