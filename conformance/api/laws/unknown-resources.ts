/** Ids that nothing has. */
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { createEdge, refuse } from '../steps.ts';
import { NOTHING } from '../valid-calls.ts';
import { unknownIds } from '../unknown-ids.ts';
import { acceptable } from '../values/edge-values.ts';

/** Ids that are shorter may be counted up: then the next one is there, or was. */
const SHORTEST_GUESS = 16;

export function unknownResources(): Requirement[] {
  return [
    {
      id: 'edges.unknown',
      level: 'core',
      origin: 'D15',
      clause: '/components/responses/NotFound',
      sentence: 'Reading an edge that does not exist gets 404.',
      properties: (implementation) => [
        {
          label: 'ids that nothing has',
          values: unknownIds(),
          async check(id: string, session) {
            await refuse(session, 'getEdge', { path: { id } }, [404], 'There is no such edge.');
          },
        },
        {
          label: 'an id that is almost one',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const { id } = await createEdge(session, acceptable(implementation, {}));
            for (const other of [`${id}0`, id.slice(0, -1), id.slice(1), id.toUpperCase(), id.toLowerCase()]) {
              if (other === id || other.length < SHORTEST_GUESS) continue;
              // One character more than ids can have may be refused for that.
              await refuse(
                session,
                'getEdge',
                { path: { id: other } },
                other.length > 64 ? [404, 400] : [404],
                `Only ${id} exists.`,
              );
            }
          },
        },
      ],
    },
  ];
}
