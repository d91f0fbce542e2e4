/** Failures that are known and excused for a time: `[{"id": …, "reason": …, "expires": "2026-12-31"}]`. */
import { readFileSync } from 'node:fs';

export interface KnownFailure {
  id: string;
  reason: string;
  /** A day, `YYYY-MM-DD`; the failure is excused until its end (UTC). */
  expires: string;
  expired: boolean;
}

/** @throws Error whose message is one line that says what is wrong with the file */
export function readKnownFailures(file: string, now: Date): KnownFailure[] {
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`--known-failures ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(entries)) throw new Error(`--known-failures ${file} is not a list`);
  return entries.map((entry: unknown, index) => check(entry, `--known-failures ${file}, entry ${index + 1}`, now));
}

function check(entry: unknown, where: string, now: Date): KnownFailure {
  const { id, reason, expires, ...rest } = (entry ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '') throw new Error(`${where} has no id`);
  if (typeof reason !== 'string' || reason === '') throw new Error(`${where} (${id}) has no reason`);
  const end = typeof expires === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(expires) ? Date.parse(`${expires}T23:59:59.999Z`) : Number.NaN;
  if (Number.isNaN(end)) throw new Error(`${where} (${id}) needs expires: a day such as 2026-12-31`);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`${where} (${id}) has an unknown property ${unknown}`);
  return { id, reason, expires: expires as string, expired: now.getTime() > end };
}
