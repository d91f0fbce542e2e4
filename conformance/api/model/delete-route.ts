import { deleteRoute } from '../route-steps.ts';
import { refuse } from '../steps.ts';
import { routeAt, type RouteGround } from './route-command.ts';

export async function deleteRouteCommand(ground: RouteGround, { route: index }: { route: number }): Promise<void> {
  const path = routeAt(ground, index);
  if (ground.model.remove(path.id) === 204) await deleteRoute(ground.session, path);
  else await refuse(ground.session, 'deleteRoute', { path: { ...path } }, [404], 'There is no such route any more.');
}
