/** Short forms for the laws that this API has beside those of any resource. */
import type { Implementation } from '../../engine/http/implementation.ts';
import type { Cases } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import type { stated } from '../stated.ts';

/** Where operations and responses stand in the contract. */
export const AT = {
  createEdge: '/paths/~1edges~1https/post',
  updateEdge: '/paths/~1edges~1https~1{id}/patch',
  deleteEdge: '/paths/~1edges~1https~1{id}/delete',
  createRoute: '/paths/~1edges~1https~1{edge_id}~1routes/post',
  updateRoute: '/paths/~1edges~1https~1{edge_id}~1routes~1{id}/patch',
  conflict: '/components/responses/Conflict',
  schemas: '/components/schemas',
};

type Define = (
  id: string,
  origin: string,
  clause: string | ReturnType<typeof stated>,
  sentence: string,
  cases: Cases | ((implementation: Implementation) => Cases),
) => Requirement;

function lawOf(level: Requirement['level']): Define {
  return (id, origin, clause, sentence, cases) => ({
    id,
    level,
    origin,
    ...(typeof clause === 'string' ? { clause } : clause),
    sentence,
    properties: (implementation) => (typeof cases === 'function' ? cases(implementation) : cases).flat(),
  });
}

export const core = lawOf('core');
export const extended = lawOf('extended');
