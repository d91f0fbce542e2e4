/**
 * Actions that a call names in a value and not in its path, as `POST /rpc` with `method: shutdown`
 * in its body does.
 */
import { memberOf } from '../contract/by-name.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';

/** Members and parameters that say what a call does. */
const SAYS_WHAT = /^(method|action|command|cmd|operation|op|procedure|verb)$/i;

/** The methods of HTTP, which a webhook may have. */
const HTTP = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;

/** The actions that the contract lists, or shows in an example. */
export function namedActions(contract: Contract, operation: Operation): string[] {
  const ofQuery = operation.parameters
    .filter((one) => one.in === 'query' && SAYS_WHAT.test(one.name))
    .flatMap(({ schema }) => choicesAt(contract, [schema]));
  const named = [...ofQuery, ...actionsOfBody(contract, operation)];
  const texts = named.filter((one) => typeof one === 'string');
  const areMethods = texts.some((one) => /^(GET|POST)$/i.test(one));
  if (areMethods) {
    return texts.filter((one) => !HTTP.test(one));
  }
  return texts;
}

function choicesAt(contract: Contract, pointers: readonly string[]): readonly unknown[] {
  return supported(
    () => shapeOf(contract, ...pointers).choices ?? [],
    () => [],
  );
}

function actionsOfBody(contract: Contract, { requestBody }: Operation): unknown[] {
  if (!requestBody) {
    return [];
  }
  const sent = asRequest(contract);
  const listed = supported(
    () => objectsOf(sent, shapeOf(sent, requestBody.pointer)).flatMap(choicesOfMembers),
    () => [],
  );
  const examples = Object.values(requestBody.examples).filter(isObject);
  const shown = examples.flatMap((example) => {
    const names = Object.keys(example).filter((name) => SAYS_WHAT.test(name));
    return names.map((name) => memberOf(example, name));
  });
  return [...listed, ...shown];
}

/** A part of a part of a body is the deepest one that is looked at. */
const MOST_DEPTH = 3;

/**
 * The names of the parts of a body, which may be what a call does, as in `POST /txn` with
 * `{success: [{request_delete_range: {}}]}`.
 */
export function namedParts(contract: Contract, { requestBody }: Operation): string[] {
  if (!requestBody) {
    return [];
  }
  const sent = asRequest(contract);
  return supported(
    () => partsOf(sent, shapeOf(sent, requestBody.pointer), MOST_DEPTH),
    () => [],
  );
}

function partsOf(contract: Contract, whole: Shape, depth: number): string[] {
  const names: string[] = [];
  for (const [name, member] of objectsOf(contract, whole).flatMap((one) => [...one.properties])) {
    const part = member.items ?? member;
    if (part.types.size === 1 && part.types.has('object')) {
      names.push(name);
      if (depth > 1) {
        names.push(...partsOf(contract, part, depth - 1));
      }
    }
  }
  return names;
}

/** The shape, and those of the branches of its `oneOf` and `anyOf`. */
function objectsOf(contract: Contract, shape: Shape): Shape[] {
  const branches = shape.alternatives.flat();
  return [shape, ...branches.map((branch) => shapeOf(contract, branch))];
}

function choicesOfMembers({ properties }: Shape): unknown[] {
  const members = [...properties].filter(([name]) => SAYS_WHAT.test(name));
  return members.flatMap(([, { choices = [] }]) => choices);
}
