/**
 * Services of which the contract promises less than a law might assume: no alarm; and with one
 * planted error each, an alarm.
 */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

/** The parts of the contract of notes that differ from case to case, in YAML. */
interface Parts {
  /** Members of a note beside `id` and `title`, each as `name: {…}`. */
  members?: string;
  listParameters?: string;
  list?: string;
  listWords?: string;
  removal?: string;
  absence?: string;
  /** More operations of the item. */
  item?: string;
  /** More responses of the creation. */
  creation?: string;
}

const NOTE = `{$ref: '#/components/schemas/Note'}`;
const JSON_NOTE = `{description: one, content: {application/json: {schema: ${NOTE}}}}`;
const LIST = `{type: array, items: ${NOTE}}`;

function contractOf(parts: Parts = {}): string {
  const { members = '', listParameters = '', list = LIST, listWords = 'all' } = parts;
  const { removal = `'204': {description: gone}`, absence = '404', item = '' } = parts;
  return `
openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [${listParameters}]
      responses:
        '200':
          description: ${listWords}
          content: {application/json: {schema: ${list}}}
        '400': {description: wrong}
    post:
      operationId: addNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewNote'}}}
      responses:
        '201': ${JSON_NOTE}
        '400': {description: wrong}
        ${parts.creation ?? ''}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readNote
      responses: {'200': ${JSON_NOTE}, '${absence}': {description: absent}}
    delete:
      operationId: removeNote
      responses: {${removal}, '${absence}': {description: absent}}
    ${item}
components:
  schemas:
    NewNote:
      type: object
      required: [title]
      properties: {title: {type: string, minLength: 1, maxLength: 20}}
    Note:
      type: object
      required: [id, title]
      properties:
        id: {type: string}
        title: {type: string}
        ${members}
`;
}

interface Note {
  id: string;
  title: string;
  [member: string]: unknown;
}

const isTitle = (json: unknown): json is { title: string } =>
  isObject(json) &&
  typeof json['title'] === 'string' &&
  json['title'] !== '' &&
  [...json['title']].length <= 20;

/** A plain service of notes, whose methods cases replace. */
class Notes {
  readonly all = new Map<string, Note>();
  absence = 404;
  #count = 0;

  readonly handler: Handler = (call) => this.respond(call);

  nextId(): string {
    this.#count += 1;
    return `n${this.#count}`;
  }

  respond(call: Call): Reply {
    const { method, path, json } = call;
    const [, , id] = path.split('/').map(decodeURIComponent);
    if (id === undefined) {
      return method === 'GET' ? this.list(call) : this.add(json, call);
    }
    const note = this.all.get(id);
    if (note === undefined) {
      return this.absent(call, id);
    }
    if (method === 'DELETE') {
      return this.remove(note);
    }
    return method === 'GET' ? this.read(note) : this.change(note, call);
  }

  absent(_call: Call, _id: string): Reply {
    return [this.absence];
  }

  list(_call: Call): Reply {
    return [200, [...this.all.values()]];
  }

  add(json: unknown, _call: Call): Reply {
    if (!isTitle(json)) {
      return [400];
    }
    const note: Note = { id: this.nextId(), title: json.title };
    this.all.set(note.id, note);
    return [201, note];
  }

  read(note: Note): Reply {
    return [200, note];
  }

  change(_note: Note, _call: Call): Reply {
    return [405];
  }

  remove({ id }: Note): Reply {
    this.all.delete(id);
    return [204];
  }
}

/** The smallest free number is the next id. */
class SmallestId extends Notes {
  override nextId(): string {
    let id = 1;
    while (this.all.has(String(id))) {
      id += 1;
    }
    return String(id);
  }
}

/** Two notes may get the same id: the second one replaces the first. */
class SameIdTwice extends SmallestId {
  override nextId(): string {
    return String((this.all.size % 2) + 1);
  }
}

const STATE = '{name: state, in: query, schema: {enum: [open, closed, all], default: open}}';

