/**
 * Failures that are known and excused for a time: `[{"id": …, "reason": …, "expires":
 * "2026-12-31"}]`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from '../http/response.ts';
import type { RequirementResult } from './result.ts';

/** An option that cannot be used; the message is one line that names it. */
export class OptionError extends Error {
  override name = 'OptionError';
}

/**
 * The result of `make`.
 * @throws OptionError that begins with these words, and ends with the reason of its failure
 */
export function usable<T>(words: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n', 1);
    throw new OptionError(`${words}: ${reason}`);
  }
}

/** The failure is excused until the end of the day (UTC) at which it expires. */
export type KnownFailure = { id: string } & NonNullable<RequirementResult['known_failure']>;

/**
 * @param ids of all requirements, also of those that are not tried: one file serves every kind of
 * run
 * @throws OptionError
 */
export function readKnownFailures(
  file: string,
  ids: ReadonlySet<string>,
  cwd: string,
): KnownFailure[] {
  const option = `--known-failures ${file}`;
  const read = (): string => readFileSync(resolve(cwd, file), 'utf8');
  const entries = parse(usable(`${option} cannot be read`, read));
  if (!Array.isArray(entries)) {
    throw new OptionError(
      `${option} is not a list in JSON: [{"id": "…", "reason": "…", "expires": "2026-12-31"}]`,
    );
  }
  const placeOf = (index: number): string => `${option}, entry ${index + 1}`;
  const known = entries.map((entry: unknown, index) => check(entry, placeOf(index)));
  for (const [index, { id }] of known.entries()) {
    const where = placeOf(index);
    if (!ids.has(id)) {
      throw new OptionError(
        `${where}: there is no requirement ${JSON.stringify(id)}; --list shows them`,
      );
    }
    if (known.findIndex((other) => other.id === id) < index) {
      throw new OptionError(`${where} repeats ${id}`);
    }
  }
  return known;
}

function check(entry: unknown, where: string): KnownFailure {
  const { subject: id, ...excuse } = readExcuse(entry, 'id', where);
  return { id, ...excuse };
}

/** Why something is excused, and until when. */
interface Excuse {
  /** The name of the excused failure. */
  subject: string;
  reason: string;
  expires: string;
  expired: boolean;
}

/**
 * A map with the member `subject`, `reason` and `expires`, and no other.
 * @param where its place, as the beginning of a message
 * @throws OptionError
 */
export function readExcuse(entry: unknown, subject: string, where: string): Excuse {
  const { [subject]: named, reason, expires, ...rest } = Object(entry) as Record<string, unknown>;
  if (typeof named !== 'string' || named === '') {
    throw new OptionError(`${where} has no ${subject}`);
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new OptionError(`${where} (${named}) has no reason`);
  }
  const day = String(expires);
  const end = Date.parse(`${day}T23:59:59.999Z`);
  // A text that is not a day of the calendar, such as 2026-02-30, ends on another day.
  if (Number.isNaN(end) || !new Date(end).toISOString().startsWith(`${day}T`)) {
    throw new OptionError(`${where} (${named}) needs expires: a day such as 2026-12-31`);
  }
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new OptionError(`${where} (${named}) has an unknown property ${unknown}`);
  }
  return { subject: named, reason, expires: day, expired: Date.now() > end };
}
