/**
 * Which requirements killed which mutants: what killed a mutant before, or others like it, is tried first. It saves
 * time and decides nothing, so it is not committed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of mutants that are alike, so many requirements that killed one last. */
const MOST = 4;

export class Killers {
  readonly #path: string;
  readonly #byMutant: Map<string, string>;
  readonly #byKind = new Map<string, string[]>();

  constructor(path: string) {
    this.#path = path;
    this.#byMutant = new Map(existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, 'utf8')) as object) : []);
    for (const [mutant, requirement] of this.#byMutant) this.#learn(mutant, requirement);
  }

  likelyFor(mutant: string): string[] {
    const own = this.#byMutant.get(mutant);
    return [
      ...new Set([
        ...(own === undefined ? [] : [own]),
        ...kindsOf(mutant).flatMap((kind) => this.#byKind.get(kind) ?? []),
      ]),
    ];
  }

  add(mutant: string, requirement: string): void {
    this.#byMutant.set(mutant, requirement);
    this.#learn(mutant, requirement);
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#byMutant)));
  }

  #learn(mutant: string, requirement: string): void {
    for (const kind of kindsOf(mutant)) {
      const others = (this.#byKind.get(kind) ?? []).filter((one) => one !== requirement);
      this.#byKind.set(kind, [requirement, ...others].slice(0, MOST));
    }
  }
}

/** The same operator and operation, the same operator, the same operation. */
function kindsOf(mutant: string): string[] {
  const [operator = '', operation = ''] = mutant.split('/');
  return [`${operator}/${operation}`, `${operator}/`, `/${operation}`];
}
