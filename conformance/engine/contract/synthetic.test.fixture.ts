/** Small contracts with forms that the real one has in responses only, or not at all. */
import { join } from 'node:path';
import { type Contract, loadContract, parseContract } from './load.ts';

export const contractIn = (file: string): Contract => loadContract(join(import.meta.dirname, file));

export const SYNTHETIC = contractIn('synthetic.yaml');

/** The pointer of the schema of `contractWith`. */
export const A = '/components/schemas/A';

/** A contract with the schema at `A`, and possibly with others beside it. */
export function contractWith(schema: object, others: Record<string, object> = {}): Contract {
  const components = { schemas: { A: schema, ...others } };
  return parseContract(JSON.stringify({ openapi: '3.1.0', info: {}, paths: {}, components }));
}
