/** The members of one JSON object, of which each is known or a fault. */
import type { Check } from './check.ts';
import type { FaultCode, Faults } from './faults.ts';
import { type Place, step } from './place.ts';

export class Fields {
  readonly #isObject: boolean;
  readonly #place: Place;
  readonly #faults: Faults;
  /** A map, since an object would find `constructor` and the like in its prototype. */
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(value: unknown, place: Place, faults: Faults, known: readonly string[]) {
    this.#place = place;
    this.#faults = faults;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) faults.at(place, 'type', 'Only an object can stand here.');
    this.#isObject = isObject;
    this.#members = new Map(isObject ? Object.entries(value) : []);
    for (const name of this.#members.keys()) {
      // A name with a lone surrogate is in `unicode.ts` already.
      if (known.includes(name) || !name.isWellFormed()) continue;
      faults.at(step(place, name), 'unknown', 'Nothing of this name belongs here.');
    }
  }

  /** Whether it is a list with something in it. */
  fills(name: string): boolean {
    const sent = this.#members.get(name);
    return Array.isArray(sent) && sent.length > 0;
  }

  /** Whether there is a module that works on traffic: it does unless it says otherwise. */
  enables(name: string): boolean {
    const module = this.#members.get(name);
    if (typeof module !== 'object' || module === null || Array.isArray(module)) return false;
    return !Object.hasOwn(module, 'enabled') || Reflect.get(module, 'enabled') === true;
  }

  /** Whether there is more than null. */
  has(name: string): boolean {
    return (this.#members.get(name) ?? null) !== null;
  }

  /** `fallback` stands for a member that was left out; it also comes back for one at fault, and is then never used. */
  read<T>(name: string, fallback: T, check: Check<T>): T {
    const sent = this.#members.get(name);
    if (sent === undefined) return fallback;
    const value = check(sent, step(this.#place, name), this.#faults);
    return value === undefined ? fallback : value;
  }

  /** Undefined for a member that was left out. */
  maybe<T>(name: string, check: Check<T>): T | undefined {
    return this.read<T | undefined>(name, undefined, check);
  }

  require(name: string): void {
    if (this.#isObject && !this.#members.has(name)) {
      this.#faults.at(step(this.#place, name), 'required', 'This has to be given.');
    }
  }

  /** As `require`, and null will not do. */
  insist(name: string): void {
    if (this.#isObject && !this.has(name)) {
      this.#faults.at(step(this.#place, name), 'required', 'This has to be given, and not as null.');
    }
  }

  /** A fault of the object as a whole. */
  fault(code: FaultCode, detail: string): void {
    if (this.#isObject) this.#faults.at(this.#place, code, detail);
  }

  forbid(name: string, reason: string): void {
    if (this.has(name)) this.#faults.at(step(this.#place, name), 'not_allowed_here', reason);
  }
}

/** A check of an object with these members and no others. */
export const object =
  <T>(known: readonly string[], read: (fields: Fields) => T): Check<T> =>
  (value, place, faults) =>
    read(new Fields(value, place, faults, known));
