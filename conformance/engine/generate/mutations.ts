/** What to put at the path of a clause so that this clause breaks. Whether it does is proved by the caller. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { clausesOf, type Clause, dependencyOf } from '../contract/clauses.ts';
import {
  BYTE_FORMAT,
  isTextFormat,
  SHORTEST,
  Unsupported,
  WHOLE_RULES,
} from '../contract/keywords.ts';
import { matcherOf } from '../contract/patterns.ts';
import { operationsOf } from '../contract/operations.ts';
import { isObject, joinPointer, valueAt } from '../contract/pointers.ts';
import { type Shape, shapeAt, shapeOf, strictest } from '../contract/shape.ts';
import { ALL_TYPES, type JsonType } from '../contract/json-types.ts';
import { holderOf, setAside, without } from '../contract/variants.ts';
import { arrayOf, freeName, objectOf } from './containers.ts';
import {
  among,
  ANY,
  type Build,
  exactly,
  type Mutate,
  type Mutation,
  realisticOf,
} from './build.ts';
import { someOf } from './choices.ts';
import { possible } from './filter.ts';
import { rangeOf } from './numbers.ts';
import { nearFormat, stringOf, textOfBytes, textsOfLength } from './strings.ts';
import { branchAt, buildOf, embeddedAt, present, withoutKnown } from './valid.ts';

const MUTATIONS: readonly (readonly [keyword: RegExp, Mutate])[] = [
  [/^type$/, typeMutations],
  [/^(enum|const)$/, choiceMutations],
  [/^(m|exclusiveM)(in|ax)imum$/, boundMutations],
  [/^multipleOf$/, multipleMutations],
  [/^m(in|ax)Length$/, lengthMutations],
  [/^pattern$/, patternMutations],
  [/^format$/, formatMutations],
  [/^x-max-bytes$/, byteMutations],
  [/^m(in|ax)(Items|Properties)$/, sizeMutations],
  [/^uniqueItems$/, repeatedMutations],
  [
    /^required$/,
    (build, shape, { name = '' }) => [[`no ${name}`, objectOf(build, shape, { without: [name] })]],
  ],
  [/^dependentRequired$/, dependentMutations],
  [/^additionalProperties$/, unknownMutations],
  [/^if$/, branchMutations],
];

/** The mutations that may break `clause`, which binds the values of `shape`. Empty when none is known. */
export const mutationsOf: Mutate = (build, shape, clause, schemaPointer) => {
  if (WHOLE_RULES.includes(clause.keyword)) {
    return wholeMutations(build, shape, clause, schemaPointer);
  }
  const mutate = MUTATIONS.find(([keyword]) => keyword.test(clause.keyword))?.[1];
  if (!mutate) {
    throw new Error(`no mutations are known for ${clause.keyword} at ${clause.pointer}`);
  }
  return mutate(build, shape, clause, schemaPointer);
};

const VALUES = ['', 0, 1, true, null, [], {}];
const any = fc.constantFrom<unknown>(...VALUES);

