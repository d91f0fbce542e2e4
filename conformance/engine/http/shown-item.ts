/** The item that a response shows, and parts of it. */
import { byName, memberOf } from '../contract/by-name.ts';
import { envelopeOf } from '../contract/envelopes.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';

/** The item that a read shows, also within an envelope such as `data`. */
export function shownBy(contract: Contract, read: Operation, json: unknown): unknown {
  const [envelope] = envelopeOf(contract, read) ?? [];
  if (envelope === undefined || !isObject(json)) {
    return json;
  }
  return memberOf(json, envelope);
}

/** The members of an item with these names, as far as it has them. */
export function membersIn(item: unknown, names: readonly string[]): Record<string, unknown> {
  const members = byName<unknown>();
  for (const name of names) {
    if (isObject(item) && Object.hasOwn(item, name)) {
      members[name] = item[name];
    }
  }
  return members;
}
