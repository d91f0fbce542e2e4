/** Services that break the contract beside them in one respect each. They know nothing of the suite. */
import type { Service } from '../../service.ts';
import { withBody, withErrors, withHeader, without, withStatus } from '../mutants.ts';
import { createShapes, RULES } from './service.ts';

export const MUTANTS: Record<string, () => Service> = {
  ...Object.fromEntries(RULES.map((rule) => [`does not check ${rule}`, () => createShapes([rule])])),
  'responses without a name': () => withBody(createShapes(), without('name')),
  'responses with a name of another form': () => withBody(createShapes(), (shape) => ({ ...shape, name: 'shape-1' })),
  'responses with a colour that is not one': () => withBody(createShapes(), (shape) => ({ ...shape, colour: 'none' })),
  'responses with a weight of a third': () => withBody(createShapes(), (shape) => ({ ...shape, weight: 0.3 })),
  'responses with a size of no kind': () => withBody(createShapes(), (shape) => ({ ...shape, size: 10 })),
  'responses of another kind': () => withBody(createShapes(), (shape) => ({ ...shape, kind: 'line' })),
  'responses as lists': () => withBody(createShapes(), (shape) => [shape]),
  'responses of another media type': () => withHeader(createShapes(), 'content-type', 'application/json'),
  'a new shape with status 200': () => withStatus(createShapes(), 201, 200),
  'a removal with status 202': () => withStatus(createShapes(), 204, 202),
  'refusals with status 500': () => withStatus(createShapes(), 422, 500),
  'refusals with status 409': () => withStatus(createShapes(), 422, 409),
  'errors without a title': () => withErrors(createShapes(), '{"detail":"wrong"}'),
  'errors without a body': () => withErrors(createShapes(), ''),
};
