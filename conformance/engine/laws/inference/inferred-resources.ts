/**
 * Resources that follow from a contract alone: a POST makes an item, and a GET of its path reads
 * it.
 */
import { supported } from '../../contract/keywords.ts';
import { kindsOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import type { Operation } from '../../contract/operations.ts';
import { parsePointer } from '../../contract/pointers.ts';
import { shapeOf } from '../../contract/shape.ts';
import { asRequest } from '../../contract/variants.ts';
import { possible } from '../../generate/filter.ts';
import { creationsOf } from './creations.ts';
import { factsFrom } from './facts.ts';
import { type Missing, reasonsOf } from './needs.ts';
import { resourceOf } from './resource-from.ts';
import type { Facts, Resource } from '../resource.ts';

/**
 * A resource and, for each part of it that laws need, the reason why the contract does not promise
 * that part.
 */
export interface InferredResource {
  /**
   * The part of an id that names the kind, and the branch that describes its body, if there are
   * several kinds.
   */
  part: string;
  resource: Resource;
  /** The same, changed by PUT. */
  replaceable: Resource;
  missing: Missing;
  facts: Facts;
}

/** A POST whose resource cannot be tried has a reason in its place. */
export function inferredResources(
  contract: Contract,
): (InferredResource | { create: Operation; part: string; reason: string })[] {
  return [...creationsOf(contract).values()].flatMap((link) => {
    const body = link.from.requestBody?.pointer;
    const kinds =
      body === undefined ? [] : possible(() => kindsOf(asRequest(contract), body)).flat();
    const all = kinds
      .slice(0, MOST_KINDS)
      .map((pointer) => ({ pointer, kind: nameOfKind(contract, pointer) }));
    return (kinds.length === 0 ? [undefined] : all).map((one) => {
      const part = one ? `items.${one.kind}` : 'items';
      const describe = (): InferredResource => {
        const facts = factsFrom(contract, link, one?.pointer);
        const { update, put } = facts;
        const changedBy = (call: Operation | undefined) =>
          resourceOf(facts, call, one ? ` (${one.kind})` : '');
        const resource = changedBy(update);
        const replaceable = put === update ? resource : changedBy(put);
        return { part, resource, replaceable, missing: reasonsOf(facts), facts };
      };
      return supported(describe, (reason) => ({ create: link.from, part, reason }));
    });
  });
}

const COMPONENT = /^\/components\/schemas\/[^/]+$/;

/** The component that a branch refers to, or its place among the branches. */
function nameOfKind(contract: Contract, pointer: string): string {
  const component = shapeOf(contract, pointer).passed.find((one) => COMPONENT.test(one));
  return parsePointer(component ?? pointer).at(-1)!;
}

/** More kinds of one resource say little more. */
const MOST_KINDS = 4;
