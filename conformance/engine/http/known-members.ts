/**
 * The members of a response that the contract declares. Responses are open: other members may have
 * any name and value, and may differ from one response to the next, so that no check may depend on
 * them.
 */
import { branchesOf } from '../contract/kinds.ts';
import { type Contract, entry, perPointers } from '../contract/load.ts';
import { type Operation, schemaOfSuccess } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import type { Shape } from '../contract/shape.ts';

/** The value without the members that its schema does not know, at any depth. */
export function knownMembers(contract: Contract, schema: string, value: unknown): unknown {
  return knownOf(contract, schema).in(value);
}

/** The JSON that a success of the operation shows, without the members that its schema lacks. */
export function knownResponse(contract: Contract, operation: Operation, json: unknown): unknown {
  const schema = schemaOfSuccess(operation);
  if (schema === undefined) {
    return json;
  }
  return knownMembers(contract, schema, json);
}

const knownOf = perPointers(
  (contract, pointers) => new Known(contract, branchesOf(contract, ...pointers)),
);

/** The members that a value of one of some shapes may have. */
class Known {
  readonly #contract: Contract;
  /** Those of each kind of object that the value may be; empty without a rule. */
  readonly #shapes: readonly Shape[];
  readonly #isOpen: boolean;
  #items: Known | undefined;
  /** By name; undefined for a member that is not known. */
  readonly #members = new Map<string, Known | undefined>();

  constructor(contract: Contract, shapes: readonly Shape[]) {
    this.#contract = contract;
    this.#shapes = shapes;
    this.#isOpen = shapes.length === 0 || shapes.some(isOpen);
  }

  /** The value without other members. */
  in(value: unknown): unknown {
    if (Array.isArray(value)) {
      this.#items ??= this.#below((shape) => shape.items) ?? new Known(this.#contract, []);
      const items = this.#items;
      return value.map((item: unknown) => items.in(item));
    }
    if (!isObject(value) || this.#isOpen) {
      return value;
    }
    const known: [name: string, value: unknown][] = [];
    for (const [name, held] of Object.entries(value)) {
      const member = this.#member(name);
      if (member) {
        known.push([name, member.in(held)]);
      }
    }
    // An assignment to `__proto__` would set no member.
    return Object.fromEntries(known);
  }

  #member(name: string): Known | undefined {
    const known = this.#members.get(name);
    if (known !== undefined) {
      return known;
    }
    const isDeclared = this.#shapes.some(({ properties }) => properties.has(name));
    if (!isDeclared) {
      // Maps may have any number of names, which are not remembered.
      return this.#below((shape) => shape.property(name));
    }
    return entry(this.#members, name, () => this.#below((shape) => shape.property(name)));
  }

  /** What is known of a part that the shapes state; undefined if none does. */
  #below(partOf: (shape: Shape) => Shape | undefined): Known | undefined {
    const stated = this.#shapes.map(partOf).filter((part) => part !== undefined);
    if (stated.length === 0) {
      return undefined;
    }
    const kinds = stated.flatMap((part) => branchesOf(this.#contract, ...part.roots));
    return new Known(this.#contract, kinds);
  }
}

/** Whether the schema names no member, or names members in a way that is not read here. */
function isOpen({ properties, patterns, additional, alternatives, roots }: Shape): boolean {
  const namesNothing = properties.size === 0 && patterns.size === 0 && additional === undefined;
  const isChosen = (branches: readonly string[]) => branches.some((one) => roots.includes(one));
  return namesNothing || !alternatives.every(isChosen);
}
