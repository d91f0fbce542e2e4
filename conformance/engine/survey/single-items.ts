/**
 * Bodies with one item in each list, of each form that the contract allows: lists of the same
 * length fit each other, and a service may support one of several forms.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { isObject } from '../contract/pointers.ts';

type Members = Record<string, unknown>;

/** The number of forms to try. */
const MOST_FORMS = 4;

/**
 * @param samples bodies that the schema allows
 * @param names of the members that they get
 */
export function withSingleItems(
  samples: readonly unknown[],
  names: ReadonlySet<string>,
): Members[] {
  const forms = new Map<string, unknown[]>();
  for (const name of names) {
    const byForm = new Map<string, unknown>();
    for (const sample of samples) {
      const value = shortened(memberOf(Object(sample) as Members, name));
      const form = formOf(value);
      const isWhole = value !== undefined && !form.includes('[]');
      if (isWhole && !byForm.has(form)) {
        byForm.set(form, value);
      }
    }
    forms.set(name, [...byForm.values()]);
  }
  const hasLists = [...forms.values()].flat().some((value) => Array.isArray(value));
  if (!hasLists) {
    return [];
  }
  const count = Math.max(...[...forms.values()].map((all) => all.length));
  const bodies: Members[] = [];
  for (let index = 0; index < Math.min(count, MOST_FORMS); index++) {
    bodies.push(bodyOf(forms, index));
  }
  return bodies;
}

function bodyOf(forms: ReadonlyMap<string, readonly unknown[]>, index: number): Members {
  const body: Members = {};
  for (const [name, all] of forms) {
    if (all.length > 0) {
      setMember(body, name, all[index % all.length]);
    }
  }
  return body;
}

/** The value with the first item of each list alone. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, 1).map(shortened);
  }
  if (!isObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, one]) => [name, shortened(one)] as const);
  return Object.fromEntries(members);
}

/** `[[number]]`; `[]` for an empty list. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.length > 0 ? formOf(value[0]) : ''}]`;
  }
  if (isObject(value)) {
    return 'object';
  }
  return typeof value;
}
