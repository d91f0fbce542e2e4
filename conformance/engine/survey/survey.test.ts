/** The survey of services in memory: what it makes of their refusals, silence and levels. */
import { expect, test } from 'vitest';
import { operationsOf } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { SurveyResult } from '../http/recipe.ts';
import { NoResponse } from '../http/response.ts';
import { type Reply, type Respond, serviceOf } from '../http/service.test.fixture.ts';
import { type SurveyOptions, surveyOperations } from './survey.ts';

const PATHS = `
  /labels:
    post:
      operationId: addLabel
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name]}}}
      responses:
        '201': {description: It., content: {application/json: {schema: {type: object}}}}
        '409': {description: Its name is taken.}
  /labels/{name}:
    get:
      operationId: readLabel
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: It.}, '404': {description: None.}}
    patch:
      operationId: changeLabel
      x-level: extended
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Done.}, '404': {description: None.}}
    delete:
      operationId: removeLabel
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Done.}, '404': {description: None.}}
`;

/** Labels, of which no two may have one name. */
function labels(): Respond {
  const names = new Set<string>();
  const add = (name: string): Reply => {
    const isTaken = names.has(name);
    names.add(name);
    return isTaken ? { status: 409 } : { status: 201, json: { name } };
  };
  return ({ method, target, body }) => {
    if (method === 'POST') {
      return add((JSON.parse(String(body)) as { name: string }).name);
    }
    const name = target.slice('/labels/'.length);
    const isThere = method === 'DELETE' ? names.delete(name) : names.has(name);
    if (!isThere) {
      return { status: 404 };
    }
    return { status: method === 'GET' ? 200 : 204, json: method === 'GET' ? { name } : undefined };
  };
}

/** The user names a body, whose name is always the same. */
const callData = { source: '--data', bodies: { addLabel: () => ({ name: 'mine' }) } };

/** Surveys all operations; unless said otherwise, nothing is allowed, over or has stopped. */
function surveyAll(implementation: Implementation, more: Partial<SurveyOptions> = {}) {
  return surveyOperations(implementation, {
    operations: operationsOf(implementation.contract),
    seed: 1,
    isAllowed: () => false,
    whyLeftOut: () => undefined,
    isOver: () => false,
    hasStopped: async () => false,
    ...more,
  });
}

async function surveyOf(respond: Respond, level: 'core' | 'extended' = 'extended') {
  const { implementation, requests } = serviceOf(PATHS, respond, { callData });
  implementation.level = level;
  await surveyAll(implementation);
  return { survey: implementation.survey, requests };
}

const reachedIn = (survey: SurveyResult): string[] => {
  const reached = Object.values(survey).filter(({ isReached }) => isReached);
  return reached.map(({ operationId }) => operationId).toSorted();
};

test('what is not surveyed in time is not called, and says so', async () => {
  const { implementation, requests } = serviceOf(PATHS, labels());
  const tried = 3;
  await surveyAll(implementation, { isOver: () => requests.length >= tried });
  const { addLabel, removeLabel } = implementation.survey;
  expect(addLabel?.isReached).toBe(true);
  expect(removeLabel?.isReached).toBe(false);
  expect(removeLabel?.reason).toBe('the survey ended at half of --max-time');
});

test('what has the name of a given body is removed before it is made again', async () => {
  const { survey } = await surveyOf(labels());
  expect(reachedIn(survey)).toEqual(['addLabel', 'changeLabel', 'readLabel', 'removeLabel']);
});