/** Values that break a rule about a value as a whole: what is known of such rules, and whatever is right but for it. */
function wholeMutations(
  build: Build,
  shape: Shape,
  clause: Clause,
  schemaPointer = '',
): Mutation[] {
  const free = buildOf(without(build.contract, schemaPointer, clause.pointer), build.hints);
  const freed = shapeOf(free.contract, ...shape.roots);
  const stated = clause.schema[clause.keyword];
  const inner = setAside(clause.pointer);
  const mutations: Mutation[] = [];
  const add = (label: string, make: () => fc.Arbitrary<unknown>) => {
    mutations.push(...possible(make).map((leaf): Mutation => [label, leaf]));
  };
  const satisfying = (...pointers: string[]) =>
    free.arbitraryOf(shapeOf(free.contract, ...shape.roots, ...pointers));
  if (clause.keyword === 'unevaluatedProperties') {
    const names = () => {
      if (freed.names) {
        return freeName(free, freed);
      }
      return fc.constantFrom('colour', 'x-extra');
    };
    const added = ([value, name, extra]: [unknown, string, unknown]) =>
      isObject(value) ? { ...value, [name]: extra } : value;
    add('an unknown name', () => fc.tuple(satisfying(), names(), any).map(added));
  } else if (clause.keyword === 'unevaluatedItems') {
    const added = ([value, one]: [unknown, unknown]) =>
      Array.isArray(value) ? [...(value as unknown[]), one] : value;
    add('one more item', () => fc.tuple(satisfying(), any).map(added));
  } else if (clause.keyword === 'maxContains') {
    const contains = joinPointer(holderOf(clause.pointer), 'contains');
    const contained = shapeOf(build.contract, ...(shape.items?.roots ?? []), contains);
    const minLength = (stated as number) + 1;
    add('more of what it contains', () => {
      const more = fc.array(build.arbitraryOf(contained), { minLength, maxLength: minLength + 1 });
      return fc.tuple(arrayOf(free, freed), more).map((items) => items.flat());
    });
  } else if (clause.keyword === 'not') {
    add('what must not be', () => free.arbitraryOf(shapeOf(free.contract, inner)));
    add('what must not be, beside the rest', () => satisfying(inner));
  } else if (/^(any|one)Of$/.test(clause.keyword)) {
    const branches = (stated as unknown[]).map((_, index) => joinPointer(inner, index));
    for (const [one, pointer] of branches.entries()) {
      for (const [other, beside] of branches.entries()) {
        if (one < other) {
          add(`branches ${one + 1} and ${other + 1} at once`, () => satisfying(pointer, beside));
        }
      }
    }
    for (const [index, pointer] of branches.entries()) {
      for (const [label, make] of nearly(free, freed, pointer)) {
        add(`branch ${index + 1}, ${label}`, make);
      }
    }
  } else if (clause.keyword === 'dependentSchemas') {
    for (const name of Object.keys(stated as object)) {
      const child = freed.property(name);
      const fixed = new Map([[name, child ? free.arbitraryOf(child) : any]]);
      add(`with ${name}`, () => objectOf(free, freed, { fixed }));
    }
  }
  for (const value of VALUES) {
    add(JSON.stringify(value), () => fc.constant(value));
  }
  add('what is right otherwise', satisfying);
  return mutations;
}

/** For each clause of one more schema: values that are wrong in that respect alone. */
function nearly(
  build: Build,
  shape: Shape,
  pointer: string,
): [string, () => fc.Arbitrary<unknown>][] {
  const merged = shapeOf(build.contract, ...shape.roots, pointer);
  return clausesOf(build.contract, pointer).flatMap(
    (clause): [string, () => fc.Arbitrary<unknown>][] => {
      const target = shapeAt(merged, clause.path);
      if (!target || clause.onNames || WHOLE_RULES.includes(clause.keyword)) {
        return [];
      }
      const make = () => {
        const [first, ...others] = mutationsOf(build, target, clause).map(([, leaf]) => leaf);
        if (!first) {
          throw new Unsupported(`nothing breaks ${clause.id}`);
        }
        return embeddedAt(build, merged, clause.path, fc.oneof(first, ...others));
      };
      return [[clause.id, make]];
    },
  );
}

/** Values that meet the condition and are valid but for the branch. */
function branchMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const met = branchAt(build, shape, clause.pointer, false);
  if (!met) {
    return [];
  }
  return clausesOf(build.contract, clause.pointer).flatMap((inner) => {
    const target = shapeAt(met, inner.path);
    if (!target || inner.onNames) {
      return [];
    }
    // Any value that is right without the branch may be wrong with it; for limits it seldom is, so that a mutation
    // helps. A mutation leaves out a required property.
    const allowed: Mutation[] =
      inner.keyword === 'required'
        ? []
        : [['a value that is allowed otherwise', build.arbitraryOf(target)]];
    const isLimit = !['if', 'type', 'enum', 'const'].includes(inner.keyword);
    return [...allowed, ...(isLimit ? mutationsOf(build, target, inner) : [])].map(
      ([label, leaf]): Mutation => [
        `${clause.name ?? ''} ${inner.id}: ${label}`,
        embeddedAt(build, met, inner.path, leaf),
      ],
    );
  });
}

