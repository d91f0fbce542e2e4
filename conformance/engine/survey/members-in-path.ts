/** The members of a body that repeat what the path of its operation names. */
import { setMember } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, pathParameters } from '../contract/operations.ts';
import { withoutSlash } from '../contract/item-paths.ts';
import { spelt } from '../contract/item-keys.ts';
import { KEYS, membersSent, nameRank, nounBefore } from '../contract/nouns.ts';

/** Members that name the item itself, whatever its collection is called. */
const IDS: readonly string[] = ['id', 'uuid', 'guid'];

/**
 * Path parameters by the name of the member: `thing_id` anywhere below `/things/{thing_id}`, and
 * `id` in a body for the item itself; undefined if no member repeats one.
 */
export function membersInPath(
  contract: Contract,
  operation: Operation,
): Readonly<Record<string, string>> | undefined {
  const { path } = operation;
  const names = membersSent(contract, operation);
  const found: Record<string, string> = {};
  for (const { name: parameter } of pathParameters(operation)) {
    const isItem = withoutSlash(path).endsWith(`{${parameter}}`);
    const noun = nounBefore(path, parameter) ?? '';
    const isSame = (name: string) => {
      const word = spelt(name);
      const isWhole = word === spelt(parameter) && !KEYS.includes(word);
      // The noun of `/shelves/{shelf_id}` has an irregular plural.
      const isId = IDS.includes(word) && spelt(parameter).endsWith(word);
      return isWhole || (isItem && (isId || nameRank(parameter, name, noun) !== undefined));
    };
    const member = names.find(isSame);
    if (member !== undefined) {
      setMember(found, member, parameter);
    }
  }
  if (Object.keys(found).length === 0) {
    return undefined;
  }
  return found;
}
