/** The links of a contract: what one operation makes, another one asks for (OpenAPI 3.1, Link Object). */
import { type Contract, perContract } from './load.ts';
import { membersOf, type Operation, operationsOf } from './operations.ts';
import { dereference, isObject, joinPointer, objectAt, parsePointer, valueAt } from './pointers.ts';

/** One operation makes what another one asks for. */
export interface Link {
  from: Operation;
  to: Operation;
  /** Values or runtime expressions by the name of the parameter of `to`. */
  parameters: Record<string, unknown>;
  /** The contract says little of it: a response shows whether it is right. */
  isGuess?: true;
}

/** The links of documented successes, in the order of the contract. */
export const linksOf = perContract((contract): readonly Link[] => {
  const operations = operationsOf(contract);
  const { document } = contract;
  const links: Link[] = [];
  for (const from of operations) {
    for (const place of linksIn(contract, from)) {
      const { operationId, operationRef, parameters } = objectAt(
        document,
        dereference(document, place),
      );
      const target = pointerIn(operationRef);
      const to = operations.find(
        (one) => one.operationId === operationId || one.pointer === target,
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
    const list = joinPointer(pointer, 'links');
    return Object.values(membersOf(valueAt(document, list), list, (place) => place));
  });
}

/**
 * The pointer in the fragment of an `operationRef`, which is a URI: characters may be percent-encoded (RFC 6901, 6).
 * Undefined for a URI of another document.
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

/** `path.id` may stand for `id`, where a name alone is not enough. */
function unqualified(parameters: unknown): Record<string, unknown> {
  const entries = Object.entries(isObject(parameters) ? parameters : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/^(path|query|header|cookie)\./, ''), value]),
  );
}
