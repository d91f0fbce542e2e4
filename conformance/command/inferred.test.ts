/** A contract without links, as people write them: what may be refused is no failure, and what is wrong is found. */
import { expect, it } from 'vitest';
import { isObject, type Json, jsonOf } from '../self/mutation/messages.ts';
import type { Service, ServiceResponse } from '../self/service.ts';
import { implementation } from './services.ts';
import { folderWith, reportOf } from './suite.ts';

const content = (schema: string) => `content: {application/json: {schema: ${schema}}}`;
const ref = (name: string) => content(`{$ref: '#/components/schemas/${name}'}`);
const REFUSED = "'422': {description: The body is wrong.}";
const NONE = "'404': {description: There is none.}";
const MEMBERS = `mail: {type: string, format: email}, code: {type: string, pattern: '^[A-Z]{2}-[0-9]{6}$'},
  name: {anyOf: [{type: string, maxLength: 20}, {type: 'null'}]}`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Accounts, version: 1.0.0}
paths:
  /session:
    post: {operationId: signIn, requestBody: {required: true, ${content('{type: object, required: [key], properties: {key: {type: string}}}')}}, responses: {'200': {description: In.}, '403': {description: Not known.}, ${REFUSED}}}
  /accounts:
    post: {operationId: add, requestBody: {required: true, ${ref('NewAccount')}}, responses: {'201': {description: It is made., ${ref('Account')}}, '409': {description: The mail is taken.}, ${REFUSED}}}
  /accounts/{account_id}:
    parameters: [{name: account_id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: read, responses: {'200': {description: It., ${ref('Account')}}, ${NONE}, ${REFUSED}}}
  /accounts/{account_id}/picture:
    parameters: [{name: account_id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: picture, responses: {'200': {description: It., ${content('{type: object}')}}, ${NONE}, ${REFUSED}}}
components:
  schemas:
    NewAccount:
      type: object
      required: [mail]
      properties: {${MEMBERS}}
    Account: {type: object, required: [id, mail], properties: {id: {type: integer}, ${MEMBERS}}}
`;

type Change = (response: ServiceResponse) => ServiceResponse;

const respond = (status: number, value?: unknown): ServiceResponse => {
  const headers: Record<string, string> = value === undefined ? {} : { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(value) ?? '' };
};

const isText = (value: unknown, most = Infinity) => typeof value === 'string' && [...value].length <= most;
const RULES: Record<string, (value: unknown) => boolean> = {
  mail: (mail) => isText(mail) && /^[\w.+]+@\w+(\.\w+)+$/.test(String(mail)),
  code: (code) => isText(code) && /^[A-Z]{2}-[0-9]{6}$/.test(String(code)),
  name: (name) => name === null || isText(name, 20),
};
const isAccount = (body: unknown): body is Json =>
  isObject(body) && 'mail' in body && Object.entries(body).every(([name, value]) => RULES[name]?.(value) ?? true);

/** No two accounts have one mail or one code; nobody signs in, and nobody has a picture. */
function accounts(): Service {
  const all = new Map<number, Json>();
  return async ({ method, target, body }) => {
    const [, kind, id, part] = new URL(target, 'http://a').pathname.split('/');
    const sent: unknown = jsonOf({ body });
    if (kind === 'session') return respond(isObject(sent) && isText(sent['key']) ? 403 : 422);
    if (kind !== 'accounts') return respond(404);
    if (method === 'GET' && !/^-?\d+$/.test(id ?? '')) return respond(422);
    const found = all.get(Number(id));
    if (method === 'GET') return found && part === undefined ? respond(200, found) : respond(404);
    if (!isAccount(sent)) return respond(422);
    const isTaken = (name: string) =>
      sent[name] !== undefined && [...all.values()].some((one) => one[name] === sent[name]);
    if (['mail', 'code'].some(isTaken)) return respond(409);
    const made = { ...sent, id: all.size + 1 };
    all.set(made.id, made);
    return respond(201, made);
  };
}

async function requirementsOf(service: Service, more = '') {
  using folder = folderWith({ 'accounts.yaml': CONTRACT });
  await using served = await implementation(service);
  const { report } = await reportOf(
    `${served.url} --contract ${folder.file('accounts.yaml')} --seed 1 --runs 5 ${more}`,
  );
  return report.requirements;
}

it('does not fail a service for a conflict, for data that nobody knows, nor for what a new parent lacks', async () => {
  const found = await requirementsOf(accounts());
  const wrong = found.filter(({ status }) => status !== 'pass' && status !== 'skip');
  expect(wrong.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
  const reasons = Object.fromEntries(found.map(({ id, status, reason = status }) => [id, reason]));
  expect(reasons).toMatchObject({
    'signIn.200':
      'signIn needs data: it refuses whatever the contract allows, as documented (403); --data names a body that works',
    'picture.200': 'picture finds nothing in a new parent, as the contract allows (404)',
    'add.body.code.pattern': 'pass',
    'add.body.name.maxLength': 'pass',
  });
});

it.each<[string, string, Change]>([
  ['a refusal that is not documented', 'signIn.200', (response) => ({ ...response, status: 409 })],
  ['a refusal of what was accepted before', 'add.201', (response) => ({ ...response, status: 422 })],
  ['a code in another case', 'add.body.code.pattern', () => respond(201, { id: 0, mail: 'a@b.c' })],
])('fails %s', async (_, id, change) => {
  const service = accounts();
  let calls = 0;
  const faulty: Service = async (request) => {
    const response = await service(request);
    const isChosen =
      id === 'signIn.200'
        ? response.status === 403
        : id === 'add.201'
          ? response.status === 201 && calls++ % 2 === 1
          : /"code":"[a-z]{2}-[0-9]{6}"/.test(String(request.body));
    return isChosen ? change(response) : response;
  };
  const found = await requirementsOf(faulty, `--only ${id}`);
  expect(found).toMatchObject([{ id, status: expect.stringMatching(/fail|flaky/) as string }]);
});
