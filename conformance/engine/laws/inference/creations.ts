/** The calls that make items. */
import { allLinks, isRead } from '../../contract/item-links.ts';
import { withoutSlash } from '../../contract/item-paths.ts';
import type { Link } from '../../contract/links.ts';
import { type Contract, perContract } from '../../contract/load.ts';
import {
  type Operation,
  operationOn,
  operationsOf,
  pathParameters,
} from '../../contract/operations.ts';
import { CHANCE } from '../../generate/random.ts';
import { freshName, LENGTH_OF_NAMES } from '../../generate/fresh-names.ts';

/**
 * The POSTs that make what a GET reads, each with the first link that leads there; and the PUTs
 * that make an item with a name of the client, if no POST makes such items.
 */
export const creationsOf = perContract((contract): ReadonlyMap<Operation, Link> => {
  const creations = new Map<Operation, Link>();
  for (const link of allLinks(contract)) {
    if (isRead(link, contract) && !creations.has(link.from)) {
      creations.set(link.from, link);
    }
  }
  const read = new Set([...creations.values()].map(({ to }) => to));
  for (const link of namedByClient(contract)) {
    if (!read.has(link.to)) {
      creations.set(link.from, link);
    }
  }
  return creations;
});

/** Whether a link leads from a PUT to the GET of the same item, which the client has named. */
export const isNamedByClient = ({ from, to }: Link): boolean => from.path === to.path;

/**
 * A PUT responds with 201 if it has made what it names (RFC 9110, 9.3.4): one that documents 201
 * promises to.
 */
function namedByClient(contract: Contract): Link[] {
  const operations = operationsOf(contract).filter((one) => one.unsupported === undefined);
  const puts = operations.filter(
    (one) => one.method === 'PUT' && '201' in one.responses && endsWithName(contract, one),
  );
  return puts.flatMap((from): Link[] => {
    const to = operationOn(contract, 'GET', from.path);
    const names = pathParameters(from).map(({ name }) => [name, `$request.path.${name}`] as const);
    return to ? [{ from, to, parameters: Object.fromEntries(names) }] : [];
  });
}

/** Whether the path ends with a name that the client chooses, so long that nothing has it. */
function endsWithName(contract: Contract, operation: Operation): boolean {
  const last = pathParameters(operation).at(-1);
  if (last === undefined || !withoutSlash(operation.path).endsWith(`/{${last.name}}`)) {
    return false;
  }
  const { length = 0 } = freshName(contract, last, CHANCE) ?? '';
  return length >= LENGTH_OF_NAMES;
}
