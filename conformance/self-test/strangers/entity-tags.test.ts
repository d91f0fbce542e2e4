/** A service whose items have entity tags, as its contract documents them. */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const ID = '{name: id, in: path, required: true, schema: {type: string}}';
const NOTE = '{application/json: {schema: {$ref: "#/components/schemas/Note"}}}';
const TAGGED = '{ETag: {required: true, schema: {type: string}}}';
const BODY = `{required: true, content: ${NOTE}}`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      operationId: add
      requestBody: ${BODY}
      responses:
        '201': {description: It., content: ${NOTE}}
        '400': {description: It is refused.}
  /notes/{id}:
    parameters: [${ID}]
    get:
      operationId: show
      parameters: [{name: If-None-Match, in: header, schema: {type: string}}]
      responses:
        '200': {description: It., headers: ${TAGGED}, content: ${NOTE}}
        '304': {description: The client has it already.}
        '404': {description: There is none.}
    put:
      operationId: replace
      parameters:
        - name: If-Match
          in: header
          description: The tag that was seen. It must be there.
          schema: {type: string}
      requestBody: ${BODY}
      responses:
        '200': {description: It., content: ${NOTE}}
        '400': {description: It is refused.}
        '404': {description: There is none.}
        '412': {description: It has changed.}
        '428': {description: The tag is missing.}
    patch:
      operationId: change
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody: ${BODY}
      responses:
        '200': {description: It., content: ${NOTE}}
        '400': {description: It is refused.}
        '404': {description: There is none.}
        '412': {description: It has changed.}
    delete:
      operationId: remove
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}
        '412': {description: It has changed.}
components:
  schemas:
    Note:
      type: object
      required: [text]
      properties:
        id: {type: string, readOnly: true}
        text: {type: string, minLength: 3, maxLength: 40}
`;

interface Errors {
  keepsTag?: boolean;
  hasWeakTags?: boolean;
  takesNoTag?: boolean;
  /** The method that takes any entity tag. */
  takesAnyTag?: string;
  /** The method that refuses another entity tag once it has made the change. */
  changesFirst?: string;
  takesOldTags?: boolean;
  sendsAlways?: boolean;
  neverSends?: boolean;
}

interface Note {
  text: string;
  version: number;
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && [...text].length >= 3 && [...text].length <= 40;
}

class Notes {
  readonly #errors: Errors;
  readonly #notes = new Map<string, Note>();
  #count = 0;

  constructor(errors: Errors) {
    this.#errors = errors;
  }

  readonly handle: Handler = (call): Reply => {
    const { method, path, headers, json } = call;
    const [, , id = ''] = path.split('/');
    const writes = method === 'POST' || method === 'PUT' || method === 'PATCH';
    if (writes && !isText(Object(json).text)) {
      return [400];
    }
    if (id === '' && method !== 'POST') {
      return [405];
    }
    if (id === '') {
      this.#count += 1;
      const made = `note-${this.#count}-${'x'.repeat(12)}`;
      this.#notes.set(made, { text: json.text, version: 1 });
      return [201, { id: made, text: json.text }];
    }
    const note = this.#notes.get(decodeURIComponent(id));
    if (note === undefined) {
      return [404];
    }
    if (method === 'GET' || method === 'HEAD') {
      return this.#show(note, id, headers['if-none-match']);
    }
    return this.#write(note, id, call);
  };

  #show(note: Note, id: string, known: string | undefined): Reply {
    const tag = this.#tagOf(note);
    const isKnown = known === tag && !this.#errors.sendsAlways;
    if (isKnown || (known !== undefined && this.#errors.neverSends)) {
      return [304, undefined, { etag: tag }];
    }
    return [200, { id, text: note.text }, { etag: tag }];
  }

  #write(note: Note, id: string, { method, headers, json }: Call): Reply {
    const tag = headers['if-match'];
    const { takesAnyTag, changesFirst, takesNoTag } = this.#errors;
    if (method === 'PUT' && tag === undefined && !takesNoTag) {
      return [428];
    }
    const isRefused = tag !== undefined && !this.#isKnown(tag, note);
    if (isRefused && method !== takesAnyTag && method !== changesFirst) {
      return [412];
    }
    if (method === 'DELETE') {
      this.#notes.delete(decodeURIComponent(id));
    } else {
      note.text = json.text;
      note.version += 1;
    }
    if (isRefused && method === changesFirst) {
      return [412];
    }
    return method === 'DELETE' ? [204] : [200, { id, text: note.text }];
  }

  #isKnown(tag: string, note: Note): boolean {
    const isOld = this.#errors.takesOldTags === true && /^"v[1-3]"$/.test(tag);
    return isOld || tag === '*' || tag === this.#tagOf(note);
  }

  #tagOf({ version }: Note): string {
    const { keepsTag, hasWeakTags } = this.#errors;
    const tag = `"v${keepsTag || hasWeakTags ? 0 : version}"`;
    return hasWeakTags ? `W/${tag}` : tag;
  }
}

const OPTIONS = ['--only', '*.etag', '--only', '*.304', '--only', '*.412', '--only', '*.428'];

const LAWS = [
  'show.304',
  'replace.etag',
  'replace.412',
  'replace.428',
  'change.etag',
  'change.412',
  'remove.412',
];

test('a service that acts on entity tags as documented passes each law of them', async () => {
  const { passed, report } = await runOn(new Notes({}).handle, CONTRACT, ['--runs', '1']);
  expect(passed).toEqual(expect.arrayContaining(LAWS));
  expect(report.findings).toEqual([]);
});

test('a weak entity tag may stay the same, and nothing else is said of it', async () => {
  const { broken } = await runOn(new Notes({ hasWeakTags: true }).handle, CONTRACT, OPTIONS);
  expect(broken).toEqual([]);
});

test.each<[string, Errors, string[]]>([
  ['an entity tag that stays', { keepsTag: true }, ['replace.etag', 'change.etag']],
  ['a change without the field that is due', { takesNoTag: true }, ['replace.428']],
  ['a PUT for another tag', { takesAnyTag: 'PUT' }, ['replace.412']],
  ['a PATCH for another tag', { takesAnyTag: 'PATCH' }, ['change.412']],
  ['a DELETE for another tag', { takesAnyTag: 'DELETE' }, ['remove.412']],
  ['a PATCH that is made, and refused', { changesFirst: 'PATCH' }, ['change.412']],
  ['a DELETE that is made, and refused', { changesFirst: 'DELETE' }, ['remove.412']],
  ['tags from before a change', { takesOldTags: true }, ['replace.412', 'change.412']],
  ['a read that sends what the client has', { sendsAlways: true }, ['show.304']],
  ['a read that never sends anything', { neverSends: true }, ['show.304']],
])('%s is found', async (_, errors, due) => {
  const { broken } = await runOn(new Notes(errors).handle, CONTRACT, OPTIONS);
  expect(broken).toEqual(due);
});
