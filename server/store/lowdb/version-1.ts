/**
 * Data folders of server version 0.3: a JSON document for each record, in `edges/` and `subscriptions/`. They are converted
 * at the first start. The documents are kept, in `version-1/`.
 */
import { join } from 'node:path';
import { type Data, RecordMap } from '../record-map.ts';
import { dropPrivateKeys } from '../record-text.ts';
import type { CollectionName } from '../store.ts';
import { codeOf, type Files, readWhole } from './files.ts';
import { writeVersion } from './folder.ts';
import { generationsOf, journalName, snapshotName, writeSnapshot } from './generations.ts';

const COLLECTIONS: CollectionName[] = ['edges', 'subscriptions'];
const KEPT = 'version-1';
const EXTENSION = '.json';

/** How many documents are read at once. */
const AT_ONCE = 64;

/** @returns what was done, in one line */
export async function convert(files: Files, folder: string): Promise<string> {
  // Of a conversion that was interrupted.
  const { journals, base, outdated } = generationsOf(await files.names(folder));
  for (const name of [...outdated, snapshotName(base), ...journals.map(journalName)]) {
    await files.remove(join(folder, name)).catch(() => undefined);
  }
  const data = await readDocuments(files, folder);
  await writeSnapshot(files, folder, 1, { data, number: 0 });
  await (await files.open(join(folder, journalName(1)), 'wx')).close();
  await files.flushFolder(folder);
  await writeVersion(files, folder, 2);
  await putDocumentsAside(files, folder);
  const count = data.edges.size + data.subscriptions.size;
  return `the ${count} documents of version 0.3 in ${folder} were converted; they are kept in ${join(folder, KEPT)}, with their secrets, until you remove it`;
}

/** Nothing is left to do where a conversion was not interrupted. */
export async function putDocumentsAside(files: Files, folder: string): Promise<void> {
  const names = (await files.names(folder)).filter((name) => COLLECTIONS.some((one) => one === name));
  if (names.length === 0) return;
  const kept = join(folder, KEPT);
  await files.makeFolder(kept).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  for (const name of names) await files.rename(join(folder, name), join(kept, name));
  await files.flushFolder(kept);
  await files.flushFolder(folder);
}

export async function readDocuments(files: Files, folder: string): Promise<Data> {
  const [edges, subscriptions] = await Promise.all(
    COLLECTIONS.map((name) => readCollection(files, join(folder, name))),
  );
  return { edges: edges!, subscriptions: subscriptions! };
}

async function readCollection(files: Files, folder: string): Promise<RecordMap> {
  const names = await files.names(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const documents = names.flatMap((name) => {
    const id = name.endsWith(EXTENSION) ? idOf(name.slice(0, -EXTENSION.length)) : undefined;
    return id === undefined ? [] : [{ id, path: join(folder, name) }];
  });
  const texts = new Map<string, string>();
  for (let n = 0; n < documents.length; n += AT_ONCE) {
    const read = documents.slice(n, n + AT_ONCE).map(async ({ id, path }) => {
      texts.set(id, textOf((await readWhole(files, path)).toString()));
    });
    await Promise.all(read);
  }
  return new RecordMap(texts);
}

/** As records are kept now. What is no record stays what it is, and is a damaged record. */
function textOf(document: string): string {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    return document;
  }
  // The text `null` would say that there is none.
  if (typeof value !== 'object' || value === null) return `${document} `;
  dropPrivateKeys(value);
  return JSON.stringify(value);
}

/** File names had `=` and the lower case letter in place of each upper case letter, and `=-` in front. */
function idOf(name: string): string | undefined {
  const id = /^=-((?:=[a-z]|[a-z0-9_-])+)$/.exec(name)?.[1];
  return id?.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
