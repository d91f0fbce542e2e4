/** Keys by which a service knows a request again: one is sent with one body alone. */
import { isIdempotencyKey } from '../contract/idempotency-keys.ts';
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Operation, type Parameter } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { changedWhereAllowed } from '../generate/fresh.ts';
import { CHANCE } from '../generate/random.ts';
import { NotPossible } from '../http/nonconformity.ts';

/** A key as long as this one that nobody has sent before, if it may be long. */
export function newKey(contract: Contract, parameter: Parameter, value: unknown): unknown {
  if (!isIdempotencyKey(parameter) || typeof value !== 'string') {
    return value;
  }
  const isAllowed = (text: string) => schemasOf(contract).isValid(parameter.schema, text);
  return changedWhereAllowed(value, CHANCE, isAllowed);
}

/** A shorter key may have been sent before. */
const ENOUGH = 8;

/**
 * A short key may be that of another request.
 * @throws NotPossible if the refusal of one is documented
 */
export function expectUnusedKey(
  operation: Operation,
  parameter: Parameter,
  { value, status }: { value: unknown; status: number },
): void {
  const isShort = typeof value === 'string' && [...value].length < ENOUGH;
  const isDocumented = documentedFor(operation, status) !== undefined;
  if (isIdempotencyKey(parameter) && isShort && isDocumented) {
    throw new NotPossible(`so short a \`${parameter.name}\` may have been sent before (${status})`);
  }
}
