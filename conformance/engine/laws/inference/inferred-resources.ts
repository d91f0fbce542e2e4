/**
 * Resources that follow from a contract alone: a POST, or a PUT with a new name, makes an item, and
 * a GET of its path reads it.
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
import { type Missing, missingFrom } from './needs.ts';
import { NO_OVERLAYS, type Overlays } from './overlay.ts';
import { childrenFrom, resourceOf } from './resource-from.ts';
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

/** A creation whose resource cannot be tried. */
interface NotInferred {
  create: Operation;
  part: string;
  reason: string;
}

/**
 * Each resource, or the reason why it cannot be tried.
 * @param overlays what is known of them beyond the contract
 */
export function inferredResources(
  contract: Contract,
  overlays: Overlays = NO_OVERLAYS,
): (InferredResource | NotInferred)[] {
  const all = [...creationsOf(contract).values()].flatMap((link) => {
    const overlay = overlays[link.from.operationId];
    const body = link.from.requestBody?.pointer;
    const kinds =
      body === undefined ? [] : possible(() => kindsOf(asRequest(contract), body)).flat();
    const known = kinds
      .slice(0, MOST_KINDS)
      .map((pointer) => ({ pointer, kind: nameOfKind(contract, pointer) }));
    return (kinds.length === 0 ? [undefined] : known).map((one) => {
      const part = one ? `items.${one.kind}` : 'items';
      const describe = (): InferredResource => {
        const facts = factsFrom(contract, link, one?.pointer);
        const { update, put } = facts;
        const kindInWords = one ? ` (${one.kind})` : '';
        const resource = resourceOf(facts, { update, kindInWords, overlay });
        const replaceable =
          put === update ? resource : resourceOf(facts, { update: put, kindInWords, overlay });
        return { part, resource, replaceable, missing: missingFrom(facts), facts };
      };
      const notInferred = (reason: string): NotInferred => ({ create: link.from, part, reason });
      return supported(describe, notInferred);
    });
  });
  const found = all.filter((one) => 'resource' in one);
  for (const parent of found) {
    findChildren(parent, found, overlays);
  }
  return all;
}

/** An item may have one kind of others inside: laws try no more of them at once. */
function findChildren(
  { resource, facts: { read } }: InferredResource,
  all: readonly InferredResource[],
  overlays: Overlays,
): void {
  const isInside = ({ collection }: Facts) => {
    const isBelow = collection.startsWith(`${read.path}/`);
    return isBelow && !collection.slice(read.path.length).includes('{');
  };
  const [child, ...others] = all.filter(({ facts }) => isInside(facts));
  if (child !== undefined && others.length === 0) {
    const { facts } = child;
    const overlay = overlays[facts.create.operationId];
    resource.children = childrenFrom(facts, child.resource, overlay);
  }
}

const COMPONENT = /^\/components\/schemas\/[^/]+$/;

/** The component that a branch refers to, or its place among the branches. */
function nameOfKind(contract: Contract, pointer: string): string {
  const component = shapeOf(contract, pointer).passed.find((one) => COMPONENT.test(one));
  return parsePointer(component ?? pointer).at(-1)!;
}

/** More kinds of one resource say little more. */
const MOST_KINDS = 4;
