/**
 * The links of a contract: one operation gives values that another operation asks for (OpenAPI 3.1,
 * Link Object).
 */
import { supported } from './keywords.ts';
import { type Contract, perContract } from './load.ts';
import { type Operation, operationsOf } from './operations.ts';
import {
  dereference,
  isObject,
  joinPointer,
  mapMembers,
  objectAt,
  parsePointer,
  valueAt,
} from './pointers.ts';

/** One operation gives values that another operation asks for. */
export interface Link {
  from: Operation;
  to: Operation;
  /** Values or runtime expressions by the name of the parameter of `to`. */
  parameters: Record<string, unknown>;
  /** The contract only suggests the link: a response shows whether it is right. */
  isGuess?: true;
}

/** The links of documented successes, in the order of the contract. */
export const linksOf = perContract((contract): readonly Link[] => {
  const operations = operationsOf(contract);
  const { document } = contract;
  const links: Link[] = [];
  for (const from of operations) {
    for (const place of linksIn(contract, from)) {
      // A link that refers to nothing is left out: nobody can follow it.
      const { operationId, operationRef, parameters } = supported(
        () => objectAt(document, dereference(document, place)),
        (): Record<string, unknown> => ({}),
      );
      const pointer = pointerIn(operationRef);
      const to = operations.find(
        (one) => one.operationId === operationId || one.pointer === pointer,
      );
      if (to) {
        links.push({ from, to, parameters: unqualified(parameters) });
      }
    }
  }
  return links;
});

/** The places of the links of the documented successes of an operation. */
function linksIn({ document }: Contract, { responses }: Operation): string[] {
  const successes = Object.values(responses).filter(({ status }) => status.startsWith('2'));
  return successes.flatMap(({ pointer }) => {
    const holder = joinPointer(pointer, 'links');
    const places = mapMembers(valueAt(document, holder), holder, (place) => place);
    return Object.values(places);
  });
}

/**
 * The pointer in the fragment of an `operationRef`, which is a URI: characters may be
 * percent-encoded (RFC 6901, 6). Undefined for a URI of another document.
 */
function pointerIn(operationRef: unknown): string | undefined {
  const [, fragment] = /^#(.*)$/s.exec(String(operationRef)) ?? [];
  if (fragment === undefined) {
    return undefined;
  }
  try {
    const pointer = decodeURIComponent(fragment);
    return joinPointer('', ...parsePointer(pointer));
  } catch {
    return undefined;
  }
}

const PLACE_BEFORE_NAME = /^(path|query|header|cookie)\./;

/**
 * The parameters without their places: `path.id` may stand for `id`, if a name alone is ambiguous.
 */
function unqualified(parameters: unknown): Record<string, unknown> {
  const entries = Object.entries(isObject(parameters) ? parameters : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(PLACE_BEFORE_NAME, ''), value]),
  );
}
