/** Arrays and objects that break one rule about their items or properties. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { isObject, valueAt } from '../contract/pointers.ts';
import type { Shape } from '../contract/shape.ts';
import type { Build } from './build.ts';
import { arrayOf } from './arrays.ts';
import { objectOf } from './objects.ts';
import { ANY } from './room.ts';
import { withoutKnown } from './memo.ts';
import type { Mutation } from './mutation.ts';
import { present } from './values.ts';

export function containerMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const stated = clause.schema[clause.keyword];
  switch (clause.keyword) {
    case 'minItems':
    case 'maxItems': {
      const length = (stated as number) + (clause.keyword === 'minItems' ? -1 : 1);
      // A small pool of hints may not hold as many distinct items.
      return length < 0
        ? []
        : [build, withoutKnown(build)].map((one) => ({
            label: `${length} items`,
            leaf: arrayOf(one, shape, { length }),
          }));
    }
    case 'uniqueItems':
      return repeated(build, shape);
    case 'minProperties':
    case 'maxProperties': {
      const size = (stated as number) + (clause.keyword === 'minProperties' ? -1 : 1);
      return size < 0 ? [] : [{ label: `${size} properties`, leaf: objectOf(build, shape, { size }) }];
    }
    case 'required':
      return [
        { label: `no ${clause.name ?? ''}`, leaf: objectOf(build, shape, { without: new Set([clause.name ?? '']) }) },
      ];
    case 'dependentRequired':
      return dependent(build, shape, clause);
    case 'additionalProperties':
      return unknown(build, shape);
    default:
      throw new Error(`no mutations are known for ${clause.keyword} at ${clause.pointer}`);
  }
}

function repeated(build: Build, shape: Shape): Mutation[] {
  const hasRest = shape.items?.types.size !== 0;
  const item = shape.items && hasRest ? build.arbitraryOf(shape.items) : fc.constant(0);
  const added = fc
    .tuple(arrayOf(build, shape, hasRest ? { one: item } : {}), fc.nat({ max: 9 }), fc.nat({ max: 9 }))
    .map(([items, from, to]) => items.toSpliced(to % (items.length + 1), 0, items[from % items.length]));
  // Where each place has a schema of its own, a copy takes the place of another item.
  const copied = fc
    .tuple(arrayOf(build, shape), fc.nat({ max: 9 }), fc.nat({ max: 9 }))
    .map(([items, from, to]) => items.map((one, at) => (at === to % items.length ? items[from % items.length] : one)));
  return [
    ...(hasRest ? [{ label: 'one item twice', leaf: added }] : []),
    ...(shape.prefix.length > 0 ? [{ label: 'one item in place of another', leaf: copied }] : []),
  ];
}

function dependent(build: Build, shape: Shape, { schema, name = '' }: Clause): Mutation[] {
  const trigger = Object.keys(schema['dependentRequired'] as object).find((key) => name.startsWith(`${key}.`));
  const child = shape.property(trigger ?? '');
  const values = child ? present(build, child) : ANY;
  if (trigger === undefined || !values) return [];
  const missing = name.slice(trigger.length + 1);
  const fixed = new Map([[trigger, values]]);
  for (const other of (schema['dependentRequired'] as Record<string, string[]>)[trigger] ?? []) {
    const due = shape.property(other);
    if (other !== missing) fixed.set(other, due ? build.arbitraryOf(due) : ANY);
  }
  return [
    {
      label: `${trigger} without ${missing}`,
      leaf: objectOf(build, shape, { fixed, without: new Set([missing]) }),
    },
  ];
}

function unknown(build: Build, shape: Shape): Mutation[] {
  const known = [...shape.properties.keys()];
  const value = fc.constantFrom<unknown>('', null, true, 1, [], {});
  const withNames = (label: string, names: string[]): Mutation[] => {
    const others = names.filter((name) => !shape.allows(name));
    return others.length > 0
      ? [{ label, leaf: objectOf(build, shape, { extra: value, extraName: fc.constantFrom(...others) }) }]
      : [];
  };
  return [
    ...withNames('an unknown name', ['colour', 'x', '0', 'x-extra', 'null', '$ref', 'é']),
    ...withNames('an empty name', ['']),
    ...withNames('a name that a JSON Pointer escapes', ['a/b', '~', 'a~b', '~1', '~0/~1', '//']),
    ...withNames('a name that looks like something else', ['a b', '#/x', '%2F', '"', '\\', '😀', '-', '*']),
    ...withNames('__proto__', ['__proto__']),
    ...['constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__'].flatMap((name) =>
      withNames(`the name of a built-in, ${name}`, [name]),
    ),
    ...withNames('the name of what only responses have', ['id', 'uri', 'created_at']),
    ...withNames('the name of a property elsewhere', namesElsewhere(build, shape)),
    ...withNames(
      'nearly a known name',
      known.flatMap((name) => [`${name}s`, name.slice(0, -1), `${name} `, ` ${name}`, `/${name}`]),
    ),
    ...miscased(build, shape),
  ];
}

/** A known property in another case in place of the right one, with a value that would be fine. */
function miscased(build: Build, shape: Shape): Mutation[] {
  const options = [...shape.properties].flatMap(([name, child]) => {
    const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const names = [
      name.charAt(0).toUpperCase() + name.slice(1),
      name.toUpperCase(),
      camel,
      name.replaceAll('_', '-'),
    ].filter((one) => !shape.allows(one));
    if (names.length === 0 || child.types.size === 0) return [];
    const without = new Set(shape.required.has(name) ? [] : [name]);
    return [objectOf(build, shape, { extra: build.arbitraryOf(child), extraName: fc.constantFrom(...names), without })];
  });
  return options.length > 0 ? [{ label: 'a known name in another case', leaf: fc.oneof(...options) }] : [];
}

/** The names of all properties of all components: what a client may well confuse with what is allowed here. */
function namesElsewhere(build: Build, shape: Shape): string[] {
  const schemas = valueAt(build.contract.document, '/components/schemas');
  const names = Object.values(isObject(schemas) ? schemas : {}).flatMap((schema) =>
    isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [],
  );
  return [...new Set(names)].filter((name) => !shape.allows(name));
}
