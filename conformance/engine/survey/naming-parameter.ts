/**
 * The query parameter that names an item, as in `DELETE /things?id=`: like a path parameter, it
 * says what a request changes.
 */
import { spelt } from '../contract/item-keys.ts';
import { withoutSlash } from '../contract/item-paths.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf, type Parameter } from '../contract/operations.ts';
import { KEYS, singular } from '../contract/nouns.ts';

/**
 * The required query parameter that names an item which a POST makes at the same path, or one
 * segment above; undefined if the path has parameters, or if no parameter does.
 */
export function namingParameter(contract: Contract, operation: Operation): Parameter | undefined {
  const { path, parameters, method } = operation;
  const collection = collectionBeside(contract, operation);
  if (path.includes('{') || method === 'POST' || collection === undefined) {
    return undefined;
  }
  const noun = singular(collection.slice(collection.lastIndexOf('/') + 1));
  const names = KEYS.flatMap((key) => [key, noun + key]);
  return parameters.find(
    ({ in: place, required, name }) => place === 'query' && required && names.includes(spelt(name)),
  );
}

/** The path of the POST that makes the items. */
export function collectionBeside(contract: Contract, { path }: Operation): string | undefined {
  const own = withoutSlash(path);
  const above = own.slice(0, Math.max(0, own.lastIndexOf('/')));
  const hasPost = (one: string) =>
    operationsOf(contract).some(
      (other) => other.method === 'POST' && withoutSlash(other.path) === one,
    );
  return [own, above].find((one) => one !== '' && hasPost(one));
}
