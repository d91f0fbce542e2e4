/**
 * Folders of version 0.3: a JSON document for each record. The first start converts them, and keeps
 * the documents.
 */
import { join } from 'node:path';
import { type Data, RecordMap, type Texts } from '../memory.ts';
import { dropPrivateKeys, jsonOf } from '../record-text.ts';
import { type CollectionName, COLLECTIONS } from '../store.ts';
import { type Files, ignore, readWhole } from './files.ts';
import { writeVersion } from './folder.ts';
import { beginJournal, generationsOf, writeSnapshot } from './format.ts';

const KEPT = 'version-1';

/** @returns what was done, in one line */
export async function convert(files: Files, folder: string): Promise<string> {
  // A conversion that was interrupted may have left files.
  const { names, outdated } = generationsOf(await files.names(folder));
  for (const name of [...outdated, ...names]) {
    await files.remove(join(folder, name));
  }
  const data = await readDocuments(files, folder);
  await writeSnapshot(files, folder, 1, { data, number: 0 });
  await beginJournal(files, folder, 1);
  await writeVersion(files, folder);
  await putDocumentsAside(files, folder);
  const count = data.edges.size + data.subscriptions.size;
  return (
    `the ${count} documents of version 0.3 in ${folder} were converted; they are ` +
    `kept in ${join(folder, KEPT)}, with their secrets, until you remove it`
  );
}

/** Does nothing unless a conversion was interrupted. */
export async function putDocumentsAside(files: Files, folder: string): Promise<void> {
  const names = (await files.names(folder)).filter((name) =>
    COLLECTIONS.some((one) => one === name),
  );
  if (names.length === 0) {
    return;
  }
  const kept = join(folder, KEPT);
  await files.makeFolder(kept).catch(ignore('EEXIST'));
  for (const name of names) {
    await files.rename(join(folder, name), join(kept, name));
  }
  await files.flushFolder(kept);
  await files.flushFolder(folder);
}

export async function readDocuments(files: Files, folder: string): Promise<Data> {
  const read = (name: CollectionName) => readCollection(files, join(folder, name));
  return { edges: await read('edges'), subscriptions: await read('subscriptions') };
}

async function readCollection(files: Files, folder: string): Promise<RecordMap> {
  const texts: Texts = new Map();
  for (const name of (await files.names(folder).catch(ignore('ENOENT'))) ?? []) {
    const id = idOf(name);
    if (id !== undefined) {
      texts.set(id, textOf((await readWhole(files, join(folder, name))).toString()));
    }
  }
  return new RecordMap(texts);
}

/**
 * The text of a record as it is kept now. A document that is not a record stays as it is, and is a
 * damaged record.
 */
function textOf(document: string): string {
  const value = jsonOf(document);
  if (value === undefined) {
    return document;
  }
  // The text `null` would mean that the record was removed.
  if (typeof value !== 'object' || value === null) {
    return `${document} `;
  }
  dropPrivateKeys(value);
  return JSON.stringify(value);
}

const DOCUMENT_NAME = /^=-((?:=[a-z]|[a-z0-9_-])+)\.json$/;

/**
 * Names of documents had `=-` in front, and `=` and the lower case letter in place of each upper
 * case letter.
 */
function idOf(name: string): string | undefined {
  const id = DOCUMENT_NAME.exec(name)?.[1];
  return id?.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
