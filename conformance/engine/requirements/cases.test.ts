/** The cases of derived requirements accept right services in memory, and report wrong ones. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Sending } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Surveyed } from '../http/recipe.ts';
import type { Session } from '../http/session.ts';
import {
  type Reply,
  type Respond,
  type ServiceInMemory,
  serviceOf,
} from '../http/service.test.fixture.ts';
import { headerFieldRequirements } from './header-fields.ts';
import { parameterRequirements } from './parameters.ts';
import type { Requirement } from './requirement.ts';
import { credentialRequirements, mediaTypeRequirements } from './statuses.ts';

const PATHS = `
  /items/{id}:
    get:
      operationId: read
      security: [{token: []}]
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, maxLength: 4}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1}}
      responses:
        '200':
          description: One.
          content: {application/json: {schema: {type: object}}}
        '400': {description: It is wrong.}
        '401': {description: No.}
        '404': {description: None.}
        '406': {description: Nothing else.}
  /open:
    get:
      operationId: look
      security: [{token: []}]
      responses: {'200': {description: One.}, '4XX': {description: No.}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
`;

/** Tries one case of a property. */
async function tryCase(
  requirement: Requirement | undefined,
  label: string,
  { implementation, session }: { implementation: Implementation; session: Session },
): Promise<void> {
  const properties = requirement?.properties(implementation) ?? [];
  const property = properties.find((one) => one.label.startsWith(label));
  if (!property) {
    throw new Error(`none of ${properties.map((one) => one.label).join(', ')} is ${label}`);
  }
  const [value] = fc.sample(property.values, { numRuns: 1, seed: 1 });
  await property.check(value, session);
}

/** A call of an operation with this path. */
function surveyedAt(operationId: string, given: Record<string, string>): Surveyed {
  const path = { sources: [], given, lent: [], fresh: [], isGuess: false, isOwn: false, how: '' };
  const recipe = {
    path,
    body: undefined,
    mediaType: undefined,
    otherKind: undefined,
    parameters: [],
    needsEntityTag: false,
    waitMs: 0,
  };
  return { operationId, isReached: true, isLeftOut: false, recipe, tried: [] };
}

function serving(respond: Respond): ServiceInMemory {
  const service = serviceOf(PATHS, respond);
  const { survey } = service.implementation;
  survey['read'] = surveyedAt('read', { id: 'i1' });
  survey['look'] = surveyedAt('look', {});
  return service;
}

const always =
  (status: number): Respond =>
  () => ({ status, json: {} });

it.each([
  ['read', 'no credentials', 401, true],
  ['read', 'wrong credentials', 401, true],
  ['read', 'no credentials', 403, false],
  ['read', 'wrong credentials', 200, false],
  ['look', 'no credentials', 401, true],
  ['look', 'no credentials', 403, true],
  ['look', 'no credentials', 200, false],
])('%s with %s may respond with %i: %s', async (operationId, label, status, isRight) => {
  const service = serving(always(status));
  const { contract } = service.implementation;
  const [requirement] = credentialRequirements(contract, service.session.operation(operationId));
  const tried = tryCase(requirement, label, service);
  await (isRight ? tried : expect(tried).rejects.toThrow('The credentials are missing or wrong.'));
  const { headers = {} } = service.requests.at(-1)!;
  const sent = label === 'no credentials' ? '' : 'Bearer Y29uZm9ybWFuY2U6d3Jvbmc=';
  expect(headers['authorization']).toBe(sent);
});

it.each([
  ['query.limit.minimum', 400, true],
  ['query.limit.minimum', 404, false],
  ['query.limit.minimum', 200, false],
  ['path.id.maxLength', 400, true],
  ['path.id.maxLength', 404, true],
  ['path.id.maxLength', 200, false],
])('a value that breaks %s may be refused with %i: %s', async (part, status, isRight) => {
  const service = serving(always(status));
  const { contract } = service.implementation;
  const read = service.session.operation('read');
  const requirement = parameterRequirements(contract, read, {}).find(
    ({ id }) => id === `read.${part}`,
  );
  const tried = tryCase(requirement, 'refuses', service);
  await (isRight ? tried : expect(tried).rejects.toThrow('The request breaks the rule that'));
});

it.each([
  [406, true],
  [200, false],
])('a request for an unknown media type may get %i: %s', async (status, isRight) => {
  const service = serving(always(status));
  const [requirement] = mediaTypeRequirements(service.session.operation('read'));
  const tried = tryCase(requirement, 'an unknown media type', service);
  await (isRight ? tried : expect(tried).rejects.toThrow('Accept: application/x-conformance'));
});

const PLAIN: Reply = { status: 200, json: { name: 'a' } };

/** The body of PLAIN in this coding, or as if it were in it. */
const inCoding = (coding: string, body: string | Buffer): Partial<Reply> => {
  const headers = { 'content-encoding': coding, 'content-type': 'application/json' };
  return { headers, json: undefined, body };
};
const TEXT = JSON.stringify(PLAIN.json);

/** The first row of fields accepts neither gzip nor br. */
it.each<[string, Partial<Reply>, string | undefined]>([
  ['the same as without them', {}, undefined],
  ['in the coding identity', inCoding('identity', TEXT), undefined],
  ['in a coding that they rule out', inCoding('gzip', gzipSync(TEXT)), 'The coding'],
  ['in another name of it', inCoding('X-GZIP', gzipSync(TEXT)), 'The coding'],
  ['with a host of theirs', { json: { at: 'https://forwarded.example.com/a' } }, 'names the host'],
  ['with something else', { json: { name: 'b' } }, 'something else is shown'],
  ['with a status that is not documented', { status: 500 }, 'Expected 200, got 500'],
  ['with a status of a condition', { status: 412 }, 'Expected 200, got 412'],
])('the response to header fields %s is right, or reported: %j', async (_, reply, message) => {
  const hasFields = (headers: Record<string, string> = {}) => 'x-url-scheme' in headers;
  const service = serving(({ headers }) => (hasFields(headers) ? { ...PLAIN, ...reply } : PLAIN));
  const ignoresFields = { origin: 'D01', pointer: '/info' };
  const [requirement] = headerFieldRequirements(service.session.operation('read'), {
    ignoresFields,
  });
  const tried = tryCase(requirement, 'row 1 of fields', service);
  await (message === undefined ? tried : expect(tried).rejects.toThrow(message));
});

it('without a promise, header fields may change a response, and cause no error', async () => {
  const tryWith = async (status: number, plain = status) => {
    const isPlain = ({ headers = {} }: Sending) => Object.keys(headers).length === 0;
    const service = serving((sending) => ({ status: isPlain(sending) ? plain : status, json: {} }));
    const [requirement] = headerFieldRequirements(service.session.operation('read'), {});
    await tryCase(requirement, 'row 1 of fields', service);
    return service.requests.at(-1)?.headers ?? {};
  };
  const sent = Object.keys(await tryWith(404));
  expect(sent).toContain('if-match');
  expect(sent.filter((name) => name.startsWith('x-'))).toEqual([]);
  await expect(tryWith(500, 200)).rejects.toThrow('A header field makes the service fail.');
  await expect(tryWith(500)).rejects.toThrow('read fails without the fields, too (500)');
});
