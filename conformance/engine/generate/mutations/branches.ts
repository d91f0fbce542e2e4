/** Values that meet a condition, and are valid but for its branch. */
import { clausesOf } from '../../contract/clauses.ts';
import { shapeAt } from '../../contract/shape.ts';
import type { ClausePlace, Mutate, Mutation } from '../build.ts';
import { branchAt } from '../conditions.ts';
import { embeddedAt } from '../embedded.ts';

/** Clauses for which a value that is valid without the branch often is wrong with it. */
const OFTEN_BROKEN = ['if', 'type', 'enum', 'const'];

/** @param mutationsOf of the clauses within the branch */
export function branchMutations(
  { build, shape, clause }: ClausePlace,
  mutationsOf: Mutate,
): Mutation[] {
  const met = branchAt(build, shape, clause.pointer, false);
  if (!met) {
    return [];
  }
  const mutations: Mutation[] = [];
  for (const inner of clausesOf(build.contract, clause.pointer)) {
    const place = shapeAt(met, inner.path);
    if (!place || inner.onNames) {
      continue;
    }
    const leaves: Mutation[] = [];
    // Only a mutation leaves out a required property.
    if (inner.keyword !== 'required') {
      const values = build.arbitraryOf(place);
      leaves.push({ label: 'a value that is allowed otherwise', values });
    }
    if (!OFTEN_BROKEN.includes(inner.keyword)) {
      leaves.push(...mutationsOf({ build, shape: place, clause: inner }));
    }
    for (const { label, values } of leaves) {
      mutations.push({
        label: `${clause.name ?? ''} ${inner.id}: ${label}`,
        values: embeddedAt(build, met, inner.path, values),
      });
    }
  }
  return mutations;
}
