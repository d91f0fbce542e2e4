/** The survey of services in memory: what it makes of their refusals, silence and levels. */
import { expect, test } from 'vitest';
import { operationsOf } from '../contract/operations.ts';
import type { SurveyResult } from '../http/recipe.ts';
import { NoResponse } from '../http/response.ts';
import { type Reply, type Respond, serviceOf } from '../http/service.test.fixture.ts';
import { surveyOperations } from './survey.ts';

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

async function surveyOf(respond: Respond, level: 'core' | 'extended' = 'extended') {
  const { implementation, requests } = serviceOf(PATHS, respond, { callData });
  implementation.level = level;
  await surveyOperations(implementation, {
    operations: operationsOf(implementation.contract),
    seed: 1,
    isAllowed: () => false,
    whyLeftOut: () => undefined,
    hasStopped: async () => false,
  });
  return { survey: implementation.survey, requests };
}

const reachedIn = (survey: SurveyResult): string[] => {
  const reached = Object.values(survey).filter(({ isReached }) => isReached);
  return reached.map(({ operationId }) => operationId).toSorted();
};

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
