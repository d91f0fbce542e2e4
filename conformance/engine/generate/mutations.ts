/**
 * One mutation: what to put at the path of a clause so that this clause breaks. Whether it does is proved by the
 * caller.
 */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { joinPointer } from '../contract/pointers.ts';
import { ALL_TYPES, shapeAt, shapeOf, strictest, WHOLE_RULES, type JsonType, type Shape } from '../contract/shape.ts';
import { Unsupported } from '../contract/unsupported.ts';
import type { Build } from './build.ts';
import { containerMutations } from './container-mutations.ts';
import { objectOf } from './containers.ts';
import type { Mutation } from './mutation.ts';
import { textMutations } from './text-mutations.ts';
import { branch, embeddedAt, present } from './values.ts';

/** The mutations that may break `clause`, which binds the values of `shape`. Empty when none is known. */
export function mutationsOf(build: Build, shape: Shape, clause: Clause): Mutation[] {
  switch (clause.keyword) {
    case 'type':
      return typeMutations(build, shape);
    case 'enum':
    case 'const':
      return choiceMutations(shape);
    case 'minimum':
      return boundMutations(shape, 'minimum', -1);
    case 'maximum':
      return boundMutations(shape, 'maximum', 1);
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return exclusiveMutations(clause);
    case 'multipleOf':
      return multipleMutations(shape, clause.schema['multipleOf'] as number);
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'unevaluatedProperties':
    case 'contains':
    case 'patternProperties':
    case 'dependentSchemas':
    case 'prefixItems':
    case 'unevaluatedItems':
    case 'minContains':
    case 'maxContains':
      return wholeMutations(build, shape, clause);
    case 'minLength':
    case 'maxLength':
    case 'pattern':
    case 'format':
    case 'x-max-bytes':
      return textMutations(build, shape, clause);
    case 'if':
      return branchMutations(build, shape, clause);
    default:
      return containerMutations(build, shape, clause);
  }
}

/** What a lenient reader would take for a number, a boolean, nothing, a list of one … */
const TEMPTING: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [1, 0, 5],
  number: [1.5, 0.5, -0.1, 5.000001],
  string: ['', '5', '1', 'true', 'false', 'null', '1.5', 'a', '{}', '[]'],
  array: [[]],
  object: [{}],
};

function typeMutations(build: Build, shape: Shape): Mutation[] {
  const due = [...shape.types].join(' or ');
  const valid = present(build, shape);
  return ALL_TYPES.filter((type) => !shape.types.has(type)).flatMap((type) => {
    // Each by itself: what a reader takes for something else is often one value alone.
    const mutations = TEMPTING[type].map((value) => ({
      label: `${JSON.stringify(value)} in place of ${due}`,
      leaf: fc.constant(value),
    }));
    const wrapped = valid ? wrappedIn(type, valid) : undefined;
    return wrapped ? [...mutations, { label: `${due} in ${type}`, leaf: wrapped }] : mutations;
  });
}

function wrappedIn(type: JsonType, valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> | undefined {
  if (type === 'array') return valid.map((value) => [value]);
  if (type === 'object') return valid.map((value) => ({ value }));
  if (type === 'string') return valid.map((value) => JSON.stringify(value));
  return undefined;
}

function choiceMutations({ choices = [] }: Shape): Mutation[] {
  const words = choices.filter((choice) => typeof choice === 'string');
  const numbers = choices.filter((choice) => typeof choice === 'number');
  const mutations: [string, unknown[]][] = [
    [
      'another case',
      words.flatMap((word) => [word.toUpperCase(), word.toLowerCase(), word.charAt(0).toUpperCase() + word.slice(1)]),
    ],
    [
      'another word',
      words.length > 0
        ? ['other', 'none', 'null', ...words.flatMap((word) => [word.slice(0, -1), `${word}s`, `${word}0`])]
        : [],
    ],
    ['an empty text', ['']],
    ['white space around it', words.flatMap((word) => [` ${word}`, `${word} `, `${word}\n`])],
    ['two of them', words.length > 0 ? [words.join(','), words.join('')] : []],
    ['another number', numbers.flatMap((number) => [number + 1, -number - 1, number + 0.5])],
    [
      'a number',
      words
        .map(Number)
        .filter((number) => !Number.isNaN(number))
        .concat(0),
    ],
    ['a text', numbers.map(String)],
    ['null', [null]],
    ['a boolean', [true, false]],
    ['a list of it', choices.map((choice) => [choice])],
    ['an object', [{}]],
  ];
  return mutations.flatMap(([label, values]) => {
    const others = values.filter(
      (value) => !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)),
    );
    return others.map((value) => ({ label: `${label}: ${JSON.stringify(value)}`, leaf: fc.constant(value) }));
  });
}