test('an operation that the level lacks is not called', async () => {
  const { survey, requests } = await surveyOf(labels(), 'core');
  expect(Object.keys(survey).toSorted()).toEqual(['addLabel', 'readLabel', 'removeLabel']);
  expect(requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

test('a call whose connection ends is made again once', async () => {
  const inner = labels();
  let calls = 0;
  const { survey } = await surveyOf((sending) => {
    if (calls++ === 0) {
      throw new NoResponse('closed', 'the connection ended');
    }
    return inner(sending);
  });
  expect(reachedIn(survey)).toContain('addLabel');
});

test('an operation that fails at whatever is sent is given up after a few calls', async () => {
  const paths = `
  /things/{a}/{b}:
    post:
      operationId: addThing
      parameters:
        - {name: a, in: path, required: true, schema: {type: string}}
        - {name: b, in: path, required: true, schema: {type: string, examples: [c, d, e]}}
        - {name: q, in: query, required: true, schema: {enum: [f, g, h, i]}}
      requestBody:
        content:
          application/json: {schema: {type: object, properties: {name: {type: string}}}}
      responses: {'201': {description: It.}}
`;
  const { implementation, requests } = serviceOf(paths, () => ({ status: 500 }));
  await surveyAll(implementation, { isAllowed: () => true });
  expect(requests).toHaveLength(8);
  expect(implementation.survey['addThing']?.reason).toBe('every call gets 500');
});

test('an operation without a response in time is called twice, and not at each path', async () => {
  const paths = `
  /events/{event}:
    get:
      operationId: follow
      parameters:
        - {name: event, in: path, required: true, schema: {type: string, examples: [a, b, c, d]}}
      responses: {'200': {description: It.}}
`;
  const { implementation, requests } = serviceOf(paths, () => {
    throw new NoResponse('late', 'no response within 10 ms');
  });
  await surveyAll(implementation);
  expect(requests).toHaveLength(2);
  expect(implementation.survey['follow']?.reason).toBe('follow gives no response');
});

test('each operation is called before one that refuses all has many calls', async () => {
  const refusing = `
  /refusing:
    post:
      operationId: refusing
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {a: {type: string}, b: {type: integer}}}
      responses: {'201': {description: It.}, '400': {description: It is wrong.}}
`;
  const { implementation, requests } = serviceOf(refusing + PATHS, ({ method, target }) => {
    return { status: target === '/refusing' || method === 'GET' ? 400 : 204 };
  });
  await surveyAll(implementation);
  const targets = requests.map(({ method, target }) => `${method} ${target.split('/')[1]}`);
  const callsBefore = targets.slice(0, targets.indexOf('POST labels'));
  expect(callsBefore).toEqual(['POST refusing', 'POST refusing', 'POST refusing']);
  expect(targets.filter((one) => one === 'POST refusing').length).toBeGreaterThan(3);
});

test('once a run is over, a request without a response is not looked into', async () => {
  const { implementation } = serviceOf(PATHS, () => {
    implementation.halted = '--max-time ended the run';
    throw new NoResponse('late', 'no response within 10 ms');
  });
  let looks = 0;
  await surveyAll(implementation, {
    hasStopped: async () => {
      looks++;
      return false;
    },
  }).catch(() => {});
  expect(looks).toBe(0);
});

test('what several operations need is not tried anew for each of them', async () => {
  const read = (path: string) => `
  /sets/{set}/${path}:
    get:
      operationId: ${path}
      parameters: [{name: set, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: It.}, '404': {description: None.}}`;
  const paths = `
  /sets:
    post:
      operationId: addSet
      requestBody:
        content:
          application/json: {schema: {type: object, properties: {name: {type: string}}}}
      responses: {'201': {description: It.}, '400': {description: It is wrong.}}
${['a', 'b', 'c', 'd', 'e', 'f'].map(read).join('')}
`;
  const { implementation, requests } = serviceOf(paths, ({ method }) => {
    return { status: method === 'POST' ? 400 : 404 };
  });
  await surveyAll(implementation);
  const posts = requests.filter(({ method }) => method === 'POST');
  // In at most three rounds: 27 if each read tried it anew.
  expect(posts.length).toBeLessThan(20);
});

/** Members that a client may not send, whatever the contract says. */
const MADE_BY_SERVICE = ['size', 'width', 'height', 'depth', 'weight', 'rank', 'age', 'count'];

test('an optional member that a refusal names is sent, also if no type is stated', async () => {
  const paths = `
  /notes:
    post:
      operationId: addNote
      requestBody:
        content:
          application/json:
            schema:
              properties:
                colour: {type: string}
                kind: {type: string, enum: [plain, bold]}
${MADE_BY_SERVICE.map((name) => `                ${name}: {type: integer}`).join('\n')}
      responses: {'201': {description: It.}, '422': {description: Refused.}}
`;
  const wanted = ['colour', 'kind'];
  const respond: Respond = ({ body = '' }) => {
    const names = Object.keys(Object(JSON.parse(String(body) || '{}')) as object);
    const missing = wanted.find((name) => !names.includes(name));
    if (missing !== undefined) {
      return { status: 422, json: { error: `${missing} is not specified or not a string` } };
    }
    // What the service makes itself is refused.
    return { status: names.length > wanted.length ? 422 : 201, json: { error: 'not allowed' } };
  };
  const { implementation } = serviceOf(paths, respond);
  await surveyAll(implementation);
  expect(implementation.survey['addNote']?.isReached).toBe(true);
});

test('what was there after a wait gets twice the time later', async () => {
  const paths = `
  /jobs:
    post:
      operationId: addJob
      responses: {'202': {description: Soon.}}
  /jobs/{name}:
    get:
      operationId: readJob
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: It.}, '404': {description: None.}}
`;
  let reads = 0;
  const respond: Respond = ({ method }) => {
    if (method === 'POST') {
      return { status: 202, headers: { location: '/jobs/first' } };
    }
    return { status: ++reads > 2 ? 200 : 404 };
  };
  const { implementation } = serviceOf(paths, respond);
  await surveyAll(implementation);
  const { readJob } = implementation.survey;
  expect(readJob?.isReached).toBe(true);
  // It was there after 100 ms.
  expect(readJob?.recipe?.waitMs).toBe(200);
});

test('a parent has its required members alone if others allow nothing inside', async () => {
  const paths = `
  /boxes:
    post:
      operationId: addBox
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string, minLength: 3}
                sealed: {type: boolean}
                locked: {type: boolean}
                hidden: {type: boolean}
                full: {type: boolean}
      responses:
        '201': {description: It., content: {application/json: {schema: {type: object}}}}
  /boxes/{id}/things:
    post:
      operationId: addThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'201': {description: It.}, '404': {description: No.}, '409': {description: No.}}
`;
  let refusals = 0;
  for (const seed of [1, 2, 3, 4, 5]) {
    const boxes: Record<string, unknown>[] = [];
    const respond: Respond = ({ target, body }) => {
      const [, , id] = target.split('/');
      if (id === undefined) {
        boxes.push(JSON.parse(String(body)) as Record<string, unknown>);
        return { status: 201, json: { id: String(boxes.length) } };
      }
      const box = boxes[Number(id) - 1];
      if (box === undefined) {
        return { status: 404 };
      }
      const isSealed = Object.keys(box).length > 1;
      refusals += Number(isSealed);
      return { status: isSealed ? 409 : 201 };
    };
    const { implementation } = serviceOf(paths, respond);
    await surveyAll(implementation, { seed });
    expect(reachedIn(implementation.survey)).toEqual(['addBox', 'addThing']);
  }
  expect(refusals).toBeGreaterThan(0);
});
