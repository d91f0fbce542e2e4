/** `request_id` of a problem identifies one request. */
import { expectThat } from '../../engine/http/nonconformity.ts';
import { NOTHING } from '../valid-calls.ts';
import { unknownId } from '../unknown-ids.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';

export function requestIds(): Requirement {
  return {
    id: 'problems.request-id',
    level: 'core',
    origin: 'D29',
    clause: '/components/schemas/Problem/properties/request_id',
    sentence: 'Where problems have a `request_id`, no two responses have the same.',
    properties: () => [
      {
        label: 'the same request five times, twice at once',
        values: NOTHING,
        once: true,
        async check(_, session) {
          const send = () => session.send({ method: 'GET', target: `/edges/https/${unknownId()}` });
          const responses = [
            await send(),
            await send(),
            await send(),
            ...(await session.together(() => [send(), send()])),
          ];
          const ids = responses.flatMap(({ json }) => (json as { request_id?: unknown } | undefined)?.request_id ?? []);
          expectThat(new Set(ids).size === ids.length, '`request_id` is the same in two responses.', {
            expected: 'another one in each',
            got: ids,
          });
        },
      },
    ],
  };
}
