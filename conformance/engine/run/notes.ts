/** Errors of the contract itself, for findings of that kind. */
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import type { Note } from '../findings/findings.ts';
import { wrongExamples } from '../requirements/statuses.ts';

export function notesOn(contract: Contract, operations: readonly Operation[]): Note[] {
  return operations.flatMap((operation) => [
    ...exampleNotes(contract, operation),
    ...parameterNotes(operation),
  ]);
}

function exampleNotes(contract: Contract, operation: Operation): Note[] {
  const { operationId } = operation;
  return wrongExamples(contract, operation).map((sentence) => ({
    operation: operationId,
    what: 'example',
    words: 'an example breaks its own schema',
    sentence,
  }));
}

function parameterNotes({ operationId, unsupported = '' }: Operation): Note[] {
  if (!unsupported.includes('is not declared')) {
    return [];
  }
  const sentence = `${operationId} is not tried: ${unsupported}.`;
  const words = 'a parameter of the path is not declared';
  return [{ operation: operationId, what: 'undeclared-parameter', words, sentence }];
}
