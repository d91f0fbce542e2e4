/**
 * Bodies of several kinds with a code that nothing else has, and with the name of another item:
 * the service refuses a name that nothing has, and a change of the code.
 */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Plants, version: '1'}
paths:
  /plants:
    post:
      operationId: addPlant
      requestBody: {$ref: '#/components/requestBodies/Plant'}
      responses:
        '201': {$ref: '#/components/responses/Plant'}
        '400': {description: It is no plant.}
        '409': {description: The code is taken.}
        '422': {description: No garden has this id.}
  /plants/{plantId}:
    parameters: [{name: plantId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: plant
      responses:
        '200': {$ref: '#/components/responses/Plant'}
        '404': {description: There is none.}
    put:
      operationId: replacePlant
      requestBody: {$ref: '#/components/requestBodies/Plant'}
      responses:
        '200': {$ref: '#/components/responses/Plant'}
        '400': {description: It is no plant.}
        '404': {description: There is none.}
        '409': {description: The code or the kind is another one.}
        '422': {description: No garden has this id.}
    patch:
      operationId: changePlant
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              minProperties: 1
              additionalProperties: false
              properties:
                label: {type: string, minLength: 1, maxLength: 40}
                gardenId: {type: [string, 'null']}
      responses:
        '200': {$ref: '#/components/responses/Plant'}
        '400': {description: It is no change.}
        '404': {description: There is none.}
        '422': {description: No garden has this id.}
    delete:
      operationId: removePlant
      responses: {'204': {description: It is gone.}, '404': {description: There is none.}}
  /gardens:
    post:
      operationId: addGarden
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Garden'}}}
      responses:
        '201':
          description: It is there.
          content: {application/json: {schema: {$ref: '#/components/schemas/Garden'}}}
        '400': {description: It is no garden.}
  /gardens/{gardenId}:
    parameters: [{name: gardenId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: garden
      responses:
        '200':
          description: It.
          content: {application/json: {schema: {$ref: '#/components/schemas/Garden'}}}
        '404': {description: There is none.}
    delete:
      operationId: removeGarden
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}
        '409': {description: It has plants.}
components:
  requestBodies:
    Plant:
      required: true
      content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}
  responses:
    Plant:
      description: It.
      content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}
  schemas:
    Garden:
      type: object
      required: [id, name]
      properties: {id: {type: string, readOnly: true}, name: {type: string, minLength: 1}}
    Base:
      type: object
      required: [id, kind, code, label]
      properties:
        id: {type: string, readOnly: true}
        kind: {type: string}
        code: {type: string, pattern: '^[A-Z]{2}[0-9]{6}$'}
        label: {type: string, minLength: 1, maxLength: 40}
        gardenId: {type: [string, 'null'], default: null}
    Tree:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          required: [height]
          properties: {kind: {const: tree}, height: {type: integer, minimum: 1, maximum: 99}}
    Herb:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          required: [edible]
          properties: {kind: {const: herb}, edible: {type: boolean}}
    Plant:
      oneOf: [{$ref: '#/components/schemas/Tree'}, {$ref: '#/components/schemas/Herb'}]
      discriminator:
        propertyName: kind
        mapping: {tree: '#/components/schemas/Tree', herb: '#/components/schemas/Herb'}
`;

type Members = Record<string, any>;

const isText = (value: unknown, most = Infinity): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= most;

const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 99;

const isGardenId = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string';

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isPlant(json: unknown): json is Members {
  if (!isObject(json)) {
    return false;
  }
  const { kind, code, label, gardenId, height, edible } = json;
  const isTree = kind === 'tree' && isNumber(height);
  const isHerb = kind === 'herb' && typeof edible === 'boolean';
  const hasCode = typeof code === 'string' && /^[A-Z]{2}[0-9]{6}$/.test(code);
  return (isTree || isHerb) && hasCode && isText(label, 40) && isGardenId(gardenId);
}

function isChange(json: unknown): json is Members {
  if (!isObject(json) || Object.keys(json).length === 0) {
    return false;
  }
  const { label, gardenId, ...others } = json;
  const hasLabel = label === undefined || isText(label, 40);
  return Object.keys(others).length === 0 && hasLabel && isGardenId(gardenId);
}

/** What a service keeps of a plant: no member that it does not know. */
function known({ kind, code, label, gardenId = null, height, edible }: Members): Members {
  const ofKind = kind === 'tree' ? { height } : { edible };
  return { kind, code, label, gardenId, ...ofKind };
}

/** The errors that a service may have: `stays` after a removal, or `forgets` what it replaces. */
type Flaw = 'stays' | 'forgets';

function plants(flaw?: Flaw): Handler {
  const gardens = new Map<string, Members>();
  const all = new Map<string, Members>();
  let count = 0;
  const namesNone = ({ gardenId }: Members): boolean =>
    typeof gardenId === 'string' && !gardens.has(gardenId);
  const added = (to: Map<string, Members>, json: Members): Reply => {
    count++;
    const made = { ...json, id: `n${count}x` };
    to.set(made.id, made);
    return [201, made];
  };
  const onGarden = ({ method, json }: Call, id: string): Reply => {
    const garden = gardens.get(id);
    if (id === '') {
      return isObject(json) && isText(json.name) ? added(gardens, { name: json.name }) : [400];
    }
    if (garden === undefined || method === 'GET') {
      return garden === undefined ? [404] : [200, garden];
    }
    if ([...all.values()].some(({ gardenId }) => gardenId === id)) {
      return [409];
    }
    gardens.delete(id);
    return [204];
  };
  const onPlants = ({ json }: Call): Reply => {
    if (!isPlant(json)) {
      return [400];
    }
    if (namesNone(json)) {
      return [422];
    }
    const isTaken = [...all.values()].some(({ code }) => code === json.code);
    return isTaken ? [409] : added(all, known(json));
  };
  const replaced = (plant: Members, json: unknown): Reply => {
    if (!isPlant(json)) {
      return [400];
    }
    if (json.code !== plant.code || json.kind !== plant.kind) {
      return [409];
    }
    if (namesNone(json)) {
      return [422];
    }
    const label = flaw === 'forgets' ? plant.label : json.label;
    const next = { ...known(json), label, id: plant.id };
    all.set(plant.id, next);
    return [200, next];
  };
  const changed = (plant: Members, json: unknown): Reply => {
    if (!isChange(json)) {
      return [400];
    }
    return namesNone(json) ? [422] : [200, Object.assign(plant, json)];
  };
  const onPlant = ({ method, json }: Call, id: string): Reply => {
    const plant = all.get(id);
    if (plant === undefined) {
      return [404];
    }
    if (method === 'PUT' || method === 'PATCH') {
      return method === 'PUT' ? replaced(plant, json) : changed(plant, json);
    }
    if (method === 'DELETE' && flaw !== 'stays') {
      all.delete(id);
    }
    return method === 'DELETE' ? [204] : [200, plant];
  };
  const METHODS: Record<string, readonly string[]> = {
    '/plants': ['POST'],
    '/plants/': ['GET', 'PUT', 'PATCH', 'DELETE'],
    '/gardens': ['POST'],
    '/gardens/': ['GET', 'DELETE'],
  };
  return (call) => {
    const [, first = '', id = ''] = call.path.split('/');
    const kind = id === '' ? `/${first}` : `/${first}/`;
    if (METHODS[kind]?.includes(call.method) !== true) {
      return [METHODS[kind] === undefined ? 404 : 405];
    }
    if (first === 'gardens') {
      return onGarden(call, id);
    }
    return id === '' ? onPlants(call) : onPlant(call, id);
  };
}

test('codes are new each time, and other items are named by what the run has made', async () => {
  const { report, broken, passed } = await runOn(plants(), CONTRACT);
  const missing = report.survey?.filter(({ outcome }) => outcome !== 'reached');
  expect(missing).toEqual([]);
  expect(broken).toEqual([]);
  expect(passed).toEqual(
    expect.arrayContaining(['addPlant.201', 'changePlant.200', 'removePlant.204']),
  );
  expect(report.left_behind ?? {}).toEqual({});
});

test.each([
  ['stays', 'removePlant', /^(addPlant\.items\.(Tree|Herb)\.gone|plant\.404|removePlant\.404)$/],
  ['forgets', 'replacePlant', /^addPlant\.items\.(Tree|Herb)\.replaced$/],
] as const)('a service that %s is found', async (flaw, operation, id) => {
  const { code, broken } = await runOn(plants(flaw), CONTRACT, [
    '--only',
    'addPlant.items',
    '--only',
    operation,
  ]);
  expect(code).toBe(1);
  expect(broken).toContainEqual(expect.stringMatching(id));
});
