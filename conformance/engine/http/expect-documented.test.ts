/** Responses are compared with what the contract documents, beyond their status. */
import { expect, test } from 'vitest';
import { expectDocumented, expectSchema } from './expect-documented.ts';
import { HttpResponse } from './response.ts';
import { type Reply, responseOf, serviceOf } from './service.test.fixture.ts';

const PATHS = `
  /a:
    get:
      operationId: read
      responses:
        '200':
          description: One.
          x-origin: D01
          headers:
            X-Count:
              required: true
              x-origin: source §2
              schema: {type: integer, x-origin: source §2}
            X-Decided: {required: true, x-origin: D01, schema: {type: integer}}
          content:
            application/json: {schema: {$ref: '#/components/schemas/Item'}}
        '204': {description: None.}
components:
  schemas:
    Item:
      type: object
      properties:
        name: {type: string, x-origin: source §3}
        size: {type: integer, x-origin: D02}
        secret: {type: string, writeOnly: true}
        parts: {type: array, items: {$ref: '#/components/schemas/Item'}}
`;

const FIELDS = { 'x-count': '1', 'x-decided': '1' };

function check(reply: Reply, origin: 'all' | 'source' = 'all', status = reply.status) {
  const { implementation, session } = serviceOf(PATHS, () => reply, { origin });
  const documented = session.operation('read').responses[String(status)]!;
  return () => expectDocumented(implementation, documented, responseOf(reply));
}

test('a response as it is documented is right', () => {
  expect(check({ status: 200, headers: FIELDS, json: { name: 'a' } })).not.toThrow();
  expect(check({ status: 204 })).not.toThrow();
});

test('a body is reported if HTTP allows none', () => {
  expect(check({ status: 204, body: 'a' })).toThrow('A 204 has a body.');
});

test('a header field is reported if it is required and missing, or if its value is wrong', () => {
  const json = {};
  expect(check({ status: 200, headers: { 'x-decided': '1' }, json })).toThrow(
    'A 200 lacks the header X-Count.',
  );
  expect(check({ status: 200, headers: { ...FIELDS, 'x-count': 'a' }, json })).toThrow(
    'The header X-Count breaks the contract',
  );
});

test('by the source alone, only the rules of the source count', () => {
  const isRight = (headers: Record<string, string>, json: unknown) =>
    expect(check({ status: 200, headers, json }, 'source')).not.toThrow();
  isRight({ 'x-count': '1' }, {});
  isRight({ 'x-count': '1' }, { size: 'a' });
  expect(check({ status: 200, json: {} }, 'source')).toThrow('A 200 lacks the header X-Count.');
  expect(check({ status: 200, headers: FIELDS, json: { name: 1 } }, 'source')).toThrow('/name');
});

test('a text that is not JSON is reported', () => {
  const headers = { ...FIELDS, 'content-type': 'application/json' };
  expect(check({ status: 200, headers, body: '{' })).toThrow('The body is not JSON.');
});

test('a value that is writeOnly is reported with its place', () => {
  const json = { parts: [{ parts: [] }, { secret: 'a' }] };
  expect(check({ status: 200, headers: FIELDS, json })).toThrow(
    'The response shows what is writeOnly at /parts/1/secret.',
  );
});

test('the beginning of a JSON text is not checked', () => {
  const { implementation, session } = serviceOf(PATHS, () => ({ status: 200 }));
  const response = new HttpResponse({
    status: 200,
    headers: { ...FIELDS, 'content-type': 'application/json' },
    body: Buffer.from('{"name"'),
    isPartial: true,
  });
  const documented = session.operation('read').responses['200']!;
  expect(() => expectDocumented(implementation, documented, response)).not.toThrow();
});

test('a body that was valid for one schema is checked again for another one', () => {
  const { implementation } = serviceOf(PATHS, () => ({ status: 200 }));
  const response = responseOf({ status: 200, json: {} });
  const schema = '/components/schemas/Item';
  const checkFor = (pointer: string) => () => expectSchema(implementation, pointer, response);
  expect(checkFor(schema)).not.toThrow();
  expect(checkFor(schema)).not.toThrow();
  expect(checkFor(`${schema}/properties/parts`)).toThrow('The response body breaks the contract');
});

test.each([
  ['\u00e9', 'latin1', /not in UTF-8/],
  ['\u00e9', 'utf8', undefined],
  ['\ufeff', 'utf8', /begins with a byte order mark/],
] as const)('a body with %j in %s is reported: %s', (character, encoding, message) => {
  const before = character === '\ufeff' ? character : '';
  const { implementation } = serviceOf(PATHS, () => ({ status: 200 }));
  const body = Buffer.from(`${before}{"name":"${character}"}`, encoding);
  const response = new HttpResponse({ status: 200, headers: {}, body });
  const validate = () => expectSchema(implementation, '/components/schemas/Item', response);
  if (message === undefined) {
    expect(validate).not.toThrow();
  } else {
    expect(validate).toThrow(message);
  }
});
