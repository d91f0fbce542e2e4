/** The members of items that are sent and shown. */
import { envelopeOf } from '../../contract/envelopes.ts';
import { branchesOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import { type Operation, schemaOfSuccess } from '../../contract/operations.ts';
import type { Shape } from '../../contract/shape.ts';
import { isExact } from './plain-values.ts';
import { type Json, pick } from '../resource.ts';

/**
 * The shapes of its kinds that one of this kind may be shown as; empty if it is not JSON. @param id
 * a member of it
 */
export function shapesOfSuccess(
  contract: Contract,
  operation: Operation,
  sent: Shape,
  id?: string,
): Shape[] {
  const schema = schemaOfSuccess(operation);
  const shapes = schema === undefined ? [] : branchesOf(contract, schema);
  const isInside = id !== undefined && !shapes.every(({ properties }) => properties.has(id));
  const [, inside] = (isInside && envelopeOf(contract, operation)) || [];
  return ofKind(inside ? branchesOf(contract, ...inside.roots) : shapes, sent);
}

/** Those that do not contradict the sent body, such as by another `kind`. */
export function ofKind(shapes: readonly Shape[], sent: Shape): Shape[] {
  const agrees = (one: Shape) =>
    [...sent.properties].every(([name, { choices }]) => {
      const others = one.properties.get(name)?.choices;
      return !choices || !others || choices.some((choice) => others.includes(choice));
    });
  return shapes.filter(agrees);
}

/** Those that are sent and shown alike: of the same types, and with one spelling of each value. */
export function sharedMembersOf(
  contract: Contract,
  sent: Shape,
  shown: readonly Shape[],
): string[] {
  const isAlike = (one: Shape, other: Shape | undefined) =>
    other !== undefined &&
    isExact(contract, other) &&
    [...one.types].every((type) => type === 'null' || other.types.has(type));
  const alike = [...sent.properties].filter(
    ([name, one]) =>
      isExact(contract, one) && shown.every(({ properties }) => isAlike(one, properties.get(name))),
  );
  return alike.map(([name]) => name);
}

/** The members that are set. Null counts as omitted: responses may omit it. */
export function setIn(item: Json, members: readonly string[]): Json {
  const names = members.filter((name) => item[name] !== undefined && item[name] !== null);
  return pick(item, names);
}
