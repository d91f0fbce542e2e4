/**
 * The law of members that only the service sets: `readOnly` in the body of a request. "Attempts by
 * an application to modify the value of this property are expected to be ignored or rejected" (JSON
 * Schema Validation, 9.4). Such a member may change by itself, as the time of the last change does.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { asRequest, isMarked } from '../contract/variants.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf, type Item, type Json, pick } from './resource.ts';
import type { Steps } from './steps.ts';

export const readOnlyLaws = {
  readOnly: {
    needs: ['create', 'read'],
    applies: (facts) => attemptsOf(facts).length > 0,
    sentence: ({ one }) =>
      `What is readOnly in ${one} keeps no value that a request has: it is ignored, or refused.`,
    properties: (resource) =>
      forEach('a value that is sent', attemptsOf(factsOf(resource)), tryAttempt),
  },
} satisfies Record<string, Law>;

/** A request whose body has a value of a member that is readOnly. */
interface Attempt {
  operation: Operation;
  name: string;
  value: unknown;
}

function attemptsOf(facts: Facts): Attempt[] {
  const { create, update, put } = facts;
  const writing = new Set([create, update, put]);
  return [...writing].flatMap((operation) => (operation ? attemptsBy(operation, facts) : []));
}

function attemptsBy(operation: Operation, facts: Facts): Attempt[] {
  const { contract, id, shown } = facts;
  const attempts: Attempt[] = [];
  for (const [name, shape] of membersOf(operation, facts)) {
    const isShown = shown.every(({ properties }) => properties.has(name));
    const value = isMarked(shape, 'readOnly') ? unlikelyValue(contract, shape) : undefined;
    // A service that takes an id from a request could give it to something else.
    if (isShown && name !== id.member && value !== undefined) {
      attempts.push({ operation, name, value });
    }
  }
  return attempts;
}

/** The members of a body; those of the kind of the resource, if the body has several kinds. */
function membersOf({ requestBody }: Operation, { contract, sentAs }: Facts): Shape['properties'] {
  if (!requestBody) {
    return new Map();
  }
  const body = shapeOf(contract, requestBody.pointer);
  if (body.properties.size > 0 || body.alternatives.length === 0) {
    return body.properties;
  }
  return shapeOf(contract, ...sentAs).properties;
}

/** Values that no service sets by itself: long ago, or random. */
const UNLIKELY: readonly (() => unknown)[] = [
  () => '2001-02-03T04:05:06Z',
  () => '2001-02-03',
  () => randomUUID(),
  () => `conformance-${randomUUID()}`,
  () => `https://${randomUUID()}.example.com/`,
  () => 871_236_549,
  () => 871_236,
];

/** Undefined if there is none: a choice or a switch may come to have any value by itself. */
function unlikelyValue(contract: Contract, { roots, choices, types }: Shape): unknown {
  const [pointer] = roots;
  if (pointer === undefined || choices !== undefined || types.has('boolean')) {
    return undefined;
  }
  const isValid = (value: unknown) => schemasOf(contract).isValid(pointer, value);
  return UNLIKELY.map((make) => make()).find(isValid);
}

async function tryAttempt({ operation, name, value }: Attempt, steps: Steps): Promise<void> {
  const isCreation = operation.operationId === steps.resource.calls.create;
  const attempt = isCreation ? tryCreation : tryChange;
  const item = await attempt(operation, { [name]: value }, steps);
  const got = memberOf(await steps.readWhole(item), name);
  expectThat(!isSameValue(got, value), `A request set what is readOnly (at /${name}).`, {
    expected: `another \`${name}\`, or a refusal`,
    got,
  });
}

const REFUSED = 'a request with what is readOnly is refused';

async function tryCreation(
  { operationId }: Operation,
  attempted: Json,
  steps: Steps,
): Promise<Item> {
  const place = await steps.place();
  const json = { ...steps.bodyIn(place, steps.full()), ...attempted };
  const response = await steps.session.call(operationId, { path: place.path, json });
  if (response.status >= 300) {
    throw new NotPossible(REFUSED);
  }
  return steps.itemIn(place, response);
}

async function tryChange(operation: Operation, attempted: Json, steps: Steps): Promise<Item> {
  const { operationId, method } = operation;
  const item = await steps.createOne(steps.full());
  const rest = method === 'PUT' ? wholeOf(item, operation, steps) : {};
  const json = { ...rest, ...attempted };
  const { status } = await steps.session.call(operationId, { path: item.path, json });
  if (status >= 300) {
    throw new NotPossible(REFUSED);
  }
  return item;
}

/** What a replacement may have of an item, as it is shown. */
function wholeOf({ shown }: Item, { requestBody }: Operation, steps: Steps): Json {
  const { contract } = steps.implementation;
  const { properties } = shapeOf(asRequest(contract), requestBody?.pointer ?? '');
  const names = [...properties.keys()].filter((name) => memberOf(shown, name) !== undefined);
  return { ...steps.full(), ...pick(shown, names) };
}

/** Whether two values are the same, in whatever spelling of a time. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) {
    return true;
  }
  const areTexts = typeof one === 'string' && typeof other === 'string';
  return areTexts && isTime(other) && Date.parse(one) === Date.parse(other);
}

const isTime = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T/.test(text);
