/** The members of items that are sent and shown. */
import { memberOf } from '../../contract/by-name.ts';
import { envelopeOf } from '../../contract/envelopes.ts';
import { isScalar } from '../../contract/json-numbers.ts';
import { branchesOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import { type Operation, schemaOfSuccess } from '../../contract/operations.ts';
import { isObject } from '../../contract/pointers.ts';
import { type Shape, texts } from '../../contract/shape.ts';
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

/**
 * Those that are sent and shown alike: of the same types, with one spelling of each value, and of
 * the same form: a text that is shown by another pattern, such as `7.00` for `7`, is written anew.
 */
export function sharedMembersOf(
  contract: Contract,
  sent: Shape,
  shown: readonly Shape[],
): string[] {
  const isAlike = (one: Shape, other: Shape | undefined) =>
    other !== undefined &&
    isExact(contract, other) &&
    texts(other, 'pattern').every((pattern) => texts(one, 'pattern').includes(pattern)) &&
    [...one.types].every((type) => type === 'null' || other.types.has(type));
  const alike = [...sent.properties].filter(
    ([name, one]) =>
      isExact(contract, one) && shown.every(({ properties }) => isAlike(one, properties.get(name))),
  );
  return alike.map(([name]) => name);
}

/**
 * The members that are set. Null counts as omitted at any depth: responses may omit it, or show the
 * value that the service has in its place.
 */
export function setIn(item: Json, members: readonly string[]): Json {
  const names = members.filter((name) => memberOf(item, name) !== undefined);
  return withoutNulls(pick(item, names)) as Json;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (!isObject(value) || isScalar(value)) {
    return value;
  }
  const set = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(set.map(([name, one]) => [name, withoutNulls(one)]));
}