function sizeMutations(build: Build, shape: Shape, { keyword, schema }: Clause): Mutation[] {
  const limit = schema[keyword] as number;
  return ofSize(build, shape, keyword, keyword.startsWith('min') ? limit - 1 : limit + 1);
}

/** With so many items or properties, as the keyword counts. */
export function ofSize(build: Build, shape: Shape, keyword: string, size: number): Mutation[] {
  if (size < 0) {
    return [];
  }
  if (keyword.endsWith('Properties')) {
    return [[`${size} properties`, objectOf(build, shape, { size })]];
  }
  // A small pool of hints may not hold as many distinct items.
  return [build, withoutKnown(build)].map((one) => [
    `${size} items`,
    arrayOf(one, shape, { length: size }),
  ]);
}

function repeatedMutations(build: Build, shape: Shape): Mutation[] {
  const hasRest = shape.items?.types.size !== 0;
  const item = shape.items && hasRest ? build.arbitraryOf(shape.items) : fc.constant(0);
  const places = [fc.nat({ max: 9 }), fc.nat({ max: 9 })] as const;
  const added = fc
    .tuple(arrayOf(build, shape, hasRest ? { one: item } : {}), ...places)
    .map(([items, from, to]) =>
      items.toSpliced(to % (items.length + 1), 0, items[from % items.length]),
    );
  // Where each place has a schema of its own, a copy takes the place of another item.
  const copied = fc
    .tuple(arrayOf(build, shape), ...places)
    .map(([items, from, to]) =>
      items.map((one, at) => (at === to % items.length ? items[from % items.length] : one)),
    );
  const twice: Mutation[] = hasRest ? [['one item twice', added]] : [];
  if (shape.prefix.length > 0) {
    return [...twice, ['one item in place of another', copied]];
  }
  return twice;
}

function dependentMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const { rules, trigger, missing } = dependencyOf(clause);
  const child = shape.property(trigger);
  const values = child ? present(build, child) : ANY;
  if (!values) {
    return [];
  }
  const fixed = new Map([[trigger, values]]);
  for (const other of rules[trigger] ?? []) {
    const due = shape.property(other);
    if (other !== missing) {
      fixed.set(other, due ? build.arbitraryOf(due) : ANY);
    }
  }
  return [[`${trigger} without ${missing}`, objectOf(build, shape, { fixed, without: [missing] })]];
}

/** Names that few schemas allow, by what is tempting about them. */
const NAMES: readonly (readonly [label: string, names: readonly string[]])[] = [
  ['an unknown name', ['colour', 'x', '0', 'x-extra', 'null', '$ref', 'é']],
  ['an empty name', ['']],
  ['a name that a JSON Pointer escapes', ['a/b', '~', 'a~b', '~1', '~0/~1', '//']],
  ['a name that looks like something else', ['a b', '#/x', '%2F', '"', '\\', '😀', '-', '*']],
  ['__proto__', ['__proto__']],
  ...['constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__'].map(
    (name) => [`the name of a built-in, ${name}`, [name]] as const,
  ),
  ['a name that is too long for a pointer', ['x'.repeat(5_000), `${'x'.repeat(4_093)}~~`]],
  ['a name that readers cut or format', ['\u0000', 'a\u0000b', '%s%n', '${a}', '{0}', "'"]],
];

function unknownMutations(
  build: Build,
  shape: Shape,
  clause: Clause,
  schemaPointer?: string,
): Mutation[] {
  const extra = fc.constantFrom<unknown>('', null, true, 1, [], {});
  const near = (name: string) => [
    `${name}s`,
    name.slice(0, -1),
    `${name} `,
    ` ${name}`,
    `/${name}`,
  ];
  const candidates: typeof NAMES = [
    ...NAMES,
    ['the name of a property elsewhere', namesElsewhere(build)],
    ['nearly a known name', [...shape.properties.keys()].flatMap(near)],
  ];
  const unknown = candidates.flatMap(([label, names]): Mutation[] => {
    const others = names.filter((name) => !shape.allows(name));
    if (others.length === 0) {
      return [];
    }
    return [
      [
        label,
        objectOf(build, shape, { extra, extraName: fc.constantFrom(...others) }),
        label.split(',', 1)[0]!,
      ],
    ];
  });
  const borrowed =
    schemaPointer === undefined ? [] : relatives(build, shape, clause, schemaPointer);
  return [...unknown, ...miscased(build, shape), ...borrowed];
}

