/** What this API adds to the sending of requests. */
import type { HttpApi } from '../engine/http/api.ts';
import { expectProblem } from '../engine/http/expect-response.ts';
import { expectNamed, expectPlace } from './protocol/field-errors.ts';
import { trackerOf } from './tracker.ts';

export const EDGE_HTTP: HttpApi = {
  track: trackerOf,
  expectError(implementation, response, { documented, clause, parameter, input }) {
    expectProblem(implementation, response, documented);
    if (clause) expectPlace(clause, input?.json, response);
    if (parameter !== undefined && response.status === 400) expectNamed(response, parameter);
  },
  variableFor: (segment, { subscriptions }) => (subscriptions.made(segment) ? 'SUBSCRIPTION' : undefined),
};
