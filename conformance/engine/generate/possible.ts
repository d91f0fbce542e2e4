import { Unsupported } from '../contract/unsupported.ts';

/** What `make` gives, if there is such a thing: one of several ways, of which a schema may rule some out. */
export function possible<T>(make: () => T): T[] {
  try {
    return [make()];
  } catch (error) {
    if (error instanceof Unsupported) return [];
    throw error;
  }
}
