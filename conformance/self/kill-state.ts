/**
 * The results of a kill run that is under way, a line of JSON each, so that a run which is killed goes on where it was.
 * The first line says what the run is of; results of other seeds are not used.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MutantResult } from './try-mutant.ts';
import type { Job } from './workers.ts';

export interface RunKey {
  hash: string;
  seed: number;
  seeds: number;
}

export type Trial = Job & MutantResult;

export class KillState {
  readonly #path: string;
  readonly #trials = new Map<string, Trial>();

  /** Of another contract or of other mutants than now: `--new` tries again what is in the file. */
  readonly isStale: boolean;

  /** Goes on with what is in the file where it is of the same seeds; starts anew else. */
  constructor(path: string, key: RunKey) {
    this.#path = path;
    const { key: known, trials } = read(path);
    this.isStale = known !== undefined && known.hash !== key.hash;
    if (known?.seed === key.seed && known.seeds === key.seeds)
      for (const trial of trials) this.#trials.set(nameOf(trial), trial);
    mkdirSync(dirname(path), { recursive: true });
    // Written anew: a run that was killed may have left half a line at the end.
    writeFileSync(path, [key, ...this.#trials.values()].map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  /** What the file is of, where it holds a run that has not ended. */
  static keyIn(path: string): RunKey | undefined {
    return read(path).key;
  }

  static discard(path: string): void {
    rmSync(path, { force: true });
  }

  has(job: Job): boolean {
    return this.#trials.has(nameOf(job));
  }

  get trials(): Trial[] {
    return [...this.#trials.values()];
  }

  add(trial: Trial): void {
    this.#trials.set(nameOf(trial), trial);
    appendFileSync(this.#path, `${JSON.stringify(trial)}\n`);
  }

  remove(): void {
    rmSync(this.#path);
  }
}

function nameOf({ mutant, seed }: Job): string {
  return `${mutant} ${seed}`;
}

function read(path: string): { key?: RunKey; trials: Trial[] } {
  if (!existsSync(path)) return { trials: [] };
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const [key, ...trials] = lines.map((line) => JSON.parse(line) as unknown);
  return { key: key as RunKey, trials: trials as Trial[] };
}
