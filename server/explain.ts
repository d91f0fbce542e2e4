/** An error as the person who starts the server reads it: one line without a stack. */
import { ConfigError } from './config.ts';
import { ContractError } from './contract.ts';
import { SeedError } from './client-testing/seed.ts';
import { CannotOpenStore, StoreUnavailable } from './store/store.ts';
import { CannotTransfer } from './transfer/lines.ts';

/** Their messages are written for that person. */
const EXPLAINED = [ConfigError, ContractError, CannotOpenStore, SeedError, CannotTransfer, StoreUnavailable];

export function explain(error: unknown): string {
  const { code, port, address, message } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (EXPLAINED.some((type) => error instanceof type)) return message;
  if (code === 'EADDRINUSE') return `port ${port} of ${address} is in use`;
  if (code === 'EACCES') return `port ${port} of ${address} needs more permissions`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `--host is not an address of this machine`;
  return `unexpected: ${message}`;
}
