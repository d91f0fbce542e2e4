import { expectShown, patchRoute } from '../route-steps.ts';
import { refuse } from '../steps.ts';
import type { Json } from './route.ts';
import { routeAt, type RouteGround } from './route-command.ts';

export async function patchRouteCommand(
  ground: RouteGround,
  { route: index, patch }: { route: number; patch: Json },
): Promise<void> {
  const { session, model } = ground;
  const path = routeAt(ground, index);
  const due = model.patch(path.id, patch);
  if (due === 200)
    expectShown('The change is not there', await patchRoute(session, path, patch), model.find(path.id)!.shown);
  else if (due === 404)
    await refuse(session, 'updateRoute', { path: { ...path }, json: patch }, [404], 'There is no such route any more.');
  else
    await refuse(
      session,
      'updateRoute',
      { path: { ...path }, json: patch },
      [409],
      'The change does not go together with what is there.',
    );
}
