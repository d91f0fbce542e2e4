/** Bodies in several media types, each of which the contract documents. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const FORM = 'application/x-www-form-urlencoded';
const VENDOR = 'application/vnd.notes+json';
const TEXT = 'text/plain';

const CONTRACT = `
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      operationId: addNote
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Note'}}
          ${VENDOR}: {schema: {$ref: '#/components/schemas/Note'}}
          ${FORM}: {schema: {$ref: '#/components/schemas/Form'}}
          ${TEXT}: {schema: {type: string, minLength: 2, maxLength: 9}}
          application/xml: {schema: {$ref: '#/components/schemas/Note'}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '400': {description: wrong}
        '409': {description: a text is there}
        '415': {description: not a media type of notes}
components:
  schemas:
    Note:
      type: object
      required: [title]
      properties: {title: {type: string, minLength: 2, maxLength: 9}}
    Form:
      type: object
      required: [heading]
      properties: {heading: {type: string, minLength: 2, maxLength: 9}}
`;

interface Errors {
  /** A media type that gets 415. */
  refuses?: string;
  /** A media type that gets 400. */
  misreads?: string;
  /** A media type of which a body makes something that is no note. */
  mistakes?: string;
  /** Texts get 409, for a reason that no contract says. */
  hasText?: boolean;
}

function service({ refuses, misreads, mistakes, hasText = false }: Errors): Handler {
  return (call) => {
    if (call.path !== '/notes') {
      return [404];
    }
    if (call.method !== 'POST') {
      return [405];
    }
    const [type = ''] = (call.headers['content-type'] ?? '').split(';');
    const title = titleIn(call, type);
    if (title === undefined || type === refuses) {
      return [415];
    }
    if (hasText && type === TEXT) {
      return [409];
    }
    return type === misreads ? [400] : responseTo(title, type === mistakes);
  };
}

/** The title in a body of this media type; undefined for a media type that the service lacks. */
function titleIn({ json, text }: Call, type: string): { value: unknown } | undefined {
  if (type === 'application/json' || type === VENDOR) {
    return { value: isObject(json) ? json['title'] : undefined };
  }
  if (type === FORM) {
    return { value: new URLSearchParams(text).get('heading') };
  }
  return type === TEXT ? { value: text } : undefined;
}

function responseTo({ value }: { value: unknown }, isMistaken: boolean): Reply {
  const length = typeof value === 'string' ? [...value].length : 0;
  if (length < 2 || length > 9) {
    return [400];
  }
  return [201, { title: isMistaken ? '' : value }];
}

test('each media type of which a body can be made is tried', async () => {
  const { code, broken, passed } = await runOn(service({}), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const tried = passed.filter((id) => id.startsWith('addNote.media-type.'));
  expect(tried).toEqual([VENDOR, FORM, TEXT].map((type) => `addNote.media-type.${type}`));
});

test.each<[Errors, string]>([
  [{ refuses: FORM }, FORM],
  [{ refuses: VENDOR }, VENDOR],
  [{ misreads: VENDOR }, VENDOR],
  [{ mistakes: TEXT }, TEXT],
])('a service with %o is not conformant', async (errors, type) => {
  const { broken } = await runOn(service(errors), CONTRACT);
  expect(broken).toEqual([`addNote.media-type.${type}`]);
});

test('a refusal of generated bodies for another reason is no failure', async () => {
  const { code, broken, report } = await runOn(service({ hasText: true }), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const skipped = report.requirements.find(({ id }) => id === `addNote.media-type.${TEXT}`);
  expect(skipped?.status).toBe('skip');
});
