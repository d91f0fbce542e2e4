/** Texts that break one rule about texts. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { strictest, type Shape } from '../contract/shape.ts';
import { type Build, realisticOf } from './build.ts';
import { BYTE_FORMAT } from '../contract/formats.ts';
import { formatOf } from './formats.ts';
import type { Mutation } from './mutation.ts';
import { stringOf, textsOfLength } from './strings.ts';
import { textOfBytes } from './text.ts';

export function textMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const stated = clause.schema[clause.keyword];
  switch (clause.keyword) {
    case 'minLength':
      return ofLength(build, shape, (stated as number) - 1, 'one fewer than allowed');
    case 'maxLength':
      // Beside a limit in bytes, only characters of one byte show that this limit is broken.
      return strictest(shape, 'x-max-bytes') === undefined
        ? ofLength(build, shape, (stated as number) + 1, 'one more than allowed')
        : [
            {
              label: `${(stated as number) + 1} ASCII characters`,
              leaf: fc.constant('a'.repeat((stated as number) + 1)),
            },
          ];
    case 'x-max-bytes':
      return bytesBeyond(shape, stated as number);
    case 'pattern':
      return patternMutations(build, shape);
    default:
      return formatMutations(stated as string);
  }
}

function ofLength(build: Build, shape: Shape, length: number, what: string): Mutation[] {
  const values = textsOfLength(build, shape, length);
  return values.length > 0 ? [{ label: `${length} characters, ${what}`, leaf: fc.constantFrom(...values) }] : [];
}

function bytesBeyond(shape: Shape, limit: number): Mutation[] {
  const widths = [1, 2, 3, 4].filter((width) => width <= limit + 1);
  const mutations = widths.map((width) => ({
    label: `${limit + 1} bytes in characters of ${width}, one more than allowed`,
    leaf: textOfBytes(limit + 1, width),
  }));
  // What passes where characters are counted, up to the last one.
  const chars = Math.min(limit, strictest(shape, 'maxLength') ?? limit);
  return [...mutations, { label: `${chars} characters of 4 bytes`, leaf: textOfBytes(chars * 4, 4) }].filter(
    () => chars > 0,
  );
}

/** What a sloppy expression, trimming or decoding lets through. */
const INSERTED = [
  '\n',
  ' ',
  '\u0000',
  '\r\n',
  '/',
  '.',
  '%',
  '*',
  '?',
  '"',
  '\u00e9',
  '\u0661',
  '\u{1f600}',
  '\u200b',
  '-',
  '_',
  ':',
  'A',
];

function patternMutations(build: Build, shape: Shape): Mutation[] {
  const near = Object.entries(realisticOf(build, shape)?.near ?? {}).map(([label, value]) => ({
    label,
    leaf: fc.constant(value),
  }));
  const mutation = fc.tuple(
    stringOf(build, shape),
    fc.constantFrom('append', 'prepend', 'insert', 'delete', 'replace'),
    fc.constantFrom(...INSERTED),
    fc.nat({ max: 300 }),
  );
  const mutated = mutation.map(([value, kind, char, at]) => {
    const chars = [...value];
    const index = at % Math.max(1, chars.length);
    if (kind === 'append') return value + char;
    if (kind === 'prepend') return char + value;
    if (kind === 'insert') return chars.toSpliced(index, 0, char).join('');
    return chars.toSpliced(index, 1, ...(kind === 'replace' ? [char] : [])).join('');
  });
  return [...near, { label: 'a valid text with one change', leaf: mutated }];
}

function formatMutations(name: string): Mutation[] {
  if (BYTE_FORMAT.test(name)) {
    const limit = Number(/\d+/.exec(name)?.[0]);
    return [1, 2, 3, 4].map((width) => ({
      label: `${limit + 1} bytes in characters of ${width}`,
      leaf: textOfBytes(limit + 1, width),
    }));
  }
  if (name === 'int32') return [{ label: 'beyond 32 bits', leaf: fc.constantFrom(2 ** 31, -(2 ** 31) - 1) }];
  const format = formatOf(name);
  return format ? [{ label: `not quite ${name}`, leaf: fc.constantFrom(...format.near) }] : [];
}