/** Names known in the response, beside this place or within what is beside it, with a value: services share schemas. */
function relatives(
  build: Build,
  shape: Shape,
  { path }: Clause,
  schemaPointer: string,
): Mutation[] {
  const { contract } = build;
  const operation = operationsOf(contract).find(
    ({ requestBody }) => requestBody?.pointer === schemaPointer,
  );
  const success = Object.values(operation?.responses ?? {}).find(({ status }) =>
    status.startsWith('2'),
  );
  const [shown] = Object.values(success?.content ?? {});
  const around =
    path.length > 0 ? shapeAt(shapeOf(contract, schemaPointer), path.slice(0, -1)) : undefined;
  const there = shown === undefined ? undefined : shapeAt(shapeOf(contract, shown), path);
  const holders = [...(around?.properties.values() ?? []), around, there];
  const known = new Map(holders.flatMap((holder) => [...(holder?.properties ?? [])]));
  return [...known].flatMap(([name, child]) => {
    if (shape.allows(name) || child.types.size === 0) {
      return [];
    }
    return possible((): Mutation => {
      // Lists of whole resources cost more than they show.
      const values = child.types.has('array')
        ? fc.constantFrom<unknown>([], [{}])
        : present(build, child);
      const extra = { extra: values ?? ANY, extraName: fc.constant(name), sparse: true };
      const kind = there?.properties.has(name) ? undefined : 'known elsewhere';
      return [`${name}, which is known elsewhere`, objectOf(build, shape, extra), kind];
    });
  });
}

/** A known property in another case in place of the right one, with a value that would be fine. */
function miscased(build: Build, shape: Shape): Mutation[] {
  const options = [...shape.properties].flatMap(([name, child]) => {
    const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const names = [
      capitalized(name),
      name.toUpperCase(),
      camel,
      name.replaceAll('_', '-'),
      // They fold to the name, or hold it up to a NUL.
      name.replace('s', '\u017f').replace('k', '\u212a'),
      `${name}\u0000`,
      `${name}\u200b`,
    ].filter((one) => !shape.allows(one));
    if (names.length === 0 || child.types.size === 0) {
      return [];
    }
    const put = { extra: build.arbitraryOf(child), extraName: fc.constantFrom(...names) };
    return [objectOf(build, shape, { ...put, without: shape.required.has(name) ? [] : [name] })];
  });
  if (options.length > 0) {
    return [['a known name in another spelling', fc.oneof(...options)]];
  }
  return [];
}

/** The names of all properties of all components: what a client may well confuse with what is allowed. */
function namesElsewhere(build: Build): string[] {
  const schemas: unknown[] = Object.values(
    valueAt(build.contract.document, '/components/schemas') ?? {},
  );
  return [
    ...new Set(
      schemas.flatMap((schema) => Object.keys((isObject(schema) && schema['properties']) || {})),
    ),
  ];
}

/** Values that a lenient reader takes for a number, a boolean, nothing, a list of one … Those of any use come first. */
const TEMPTING: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [1, 0, 5],
  number: [1.5, 0.5, -0.1, 5.000001],
  string: ['', 'null', 'a', '{}', '[]', '5', '1', 'true', 'false', '1.5'],
  array: [[]],
  object: [{}],
};

/** How many of them are tried where no number is due, nor, for a text, a boolean: nobody reads more than that. */
const FEW: Readonly<Partial<Record<JsonType, number>>> = { integer: 2, number: 1, string: 5 };
const NEAR: readonly JsonType[] = ['integer', 'number', 'boolean'];

/** A valid value within a value of another type. */
const WRAPPED: Readonly<Partial<Record<JsonType, (value: unknown) => unknown>>> = {
  array: (value) => [value],
  object: (value) => ({ value }),
  string: (value) => JSON.stringify(value),
};

