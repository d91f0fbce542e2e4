/** What this API adds to the sending of requests. */
import type { HttpApi } from '../engine/http/implementation.ts';
import { expectCode, expectReported, requestErrors } from './protocol/field-errors.ts';
import { expectProblem } from './protocol/problem.ts';
import { trackerOf } from './tracker.ts';

export const EDGE_HTTP: HttpApi = {
  track: trackerOf,
  expectError(implementation, response, { operation, documented, input, codes }) {
    expectProblem(implementation, response, documented);
    if (codes) expectCode(response, codes);
    if (input && operation && response.status === 400)
      expectReported(response, requestErrors(implementation, operation, input));
  },
  variableFor: (segment, { subscriptions }) => (subscriptions.made(segment) ? 'SUBSCRIPTION' : undefined),
};
