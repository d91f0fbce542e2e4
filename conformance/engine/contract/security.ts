/** Where the security schemes of a contract want their credentials. */
import type { Contract } from './load.ts';
import { operationsOf } from './operations.ts';
import { dereference, isObject, joinPointer, valueAt } from './pointers.ts';

export interface Credentials {
  in: 'header' | 'query' | 'cookie';
  /** Of a header in lower case. */
  name: string;
  /** What a token is behind. */
  scheme?: 'Bearer' | 'Basic';
}

/** What a scheme of this name asks for, or why the suite has no such credentials. */
export function credentialsOf({ document }: Contract, scheme: string): Credentials | string {
  const found = valueAt(document, dereference(document, joinPointer('/components/securitySchemes', scheme)));
  if (!isObject(found)) return `the contract has no security scheme ${scheme}`;
  const { type, in: place, name, scheme: http } = found;
  if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie'))
    return { in: place, name: place === 'header' ? String(name).toLowerCase() : String(name) };
  const isBearer = (type === 'http' && /^bearer$/i.test(String(http))) || type === 'oauth2' || type === 'openIdConnect';
  if (isBearer) return { in: 'header', name: 'authorization', scheme: 'Bearer' };
  if (type === 'http' && /^basic$/i.test(String(http))) return { in: 'header', name: 'authorization', scheme: 'Basic' };
  return `the security scheme ${scheme} (${[type, http].filter(Boolean).join(' ')}) takes something else than a token`;
}

/** The scheme that most operations ask for, of those that can be used; a reason where there are only others. */
export function mostUsed(contract: Contract): Credentials | string | undefined {
  const uses = new Map<string, number>();
  for (const { security } of operationsOf(contract))
    for (const name of new Set(security.flat())) uses.set(name, (uses.get(name) ?? 0) + 1);
  const all = [...uses].toSorted(([, one], [, other]) => other - one).map(([name]) => credentialsOf(contract, name));
  return all.find((one) => typeof one !== 'string') ?? all[0];
}
