/**
 * Bounds the bytes of bodies that the process holds at once. Each body has a limit of its own, and many of them together would
 * still fill the memory. Beyond the budget a request is refused with 503 and can be sent again.
 */
import type { ServerResponse } from 'node:http';
import { HttpError } from '../response/problem.ts';

/** @throws HttpError `service_unavailable` when there is no room for them */
export type Reserve = (bytes: number) => void;

export interface ByteBudget {
  /** What is reserved is free again when the response is out, or the connection is gone. */
  reservation(res: ServerResponse): Reserve;
}

const RETRY_AFTER_S = '1';

export function createByteBudget(most: number): ByteBudget {
  let held = 0;
  return {
    reservation: (res) => {
      let own = 0;
      return (bytes) => {
        if (held + bytes > most) {
          throw new HttpError(
            'service_unavailable',
            'The service is receiving too many large bodies. Send the request again later.',
            {
              'Retry-After': RETRY_AFTER_S,
            },
          );
        }
        if (own === 0) {
          res.once('close', () => {
            held -= own;
          });
        }
        own += bytes;
        held += bytes;
      };
    },
  };
}
