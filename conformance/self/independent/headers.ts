/** The two modules that change headers. Names are kept as sent, and compared without regard to case (RFC 9110, 5.1). */
import { boolean, type Check, type Form, formed, list } from './check.ts';
import { object } from './fields.ts';
import { step } from './place.ts';

const MOST = 100;

const NAME: Form = {
  shortest: 1,
  longest: 256,
  fits: (sent) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(sent),
  words: 'the name of a header field',
};

const VALUE: Form = {
  shortest: 0,
  longest: 8192,
  fits: (sent) => !/[\r\n\0]/.test(sent),
  words: 'one line without NUL',
};

const lower = (name: unknown) => (typeof name === 'string' ? name.toLowerCase() : name);

const additions: Check<Record<string, string>> = (value, place, faults) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.at(place, 'type', 'Only an object can stand here.');
    return undefined;
  }
  const sent = Object.entries(value);
  if (sent.length > MOST) faults.at(place, 'too_many', `There may be ${MOST} headers and no more.`);
  const seen = new Set<unknown>();
  // An object made from entries has `__proto__` as a member like any other: it is a good name for a header.
  return Object.fromEntries(
    sent.map(([name, content]) => {
      const here = step(place, name);
      if (seen.has(lower(name))) faults.at(here, 'duplicate', 'This header is there in other letters.');
      seen.add(lower(name));
      formed(NAME)(name, here, faults);
      return [name, formed(VALUE)(content, here, faults) ?? ''];
    }),
  );
};

export const headers = object(['enabled', 'add', 'remove'], (fields) => ({
  remove: fields.read('remove', [], list(formed(NAME), { most: MOST, identity: lower })),
  add: fields.read('add', {}, additions),
  enabled: fields.read('enabled', true, boolean),
}));
