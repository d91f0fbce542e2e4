/**
 * Ids that nothing has. None is guessed: on a service that counts, a short one exists and may be somebody else's. So they
 * are long and random.
 */
import { randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 26 random letters and digits behind a word that says where they come from. */
export function unknownId(): string {
  return `conformance_${Array.from(randomBytes(26), (byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}

/** A value that a path parameter can have, of a resource that does not exist. */
export function unknownValue(parameter: string): string {
  return parameter === 'type' ? `${unknownId()}.v0` : unknownId();
}
