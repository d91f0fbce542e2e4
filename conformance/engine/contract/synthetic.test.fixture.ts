/** Small contracts with forms that the real one has in responses only, or not at all. */
import { join } from 'node:path';
import { type Contract, loadContract } from './load.ts';

export const contractIn = (file: string): Contract => loadContract(join(import.meta.dirname, file));

export const SYNTHETIC = contractIn('synthetic.yaml');
