/** A service that returns what is there already in place of a new item. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const TITLE = '{type: string, minLength: 1, maxLength: 40, example: Important}';
const BODY = `requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [title], properties: {title: ${TITLE}}}`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Existing, version: '1'}
paths:
  /tags:
    get: {operationId: tags, responses: {'200': {description: All.}}}
    post:
      operationId: addTag
      ${BODY}
      responses: {'201': {description: It is there.}, '400': {description: Wrong.}}
  /tags/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: tag, responses: {'200': {description: It.}, '404': {description: None.}}}
    put:
      operationId: setTag
      ${BODY}
      responses: {'200': {description: Done.}, '400': {description: W.}, '404': {description: No.}}
    delete:
      operationId: removeTag
      responses: {'204': {description: Gone.}, '400': {description: No.}}
`;

const OLD = { id: 'old', title: 'Important' };

/** @param takesAny whether the title of every new tag counts as known */
function tagging(takesAny: boolean) {
  const tags = new Map<string, { id: string; title: string }>([[OLD.id, { ...OLD }]]);
  let count = 0;
  const handler: Handler = ({ method, path, json }) => {
    const [, first, id] = path.split('/');
    if (first !== 'tags') {
      return [404];
    }
    const title: unknown = json?.title;
    const isRight = typeof title === 'string' && title !== '' && [...title].length <= 40;
    if (id === undefined && method === 'GET') {
      return [200, { tags: [...tags.values()] }];
    }
    if (id === undefined && method === 'POST') {
      if (!isRight) {
        return [400];
      }
      const known = [...tags.values()].find((one) => takesAny || one.title === title);
      const tag = known ?? { id: `t${++count}`, title };
      tags.set(tag.id, tag);
      return [201, tag];
    }
    const tag = id === undefined ? undefined : tags.get(id);
    if (tag === undefined) {
      return method === 'DELETE' ? [400] : [404];
    }
    if (method === 'GET') {
      return [200, tag];
    }
    if (method === 'DELETE') {
      tags.delete(tag.id);
      return [204];
    }
    if (method !== 'PUT') {
      return [405];
    }
    tag.title = isRight ? title : tag.title;
    return isRight ? [200, tag] : [400];
  };
  return { tags, handler };
}

test.each([true, false])('what was there before is not changed (any title: %s)', async (any) => {
  const { tags, handler } = tagging(any);
  const { report } = await runOn(handler, CONTRACT);
  expect(tags.get(OLD.id)).toEqual(OLD);
  expect(report.left_behind).toEqual({});
});
