/** Loaded into a server by `node --import`: every flush to the disk takes a quarter of a second longer. */
import { open } from 'node:fs/promises';

const handle = await open(process.execPath, 'r');
const prototype = Object.getPrototypeOf(handle) as { datasync(): Promise<void> };
await handle.close();
const { datasync } = prototype;
prototype.datasync = async function slowSync() {
  await new Promise((resolve) => setTimeout(resolve, 250));
  await datasync.call(this);
};
