import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';

/** An empty folder, which is removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-contract-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A test with such a folder. */
export const it = test.extend('folder', temporaryFolder);
