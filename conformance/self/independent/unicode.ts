/** Finds the lone surrogates of a body: JSON can escape them, UTF-8 cannot hold them. */
import type { Faults } from './faults.ts';
import { BODY, type Place, step } from './place.ts';

/** Walks with a stack of its own: a body of a megabyte can nest deeper than the call stack. */
export function refuseLoneSurrogates(body: unknown, faults: Faults): void {
  const pending: [unknown, Place][] = [[body, BODY]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, place] = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) faults.at(place, 'unicode', 'Half of a surrogate pair stands here alone.');
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!name.isWellFormed()) faults.at(place, 'unicode', 'A name in here has half of a surrogate pair.');
        pending.push([member, step(place, name)]);
      }
    }
  }
}
