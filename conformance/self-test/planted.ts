/** Errors that are planted in services: one at a time, each a small condition in the code of the service, by its name. */
import { join } from 'node:path';

/** The contracts stand beside the sources, wherever this runs from. */
export const CONTRACTS = join(
  import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, ''),
  'contracts',
);
export const contractOf = (name: string) => join(CONTRACTS, name, 'openapi.yaml');

export type Planted = (error: string) => boolean;

export const NOTHING: Planted = () => false;

/** The names of all errors in the source of a service, in TypeScript or Python. */
export function errorsIn(source: string): string[] {
  return [
    ...new Set([...source.matchAll(/\bplanted\(\s*['"]([\w-]+)['"]/g)].map(([, name]) => name!)),
  ];
}
