/** A service that keeps removed items: a list shows them if it is asked to, and they come back. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const ID = '{name: id, in: path, required: true, schema: {type: string}}';
const CAR = '{application/json: {schema: {$ref: "#/components/schemas/Car"}}}';
const CARS =
  '{application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Car"}}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Cars, version: '1'}
paths:
  /cars:
    get:
      operationId: list
      parameters: [{name: show_deleted, in: query, schema: {type: boolean, default: false}}]
      responses:
        '200': {description: All., content: ${CARS}}
        '400': {description: It is refused.}
    post:
      operationId: add
      requestBody: {required: true, content: ${CAR}}
      responses:
        '201': {description: It., content: ${CAR}}
        '400': {description: It is refused.}
        '409': {description: Another car has this plate.}
  /cars/{id}:
    parameters: [${ID}]
    get:
      operationId: show
      responses:
        '200': {description: It., content: ${CAR}}
        '404': {description: There is none.}
    delete:
      operationId: remove
      description: A soft deletion.
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}
  /cars/{id}/restore:
    parameters: [${ID}]
    post:
      operationId: bringBack
      description: Brings a deleted car back.
      responses:
        '200': {description: It., content: ${CAR}}
        '404': {description: There has been none.}
        '409': {description: The car is not deleted, or another one has its plate now.}
components:
  schemas:
    Car:
      type: object
      required: [plate]
      properties:
        id: {type: string, readOnly: true}
        plate: {type: string, minLength: 3, maxLength: 40}
`;

/** What a service does otherwise. */
interface Differences {
  /** Whether a list never has removed cars, or always. */
  lists?: 'never' | 'always';
  /** Whether two cars may have one plate. */
  allowsEqual?: boolean;
  /** What happens if a car comes back while another one has its plate. */
  onReturn?: 'both' | 'another plate' | 'the other one goes';
  /** Whether a POST with the plate of a removed car brings that back. */
  revives?: boolean;
}

interface Car {
  plate: string;
  isRemoved: boolean;
}

function cars(differences: Differences = {}): Handler {
  const { lists, allowsEqual = false, onReturn, revives = false } = differences;
  const all = new Map<string, Car>();
  const isTaken = (plate: string): boolean =>
    !allowsEqual && [...all.values()].some((car) => !car.isRemoved && car.plate === plate);
  const shown = (id: string, { plate }: Car) => ({ id, plate });

  const listed = (asked: string | null): Reply => {
    if (!['true', 'false', null].includes(asked)) {
      return [400];
    }
    const hasRemoved = lists === undefined ? asked === 'true' : lists === 'always';
    const found = [...all].filter(([, car]) => hasRemoved || !car.isRemoved);
    return [200, found.map(([id, car]) => shown(id, car))];
  };

  const add = (plate: unknown): Reply => {
    if (typeof plate !== 'string' || !/^.{3,40}$/su.test(plate)) {
      return [400];
    }
    if (isTaken(plate)) {
      return [409];
    }
    const [known] = [...all].find(([, car]) => car.isRemoved && car.plate === plate) ?? [];
    const id = revives && known !== undefined ? known : `car-${all.size}-${'x'.repeat(12)}`;
    const car = { plate, isRemoved: false };
    all.set(id, car);
    return [201, shown(id, car)];
  };

  const restore = (id: string, car: Car): Reply => {
    if (!car.isRemoved) {
      return [409];
    }
    if (isTaken(car.plate) && onReturn === undefined) {
      return [409];
    }
    if (isTaken(car.plate) && onReturn === 'another plate') {
      car.plate = `${car.plate.slice(0, 36)} (2)`;
    }
    const others = [...all.values()].filter(({ plate }) => plate === car.plate);
    if (onReturn === 'the other one goes') {
      for (const other of others) {
        other.isRemoved = true;
      }
    }
    car.isRemoved = false;
    return [200, shown(id, car)];
  };

  return ({ method, path, query, json }): Reply => {
    const [, , id = '', action] = path.split('/');
    if (id === '') {
      return method === 'GET' ? listed(query.get('show_deleted')) : add(Object(json).plate);
    }
    const car = all.get(id);
    if (car === undefined) {
      return [404];
    }
    if (action === 'restore') {
      return restore(id, car);
    }
    if (car.isRemoved) {
      return [404];
    }
    if (method === 'DELETE') {
      car.isRemoved = true;
      return [204];
    }
    return [200, shown(id, car)];
  };
}

const LISTED = 'add.items.removed.listed';
const CONFLICT = 'add.items.restored.conflict';

async function statusesOn(handler: Handler, contract = CONTRACT) {
  const options = ['--only', '*.listed', '--only', '*.conflict'];
  const { report } = await runOn(handler, contract, options);
  const found = report.requirements.filter(({ id }) => [LISTED, CONFLICT].includes(id));
  return Object.fromEntries(found.map(({ id, status }) => [id, status]));
}

test.each<[string, Differences, 'pass' | 'skip']>([
  ['as it is stated', {}, 'pass'],
  ['with another plate for a car that comes back', { onReturn: 'another plate' }, 'pass'],
  ['with the return of one car in place of another', { onReturn: 'the other one goes' }, 'pass'],
  ['with a car that a POST brings back', { revives: true }, 'skip'],
  ['with equal plates', { allowsEqual: true }, 'skip'],
])('a service that keeps removed cars passes: %s', async (_, differences, status) => {
  const statuses = await statusesOn(cars(differences));
  expect(statuses).toEqual({ [LISTED]: 'pass', [CONFLICT]: status });
});

test.each<[string, Differences, string]>([
  ['a switch that lists no removed car', { lists: 'never' }, LISTED],
  ['a list that has removed cars always', { lists: 'always' }, LISTED],
  ['two cars with one plate', { onReturn: 'both' }, CONFLICT],
])('%s is found', async (_, differences, id) => {
  const statuses = await statusesOn(cars(differences));
  expect(statuses[id]).toBe('fail');
});

test.each([
  ['for ever', 'Permanently deletes a car.'],
  ['once it is archived', 'Cars that are in use must be archived first.'],
])('a switch is left alone if cars are removed %s', async (_, words) => {
  const contract = CONTRACT.replace('A soft deletion.', words)
    .replace('show_deleted', words.includes('archived') ? 'show_archived' : 'show_deleted')
    .replace('Brings a deleted car back', 'Brings a car back');
  expect(await statusesOn(cars({ lists: 'never' }), contract)).not.toHaveProperty(LISTED);
});

test('a switch that works for some alone is left alone', async () => {
  const contract = CONTRACT.replace(
    'in: query, schema',
    'in: query, description: Administrators only., schema',
  );
  expect(contract).not.toBe(CONTRACT);
  expect(await statusesOn(cars({ lists: 'never' }), contract)).not.toHaveProperty(LISTED);
});

test('a switch of something else, and an action without a conflict, are left alone', async () => {
  const others = CONTRACT.replace('show_deleted', 'show_plates').replace(
    "'409': {description: The car is not",
    "'418': {description: The car is not",
  );
  expect(await statusesOn(cars(), others)).toEqual({});
});
