/** Short forms for laws of the extended level. */
import fc from 'fast-check';
import type { Session } from '../../engine/http/session.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { NOTHING } from '../valid-calls.ts';

export type Law = Pick<Requirement, 'origin' | 'clause' | 'sentence' | 'words'>;

/** Where the operations of the extended level stand in the contract. */
export const AT = {
  createEdge: '/paths/~1edges~1https/post',
  listEdges: '/paths/~1edges~1https/get',
  updateEdge: '/paths/~1edges~1https~1{id}/patch',
  deleteEdge: '/paths/~1edges~1https~1{id}/delete',
  createRoute: '/paths/~1edges~1https~1{edge_id}~1routes/post',
  getRoute: '/paths/~1edges~1https~1{edge_id}~1routes~1{id}/get',
  updateRoute: '/paths/~1edges~1https~1{edge_id}~1routes~1{id}/patch',
  deleteRoute: '/paths/~1edges~1https~1{edge_id}~1routes~1{id}/delete',
  conflict: '/components/responses/Conflict',
  notFound: '/components/responses/NotFound',
};

/** What is tried; lists in it are those of `oneOf`. */
export type Cases = readonly (Property | Property[])[];

export function extended(
  id: string,
  rule: Law,
  cases: Cases | ((implementation: Implementation) => Cases),
): Requirement {
  return {
    id,
    level: 'extended',
    ...rule,
    properties: (implementation) => (typeof cases === 'function' ? cases(implementation) : cases).flat(),
  };
}

/** A case that does not vary. */
export function once(label: string, check: (session: Session) => Promise<void>): Property {
  return { label, values: NOTHING, once: true, check: (_, session) => check(session) };
}

export function each<T>(
  label: string,
  values: fc.Arbitrary<T>,
  check: (value: T, session: Session) => Promise<void>,
): Property<T> {
  return { label, values, check };
}

/** Each of the values once: where a service may fail on any one of them, none is left to chance. */
export function oneOf<T>(
  label: string,
  values: readonly T[],
  check: (value: T, session: Session) => Promise<void>,
): Property<T>[] {
  return values.map((value, index) => ({
    label: `${label} (${index + 1} of ${values.length})`,
    values: fc.constant(value),
    once: true,
    check,
  }));
}
