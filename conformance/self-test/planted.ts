/**
 * Errors that are planted in services: a service has at most one at a time, a small condition with
 * its name in the code.
 */
import { join } from 'node:path';

/** The build has the sources in `dist/`, but not the files beside them. */
const BUILD_FOLDER = /\/dist(?=\/conformance\/)/;

/**
 * The folder of the sources from which a folder was built; the folder itself if it is in the
 * sources.
 */
export const sourceFolderOf = (folder: string): string => folder.replace(BUILD_FOLDER, '');

export const CONTRACTS = join(sourceFolderOf(import.meta.dirname), 'contracts');

/** The path of a contract. @param name a folder of `contracts/` */
export const contractOf = (name: string): string => join(CONTRACTS, name, 'openapi.yaml');

/** Whether the service has the error of this name. */
export type Planted = (error: string) => boolean;

export const NOTHING: Planted = () => false;

/** A condition of an error, with its name. */
const CONDITION = /\bplanted\(\s*['"]([\w-]+)['"]/g;

/** The names of all errors in the source of a service, in TypeScript or Python. */
export function errorsIn(source: string): string[] {
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(CONDITION)) {
    names.add(name);
  }
  return [...names];
}
