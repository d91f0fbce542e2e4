/** The committed list of the mutants that no requirement kills, and what it is a list of. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contract } from '../engine/contract/load.ts';
import { isObject } from '../engine/contract/pointers.ts';

export interface Survivors {
  /** Of the contract and of the mutants, as `hashOf` makes it. */
  hash: string;
  seed: number;
  /** Seeds that each mutant was tried with, beginning with `seed`. */
  seeds: number;
  mutants: number;
  /** Mutants that were tried with every seed; fewer than `mutants` where the run did not come to its end. */
  tried: number;
  survivors: Survivor[];
}

export interface Survivor {
  id: string;
  description: string;
  killedBy: string;
  /** On how many of the seeds it survives. */
  survived: number;
  status: string;
  reason?: string;
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

/**
 * Changes whenever mutants may behave in another way: with a rule of the contract, not with its prose, and with the
 * source text of the mutants.
 */
export function hashOf(contract: Contract): string {
  const hash = createHash('sha256').update(JSON.stringify(withoutProse(contract.document)));
  for (const folder of ['mutants', 'mutate']) {
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
