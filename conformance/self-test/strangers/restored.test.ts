/** A service whose removed items can be brought back. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const ID = '{name: id, in: path, required: true, schema: {type: string}}';
const PAGE = '{application/json: {schema: {$ref: "#/components/schemas/Page"}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Pages, version: '1'}
paths:
  /pages:
    post:
      operationId: write
      requestBody: {required: true, content: ${PAGE}}
      responses:
        '201': {description: It., content: ${PAGE}}
        '400': {description: It is refused.}
  /pages/{id}:
    parameters: [${ID}]
    get:
      operationId: show
      responses:
        '200': {description: It., content: ${PAGE}}
        '404': {description: There is none.}
    delete:
      operationId: remove
      description: It can no longer be read. It can be restored.
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}
  /pages/{id}/restore:
    parameters: [${ID}]
    post:
      operationId: bringBack
      responses:
        '200': {description: It., content: ${PAGE}}
        '404': {description: There has been none.}
        '409': {description: The page is not deleted.}
components:
  schemas:
    Page:
      type: object
      required: [text, labels]
      properties:
        id: {type: string, readOnly: true}
        text: {type: string, minLength: 3, maxLength: 40}
        labels: {type: array, items: {type: string, minLength: 1}, minItems: 1, maxItems: 3}
        isPublic: {type: boolean}
        revision: {type: integer, minimum: 1, maximum: 99}
        changedAt: {type: string, format: date-time, readOnly: true}
`;

interface Errors {
  restoresAnything?: boolean;
  restoresNothing?: boolean;
  forgetsRemoved?: boolean;
  showsRemoved?: boolean;
  losesText?: boolean;
  losesLabels?: boolean;
}

interface Page {
  text: string;
  labels: readonly string[];
  isPublic: boolean;
  revision: number;
  changedAt: string;
  isRemoved: boolean;
}

const isText = (value: unknown, least: number, most: number): value is string =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;

const areLabels = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= 3 &&
  value.every((label) => isText(label, 1, Infinity));

const isRevision = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 99;

class Pages {
  readonly all = new Map<string, Page>();
  readonly #errors: Errors;
  #count = 0;

  constructor(errors: Errors) {
    this.#errors = errors;
  }

  readonly handle: Handler = ({ method, path, json }): Reply => {
    const [, , id = '', action] = path.split('/');
    if (id === '') {
      return method === 'POST' ? this.#write(json) : [405];
    }
    const page = this.all.get(decodeURIComponent(id));
    if (page === undefined) {
      return [404];
    }
    if (action === 'restore') {
      return this.#restore(page, id);
    }
    if (page.isRemoved && !(this.#errors.showsRemoved && method !== 'DELETE')) {
      return [404];
    }
    if (method === 'DELETE') {
      page.isRemoved = true;
      page.changedAt = this.#time();
      return [204];
    }
    return this.#shown(page, id);
  };

  #write(json: any): Reply {
    const { text, labels, isPublic = false, revision = 1 } = Object(json);
    const isBoolean = typeof isPublic === 'boolean';
    if (!isText(text, 3, 40) || !areLabels(labels) || !isBoolean || !isRevision(revision)) {
      return [400];
    }
    const changedAt = this.#time();
    const id = `page-${this.#count}-${'x'.repeat(12)}`;
    const page = { text, labels, isPublic, revision, changedAt, isRemoved: false };
    this.all.set(id, page);
    return [201, this.#body(page, id)];
  }

  /** A page that was brought back is not public, and has another revision. */
  #restore(page: Page, id: string): Reply {
    const { restoresAnything, restoresNothing, forgetsRemoved } = this.#errors;
    if (page.isRemoved && forgetsRemoved) {
      return [404];
    }
    if (!page.isRemoved && !restoresAnything) {
      return [409];
    }
    page.isRemoved = restoresNothing === true;
    page.isPublic = false;
    page.revision += 1;
    page.changedAt = this.#time();
    if (this.#errors.losesText) {
      page.text = 'Untitled';
    }
    if (this.#errors.losesLabels) {
      page.labels = [];
    }
    return this.#shown(page, id);
  }

  #shown(page: Page, id: string): Reply {
    return [200, this.#body(page, id)];
  }

  #body({ text, labels, isPublic, revision, changedAt }: Page, id: string): unknown {
    return { id, text, labels, isPublic, revision, changedAt };
  }

  #time(): string {
    this.#count += 1;
    return new Date(Date.UTC(2030, 1, 1, 0, 0, this.#count)).toJSON();
  }
}

const RESTORED = ['bringBack.404', 'bringBack.restored'];

test('an action that brings a removed item back is asked for no 404, and cleaned up', async () => {
  const pages = new Pages({});
  const { report, passed } = await runOn(pages.handle, CONTRACT, ['--runs', '1']);
  expect(report.findings).toEqual([]);
  expect(passed).toEqual(expect.arrayContaining([...RESTORED, 'bringBack.200']));
  expect([...pages.all.values()].filter(({ isRemoved }) => !isRemoved)).toEqual([]);
});

test.each<[string, Errors, string[]]>([
  ['a page that was not removed', { restoresAnything: true }, ['bringBack.restored']],
  ['a page that does not come back', { restoresNothing: true }, ['bringBack.restored']],
  ['a page that comes back with another text', { losesText: true }, ['bringBack.restored']],
  ['a page that comes back without labels', { losesLabels: true }, ['bringBack.restored']],
  ['a page that is not known any more', { forgetsRemoved: true }, ['bringBack.restored']],
])('%s is found', async (_, errors, due) => {
  const options = ['--only', '*.restored'];
  const { broken } = await runOn(new Pages(errors).handle, CONTRACT, options);
  expect(broken).toEqual(due);
});

test('what is removed for ever is not asked to come back', async () => {
  const forEver = CONTRACT.replace(' It can be restored.', '');
  const { report } = await runOn(new Pages({ forgetsRemoved: true }).handle, forEver);
  expect(report.findings).toEqual([]);
});

test('a removed page that is still shown is found, also with another time of change', async () => {
  const options = ['--only', 'show.404'];
  const { broken } = await runOn(new Pages({ showsRemoved: true }).handle, CONTRACT, options);
  expect(broken).toEqual(['show.404']);
});

test('a removed page that is kept with a mark is another state', async () => {
  const marked = CONTRACT.replace('changedAt:', 'removedAt:').replace('It can no longer', 'May');
  const pages = new Pages({ showsRemoved: true });
  const handle: Handler = (call, response) => {
    const [status = 400, body, headers] = pages.handle(call, response) ?? [];
    const { changedAt, ...rest } = Object(body);
    const shown = body === undefined ? undefined : { ...rest, removedAt: changedAt };
    return [status, shown, headers ?? {}];
  };
  const { broken } = await runOn(handle, marked, ['--only', 'show.404']);
  expect(broken).toEqual([]);
});
