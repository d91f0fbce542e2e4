/** The contract with changes, for tests that show what the server makes of them. */
import { type Contract, describeContract } from '../contract.ts';
import { contract } from './serve.ts';

/** Loose, so that a test can write any change in a line. */
export type AnyDocument = any;

/** @throws ContractError when the server does not support what was changed */
export function changedContract(change: (document: AnyDocument) => void): Contract {
  const document = structuredClone(contract.document);
  change(document);
  return { ...contract, ...describeContract(document) };
}
