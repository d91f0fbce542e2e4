/** Ways to make something else of a change of a route. */
import { MODULES } from './modules.ts';
import type { Mutate } from './mutate.ts';
import { isObject, type Json } from './request.ts';
import { refusingRoutes } from './route.ts';

export const removes = (patch: Json) => MODULES.filter((name) => patch[name] === null);
export const sets = (patch: Json) => MODULES.filter((name) => isObject(patch[name]));

/** Refuses some changes. */
export const refuses = (when: (patch: Json) => boolean, pointer: string): Mutate =>
  refusingRoutes(when, pointer, ['updateRoute']);

/** The part of a change, or of what is shown, that has these names. */
export const only =
  (...names: string[]) =>
  (patch: Json): Json =>
    Object.fromEntries(Object.entries(patch).filter(([name]) => names.includes(name)));
