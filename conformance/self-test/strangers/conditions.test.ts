/** A service whose lists and items have entity tags, and whose lists show the items of others. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const TAG = '{name: If-Match, in: header, schema: {type: string}}';
const BUCKET = '{type: object, properties: {id: {type: string}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Buckets, version: '1'}
components: {securitySchemes: {basic: {type: http, scheme: basic}}}
security: [{basic: []}]
paths:
  /buckets:
    get:
      operationId: list
      parameters: [${TAG}]
      responses:
        '200':
          description: Those of everybody.
          content: {application/json: {schema: {type: array, items: ${BUCKET}}}}
        default: {description: It is refused.}
    post:
      operationId: add
      parameters: [${TAG}]
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '201': {description: It., content: {application/json: {schema: ${BUCKET}}}}
        default: {description: It is refused.}
  /buckets/{id}/log:
    get:
      operationId: log
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: since, in: query, schema: {type: integer, minimum: 0}}
      responses:
        '200': {description: It.}
        default: {description: It is refused.}
`;

/** The tag of the list is always a new one. Anybody who has a name may make a bucket. */
function buckets(): Handler {
  const owners = new Map<string, string>([['b-0', 'Basic a2VwdDprZXB0']]);
  let count = 0;
  return ({ method, path, headers, query, json }): Reply => {
    count++;
    const user = headers.authorization ?? '';
    if (!user.startsWith('Basic ')) {
      return [401];
    }
    if (headers['if-match'] !== undefined) {
      return [412];
    }
    const [, , id = ''] = path.split('/');
    if (id !== '') {
      const isNumber = /^\d*$/.test(query.get('since') ?? '');
      if (owners.get(id) !== user) {
        return [owners.has(id) ? 403 : 404];
      }
      return [isNumber ? 200 : 400];
    }
    if (method === 'POST') {
      if (typeof json !== 'object' || json === null || Array.isArray(json)) {
        return [400];
      }
      owners.set(`b-${count}`, user);
      return [201, { id: `b-${count}` }];
    }
    const all = [...owners.keys()].toReversed().map((one) => ({ id: one }));
    return [200, all, { etag: `"${count}"` }];
  };
}

test('a list is read and added to without its tag, and no other bucket is a finding', async () => {
  const { report } = await runOn(buckets(), CONTRACT, ['--auth', 'basic=kept:kept']);
  const outcomes = (report.survey ?? []).map(({ operation, outcome }) => [operation, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ list: 'reached', add: 'reached', log: 'reached' });
  const broken = report.findings.map(({ id }) => id).filter((id) => !id.includes('401'));
  expect(broken).toEqual([]);
});
