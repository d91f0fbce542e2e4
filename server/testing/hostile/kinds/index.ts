/** All kinds of attacks, in the order in which they are made. */
import type { Kind } from '../case.ts';
import type { AttackedServer } from '../server.ts';
import { bigBodies, manyBodies } from './big.ts';
import { chunks } from './chunks.ts';
import { encodings } from './encodings.ts';
import { expressions } from './expressions.ts';
import { headers } from './headers.ts';
import { idle } from './idle.ts';
import { duplicates, keys, names, nesting, numbers } from './json.ts';
import { lengths } from './lengths.ts';
import { lines } from './lines.ts';
import { mutations } from './mutations.ts';
import { pipelining } from './pipelining.ts';
import { slow } from './slow.ts';

export interface Choice {
  seed: number;
  rounds: number;
  openFiles: number;
}

export function kindsFor(attacked: AttackedServer, { seed, rounds, openFiles }: Choice): Kind[] {
  return [
    lines,
    headers,
    pipelining,
    lengths,
    chunks,
    encodings,
    nesting,
    keys,
    names(attacked),
    duplicates(attacked),
    numbers(attacked),
    expressions(attacked),
    bigBodies,
    manyBodies,
    mutations(attacked, seed, rounds),
    slow,
    idle(openFiles),
  ];
}
