/**
 * Breaking changes that oasdiff does not find: limits in bytes, problem codes, levels, defaults,
 * names of operations.
 */
import { resolve } from '../../../clients/samples/json.ts';
import { type Json, objectsIn } from '../page/json.ts';
import type { BreakingChange } from './oasdiff.ts';

export function changesByOwnRules(before: Json, after: Json): BreakingChange[] {
  const now = objectsOf(after);
  return [...objectsOf(before)].flatMap(([place, old]) => {
    const current = now.get(place);
    // oasdiff finds what is removed as a whole, except a status of an error, which clients handle,
    // too.
    if (current === undefined) {
      const text = 'the status is not documented any more';
      if (/\/responses\/[1-5]\d\d$/.test(place)) {
        return [{ kind: 'status-removed', place, text }];
      }
      return [];
    }
    return RULES.flatMap(([kind, keyword, broken]) => {
      // A keyword of the object may have moved to the component that it refers to now.
      const moved = keyword in old && !(keyword in current);
      const text = broken(old[keyword], (moved ? resolve(after, current) : current)[keyword]);
      if (text === undefined) {
        return [];
      }
      return [{ kind, place, text }];
    });
  });
}

/**
 * The break between an old and a new value of a keyword, in words. Either value may be undefined.
 */
type Broken = (old: unknown, now: unknown) => string | undefined;

const RULES: [kind: string, keyword: string, broken: Broken][] = [
  ['max-bytes-decreased', 'x-max-bytes', fewerBytes],
  ['problem-code-removed', 'x-problem-codes', fewerCodes],
  ['level-raised', 'x-level', notCore],
  // Generated clients are named after it.
  ['operation-id-changed', 'operationId', changed('called')],
  ['default-changed', 'default', changed('when omitted')],
];

function notCore(old: unknown, now: unknown): string | undefined {
  if (old === 'core' && now !== 'core') {
    return 'not part of the core level any more';
  }
  return undefined;
}

function fewerBytes(old: unknown, now: unknown): string | undefined {
  if (typeof now !== 'number' || (typeof old === 'number' && now >= old)) {
    return undefined;
  }
  return `at most ${now} bytes, before ${typeof old === 'number' ? old : 'any number'}`;
}

function fewerCodes(old: unknown, now: unknown): string | undefined {
  if (!Array.isArray(old)) {
    return undefined;
  }
  const gone = old.filter((code) => !Array.isArray(now) || !now.includes(code));
  if (gone.length > 0) {
    return `no longer responds with ${gone.join(', ')}`;
  }
  return undefined;
}

function changed(words: string): Broken {
  return (old, now) => {
    const before = JSON.stringify(old);
    const after = JSON.stringify(now);
    if (old === undefined || before === after) {
      return undefined;
    }
    return `${words} ${after ?? 'nothing'}, before ${before}`;
  };
}

/** By JSON pointer. A parameter of a path has no name there: no request has it. */
function objectsOf(document: Json): Map<string, Json> {
  const unnamed = (name: string, index: number) =>
    index === 1 ? name.replaceAll(/\{\w+\}/g, '{}') : name;
  const escaped = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const objects = new Map<string, Json>();
  for (const [path, object] of objectsIn(document)) {
    const pointer = path.map(unnamed).map(escaped).join('');
    objects.set(pointer, object);
  }
  return objects;
}

/**
 * Whether the new version may break the old one: with another major version, or, below 1.0.0,
 * another minor version (D33).
 * @throws Error if a text is not `MAJOR.MINOR.PATCH`, or the version goes backwards
 */
export function mayBreak(before: string, after: string): boolean {
  const old = parts(before);
  const current = parts(after);
  const differences = [
    current.major - old.major,
    current.minor - old.minor,
    current.patch - old.patch,
  ];
  const first = differences.find((difference) => difference !== 0) ?? 0;
  if (first < 0) {
    throw new Error(`info.version went back from ${before} to ${after}`);
  }
  if (current.major !== old.major) {
    return true;
  }
  return current.major === 0 && current.minor > old.minor;
}

interface Version {
  major: number;
  minor: number;
  patch: number;
}

function parts(version: string): Version {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (!found) {
    throw new Error(`info.version ${JSON.stringify(version)} is not MAJOR.MINOR.PATCH`);
  }
  const [, major, minor, patch] = found;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}