/** Each second note is a draft, which the list shows on request alone. */
class Filtered extends Notes {
  override add(json: unknown, call: Call): Reply {
    const [status, body] = super.add(json, call);
    if (status === 201) {
      (body as Note)['state'] = this.all.size % 2 === 0 ? 'closed' : 'open';
    }
    return [status, body];
  }

  override list({ query }: Call): Reply {
    const [state = 'open', ...others] = query.getAll('state');
    if (!['open', 'closed', 'all'].includes(state) || others.length > 0) {
      return [400];
    }
    const isShown = (note: Note) => state === 'all' || note['state'] === state;
    return [200, [...this.all.values()].filter(isShown)];
  }
}

/** A read shows another note than was made. */
class ReadsAnother extends Filtered {
  override read(note: Note): Reply {
    return [200, { ...note, title: `${note.title}.` }];
  }
}

/** A removal archives. */
class SoftDelete extends Notes {
  override add(json: unknown, call: Call): Reply {
    const [status, body] = super.add(json, call);
    if (status === 201) {
      (body as Note)['status'] = 'active';
    }
    return [status, body];
  }

  override remove(note: Note): Reply {
    note['status'] = 'archived';
    return [204];
  }
}

class ForgetsToArchive extends SoftDelete {
  override remove(_: Note): Reply {
    return [204];
  }
}

/** A removal takes a while. */
class DelayedDelete extends Notes {
  override remove({ id }: Note): Reply {
    setTimeout(() => this.all.delete(id), 150);
    return [202];
  }
}

class NeverDeletes extends Notes {
  override remove(_: Note): Reply {
    return [202];
  }
}

/** The list shows what has changed a while ago. */
class EventualList extends Notes {
  override list(_: Call): Reply {
    const now = Date.now();
    const isOld = ({ id }: Note) => (this.#made.get(id) ?? 0) < now - 200;
    return [200, [...this.all.values()].filter(isOld)];
  }

  readonly #made = new Map<string, number>();

  override add(json: unknown, call: Call): Reply {
    const reply = super.add(json, call);
    const [status, body] = reply;
    if (status === 201) {
      this.#made.set((body as Note).id, Date.now());
    }
    return reply;
  }
}

/** `views` counts by itself. */
class Counting extends Notes {
  override read(note: Note): Reply {
    note['views'] = Number(note['views'] ?? 0) + 1;
    return [200, note];
  }
}

class ChangesTitle extends Counting {
  override read(note: Note): Reply {
    note.title = `${note.title}!`.slice(0, 20);
    return super.read(note);
  }
}

const PUT = `put:
      operationId: replaceNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewNote'}}}
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      responses:
        '200': ${JSON_NOTE}
        '400': {description: wrong}
        '404': {description: absent}
        '412': {description: changed}
        '428': {description: no If-Match}`;

/** PUT alone needs `If-Match`. */
class Conditional extends Notes {
  readonly versions = new Map<string, number>();

  tagOf({ id }: Note): string {
    return `"v${this.versions.get(id) ?? 1}"`;
  }

  override read(note: Note): Reply {
    return [200, note, { etag: this.tagOf(note) }];
  }

  override change(note: Note, { headers, json }: Call): Reply {
    if (headers['if-match'] === undefined) {
      return [428];
    }
    if (headers['if-match'] !== this.tagOf(note)) {
      return [412];
    }
    if (!isTitle(json)) {
      return [400];
    }
    this.versions.set(note.id, (this.versions.get(note.id) ?? 1) + 1);
    this.keep(note, json.title);
    return [200, note, { etag: this.tagOf(note) }];
  }

  keep(note: Note, title: string): void {
    note.title = title;
  }
}

class LosesChange extends Conditional {
  override change(note: Note, call: Call): Reply {
    const before = note.title;
    const [status, body, headers] = super.change(note, call);
    const shown = structuredClone(body);
    note.title = before;
    return [status, shown, headers ?? {}];
  }
}

const PUT_CREATES = `put:
      operationId: createNamed
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewNote'}}}
      responses:
        '201': ${JSON_NOTE}
        '400': {description: wrong}
        '409': {description: it exists}`;

/** PUT creates, and changes nothing. */
class PutCreates extends Notes {
  override absent({ method, json }: Call, id: string): Reply {
    if (method !== 'PUT') {
      return [404];
    }
    if (!isTitle(json)) {
      return [400];
    }
    const note = { id, title: json.title };
    this.all.set(id, note);
    return [201, note];
  }

