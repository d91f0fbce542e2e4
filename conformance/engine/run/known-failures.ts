/** Failures that are known and excused for a time: `[{"id": …, "reason": …, "expires": "2026-12-31"}]`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from '../http/response.ts';
import type { RequirementResult } from './result.ts';

/** An option that cannot be used; the message is one line that names it. */
export class OptionError extends Error {
  override name = 'OptionError';
}

/** The result of `make`. @throws OptionError that begins with these words, and ends with why there is none */
export function usable<T>(words: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new OptionError(`${words}: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}

/** The failure is excused until the end of the day (UTC) at which it expires. */
export type KnownFailure = { id: string } & NonNullable<RequirementResult['known_failure']>;

/** @param ids of all requirements, also those not tried: one file serves every kind of run @throws OptionError */
export function readKnownFailures(
  file: string,
  ids: ReadonlySet<string>,
  cwd: string,
): KnownFailure[] {
  const option = `--known-failures ${file}`;
  const entries = parse(
    usable(`${option} cannot be read`, () => readFileSync(resolve(cwd, file), 'utf8')),
  );
  if (!Array.isArray(entries)) {
    throw new OptionError(
      `${option} is no list in JSON: [{"id": "…", "reason": "…", "expires": "2026-12-31"}]`,
    );
  }
  const known = entries.map((entry: unknown, index) =>
    check(entry, `${option}, entry ${index + 1}`),
  );
  for (const [index, { id }] of known.entries()) {
    const where = `${option}, entry ${index + 1}`;
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
  const { id, reason, expires, ...rest } = (entry ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '') {
    throw new OptionError(`${where} has no id`);
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new OptionError(`${where} (${id}) has no reason`);
  }
  // What is not a day of the calendar ends on another one.
  const end = Date.parse(`${String(expires)}T23:59:59.999Z`);
  if (Number.isNaN(end) || !new Date(end).toISOString().startsWith(`${String(expires)}T`)) {
    throw new OptionError(`${where} (${id}) needs expires: a day such as 2026-12-31`);
  }
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new OptionError(`${where} (${id}) has an unknown property ${unknown}`);
  }
  return { id, reason, expires: expires as string, expired: Date.now() > end };
}
