/** One step of a generated sequence on the routes of one edge: it acts on the service and on the model, and compares. */
import type { Session } from '../../engine/http/session.ts';
import type { Json } from './route.ts';
import { unknownId } from '../unknown-ids.ts';
import type { RoutesModel } from './routes.ts';

export interface RouteGround {
  session: Session;
  edge_id: string;
  model: RoutesModel;
  /** Ids of all routes that were ever created, in the order of creation: those that are gone count, too. */
  ids: string[];
}

/** Data, so that a sequence can be printed and shrunk; routes are indices into the ids of the ground. */
export type RouteCommand =
  | { do: 'create'; body: Json }
  | { do: 'read'; route: number }
  | { do: 'patch'; route: number; patch: Json }
  | { do: 'delete'; route: number }
  | { do: 'switch'; upstream: boolean }
  | { do: 'read edge' };

const UNKNOWN = unknownId();

/** Before any was created, one that is not there. */
export function routeAt({ edge_id, ids }: RouteGround, index: number): { edge_id: string; id: string } {
  return { edge_id, id: ids.length === 0 ? UNKNOWN : ids[index % ids.length]! };
}