  override change(_: Note, { json }: Call): Reply {
    return isTitle(json) ? [409] : [400];
  }
}

class PutChangesAnyway extends PutCreates {
  override change(note: Note, { json }: Call): Reply {
    note.title = String(Object(json)['title'] ?? 'none');
    return isTitle(json) ? [409] : [400];
  }
}

/** Clients give the ids. */
class ClientIds extends Notes {
  override add(json: unknown, _: Call): Reply {
    const id: unknown = Object(json)['id'];
    if (!isTitle(json) || typeof id !== 'string' || !/^[a-z0-9-]{1,30}$/.test(id)) {
      return [400];
    }
    if (this.all.has(id)) {
      return [409];
    }
    const note = { id, title: json.title };
    this.all.set(id, note);
    return [201, note];
  }
}

class ClientIdsInUpperCase extends ClientIds {
  override add(json: unknown, call: Call): Reply {
    const [status, body] = super.add(json, call);
    return [status, status === 201 ? { ...(body as Note), title: 'title' } : body];
  }
}

const withClientIds = contractOf({ creation: `'409': {description: it exists}` }).replace(
  'required: [title]\n      properties: {title',
  () =>
    'required: [id, title]\n' +
    "      properties: {id: {type: string, pattern: '^[a-z0-9-]{1,30}$'}, title",
);

/** Items do not show their keys, which the `Location` has. */
class KeyInLocation extends Notes {
  override add(json: unknown, call: Call): Reply {
    const [status, body] = super.add(json, call);
    if (status !== 201) {
      return [status];
    }
    const { id, title } = body as Note;
    return [201, { title }, { location: `/notes/${id}` }];
  }

  override read({ title }: Note): Reply {
    return [200, { title }];
  }

  override list(_: Call): Reply {
    return [200, [...this.all.values()].map(({ title }) => ({ title }))];
  }
}

class KeyInLocationKeeps extends KeyInLocation {
  override remove(_: Note): Reply {
    return [204];
  }
}

const withoutKeys = contractOf()
  .replace('required: [id, title]', 'required: [title]')
  .replace('        id: {type: string}\n', '');

const PAGE =
  `{type: object, required: [data], properties: {data: ${LIST}, ` +
  'next_page_token: {type: string, nullable: true}}}';
const TOKEN =
  '{name: page_token, in: query, schema: {type: string}}, ' +
  '{name: page_size, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 3}}';

/** Pages in an envelope, with a token for the next one. */
class Paged extends Notes {
  skipped = 0;

  override list({ query }: Call): Reply {
    const size = Number(query.get('page_size') ?? 3);
    const token = query.get('page_token') ?? 't0';
    if (!/^t\d+$/.test(token) || !Number.isInteger(size) || size < 1 || size > 50) {
      return [400];
    }
    const names = [...query.keys()];
    if (new Set(names).size < names.length || /\D/.test(query.get('page_size') ?? '3')) {
      return [400];
    }
    const start = Number(token.slice(1));
    const all = [...this.all.values()];
    const data = all.slice(start, start + size);
    const end = start + size + this.skipped;
    return [200, { data, next_page_token: start + size < all.length ? `t${end}` : null }];
  }
}

class SkipsOne extends Paged {
  override skipped = 1;
}

/** A second DELETE gives 204, too. */
class Repeatable extends Notes {
  readonly #removed = new Set<string>();

  override remove(note: Note): Reply {
    this.#removed.add(note.id);
    return super.remove(note);
  }

