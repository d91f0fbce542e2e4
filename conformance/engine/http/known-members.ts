/**
 * The members of a response that the contract declares. Responses are open: other members may have
 * any name and value, and may differ from one response to the next, so that no check may depend on
 * them.
 */
import { branchesOf } from '../contract/kinds.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, schemaOfSuccess } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import type { Shape } from '../contract/shape.ts';

/** The value without the members that its schema does not know, at any depth. */
export function knownMembers(contract: Contract, schema: string, value: unknown): unknown {
  return knownIn(contract, branchesOf(contract, schema), value);
}

/** The JSON that a success of the operation shows, without the members that its schema lacks. */
export function knownResponse(contract: Contract, operation: Operation, json: unknown): unknown {
  const schema = schemaOfSuccess(operation);
  if (schema === undefined) {
    return json;
  }
  return knownMembers(contract, schema, json);
}

function knownIn(contract: Contract, shapes: readonly Shape[], value: unknown): unknown {
  if (shapes.length === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => childrenOf(contract, shape.items));
    return value.map((item: unknown) => knownIn(contract, items, item));
  }
  if (!isObject(value) || shapes.some(isOpen)) {
    return value;
  }
  const known: [name: string, value: unknown][] = [];
  for (const [name, held] of Object.entries(value)) {
    const stated = shapes.map((shape) => shape.property(name)).filter((one) => one !== undefined);
    if (stated.length > 0) {
      const children = stated.flatMap((shape) => childrenOf(contract, shape));
      known.push([name, knownIn(contract, children, held)]);
    }
  }
  // An assignment to `__proto__` would set no member.
  return Object.fromEntries(known);
}

/** Whether the schema names no member, or names members in a way that is not read here. */
function isOpen({ properties, patterns, additional, alternatives, roots }: Shape): boolean {
  const namesNothing = properties.size === 0 && patterns.size === 0 && additional === undefined;
  const isChosen = (branches: readonly string[]) => branches.some((one) => roots.includes(one));
  return namesNothing || !alternatives.every(isChosen);
}

const children = new WeakMap<Shape, Shape[]>();

/** The shapes of each kind of object that a part of a value may be; empty without a rule. */
function childrenOf(contract: Contract, shape: Shape | undefined): Shape[] {
  if (!shape) {
    return [];
  }
  let found = children.get(shape);
  if (!found) {
    found = branchesOf(contract, ...shape.roots);
    children.set(shape, found);
  }
  return found;
}
