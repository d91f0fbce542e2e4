/** The operations that `--path`, `--method` and `--tag` choose. */
import { escapeRegExp } from '../engine/contract/escape-reg-exp.ts';
import type { Options } from './options.ts';
import type { Contract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { OptionError } from '../engine/run/known-failures.ts';

/**
 * The beginnings of the ids of requirements about the operations that `--path`, `--method` and
 * `--tag` choose; empty if none of these options is given.
 * @throws OptionError if they choose no operation
 */
export function chosenOperations(contract: Contract, { operations }: Options): string[] {
  const isOf = (globs: readonly string[], ...values: readonly string[]) =>
    globs.length === 0 ||
    globs.some((glob) => values.some((value) => expressionFor(glob).test(value)));
  if (Object.values(operations).every((globs) => globs.length === 0)) {
    return [];
  }
  const found = operationsOf(contract)
    .filter(({ path }) => isOf(operations.path, path))
    .filter(({ method }) => isOf(operations.method, method))
    .filter(({ tags }) => isOf(operations.tag, ...tags));
  if (found.length > 0) {
    return found.map(({ operationId }) => `${operationId}.`);
  }
  const given = Object.entries(operations).flatMap(([name, globs]) =>
    globs.map((glob) => `--${name} ${glob}`),
  );
  throw new OptionError(`the contract has no operation for ${given.join(' ')}`);
}

function expressionFor(glob: string): RegExp {
  const parts = glob.split(/(\*+)/).map((part) => {
    if (part.startsWith('*')) {
      return part === '*' ? '[^/]*' : '.*';
    }
    return escapeRegExp(part);
  });
  return new RegExp(`^${parts.join('')}$`, 'i');
}
