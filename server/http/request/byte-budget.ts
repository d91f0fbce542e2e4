/**
 * Bounds the bytes of all bodies held at once, beside the limit of each: many of them would fill
 * the memory.
 */
import type { Response } from 'express';
import { HttpError } from '../problem.ts';

/**
 * Reserves memory until the response is out or the connection closed.
 *
 * @throws HttpError `service_unavailable`
 */
export type ByteBudget = (res: Response, bytes: number) => void;

export function createByteBudget(most: number): ByteBudget {
  let held = 0;
  return (res, bytes) => {
    if (held + bytes > most) {
      const detail =
        'The service is receiving too many large bodies. Send the request again later.';
      throw new HttpError('service_unavailable', detail, { 'Retry-After': '1' });
    }
    held += bytes;
    res.once('close', () => {
      held -= bytes;
    });
  };
}
