/** Services that break the contract beside them in one respect each. They know nothing of the suite. */
import type { Service } from '../../service.ts';
import { withBody, withErrors, withHeader, without, withStatus } from '../mutants.ts';
import { createShapes, RULES } from './service.ts';
import { STORES } from './stores.ts';

export const MUTANTS: Record<string, () => Service> = {
  ...Object.fromEntries(RULES.map((rule) => [`does not check ${rule}`, () => createShapes([rule])])),
  ...Object.fromEntries(Object.entries(STORES).map(([name, store]) => [name, () => createShapes([], store())])),
  'two new shapes get one name': () => createShapes([], new Map(), (count) => `s${'0'.repeat(5)}${count % 8}`),
  'what is refused is done': () => refusedAndDone(),
  'a default that is another one': () => withDefault('white'),
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

/** A change that is refused is made all the same. */
function refusedAndDone(): Service {
  const shapes = new Map<string, Record<string, unknown>>();
  const service = createShapes([], shapes);
  return async (request) => {
    const response = await service(request);
    const name = request.target.split('/')[2] ?? '';
    const shape = shapes.get(name);
    if (request.method === 'PUT' && response.status === 422 && shape) shapes.set(name, { ...shape, colour: 'red' });
    return response;
  };
}

/** What is left out has a default that is not that of the contract. */
function withDefault(colour: string): Service {
  return withBody(createShapes(), (shape) => (shape['colour'] === 'black' ? { ...shape, colour } : shape));
}
