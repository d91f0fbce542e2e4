/** Ways to make something else of a change of a route. */
import { asSent, MODULES } from './modules.ts';
import type { Mutate } from './mutate.ts';
import { isObject, type Json, sending } from './request.ts';
import { changing, refusingRoutes } from './route.ts';

/** Changes what a change says, given what the route shows before. */
export const patching = (change: (patch: Json, before: Json) => Json): Mutate =>
  changing((next, request, patch, before) => {
    const changed = change(patch, before);
    return next(JSON.stringify(changed) === JSON.stringify(patch) ? request : sending(request, changed));
  });

export const mapping = (names: string[], change: (value: unknown, name: string, before: Json) => unknown): Mutate =>
  patching((patch, before) =>
    Object.fromEntries(
      Object.entries(patch).map(([name, value]) => [name, names.includes(name) ? change(value, name, before) : value]),
    ),
  );

/** What is not said also changes. */
export const also = (change: (patch: Json, before: Json) => Json): Mutate =>
  patching((patch, before) => ({ ...change(patch, before), ...patch }));

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

/** Rewrites a module that replaces one that is there. */
export const replacing = (change: (said: Json, old: Json, name: string) => Json, names = MODULES): Mutate =>
  mapping(names, (value, name, before) => {
    const old = asSent(name, before[name]);
    return isObject(value) && old !== null ? change(value, old, name) : value;
  });

/** Lists of the old module stay, with the new ones behind them. */
export function appended(old: Json, said: Json): Json {
  const lists = Object.entries(old).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  return {
    ...said,
    ...Object.fromEntries(
      lists.map(([name, items]) => [name, [...items, ...((said[name] as unknown[] | undefined) ?? [])].slice(0, 100)]),
    ),
  };
}
