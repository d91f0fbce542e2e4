import { expectNoRoute, expectShown, getRoute } from '../route-steps.ts';
import { routeAt, type RouteGround } from './route-command.ts';

export async function readRoute(ground: RouteGround, { route: index }: { route: number }): Promise<void> {
  const name = routeAt(ground, index);
  const known = ground.model.find(name.id);
  if (known) expectShown('The route is not what was sent', await getRoute(ground.session, name), known.shown);
  else await expectNoRoute(ground.session, name, 'There is no such route any more.');
}
