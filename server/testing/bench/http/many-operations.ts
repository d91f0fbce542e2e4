/** The contract with its paths many times over: what a request costs must not depend on how many operations there are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, readContract } from '../../../contract.ts';

/** At least. */
export const OPERATIONS = 100;

/** @returns the file that was written */
export function writeManyOperations(folder: string): string {
  const { document, operations } = readContract();
  const paths = document['paths'] as Record<string, Record<string, JsonObject>>;
  const copies = Math.ceil(OPERATIONS / operations.length) - 1;
  const more = Array.from({ length: copies }, (_, n) =>
    Object.entries(paths).map(([path, item]) => [
      `/copy${n}${path}`,
      Object.fromEntries(
        Object.entries(item).map(([name, one]) => [
          name,
          one['operationId'] === undefined ? one : { ...one, operationId: `${one['operationId'] as string}${n}` },
        ]),
      ),
    ]),
  );
  const file = join(folder, 'many-operations.json');
  writeFileSync(file, JSON.stringify({ ...document, paths: { ...paths, ...Object.fromEntries(more.flat()) } }));
  return file;
}
