/** The `instance` of problems, which frameworks fill with the path. */
import { expectRefusedAnyhow } from '../../engine/http/expect-response.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import { eachText } from '../../engine/requirements/requirement.ts';
import { AT, core } from '../define.ts';
import { expectProblem, PROBLEM_TYPE } from '../errors/problem.ts';

/** Longer than `instance` may be, and shorter than targets that servers refuse by themselves. */
const LONG = 'x'.repeat(2_500);

const LONG_PATHS = [
  `/edges/https/${LONG}`,
  // Nobody else has a subscription with the prefix of the suite.
  `/event_subscriptions/conformance-long/sources/${LONG}`,
  `/${LONG}`,
];

export const instances = core(
  {
    id: 'problems.instance',
    origin: 'D29',
    clause: `${AT.schemas}/Problem/properties/instance/maxLength`,
    sentence: 'A problem omits `instance` if it would be longer than 2,048 characters.',
  },
  eachText(LONG_PATHS, async (target, session) => {
    const send = async (): Promise<HttpResponse> => {
      const response = await session.send({ method: 'GET', target });
      // The server below may refuse a target that is too long, in any form.
      if (response.mediaType === PROBLEM_TYPE) {
        expectProblem(session.implementation, response);
      }
      return response;
    };
    await expectRefusedAnyhow(send, 'There is no such path, and no such resource.');
  }),
);
