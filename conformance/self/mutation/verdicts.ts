/** Why a survivor is not a gap of the suite: the reasons are in verdicts.json, each id there is a regular expression. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Verdict {
  kind: 'equivalent' | 'not promised' | 'gap';
  why: string;
}

const HERE = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');
const verdicts = JSON.parse(readFileSync(join(HERE, 'verdicts.json'), 'utf8')) as (Verdict & { ids: string[] })[];

export function verdictOf(id: string): Verdict {
  const { kind, why } = verdicts.find(({ ids }) => ids.some((one) => new RegExp(`^(?:${one})$`).test(id))) ?? GAP;
  return { kind, why };
}

const GAP: Verdict = { kind: 'gap', why: '' };
