/** Where in a long text of the contract, such as `info.description`, something is stated. */
import type { Contract } from './load.ts';
import { valueAt } from './pointers.ts';

/**
 * The line (from 1) of the file on which `words` begin, in the block text at `pointer`; line breaks count as spaces.
 * Throws an Error when the text does not have them.
 */
export function lineOfWords(contract: Pick<Contract, 'document' | 'lineOf'>, pointer: string, words: string): number {
  const text = valueAt(contract.document, pointer);
  const pattern = words.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const at = typeof text === 'string' ? text.search(new RegExp(pattern.join(String.raw`\s+`))) : -1;
  if (at < 0) throw new Error(`the text at ${pointer} of the contract has no ${JSON.stringify(words)}`);
  // A block text begins on the line after its key.
  return contract.lineOf(pointer) + (text as string).slice(0, at).split('\n').length;
}
