/** Small contracts with forms that the real one has in responses only, or not at all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseContract, type Contract } from './load.ts';

export const contractIn = (file: string): Contract =>
  parseContract(readFileSync(join(import.meta.dirname, file), 'utf8'), file);

export const SYNTHETIC = contractIn('synthetic.yaml');