function boundMutations(shape: Shape, keyword: string, direction: 1 | -1): Mutation[] {
  const bound = strictest(shape, keyword);
  if (bound === undefined) return [];
  const far = [2 ** 31, 2 ** 32, 2 ** 53, 1e15]
    .map((size) => direction * size)
    .filter((value) => (value - bound) * direction > 1);
  const mutations: Mutation[] = [
    { label: `${bound + direction}, one beyond`, leaf: fc.constant(bound + direction) },
    { label: 'far beyond', leaf: fc.constantFrom(...far) },
  ];
  if (shape.types.has('number'))
    mutations.push({
      label: 'just beyond',
      leaf: fc.constantFrom(...[0.01, 1e-9].map((step) => bound + direction * step)),
    });
  return mutations;
}

function exclusiveMutations({ keyword, schema }: Clause): Mutation[] {
  const bound = schema[keyword] as number;
  const far = keyword === 'exclusiveMinimum' ? bound - 1 : bound + 1;
  return [
    { label: `${bound} itself`, leaf: fc.constant(bound) },
    { label: `${far}, beyond`, leaf: fc.constant(far) },
  ];
}

function multipleMutations(shape: Shape, step: number): Mutation[] {
  const offsets = shape.types.has('number') ? [step / 2, step / 10] : [1];
  return offsets.map((offset) => ({
    label: `a multiple and ${offset}`,
    leaf: fc.integer({ min: 0, max: 9 }).map((count) => count * step + offset),
  }));
}

/** Rules about a value as a whole: values of the branches, more than one of them at once, none of them. */
function wholeMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const { keyword, pointer, schema } = clause;
  const mutations: Mutation[] = [];
  const add = (label: string, make: () => fc.Arbitrary<unknown>) => {
    try {
      mutations.push({ label, leaf: make() });
    } catch (error) {
      // One of several ways: another schema has no such values.
      if (!(error instanceof Unsupported)) throw error;
    }
  };
  if (keyword === 'unevaluatedProperties')
    add('an unknown name', () =>
      objectOf(build, shape, {
        extra: fc.constantFrom<unknown>('', 1, {}),
        extraName: fc.constantFrom('colour', 'x-extra'),
      }),
    );
  if (keyword === 'not') add('what must not be', () => build.arbitraryOf(shapeOf(build.contract, pointer)));
  if (keyword === 'not')
    add('what must not be, beside the rest', () => build.arbitraryOf(shapeOf(build.contract, ...shape.roots, pointer)));
  const branches = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]).length : 0;
  if (keyword === 'oneOf' && branches > 1)
    add('two branches at once', () =>
      build.arbitraryOf(
        shapeOf(
          build.contract,
          ...shape.parts.map((part) => part.pointer),
          joinPointer(pointer, 0),
          joinPointer(pointer, 1),
        ),
      ),
    );
  if (keyword === 'anyOf' || keyword === 'oneOf') {
    for (let index = 0; index < branches; index += 1) {
      const at = joinPointer(pointer, index);
      for (const inner of clausesOf(build.contract, at)) {
        const merged = shapeOf(build.contract, ...shape.roots, at);
        const others = shape.alternatives.filter(([first]) => !first?.startsWith(`${pointer}/`));
        const branched = Object.create(merged, { alternatives: { value: others } }) as Shape;
        const target = shapeAt(branched, inner.path);
        if (!target || inner.onNames || WHOLE_RULES.includes(inner.keyword)) continue;
        for (const { label, leaf } of mutationsOf(build, target, inner).slice(0, 2))
          add(`branch ${index + 1}, ${inner.id}: ${label}`, () => embeddedAt(build, branched, inner.path, leaf));
      }
    }
    for (const value of ['', 0, true, null, [], {}]) add(JSON.stringify(value), () => fc.constant(value));
  }
  return mutations.slice(0, 30);
}

/** Values that meet the condition and are valid, were it not for what the branch says. */
function branchMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const rule = shape.conditionals.find(
    ({ whenMet, whenNot }) => whenMet === clause.pointer || whenNot === clause.pointer,
  );
  if (!rule) return [];
  const met = branch(build, shape, rule.whenMet === clause.pointer ? [rule.condition] : []);
  return clausesOf(build.contract, clause.pointer).flatMap((inner) => {
    const target = shapeAt(met, inner.path);
    if (!target || inner.onNames) return [];
    // Any value that is right without the branch may be wrong with it; for limits it seldom is, so that a mutation
    // helps.
    const mutations = [{ label: 'a value that is allowed otherwise', leaf: build.arbitraryOf(target) }];
    if (!['if', 'type', 'enum', 'const'].includes(inner.keyword)) mutations.push(...mutationsOf(build, target, inner));
    return mutations.map(({ label, leaf }) => ({
      label: `${clause.name ?? ''} ${inner.id}: ${label}`,
      leaf: embeddedAt(build, met, inner.path, leaf),
    }));
  });
}