function typeMutations(build: Build, shape: Shape): Mutation[] {
  const due = [...shape.types].join(' or ');
  const valid = present(build, shape);
  const { min, max } = rangeOf(shape);
  return ALL_TYPES.filter((type) => !shape.types.has(type)).flatMap((type) => {
    // Each by itself: what a reader takes for something else is often one value alone.
    const isNear = NEAR.some(
      (near) => shape.types.has(near) && (near !== 'boolean' || type === 'string'),
    );
    const kind = isNear ? undefined : type.replace('integer', 'number');
    const tempting = TEMPTING[type]
      .slice(0, isNear ? undefined : FEW[type])
      // Beyond its limits it would break them, too.
      .filter(
        (value) =>
          typeof value !== 'number' ||
          !shape.types.has('integer') ||
          (value >= min && value <= max),
      )
      .map((value) => exactly(`${JSON.stringify(value)} in place of ${due}`, value, kind));
    const wrap = WRAPPED[type];
    const ofWrapped = type === 'string' ? undefined : kind;
    if (valid && wrap) {
      return [...tempting, [`${due} in ${type}`, valid.map(wrap), ofWrapped]];
    }
    return tempting;
  });
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function choiceMutations(_: Build, { choices = [] }: Shape): Mutation[] {
  const some = someOf(choices);
  const words = some.filter((choice) => typeof choice === 'string');
  const numbers = some.filter((choice) => typeof choice === 'number');
  const isText = words.length > 0;
  const mutations: Record<string, unknown[]> = {
    'another case': words.flatMap((word) => [
      word.toUpperCase(),
      word.toLowerCase(),
      capitalized(word),
    ]),
    'another word': isText
      ? [
          'other',
          'none',
          'null',
          ...words.flatMap((word) => [word.slice(0, -1), `${word}s`, `${word}0`]),
        ]
      : [],
    'an empty text': [''],
    'white space around it': words.flatMap((word) => [` ${word}`, `${word} `, `${word}\n`]),
    'two of them': isText ? [words.join(','), words.join('')] : [],
    'another number': numbers.flatMap((number) => [number + 1, -number - 1, number + 0.5]),
    'a number': [...words.map(Number).filter((number) => !Number.isNaN(number)), 0],
    'a text': numbers.map(String),
    null: [null],
    'a boolean': [true, false],
    'a list of it': some.map((choice) => [choice]),
    'an object': [{}],
  };
  const listed = new Set(choices);
  const holders = choices.filter((choice) => typeof choice === 'object');
  const isWrong = (value: unknown) =>
    !listed.has(value) && !holders.some((choice) => isDeepStrictEqual(choice, value));
  return Object.entries(mutations).flatMap(([label, values]) =>
    values
      .filter(isWrong)
      .map((value) => exactly(`${label}: ${JSON.stringify(value)}`, value, label)),
  );
}

function boundMutations(_: Build, shape: Shape, { keyword }: Clause): Mutation[] {
  const bound = strictest(shape, keyword)!;
  const direction = /minimum/i.test(keyword) ? -1 : 1;
  const sizes = [2 ** 31, 2 ** 32, 2 ** 53, 1e15].filter((size) => size - bound * direction > 1);
  const far = sizes.map((size) => direction * size);
  const near = [0.01, 1e-9].map((step) => bound + direction * step);
  return [
    ...(keyword.startsWith('exclusive') ? [exactly(`${bound} itself`, bound)] : []),
    exactly(`${bound + direction}, one beyond`, bound + direction),
    ...among('far beyond', far),
    ...among('just beyond', shape.types.has('number') ? near : []),
  ];
}

function multipleMutations(_: Build, shape: Shape, { schema }: Clause): Mutation[] {
  const step = schema['multipleOf'] as number;
  const offsets = shape.types.has('number') ? [step / 2, step / 10] : [1];
  const counts = fc.integer({ min: 0, max: 9 });
  // The sum of two binary fractions is not the decimal that is meant.
  const exact = (sum: number) => Number(sum.toPrecision(12));
  return offsets.map((offset) => [
    `a multiple and ${offset}`,
    counts.map((count) => exact(count * step + offset)),
  ]);
}

function lengthMutations(build: Build, shape: Shape, { keyword, schema }: Clause): Mutation[] {
  const limit = schema[keyword] as number;
  const length = keyword === 'minLength' ? limit - 1 : limit + 1;
  // Beside a limit in bytes, only characters of one byte show that this limit is broken.
  if (keyword === 'maxLength' && strictest(shape, 'x-max-bytes') !== undefined) {
    return [exactly(`${length} ASCII characters`, 'a'.repeat(length))];
  }
  const what = keyword === 'minLength' ? 'one fewer than allowed' : 'one more than allowed';
  return among(`${length} characters, ${what}`, textsOfLength(build, shape, length));
}

function byteMutations(_: Build, shape: Shape, { schema }: Clause): Mutation[] {
  const limit = schema['x-max-bytes'] as number;
  // Those characters pass where characters are counted, up to the last one.
  const chars = Math.min(limit, strictest(shape, 'maxLength') ?? limit);
  if (chars <= 0) {
    return [];
  }
  const wide: Mutation = [`${chars} characters of 4 bytes`, textOfBytes(chars * 4, 4)];
  return [...ofBytes(limit + 1, ', one more than allowed'), wide];
}

/** Texts of so many bytes, in characters of each width. */
export function ofBytes(bytes: number, what = ''): Mutation[] {
  const widths = [1, 2, 3, 4].filter((width) => width <= bytes);
  return widths.map((width) => [
    `${bytes} bytes in characters of ${width}${what}`,
    textOfBytes(bytes, width),
  ]);
}

/** Characters that a sloppy expression, trimming or decoding lets through. */
const INSERTED = ['\r\n', ...'\n \u0000/.%*?"\'\\\u00e9\u0661\u{1f600}\u200b-_:A'];

/** It breaks a `minLength` beside the rule, too, and most readers have a case of its own for it. */
const emptyUnless = (isRight: boolean) => (isRight ? [] : [exactly('an empty text', '')]);

function inOtherCase(text: string): string {
  return Array.from(text, (char) => {
    if (char === char.toUpperCase()) {
      return char.toLowerCase();
    }
    return char.toUpperCase();
  }).join('');
}

function patternMutations(build: Build, shape: Shape, { schema }: Clause): Mutation[] {
  const near = Object.entries(realisticOf(build, shape)?.near ?? {}).map(([label, value]) =>
    exactly(label, value),
  );
  const valid = stringOf(build, shape);
  const changed = (
    how: string,
    ...kinds: ('append' | 'prepend' | 'insert' | 'delete' | 'replace')[]
  ): Mutation => {
    const changes = fc.tuple(
      valid,
      fc.constantFrom(...kinds),
      fc.constantFrom(...INSERTED),
      fc.nat({ max: 300 }),
    );
    const texts = changes.map(([value, kind, char, at]) => {
      const chars = [...value];
      const index = at % Math.max(1, chars.length);
      if (kind === 'append') {
        return value + char;
      }
      if (kind === 'prepend') {
        return char + value;
      }
      if (kind === 'insert') {
        return chars.toSpliced(index, 0, char).join('');
      }
      return chars.toSpliced(index, 1, ...(kind === 'replace' ? [char] : [])).join('');
    });
    return [`a valid text with ${how}`, texts, 'a changed text'];
  };
  const expression = matcherOf(schema['pattern'] as string);
  const swapped = fc.sample(valid, { numRuns: 10, seed: 1 }).map(inOtherCase);
  const cased = swapped.filter((text) => !expression.test(text));
  const around = [changed('more behind it', 'append'), changed('more before it', 'prepend')];
  const inside = changed('a change in it', 'insert', 'delete', 'replace');
  const others = [
    ...among('a valid text in another case', cased),
    ...emptyUnless(expression.test('')),
  ];
  return [...near, ...around, inside, ...others];
}

function formatMutations(_: Build, __: Shape, { schema }: Clause): Mutation[] {
  const name = schema['format'] as string;
  const [, bytes] = BYTE_FORMAT.exec(name) ?? [];
  if (bytes !== undefined) {
    return ofBytes(Number(bytes) + 1);
  }
  if (name === 'int32') {
    return among('beyond 32 bits', [2 ** 31, -(2 ** 31) - 1]);
  }
  const isShort = !isTextFormat(name) || SHORTEST[name] === 0;
  return [...among(`not quite ${name}`, nearFormat(name)), ...emptyUnless(isShort)];
}