  override absent({ method }: Call, id: string): Reply {
    const isAgain = method === 'DELETE' && this.#removed.has(id);
    return [isAgain ? 204 : 404];
  }
}

class RepeatableKeeps extends Repeatable {
  override remove(_: Note): Reply {
    return [204];
  }
}

class Gone extends Notes {
  override absence = 410;
}

class GoneStays extends Gone {
  override remove(_: Note): Reply {
    return [204];
  }
}

interface Case {
  name: string;
  contract: string;
  honest: () => Notes;
  planted: () => Notes;
  /** The end of an id that the planted error breaks. */
  found: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: 'the smallest free id is used again',
    contract: contractOf(),
    honest: () => new SmallestId(),
    planted: () => new SameIdTwice(),
    found: /addNote\.items\./,
  },
  {
    name: 'a list has a filter by default',
    contract: contractOf({ members: 'state: {enum: [open, closed]}', listParameters: STATE }),
    honest: () => new Filtered(),
    planted: () => new ReadsAnother(),
    found: /read-your-write/,
  },
  {
    name: 'a removal archives',
    contract: contractOf({ members: 'status: {enum: [active, archived]}' }),
    honest: () => new SoftDelete(),
    planted: () => new ForgetsToArchive(),
    found: /gone/,
  },
  {
    name: 'a removal takes a while',
    contract: contractOf({ removal: `'202': {description: it will go}` }),
    honest: () => new DelayedDelete(),
    planted: () => new NeverDeletes(),
    found: /gone/,
  },
  {
    name: 'a list lags behind, as the contract says',
    contract: contractOf({ listWords: 'The notes. The list is eventually consistent.' }),
    honest: () => new EventualList(),
    planted: () => new ChangesTitle(),
    found: /stable|read-your-write/,
  },
  {
    name: 'a list shows each change at once, as nothing says otherwise',
    contract: contractOf(),
    honest: () => new Notes(),
    planted: () => new EventualList(),
    found: /listed/,
  },
  {
    name: 'a member counts by itself',
    contract: contractOf({ members: 'views: {type: integer}' }),
    honest: () => new Counting(),
    planted: () => new ChangesTitle(),
    found: /stable|read-your-write/,
  },
  {
    name: 'PUT alone needs If-Match',
    contract: contractOf({ item: PUT }),
    honest: () => new Conditional(),
    planted: () => new LosesChange(),
    found: /items\.(update|noticed)/,
  },
  {
    name: 'PUT creates only',
    contract: contractOf({ item: PUT_CREATES }),
    honest: () => new PutCreates(),
    planted: () => new PutChangesAnyway(),
    found: /refused/,
  },
  {
    name: 'clients give the ids',
    contract: withClientIds,
    honest: () => new ClientIds(),
    planted: () => new ClientIdsInUpperCase(),
    found: /echo/,
  },
  {
    name: 'the key of an item is no member of it',
    contract: withoutKeys,
    honest: () => new KeyInLocation(),
    planted: () => new KeyInLocationKeeps(),
    found: /readNote\.404/,
  },
  {
    name: 'pages with tokens are in an envelope',
    contract: contractOf({ list: PAGE, listParameters: TOKEN }),
    honest: () => new Paged(),
    planted: () => new SkipsOne(),
    found: /pages|listed|items/,
  },
  {
    name: 'a removal may be repeated',
    contract: contractOf(),
    honest: () => new Repeatable(),
    planted: () => new RepeatableKeeps(),
    found: /gone/,
  },
  {
    name: '410 says what 404 would',
    contract: contractOf({ absence: '410' }),
    honest: () => new Gone(),
    planted: () => new GoneStays(),
    found: /gone/,
  },
];

test.each(CASES)('$name: no alarm', async ({ contract, honest }) => {
  const { code, broken } = await runOn(honest().handler, contract);
  expect([code, broken]).toEqual([0, []]);
});

test.each(CASES)('$name: a planted error is found', async ({ contract, planted, found }) => {
  const { code, broken } = await runOn(planted().handler, contract);
  expect(code).toBe(1);
  expect(broken.filter((id) => found.test(id))).not.toEqual([]);
});
