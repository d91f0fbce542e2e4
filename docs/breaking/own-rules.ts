/**
 * Breaking changes that oasdiff does not see, as it does not know what they mean here: limits in bytes, problem codes,
 * levels, and what generated clients are named after.
 */
import { joinPointer } from '../../conformance/engine/contract/pointers.ts';
import { isData, type Json, objectsIn } from '../page/json.ts';
import type { BreakingChange } from './breaking-change.ts';

export function changesByOwnRules(before: Json, after: Json): BreakingChange[] {
  const now = objectsOf(after);
  return [...objectsOf(before)].flatMap(([place, old]) => {
    const current = now.get(place);
    // What is gone as a whole is for oasdiff to check; but a status is part of what clients handle.
    if (current === undefined)
      return /\/responses\/[1-5]\d\d$/.test(place)
        ? [{ kind: 'status-removed', place, text: 'the status is not documented any more' }]
        : [];
    return RULES.filter(({ where }) => where === undefined || where.test(place)).flatMap(
      ({ keyword, broken, kind }) => {
        const text = broken(old[keyword], current[keyword]);
        return text === undefined ? [] : [{ kind, place, text }];
      },
    );
  });
}

interface Rule {
  kind: string;
  keyword: string;
  /** The places where it counts; everywhere if omitted. */
  where?: RegExp;
  /** What is broken between an old and a new value of the keyword; either may be undefined. */
  broken(old: unknown, current: unknown): string | undefined;
}

const RULES: Rule[] = [
  {
    kind: 'max-bytes-decreased',
    keyword: 'x-max-bytes',
    broken: (old, current) =>
      typeof current === 'number' && (typeof old !== 'number' || current < old)
        ? `at most ${current} bytes, before ${typeof old === 'number' ? old : 'any number'}`
        : undefined,
  },
  {
    kind: 'problem-code-removed',
    keyword: 'enum',
    where: /^\/components\/responses\/.*\/properties\/code$/,
    broken: (old, current) => {
      const gone = Array.isArray(old) ? old.filter((code) => !Array.isArray(current) || !current.includes(code)) : [];
      return gone.length > 0 ? `no longer responds with ${gone.join(', ')}` : undefined;
    },
  },
  {
    kind: 'level-raised',
    keyword: 'x-level',
    broken: (old, current) =>
      old === 'core' && current !== 'core' ? 'not part of the core level any more' : undefined,
  },
  {
    kind: 'operation-id-changed',
    keyword: 'operationId',
    broken: (old, current) =>
      old !== undefined && old !== current
        ? `called ${String(current)}, before ${String(old)}: generated clients are named after it`
        : undefined,
  },
  {
    kind: 'default-changed',
    keyword: 'default',
    broken: (old, current) =>
      old !== undefined && JSON.stringify(old) !== JSON.stringify(current)
        ? `${JSON.stringify(current) ?? 'nothing'} when omitted, before ${JSON.stringify(old)}`
        : undefined,
  },
];

/** By JSON pointer. */
function objectsOf(document: Json): Map<string, Json> {
  const described = [...objectsIn(document)].filter(([path]) => !isData(path));
  return new Map(described.map(([path, object]) => [joinPointer('', ...path), object]));
}
