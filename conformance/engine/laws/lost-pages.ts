/**
 * Pages that cannot be followed: a cursor may name an item that others have removed since, and the
 * contract may let the service refuse it then.
 */
import type { Operation } from '../contract/operations.ts';
import { expectSuccess } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';

/** Statuses with which services refuse a cursor that leads nowhere. */
const NOWHERE: readonly number[] = [400, 404, 410, 422];

/** Others do not remove the item of a cursor so often, one time after the other. */
const TRIES = 6;

/** The link or cursor that a page has just given leads to no page. */
export class LostPage extends Error {
  override name = 'LostPage';
  /** What is reported if it happens each time. */
  readonly reported: Nonconformity;

  constructor(reported: Nonconformity) {
    super(reported.message);
    this.reported = reported;
  }
}

/** The request for a page that the page before leads to. */
export interface FollowedPage {
  implementation: Implementation;
  operation: Operation;
  response: HttpResponse;
  why: string;
}

/** @throws LostPage if the service refuses to follow; Nonconformity */
export function expectFollowed({ implementation, operation, response, why }: FollowedPage): void {
  try {
    expectSuccess(implementation, operation, response, why);
  } catch (error) {
    const isLost = error instanceof Nonconformity && NOWHERE.includes(response.status);
    if (isLost) {
      throw new LostPage(error);
    }
    throw error;
  }
}

/**
 * Reads from the first page on, and once more if a page is lost meanwhile.
 * @throws Nonconformity if a page is lost each time
 */
export async function fromFirstPage<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostPage)) {
        throw error;
      }
      if (tries === TRIES) {
        throw error.reported;
      }
    }
  }
}
