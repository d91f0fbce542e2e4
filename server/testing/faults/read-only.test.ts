/** A data folder that becomes read-only: files that are open are still written, and whatever changes the folder fails. */
import { expect, test } from 'vitest';
import { nodeFiles } from '../../store/lowdb/files.ts';
import { openLowdbStore } from '../../store/lowdb/open.ts';
import { StoreUnavailable } from '../../store/store.ts';
import { quiet } from '../../store/store.suite.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const refuse = () => Promise.reject(Object.assign(new Error('read-only file system'), { code: 'EROFS' }));

test('a store goes on, and is not ready', async () => {
  let readOnly = false;
  const checkAccess = (path: string) => (readOnly ? refuse() : nodeFiles.checkAccess(path));
  const store = await openLowdbStore(await temporaryFolder(), quiet, { files: { ...nodeFiles, checkAccess } });
  await store.check();
  readOnly = true;
  await expect(store.check()).rejects.toThrow(StoreUnavailable);
  await store.subscriptions.create({ id: 's', types: [] });
  expect(await store.subscriptions.get('s')).toEqual({ id: 's', types: [] });
  readOnly = false;
  await store.check();
  await store.close();
});

test('another store does not open', async () => {
  const folder = await temporaryFolder();
  const message = `the data folder ${folder} is not writable (EROFS): run the server as its owner, and chmod u+rwx ${folder}`;
  await (await openLowdbStore(folder, quiet)).close();
  for (const options of [{ lock: refuse }, { files: { ...nodeFiles, checkAccess: refuse } }])
    await expect(openLowdbStore(folder, quiet, options)).rejects.toThrow(message);
  await (await openLowdbStore(folder, quiet)).close();
});
