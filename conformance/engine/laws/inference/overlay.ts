/** What is known of a resource beyond its contract, laid over what follows from the contract. */
import { byName } from '../../contract/by-name.ts';
import type { EmbeddedList, Json, List, PagedList, Resource } from '../resource.ts';

/** Parts of a resource that the contract alone gives. */
type OfContract = 'calls' | 'id' | 'children' | 'list' | 'facts';

/**
 * Facts about a resource that its contract does not state in a form that programs read. A part of
 * the resource that is missing here is the inferred one.
 */
export interface Overlay extends Partial<Omit<Resource, OfContract>> {
  /** Parts of the list; the others are the inferred ones. */
  list?: Partial<PagedList> | Partial<EmbeddedList>;
  /** Bodies of items that can exist beside each other in one place. */
  bodiesInPlace?(count: number): Json[];
  /**
   * The inferred parts that this replaces, and why; a part of the list is such as `list.next`. A
   * part that only this list has is left out of the resource: laws have a default for it.
   */
  replaces: Readonly<Record<string, string>>;
}

/** Overlays by the id of the operation that creates an item. */
export type Overlays = Readonly<Record<string, Overlay>>;

export const NO_OVERLAYS: Overlays = byName();

/** The resource with an overlay. The inferred values are not made if the overlay has others. */
export function layOver(inferred: Resource, overlay: Overlay | undefined): Resource {
  if (overlay === undefined) {
    return inferred;
  }
  const { replaces, list, bodiesInPlace: _, ...parts } = overlay;
  const laid = Object.create(inferred) as Resource;
  for (const name of Object.keys(replaces)) {
    const isWhole = !name.includes('.');
    if (isWhole) {
      Object.defineProperty(laid, name, { value: undefined, writable: true });
    }
  }
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(laid, name, { value, writable: true });
  }
  if (list !== undefined) {
    laid.list = { ...inferred.list, ...list } as List;
  }
  return laid;
}
