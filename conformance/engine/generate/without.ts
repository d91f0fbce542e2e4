/** The contract without some rules: what is valid there is right but for them. */
import { entry } from '../contract/entry.ts';
import type { Contract } from '../contract/load.ts';
import { joinPointer, objectAt, parsePointer } from '../contract/pointers.ts';

const variants = new WeakMap<Contract, Map<string, Contract>>();

/** The contract without the keywords at `pointers`. What they stated is found at `setAside`. */
export function without(contract: Contract, pointers: readonly string[]): Contract {
  const known = entry(variants, contract, () => new Map<string, Contract>());
  return entry(known, pointers.join('\n'), () => {
    const document = structuredClone(contract.document);
    for (const pointer of new Set(pointers)) {
      const { holder, keyword } = split(pointer);
      const schema = objectAt(document, holder);
      schema[`x-${keyword}`] = schema[keyword];
      delete schema[keyword];
    }
    return { ...contract, document };
  });
}

/** Where `without` puts what the keyword at `pointer` states: nothing there is a rule. */
export function setAside(pointer: string): string {
  const { holder, keyword } = split(pointer);
  return joinPointer(holder, `x-${keyword}`);
}

function split(pointer: string): { holder: string; keyword: string } {
  return { holder: pointer.slice(0, pointer.lastIndexOf('/')), keyword: parsePointer(pointer).at(-1) ?? '' };
}
