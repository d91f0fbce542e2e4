/** The links of a contract: which operation makes what another one asks for. */
import type { Contract } from './load.ts';
import { isJson, type Operation, operationsOf, successOf } from './operations.ts';
import { dereference, isObject, joinPointer, objectAt, valueAt } from './pointers.ts';
import { shapeOf } from './shape.ts';
import { Unsupported } from './unsupported.ts';

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

const conventions = new WeakMap<Contract, readonly Link[]>();

/**
 * Where a contract has no links: a POST to `/things` makes what `/things/{id}` names, and its response has that value
 * under the name of the parameter or as `id`.
 */
export function conventionalLinks(contract: Contract): readonly Link[] {
  let links = conventions.get(contract);
  if (!links) conventions.set(contract, (links = guess(contract)));
  return links;
}

function guess(contract: Contract): Link[] {
  const operations = operationsOf(contract).filter(({ unsupported }) => unsupported === undefined);
  return operations.flatMap((to) => {
    const [, collection, name] = /^(.*)\/\{([^{}]+)\}/.exec(to.path) ?? [];
    const from = operations.find(({ method, path }) => method === 'POST' && path.replace(/\/$/, '') === collection);
    if (name === undefined || !from) return [];
    const property = propertyFor(contract, from, name);
    if (property === undefined) return [];
    const above = [...collection!.matchAll(/\{([^{}]+)\}/g)].map(([, one]) => [one, `$request.path.${one}`]);
    return [{ from, to, parameters: { ...Object.fromEntries(above), [name]: `$response.body#/${property}` } }];
  });
}

function propertyFor(contract: Contract, from: Operation, name: string): string | undefined {
  const schema = Object.entries(successOf(from).content).find(([type]) => isJson(type))?.[1];
  if (schema === undefined) return undefined;
  try {
    const { properties } = shapeOf(contract, schema);
    return [name, 'id'].find((one) => properties.has(one));
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
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
