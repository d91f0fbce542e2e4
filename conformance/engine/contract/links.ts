/** The links of a contract: which operation makes what another one asks for. */
import type { Contract } from './load.ts';
import { type Operation, operationsOf } from './operations.ts';
import { dereference, isObject, joinPointer, objectAt, valueAt } from './pointers.ts';

export interface Link {
  from: Operation;
  to: Operation;
  /** Values or runtime expressions by the name of the parameter of `to`. */
  parameters: Record<string, unknown>;
}

const lists = new WeakMap<Contract, readonly Link[]>();

/** From documented successes, in the order of the contract. */
export function linksOf(contract: Contract): readonly Link[] {
  let links = lists.get(contract);
  if (!links) lists.set(contract, (links = find(contract)));
  return links;
}

function find(contract: Contract): Link[] {
  const operations = operationsOf(contract);
  const { document } = contract;
  return operations.flatMap((from) =>
    Object.values(from.responses)
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ pointer }): Link[] => {
        const links = valueAt(document, joinPointer(pointer, 'links'));
        if (!isObject(links)) return [];
        return Object.keys(links).flatMap((name) => {
          const link = objectAt(document, dereference(document, joinPointer(pointer, 'links', name)));
          const to = operations.find(
            (one) => one.operationId === link['operationId'] || `#${one.pointer}` === link['operationRef'],
          );
          return to ? [{ from, to, parameters: unqualified(link['parameters']) }] : [];
        });
      }),
  );
}

/** `path.id` may stand for `id`, where a name alone is not enough. */
function unqualified(parameters: unknown): Record<string, unknown> {
  if (!isObject(parameters)) return {};
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name.replace(/^(path|query|header|cookie)\./, ''), value]),
  );
}
