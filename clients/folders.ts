/**
 * The folders of the repository, seen from the sources and from dist/, which has programs alone.
 */
import { join } from 'node:path';

const THIS_FOLDER = /([\\/]dist)?[\\/]clients$/;

export const packageFolder = import.meta.dirname.replace(THIS_FOLDER, '');
/** The contract, for generators that read OpenAPI 3.1. */
export const contract = join(packageFolder, 'openapi.yaml');
/** The settings of a generator, and the example; or another folder of this part. */
export const clientFolder = (name: string) => join(packageFolder, 'clients', name);
