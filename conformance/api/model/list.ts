import { expectSame } from '../../engine/http/nonconformity.ts';
import { listAll } from '../steps.ts';
import type { Ground } from './command.ts';

/** Whatever the size of a page, the list is that of the model. Order is another promise, made by D16 alone. */
export async function list({ session, subscription_id, model }: Ground, { limit }: { limit: number }): Promise<void> {
  const paged = session.implementation.origin === 'all' ? { limit } : {};
  const { types } = await listAll(session, subscription_id, paged);
  expectSame('The list is not what was added, changed and removed', types.toSorted(), model.types);
}
