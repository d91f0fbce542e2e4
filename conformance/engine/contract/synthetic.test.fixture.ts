/** A small contract with forms of schemas that the real one has in responses only, or not at all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseContract, type Contract } from './load.ts';

const TEXT = readFileSync(join(import.meta.dirname, 'synthetic.yaml'), 'utf8');

export const SYNTHETIC: Contract = parseContract(TEXT, 'synthetic.yaml');
