/**
 * Checks for values of any JSON type. Each reports what is wrong and responses undefined, or responses the value. A fault
 * that another one implies is not reported twice: a text with a lone surrogate is in `unicode.ts` already, and one that
 * is too short cannot have the right form either.
 */
import type { Faults } from './faults.ts';
import { type Place, step } from './place.ts';

export type Check<T> = (value: unknown, place: Place, faults: Faults) => T | undefined;

export const boolean: Check<boolean> = (value, place, faults) => {
  if (typeof value === 'boolean') return value;
  faults.at(place, 'type', 'Only true or false can stand here.');
  return undefined;
};

const string: Check<string> = (value, place, faults) => {
  if (typeof value === 'string') return value;
  faults.at(place, 'type', 'Only a string can stand here.');
  return undefined;
};

/** Free text, limited in bytes of UTF-8. More characters than `most` are more bytes, too, so that is one fault. */
export const text =
  (most: number): Check<string> =>
  (value, place, faults) => {
    const sent = string(value, place, faults);
    if (sent === undefined || Buffer.byteLength(sent) <= most) return sent;
    faults.at(place, 'too_many_bytes', `In UTF-8 this may take ${most} bytes and no more.`);
    return undefined;
  };

export interface Form {
  /** Both in characters. */
  shortest: number;
  longest: number;
  fits(sent: string): boolean;
  words: string;
}

export const formed =
  (form: Form): Check<string> =>
  (value, place, faults) => {
    const sent = string(value, place, faults);
    if (sent === undefined || !sent.isWellFormed()) return undefined;
    const length = Array.from(sent).length;
    if (length < form.shortest) {
      faults.at(place, 'too_short', `The shortest that can stand here has ${form.shortest} character(s).`);
      return undefined;
    }
    const tooLong = length > form.longest;
    const misshapen = !form.fits(sent);
    if (tooLong) faults.at(place, 'too_long', `The longest that can stand here has ${form.longest} characters.`);
    if (misshapen) faults.at(place, 'format', `Expected is ${form.words}.`);
    return tooLong || misshapen ? undefined : sent;
  };

export const oneOf =
  <T extends string>(...allowed: T[]): Check<T> =>
  (value, place, faults) => {
    const sent = string(value, place, faults);
    const found = allowed.find((word) => word === sent);
    if (sent?.isWellFormed() && found === undefined) faults.at(place, 'value', `Choose from: ${allowed.join(', ')}.`);
    return found;
  };

/** Free text of so many characters. */
export const plain = (shortest: number, longest: number): Check<string> =>
  formed({ shortest, longest, fits: () => true, words: 'any text' });

export const number =
  (least: number, most: number): Check<number> =>
  (value, place, faults) => {
    if (typeof value !== 'number') faults.at(place, 'type', 'Only a number can stand here.');
    else if (value < least) faults.at(place, 'too_small', `The least that can stand here is ${least}.`);
    else if (value > most) faults.at(place, 'too_large', `The most that can stand here is ${most}.`);
    else return value;
    return undefined;
  };

/** `5.0` is a whole number, too: JSON has one type for all of them. */
export const integer = (least: number, most: number): Check<number> => {
  const within = number(least, most);
  return (value, place, faults) => {
    if (typeof value !== 'number' || Number.isInteger(value)) return within(value, place, faults);
    faults.at(place, 'type', 'Only a whole number can stand here.');
    return undefined;
  };
};

export const uint32 = integer(0, 0xffff_ffff);

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value, place, faults) =>
    value === null ? null : check(value, place, faults);

/** Null brings back the default. */
export const resettable =
  <T>(check: Check<T>, byDefault: T): Check<T> =>
  (value, place, faults) =>
    value === null ? byDefault : check(value, place, faults);

export const list =
  /** Two items of one `identity` are one too many; without it, repeats are fine. */
  <T>(item: Check<T>, { most, identity }: { most: number; identity?: (sent: unknown) => unknown }): Check<T[]> =>
    (value, place, faults) => {
      if (!Array.isArray(value)) {
        faults.at(place, 'type', 'Only a list can stand here.');
        return undefined;
      }
      if (value.length > most) faults.at(place, 'too_many', `The list may hold ${most} items and no more.`);
      const seen = new Set<unknown>();
      return value.flatMap((sent: unknown, index) => {
        const here = step(place, index);
        const key = identity?.(sent);
        if (identity !== undefined && seen.has(key)) faults.at(here, 'duplicate', 'The list holds this item before.');
        seen.add(key);
        return item(sent, here, faults) ?? [];
      });
    };
