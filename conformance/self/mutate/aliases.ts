/** Gives edges and routes other ids than the service does: what goes in and out is rewritten. */
import type { Service, ServiceRequest } from '../service.ts';
import { jsonOf } from './response.ts';
import { callOf, type OperationId } from './operation.ts';
import { type Mutate, remembering } from './mutate.ts';

interface Aliases {
  /** By the id that clients see. An id that was given again stands for the newest one. */
  real: Map<string, string>;
  /** Ids that clients saw and that are free again, the oldest first. */
  free: string[];
}

/** Ids are given again: `choose` takes one that is free. What it does not take from there, the service names. */
function reusing(create: OperationId, remove: OperationId, choose: (free: string[]) => string | undefined): Mutate {
  return remembering(() => {
    const aliases: Aliases = { real: new Map(), free: [] };
    return (service: Service) => async (request: ServiceRequest) => {
      const inner = { ...request, target: rewritten(request.target, aliases.real) };
      const response = await service(inner);
      const call = callOf(request);
      if (call?.operationId === remove && response.status === 204) {
        aliases.free.push(call.path['id']!);
        aliases.real.delete(call.path['id']!);
      }
      if (call?.operationId === create && response.status === 201) {
        const alias = choose(aliases.free);
        if (alias !== undefined) aliases.real.set(alias, jsonOf(response).id);
      }
      const shown = new Map(Array.from(aliases.real, ([alias, real]) => [real, alias]));
      return {
        ...response,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, rewritten(value, shown)]),
        ),
        body: rewritten(response.body.toString(), shown),
      };
    };
  });
}

/** Ids are long and random: wherever one stands, it is meant. An alias may be an id that was given before. */
function rewritten(text: string, names: ReadonlyMap<string, string>): string {
  return names.size === 0
    ? text
    : text.replaceAll(new RegExp([...names.keys()].join('|'), 'g'), (name) => names.get(name)!);
}

export const reusingEdgeIds = (choose: (free: string[]) => string | undefined): Mutate =>
  reusing('createEdge', 'deleteEdge', choose);
