/** 409 comes only to a request that is otherwise valid. */
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { newEdge } from '../route-steps.ts';
import { addSource, refuse, succeed } from '../steps.ts';
import { NOTHING } from '../valid-calls.ts';
import { BARE } from '../values/route-values.ts';
import { workspace } from '../workspace.ts';
import { stated } from '../stated.ts';

export function otherwiseValid(): Requirement[] {
  const common = { origin: 'D29', ...stated('409 comes only to a request that is otherwise valid') };
  const property = { label: 'an unknown property beside what exists already', values: NOTHING, once: true };
  const why = 'The body has an unknown property.';
  return [
    {
      ...common,
      id: 'sources.conflict-only-if-valid',
      level: 'core',
      sentence: 'Adding a type that exists already, in a body that breaks the contract, gets 400 and not 409.',
      properties: () => [
        {
          ...property,
          async check(_, session) {
            const { subscription_id, types } = await workspace(session, 1);
            await addSource(session, subscription_id, types[0]!);
            const input = { path: { subscription_id }, json: { type: types[0], x: 1 } };
            await refuse(session, 'createEventSource', input, [400], why);
          },
        },
      ],
    },
    {
      ...common,
      id: 'routes.conflict-only-if-valid',
      level: 'extended',
      sentence: 'Adding a match that exists already, in a body that breaks the contract, gets 400 and not 409.',
      properties: () => [
        {
          ...property,
          async check(_, session) {
            const path = { edge_id: (await newEdge(session)).id };
            await succeed(session, 'createRoute', { path, json: BARE });
            await refuse(session, 'createRoute', { path, json: { ...BARE, x: 1 } }, [400], why);
          },
        },
      ],
    },
  ];
}
