/** Collects every fault of one request, so that a client can mend all of them at once. */
import type { Place } from './place.ts';
import { Refusal } from './problem.ts';

export type FaultCode =
  | 'required'
  | 'unknown'
  | 'repeated'
  | 'type'
  | 'value'
  | 'format'
  | 'too_short'
  | 'too_long'
  | 'too_many_bytes'
  | 'too_small'
  | 'too_large'
  | 'too_few'
  | 'too_many'
  | 'duplicate'
  | 'unicode'
  | 'not_allowed_here';

export type FieldError = ({ pointer: string } | { parameter: string }) & { code: FaultCode; detail: string };

/** The contract allows this many entries of `errors`, and names of parameters this long. */
const MOST_ERRORS = 100;
const LONGEST_PARAMETER = 4096;

export class Faults {
  readonly #found: FieldError[] = [];

  at(place: Place, code: FaultCode, detail: string): void {
    this.#found.push({ detail, code, pointer: place.pointer });
  }

  parameter(name: string, code: FaultCode, detail: string): void {
    this.#found.push({ detail, code, parameter: name.slice(0, LONGEST_PARAMETER).toWellFormed() });
  }

  throwIfAny(): void {
    if (this.#found.length === 0) return;
    throw new Refusal('invalid_request', `Faults found: ${this.#found.length}.`, {
      errors: this.#found.slice(0, MOST_ERRORS),
    });
  }
}
