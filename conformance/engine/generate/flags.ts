/**
 * Wrong values beside flags of either value: services skip checks of what is not enabled, whatever
 * their contract says.
 */
import * as fc from 'fast-check';
import { setMember } from '../contract/by-name.ts';
import type { Clause } from '../contract/clauses.ts';
import { isObject } from '../contract/pointers.ts';
import { childAt, type Shape } from '../contract/shape.ts';
import type { JsonValues } from './build.ts';

/**
 * The values with the flags that stand beside the place of a clause, and beside what is around it,
 * as they are, all false, or all true.
 * @param isRight whether a value with other flags is still what it is for
 */
export function besideFlags(
  root: Shape,
  clause: Clause,
  values: JsonValues,
  isRight: (value: unknown) => boolean,
): JsonValues {
  const flags = flagsOnTheWay(root, clause.path);
  if (flags.every((names) => names.length === 0)) {
    return values;
  }
  return fc.tuple(values, fc.constantFrom(undefined, false, true)).map(([value, flag]) => {
    if (flag === undefined) {
      return value;
    }
    const changed = withFlags(value, { path: clause.path, flags, flag });
    if (isRight(changed)) {
      return changed;
    }
    return value;
  });
}

/** The names of the flags of each object on the way to a place, which itself is none of them. */
function flagsOnTheWay(root: Shape, path: readonly string[]): string[][] {
  const flags: string[][] = [];
  let current: Shape | undefined = root;
  for (let index = 0; index <= path.length && current !== undefined; index++) {
    const segment = path[index];
    const names = [...current.properties].filter(([name, shape]) => {
      return name !== segment && isFlag(shape);
    });
    flags.push(names.map(([name]) => name));
    current = segment === undefined ? undefined : childAt(current, segment);
  }
  return flags;
}

const isFlag = ({ types, choices }: Shape): boolean =>
  types.has('boolean') && types.size === 1 && choices === undefined;

interface Setting {
  path: readonly string[];
  /** By the depth in the path. */
  flags: readonly (readonly string[])[];
  flag: boolean;
}

function withFlags(value: unknown, setting: Setting, depth = 0): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withFlags(item, setting, depth + 1));
  }
  if (!isObject(value)) {
    return value;
  }
  const changed = { ...value };
  for (const name of setting.flags[depth] ?? []) {
    setMember(changed, name, setting.flag);
  }
  const segment = setting.path[depth];
  if (segment !== undefined && Object.hasOwn(changed, segment)) {
    setMember(changed, segment, withFlags(changed[segment], setting, depth + 1));
  }
  return changed;
}
