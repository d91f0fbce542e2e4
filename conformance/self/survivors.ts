/** The committed list of the mutants that the suite does not kill, and what is said of each. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contract } from '../engine/contract/load.ts';
import { isObject } from '../engine/contract/pointers.ts';

/**
 * - `equivalent`: no client can tell the mutant from the correct service, by the argument in `why`.
 * - `not promised`: the contract leaves it free; `clause` is the JSON Pointer or the decision (`D01`) that does.
 * - `gap`: the suite should kill it and does not.
 */
export type Kind = 'equivalent' | 'not promised' | 'gap';

/** What is said of survivors, by hand. */
export interface Verdict {
  /** Ids, where `*` stands for any text. */
  mutants: string[];
  kind: Kind;
  why: string;
  clause?: string;
}

export interface Survivor {
  id: string;
  description: string;
  /** On how many of the seeds it survives. */
  survived: number;
  kind: Kind;
  why?: string;
  clause?: string;
}

export interface Survivors {
  /** Of the contract and of the mutants, as `hashOf` makes it. */
  hash: string;
  seed: number;
  /** Seeds that each mutant was tried with, beginning with `seed`. */
  seeds: number;
  mutants: number;
  /**
   * Mutants that were tried with every seed; fewer than `mutants` where the run did not come to its end. They are the
   * beginning of a sample with this seed.
   */
  tried: number;
  /** Killed with every seed, by the level of the run that did it. */
  killed: { core: number; extended: number };
  /** Mutants of the core level that a core run does not kill, and an extended one does. */
  extendedOnly: string[];
  survivors: Survivor[];
}

function folderOf(contract: Contract): string {
  return join(dirname(contract.path), 'conformance', 'self');
}

export function survivorsPath(contract: Contract): string {
  return join(folderOf(contract), 'survivors.json');
}

export function readSurvivors(contract: Contract): Survivors {
  return JSON.parse(readFileSync(survivorsPath(contract), 'utf8')) as Survivors;
}

export function readVerdicts(contract: Contract): Verdict[] {
  return JSON.parse(readFileSync(join(folderOf(contract), 'verdicts.json'), 'utf8')) as Verdict[];
}

export function fits(pattern: string, id: string): boolean {
  return new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(id);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** What is said of a survivor; where nothing is, it is a gap. */
export function verdictOf(verdicts: readonly Verdict[], id: string): Pick<Survivor, 'kind' | 'why' | 'clause'> {
  const found = verdicts.find(({ mutants }) => mutants.some((pattern) => fits(pattern, id)));
  if (!found) return { kind: 'gap' };
  const { kind, why, clause } = found;
  return { kind, why, ...(clause === undefined ? {} : { clause }) };
}

/**
 * Changes whenever mutants may behave in another way: with a rule of the contract, not with its prose, and with the
 * source text of the mutants.
 */
export function hashOf(contract: Contract): string {
  const hash = createHash('sha256').update(JSON.stringify(withoutProse(contract.document)));
  for (const folder of ['mutants', 'mutate', 'operators']) {
    const path = join(folderOf(contract), folder);
    for (const file of readdirSync(path).toSorted()) {
      hash.update(`\n${folder}/${file}\n`).update(readFileSync(join(path, file)));
    }
  }
  return hash.digest('hex');
}

/**
 * Without what is for readers alone. A property may have the name `description`: there it holds no text, but a schema.
 */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !(['description', 'summary'].includes(name) && typeof inner === 'string'))
      .map(([name, inner]) => [name, withoutProse(inner)]),
  );
}
