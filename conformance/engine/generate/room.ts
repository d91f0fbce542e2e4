/** What is put where a schema leaves room. */
import * as fc from 'fast-check';

/** How many items and free entries a value has at most, unless its schema asks for more: boundaries go to the limit. */
export const ITEMS = 4;

/** Values where no rule says what they are. */
export const ANY: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(0, '', null);
