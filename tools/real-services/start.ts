/** A service that is installed, started with fresh data, and has something that must stay. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';
import { freePort } from '../postgres.ts';
import { CommandError, missing } from '../shell.ts';
import { type Existing, type RealService, type RunningService, startService } from './service.ts';

export interface StartedService extends RunningService {
  /** A file. */
  contract: string;
  existing: Existing;
}

/** @param port by default a free one @throws {CommandError} if it cannot be installed or started */
export async function start(service: RealService, port?: number): Promise<StartedService> {
  const absent = missing(service.needs);
  if (absent.length > 0) {
    throw new CommandError(`${service.name} needs ${absent.join(', ')}`);
  }
  const installed = await service.install();
  const folder = mkdtempSync(join(tmpdir(), `real-${service.name}-`));
  const data = join(folder, 'data');
  mkdirSync(data);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(removeFolder);
  const remove = () => {
    removeFolder();
    forget();
  };
  try {
    const place = { installed, data, port: port ?? (await freePort()) };
    const running = await startService(service, place);
    const contract = await saveContract(service, running, { installed, folder });
    const existing = await service.makeExisting(running.send);
    return {
      ...running,
      contract,
      existing,
      async stop() {
        await running.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

interface Folders {
  installed: string;
  folder: string;
}

async function saveContract(
  { contract }: RealService,
  { send }: RunningService,
  { installed, folder }: Folders,
): Promise<string> {
  if ('file' in contract) {
    const copy = join(folder, 'contract.yaml');
    copyFileSync(contract.file(installed), copy);
    return copy;
  }
  const document = await send('GET', contract.path);
  const isText = typeof document === 'string';
  const file = join(folder, isText ? 'contract.yaml' : 'contract.json');
  writeFileSync(file, isText ? document : `${JSON.stringify(document, null, 2)}\n`);
  return file;
}
