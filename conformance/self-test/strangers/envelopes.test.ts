/** Items within a member of bodies, such as `data` of JSON:API, in requests and in responses. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const TITLE = '{type: string, minLength: 1, maxLength: 20}';
const SENT = `{type: object, required: [title], properties: {title: ${TITLE}}}`;
const SENT_TO_JSON_API = `{
  type: object, required: [type, attributes],
  properties: {type: {const: articles}, attributes: ${SENT}}}`;
const SHOWN_BY_JSON_API = `{
  type: object, required: [id, type, attributes],
  properties: {id: {type: string}, type: {const: articles}, attributes: ${SENT}}}`;
const SHOWN = `{
  type: object, required: [id, title], properties: {id: {type: string}, title: ${TITLE}}}`;

/** How an article is written in bodies. */
interface Form {
  type: string;
  /** The member that has the article. */
  member: string;
  /** The schemas of the member in requests and in responses, in YAML. */
  sent: string;
  shown: string;
  titleIn(inside: Record<string, unknown>): unknown;
  show(id: string, title: string): unknown;
}

const JSON_API: Form = {
  type: 'application/vnd.api+json',
  member: 'data',
  sent: SENT_TO_JSON_API,
  shown: SHOWN_BY_JSON_API,
  titleIn: ({ type, attributes }) => {
    return type === 'articles' && isObject(attributes) ? attributes['title'] : undefined;
  },
  show: (id, title) => ({ id, type: 'articles', attributes: { title } }),
};

const OWN_NAME: Form = {
  type: 'application/json',
  member: 'article',
  sent: SENT,
  shown: SHOWN,
  titleIn: ({ title }) => title,
  show: (id, title) => ({ id, title }),
};

function contractOf({ type, member, sent, shown }: Form): string {
  const content = (schema: string) => {
    const properties = `{${member}: ${schema}}`;
    const body = `{type: object, required: [${member}], properties: ${properties}}`;
    return `{${type}: {schema: ${body}}}`;
  };
  return `
openapi: 3.1.0
info: {title: Articles, version: '1'}
paths:
  /articles:
    post:
      operationId: addArticle
      requestBody: {required: true, content: ${content(sent)}}
      responses:
        '201': {description: made, content: ${content(shown)}}
        '400': {description: wrong}
  /articles/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readArticle
      responses:
        '200': {description: one, content: ${content(shown)}}
        '404': {description: absent}
    delete:
      operationId: removeArticle
      responses: {'204': {description: removed}, '404': {description: absent}}
`;
}

interface Errors {
  /** Articles are made with another title. */
  forgetsTitle?: boolean;
  /** Reads show another title. */
  losesTitle?: boolean;
}

function service(form: Form, { forgetsTitle = false, losesTitle = false }: Errors): Handler {
  const titles = new Map<string, string>();
  const reply = (status: number, id: string, title: string): Reply => [
    status,
    { [form.member]: form.show(id, title) },
    { 'content-type': form.type },
  ];
  const add = (json: unknown): Reply => {
    const inside = isObject(json) ? json[form.member] : undefined;
    const title = isObject(inside) ? form.titleIn(inside) : undefined;
    if (typeof title !== 'string' || title === '' || [...title].length > 20) {
      return [400];
    }
    const id = `article-${titles.size + 1}`;
    titles.set(id, forgetsTitle ? 'untitled' : title);
    return reply(201, id, titles.get(id) ?? '');
  };
  return ({ method, path, json }) => {
    if (path === '/articles') {
      return method === 'POST' ? add(json) : [405];
    }
    const id = path.replace('/articles/', '');
    const title = titles.get(id);
    if (title === undefined || title === REMOVED) {
      return [404];
    }
    if (method === 'DELETE') {
      titles.set(id, REMOVED);
      return [204];
    }
    return method === 'GET' ? reply(200, id, losesTitle ? 'lost' : title) : [405];
  };
}

const REMOVED = 'a title that is longer than any which the contract allows';

test.each([JSON_API, OWN_NAME])('what is sent in `$member` is shown there', async (form) => {
  const { code, broken, passed } = await runOn(service(form, {}), contractOf(form));
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining(['addArticle.items.echo', 'addArticle.items.echo.spellings']),
  );
});

test.each<[string, Form, Errors, string]>([
  ['data', JSON_API, { forgetsTitle: true }, 'echo'],
  ['data', JSON_API, { losesTitle: true }, 'read-your-write'],
  ['article', OWN_NAME, { forgetsTitle: true }, 'echo'],
  ['article', OWN_NAME, { losesTitle: true }, 'read-your-write'],
])('a service with items in `%s` that breaks a law (%#) is not conformant', async (...given) => {
  const [, form, errors, law] = given;
  const { broken } = await runOn(service(form, errors), contractOf(form));
  expect(broken).toContain(`addArticle.items.${law}`);
});
