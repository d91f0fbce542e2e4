/** Runs a sequence of commands on routes against service and model. */
import { createRouteCommand } from './create-route.ts';
import { deleteRouteCommand } from './delete-route.ts';
import { patchRouteCommand } from './patch-route.ts';
import { readEdge } from './read-edge.ts';
import { readRoute } from './read-route.ts';
import type { RouteCommand, RouteGround } from './route-command.ts';
import { switchEdge } from './switch-edge.ts';

export async function runRouteCommand(ground: RouteGround, command: RouteCommand): Promise<void> {
  switch (command.do) {
    case 'create':
      return createRouteCommand(ground, command);
    case 'read':
      return readRoute(ground, command);
    case 'patch':
      return patchRouteCommand(ground, command);
    case 'delete':
      return deleteRouteCommand(ground, command);
    case 'switch':
      return switchEdge(ground, command);
    case 'read edge':
      return readEdge(ground);
  }
}
