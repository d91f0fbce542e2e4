/** Services that limit the requests to one operation, and serve all others. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Limits, version: '1'}
paths:
  /login:
    post:
      operationId: login
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [user]
              properties: {user: {type: string, maxLength: 10}}
      responses: {'204': {description: In.}, '400': {description: Wrong.}}
  /things:
    get:
      operationId: things
      parameters: [{name: size, in: query, schema: {type: integer, minimum: 1, maximum: 9}}]
      responses: {'200': {description: All.}, '400': {description: Wrong.}}
  /news: {get: {operationId: news, responses: {'200': {description: All.}}}}
`;

/** The login may be called so many times; then it is limited for an hour. */
const MOST = 3;

function limited(): Handler {
  let logins = 0;
  return ({ method, path, query, json }) => {
    if (path === '/login' && method === 'POST') {
      logins++;
      if (logins > MOST) {
        return [429, 'Too many', { 'retry-after': '3600' }];
      }
      const user: unknown = json?.user;
      const isRight = typeof user === 'string' && [...user].length <= 10;
      return isRight ? [204] : [400];
    }
    if (method !== 'GET') {
      return [405];
    }
    const size = query.get('size');
    return size === null || /^[1-9]$/.test(size) ? [200, {}] : [400];
  };
}

test('an operation that is limited ends no run, and is called no more', async () => {
  const { report, requests, passed } = await runOn(limited(), CONTRACT);
  const ofStatus = (status: string) =>
    report.requirements.filter((one) => one.status === status).map(({ id }) => id);
  expect(ofStatus('error')).toEqual([]);
  expect(passed).toContain('things.query.size.maximum');
  expect(ofStatus('blocked').some((id) => id.startsWith('login.'))).toBe(true);
  const logins = requests.filter((one) => one === 'POST /login');
  // Each worker may have had one under way.
  expect(logins.length).toBeLessThan(MOST + 12);
});

test('a service that limits all requests ends the run', async () => {
  let count = 0;
  const handler: Handler = () => (++count > 8 ? [429, '', { 'retry-after': '0' }] : [200, {}]);
  const { report, code } = await runOn(handler, CONTRACT);
  expect(code).toBe(2);
  expect(JSON.stringify(report)).toContain('the service limits requests (429)');
});
