/** The `request_id` of problems. */
import { isObject } from '../../engine/contract/pointers.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import { once } from '../../engine/laws/law.ts';
import { AT, core } from '../define.ts';
import { unknownId } from '../implementation.ts';

export const requestIds = core(
  {
    id: 'problems.request-id',
    origin: 'D29',
    clause: `${AT.schemas}/Problem/properties/request_id`,
    sentence: 'If problems have a `request_id`, no two responses have the same.',
  },
  once('the same request five times, twice at once', async (session) => {
    const send = () => session.send({ method: 'GET', target: `/edges/https/${unknownId()}` });
    const responses = [await send(), await send(), await send()];
    responses.push(...(await session.together(() => [send(), send()])));
    const got: unknown[] = [];
    for (const { json } of responses) {
      const id = isObject(json) ? json['request_id'] : undefined;
      if (id !== undefined && id !== null) {
        got.push(id);
      }
    }
    const areUnique = new Set(got).size === got.length;
    const expected = 'another one in each';
    expectThat(areUnique, '`request_id` is the same in two responses.', { expected, got });
  }),
);
