/**
 * Services that must not have findings: a service is not failed for anything that the contract and
 * the user do not state.
 */
import { expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service } from '../self-test/service.ts';
import { contractWith } from './testing/contracts.ts';
import { respondWith, resultsBy } from './testing/services.ts';

it('an operation without a documented success may respond with any', async () => {
  const contract = contractWith({ type: 'string' });
  contract.paths['/b'] = {
    delete: { operationId: 'clear', responses: { 404: { description: 'nothing' } } },
  };
  const service: Service = async ({ target, body }) => {
    if (target === '/b') {
      return respondWith(204);
    }
    const { a } = Object(parse(String(body)));
    return respondWith(typeof a === 'string' ? 201 : 400);
  };
  const { report } = await resultsBy(service, contract, '--only clear.');
  expect(report.findings).toEqual([]);
});

it('a generated body beside the one of --data is not the one that works', async () => {
  const contract = contractWith({ type: 'string', maxLength: 10 });
  contract.paths['/a'].post.responses[422] = { description: 'it is wrong' };
  // It knows one item alone.
  const service: Service = async ({ body }) => {
    const { a } = Object(parse(String(body)));
    return respondWith(a === 'known' ? 201 : 422);
  };
  const data = '"--data={bodies: {add: {a: known}}}"';
  const { report, requirements } = await resultsBy(service, contract, `${data} --only add.body.a.`);
  expect(report.findings).toEqual([]);
  const reasons = requirements.flatMap(({ reason }) => reason ?? []);
  expect(reasons).toContain('add refuses a generated body (422); the one of --data works');
});

it('header fields are not to blame for a read that fails without them', async () => {
  const contract = contractWith({ type: 'string' });
  contract.paths['/b'] = {
    get: { operationId: 'read', responses: { 200: { description: 'it' } } },
  };
  let reads = 0;
  // It fails once it was reached.
  const service: Service = async ({ target }) => {
    return respondWith(target === '/b' && ++reads > 2 ? 500 : 200);
  };
  const { report, requirements } = await resultsBy(service, contract, '--only read.');
  expect(report.findings.map(({ id }) => id)).toEqual(['server-error:read:500']);
  const fields = requirements.find(({ id }) => id === 'read.header-fields');
  expect(fields).toMatchObject({
    status: 'skip',
    reason: 'read fails without the fields, too (500)',
  });
});

/** A note has at most three labels, and tags that are added by their names. */
const NOTES = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1.0.0' },
  paths: {
    '/notes': {
      get: {
        operationId: 'listNotes',
        parameters: [
          { name: 'cursor', in: 'query', schema: { type: 'string', minLength: 1, maxLength: 20 } },
          { name: 'q', in: 'query', schema: { type: 'string', maxLength: 2000 } },
        ],
        responses: { 200: { description: 'a page' }, 400: { description: 'it is wrong' } },
      },
      post: {
        operationId: 'addNote',
        requestBody: bodyOf('application/json', {
          email: { type: 'string', format: 'email', maxLength: 200 },
          labels: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string' } },
        }),
        responses: {
          201: {
            description: 'made',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { id: { type: 'string' } } },
              },
            },
          },
          400: { description: 'it is wrong' },
        },
      },
    },
    '/notes/{id}': {
      parameters: [pathParameter('id')],
      patch: {
        operationId: 'changeNote',
        requestBody: bodyOf('application/merge-patch+json', {
          labels: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string' } },
        }),
        responses: { 200: { description: 'changed' }, 400: { description: 'it is wrong' } },
      },
      delete: { operationId: 'removeNote', responses: { 204: { description: 'gone' } } },
    },
    '/notes/{id}/tags/{tag}': {
      parameters: [pathParameter('id'), pathParameter('tag')],
      put: {
        operationId: 'addTag',
        responses: { 200: { description: 'the note has it' }, 404: { description: 'no note' } },
      },
      delete: {
        operationId: 'removeTag',
        responses: { 204: { description: 'gone' }, 404: { description: 'not there' } },
      },
    },
  },
};

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function bodyOf(mediaType: string, properties: object): object {
  const schema = { type: 'object', additionalProperties: false, properties };
  return { required: true, content: { [mediaType]: { schema } } };
}

/** RFC 1035, 2.3.4: a label has at most 63 characters. */
const EMAIL = /^[^@]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+$/;

const MOST_LABELS = 3;

interface Note {
  labels: object;
  tags: Set<string>;
}

function isValidNote({ email, labels = {}, ...others }: Record<string, unknown>): boolean {
  const isEmail = email === undefined || (typeof email === 'string' && EMAIL.test(email));
  const isMap = typeof labels === 'object' && labels !== null && !Array.isArray(labels);
  const areTexts = isMap && Object.values(labels).every((one) => typeof one === 'string');
  const hasRoom = isMap && Object.keys(labels).length <= MOST_LABELS;
  const isShort = email === undefined || String(email).length <= 200;
  return isEmail && areTexts && hasRoom && isShort && Object.keys(others).length === 0;
}

/** A cursor is one that a page gave, and a long target is refused below the application. */
function statusOfList(target: string, query: URLSearchParams): number {
  if (target.length > 8_000) {
    return 414;
  }
  const isTooLong = Array.from(query.get('q') ?? '').length > 2_000;
  return query.has('cursor') || isTooLong ? 400 : 200;
}

/** Each note is made with a label, so that a change adds to it. */
function notes(): Service {
  const all = new Map<string, Note>();
  return async ({ method, target, body }) => {
    const [path = '', query = ''] = target.split('?');
    const [, , id = '', , tag = ''] = path.split('/');
    const json = Object(parse(String(body))) as Record<string, unknown>;
    if (id === '' && method === 'GET') {
      return respondWith(statusOfList(target, new URLSearchParams(query)));
    }
    if (id === '') {
      const isObject = String(body).startsWith('{');
      if (!isObject || !isValidNote(json)) {
        return respondWith(400);
      }
      const made = String(all.size + 1);
      all.set(made, { labels: { first: 'x' }, tags: new Set() });
      return respondWith(201, { id: made });
    }
    const note = all.get(id);
    if (note === undefined) {
      return respondWith(404);
    }
    if (tag !== '') {
      const hadTag = note.tags.delete(tag);
      if (method === 'DELETE') {
        return respondWith(hadTag ? 204 : 404);
      }
      note.tags.add(tag);
      return respondWith(200);
    }
    if (method === 'DELETE') {
      all.delete(id);
      return respondWith(204);
    }
    const labels = { ...note.labels, ...Object(json['labels']) };
    const isObject = String(body).startsWith('{');
    if (!isObject || !isValidNote(json) || !isValidNote({ labels })) {
      return respondWith(400);
    }
    return respondWith(200);
  };
}

it.each([
  ['a cursor that nobody issued is refused', 'listNotes.query.cursor', 2],
  ['a value is too long for a request line', 'listNotes.query.q', 1],
  ['labels of a domain have at most 63 characters', 'addNote.body.email', 2],
  ['a change is merged with the labels of the note', 'changeNote.body.labels', 2],
  ['a PUT adds again what was removed', 'addTag.404', 0],
])('no finding where %s', async (_, id, least) => {
  const { report, requirements } = await resultsBy(notes(), NOTES, `--only ${id} --seed 1`);
  expect(report.findings).toEqual([]);
  const passed = requirements.filter(({ status }) => status === 'pass');
  expect(passed.length).toBeGreaterThanOrEqual(least);
});
