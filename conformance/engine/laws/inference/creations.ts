/** The POSTs that make items. */
import { allLinks, isRead } from '../../contract/item-links.ts';
import type { Link } from '../../contract/links.ts';
import type { Contract } from '../../contract/load.ts';
import type { Operation } from '../../contract/operations.ts';

/** The POSTs that make what a GET reads, each with the first link that leads there. */
export function creationsOf(contract: Contract): Map<Operation, Link> {
  const creations = new Map<Operation, Link>();
  for (const link of allLinks(contract)) {
    if (isRead(link, contract) && !creations.has(link.from)) {
      creations.set(link.from, link);
    }
  }
  return creations;
}
