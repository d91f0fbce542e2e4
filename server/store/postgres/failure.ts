/** What an error of the database says, in one line that never holds the password. */
import { DatabaseError } from 'pg';

/**
 * Only the message and the code are taken: other properties of the errors of pg hold rows, which may be secret, or the
 * client with its password.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseError) return `${error.message} (${error.code ?? 'no code'})`.replaceAll(/\s+/g, ' ');
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message.replaceAll(/\s+/g, ' ');
}

/** Another transaction was first: a serialization failure or a deadlock. Nothing was changed. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}
