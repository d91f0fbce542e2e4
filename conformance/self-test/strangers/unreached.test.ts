/** Operations that no call reaches: a service that fails at what it should refuse is found. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Sections, version: '1'}
paths:
  /sections/{section}:
    parameters: [{name: section, in: path, required: true, schema: {type: string}}]
    patch:
      operationId: changeSection
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, properties: {kind: {type: string}, size: {type: integer}}}
      responses:
        '200': {description: It.}
        '400': {description: It is wrong.}
        '404': {description: Nothing has this name.}
`;

type Fails = (json: unknown) => boolean;

/** Its router knows names of letters alone. */
function serviceThat(fails: Fails): Handler {
  return ({ path, json }) => {
    const isRouted = /^\/sections\/[a-z]+$/.test(path);
    if (isRouted && fails(json)) {
      return [500];
    }
    return [404];
  };
}

test.each<[string, Fails, string]>([
  ['a list of null', Array.isArray, 'changeSection.body.unusual'],
  [
    'another type of a member',
    (json) => isObject(json) && isObject(json['kind']),
    'changeSection.body.unusual',
  ],
  ['an unknown name', (json) => isObject(json), 'changeSection.path.unknown'],
])('an error of the service at %s is found', async (_, fails, id) => {
  const { broken } = await runOn(serviceThat(fails), CONTRACT);
  expect(broken).toContain(id);
});
