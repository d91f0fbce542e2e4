/** The resources that the links of a contract describe, and values that every service keeps. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { words } from '../../contract/keywords.ts';
import { parseContract } from '../../contract/load.ts';
import { inferredLaws } from '../inferred.ts';
import { type InferredResource, inferredResources } from './inferred-resources.ts';

type Part = Record<string, unknown>;

const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });
const contentOf = (schema: Part): Part => ({ content: { 'application/json': { schema } } });

const NOTE: Part = {
  title: { type: 'string' },
  due: { type: 'string', format: 'date-time' },
  made_by: { type: 'string', readOnly: true },
  secret: { type: 'string', writeOnly: true },
  stars: { type: 'integer', default: 1 },
  times: ref('Times'),
  word: { type: 'string', minLength: 3, maxLength: 5 },
  code: { type: 'string', enum: ['A B'] },
  half: { type: 'number', maximum: 0.5, minimum: 0.25 },
  set: { type: 'array', uniqueItems: true, items: { type: 'integer' } },
  none: { type: 'null' },
  tree: ref('Tree'),
  own: ref('Own'),
};
const WHOLE: Part = { type: 'object', required: ['title'], properties: NOTE };

/** The variable parts of a contract of notes. */
interface Notes {
  /** The GET of the list. */
  list?: Part;
  /** Operations at the item, beside its GET. */
  item?: Part;
  /** The expression of a link; empty for none. */
  link?: string;
  /** The status of a POST. */
  status?: string;
  /** The name of the key. */
  id?: string;
  /** The members of a body. */
  whole?: Part;
}

function contractWith({
  list = {},
  item = {},
  link = '$response.body#/id',
  status = '201',
  id = 'id',
  whole = NOTE,
}: Notes = {}) {
  const made: Part = { description: 'It is made.', ...contentOf(ref('Note')) };
  if (link !== '') {
    made['links'] = { read: { operationId: 'readNote', parameters: { note: link } } };
  }
  const read = {
    operationId: 'readNote',
    responses: {
      '200': { description: 'A note.', ...contentOf(ref('Note')) },
      '404': { description: 'There is none.' },
    },
  };
  const add = {
    operationId: 'addNote',
    requestBody: contentOf({ ...WHOLE, properties: whole }),
    responses: { [status]: made },
  };
  const note = { name: 'note', in: 'path', required: true, schema: { type: 'string' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    paths: {
      '/notes': { post: add, ...list },
      '/notes/{note}': { parameters: [note], get: read, ...item },
    },
    components: {
      schemas: {
        Note: { type: 'object', properties: { [id]: { type: 'string' }, ...NOTE } },
        Own: {
          type: 'object',
          properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
        },
        Times: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
        Tree: { type: 'object', properties: { name: { type: 'string' }, inside: ref('Tree') } },
      },
    },
  };
  return parseContract(JSON.stringify(document));
}

const listWith = (...parameters: Part[]): Part => {
  const all = contentOf({ type: 'array', items: ref('Note') });
  const responses = { '200': { description: 'All.', ...all } };
  return { get: { operationId: 'listNotes', parameters, responses } };
};
const withHeader = ({ get }: Part, headers: Part): Part => {
  const { responses, ...operation } = get as Record<string, Part>;
  const success = { ...(responses?.['200'] as Part), headers };
  return { get: { ...operation, responses: { '200': success } } };
};
const PAGE: Part = {
  type: 'object',
  properties: {
    notes: { type: 'array', items: ref('Note') },
    next: { type: ['string', 'null'], format: 'uri' },
  },
};
const LINKED: Part = {
  get: {
    operationId: 'listNotes',
    parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
    responses: { '200': { description: 'A page.', ...contentOf(PAGE) } },
  },
};
const DELETE: Part = {
  delete: { operationId: 'removeNote', responses: { '204': { description: 'It is gone.' } } },
};
const PATCH: Part = {
  patch: {
    operationId: 'changeNote',
    requestBody: contentOf({ type: 'object', properties: { title: { type: 'string' } } }),
    responses: { '204': { description: 'It is changed.' } },
  },
};
const PUT: Part = {
  put: {
    operationId: 'replaceNote',
    requestBody: contentOf(WHOLE),
    responses: { '200': { description: 'It is replaced.', ...contentOf(ref('Note')) } },
  },
};

const ALWAYS = [...words('ids echo echo.spellings read-your-write siblings defaults stable')];
const LISTED = words('listed listed.read');
const CHANGES = words(
  'update update.spellings update.others-stay update.there-and-back update.again ' +
    'update.refused update.refused-beside update.null race.update',
);
const NO_DELETE = 'the contract has no DELETE of /notes/{note}';
const NO_UPDATE =
  'the contract has no PATCH or PUT of /notes/{note} with members of the item as JSON';
const NO_LINK =
  'the link from addNote to readNote does not lead by one member of the response alone';

it.each<[string, Parameters<typeof contractWith>[0], string[], Record<string, string>]>([
  [
    'alone',
    {},
    ALWAYS,
    { gone: NO_DELETE, listed: 'the contract has no GET of /notes', update: NO_UPDATE },
  ],
  [
    'with a list, a DELETE and a PATCH',
    { list: listWith(), item: { ...DELETE, ...PATCH } },
    [...ALWAYS, ...LISTED, 'gone', 'gone-from-list', ...CHANGES],
    { replaced: 'the contract has no PUT of /notes/{note} with what a POST takes' },
  ],
  [
    'with a PUT beside a PATCH',
    { item: { ...PATCH, ...PUT } },
    [...ALWAYS, ...CHANGES, 'replaced'],
    {},
  ],
  [
    'with a list in pages that have numbers, and a filter by what the service sets',
    {
      list: listWith(
        { name: 'skip', in: 'query', schema: { type: 'integer', maximum: 10_000 } },
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'made_by', in: 'query', schema: { enum: ['me', 'you'] } },
      ),
    },
    [...ALWAYS, ...LISTED, 'filtered', 'pages'],
    {},
  ],
  [
    'with a list in pages, if items of others may be on the first',
    { list: listWith({ name: 'X-Page-Size', in: 'header', schema: { type: 'integer' } }) },
    ALWAYS,
    { listed: 'listNotes shows pages (X-Page-Size), and others may be on the first' },
  ],
  [
    'with a list in pages that link to the next one',
    { list: LINKED, item: DELETE },
    [...ALWAYS, ...LISTED, 'gone', 'gone-from-list'],
    {},
  ],
  [
    'with a list whose pages link to the next one in a header field',
    {
      list: withHeader(
        listWith(
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'after', in: 'query', schema: { type: 'string' } },
        ),
        { Link: { description: 'The next page.', schema: { type: 'string' } } },
      ),
    },
    [...ALWAYS, ...LISTED, 'pages'],
    {},
  ],
  [
    'with a header field that has other links',
    {
      list: withHeader(listWith({ name: 'X-Page-Size', in: 'header', schema: {} }), {
        Link: { description: 'How to use it.', schema: { type: 'string' } },
      }),
    },
    ALWAYS,
    { listed: 'listNotes shows pages (X-Page-Size), and others may be on the first' },
  ],
  [
    'whose key is all that is sent',
    { item: DELETE, id: 'title', whole: { title: NOTE['title'] }, link: '$response.body#/title' },
    ['ids', 'siblings', 'stable', 'gone'],
    {
      echo: 'no property is both sent and shown with one spelling of its value',
      update: 'no property is both sent and shown with one spelling of its value',
    },
  ],
  ['without links', { link: '' }, ALWAYS, {}],
  ['without links, with another key', { link: '', id: 'Note-Id' }, ALWAYS, {}],
  ['without links and keys', { link: '', id: 'origin' }, [], {}],
  ['without links, with the key of the parameter', { link: '', id: 'NOTE' }, ALWAYS, {}],
  ['with a link to a header', { link: '$response.header.X-Id' }, [], { 'addNote.items': NO_LINK }],
  ['that no success is documented for', { link: '', status: '404' }, [], {}],
  [
    'made later',
    { status: '202' },
    [],
    { 'addNote.items': 'addNote may respond before the item is there (202)' },
  ],
])('laws of a resource %s', (_, parts, tried, reasons) => {
  const all = inferredLaws(contractWith(parts)).map(
    ({ id, skip }) => [id.replace('addNote.items.', ''), skip?.({} as never)] as const,
  );
  const always = ['case', 'altered'];
  const others = tried.includes('echo') ? ['values', 'read-only', ...always] : always;
  const due = tried.length > 0 ? [...tried, ...others] : [];
  const ids = all.flatMap(([id, reason]) => (reason === undefined ? [id] : []));
  expect(ids.toSorted()).toEqual(due.toSorted());
  expect(Object.fromEntries(all)).toMatchObject(reasons);
});

const KINDS = readFileSync(join(import.meta.dirname, 'kinds.yaml'), 'utf8');

it('each kind of a resource has the laws of its members, and an id in its address', async () => {
  const found = inferredResources(parseContract(KINDS)) as InferredResource[];
  const shown = { kind: 'a', lives: 9, name: 'b', trick: 'c' };
  expect(found.map(({ resource }) => [resource.one, resource.view!(shown)])).toEqual([
    ['an item of /pets (Cat)', { kind: 'a', lives: 9 }],
    ['an item of /pets (Dog)', { kind: 'a', name: 'b' }],
  ]);
  const { id, values } = found[1]!.resource;
  expect([id.member, id.of!({ headers: { location: 'http://a/pets/b%20c/?d' } })]).toEqual([
    'pet_id',
    'b c',
  ]);
  expect(values.full({} as never)).toMatchObject({
    kind: 'dog',
    name: expect.any(String) as unknown,
  });
});

it('laws compare a sent value only if it has one spelling and is shown', () => {
  const [notes] = inferredResources(contractWith()) as [InferredResource];
  const sent = { title: 'a', due: '2020-01-01T00:00:00Z', secret: 'b' };
  expect(notes.resource.shown(sent)).toEqual({ title: 'a', stars: 1 });
  expect(notes.resource.view!({ ...sent, id: 7, made_by: 'c', stars: null })).toEqual({
    title: 'a',
    id: '7',
  });
});

it('null counts as omitted at any depth: a service may show what it has in its place', () => {
  const [notes] = inferredResources(contractWith()) as [InferredResource];
  const tree = { name: null, inside: { name: 'b', inside: null } };
  expect(notes.resource.shown({ title: 'a', tree, set: [1] })).toEqual({
    title: 'a',
    stars: 1,
    set: [1],
    tree: { inside: { name: 'b' } },
  });
});

it('a text whose example has a syntax is that example; another value of it has words', () => {
  const whole = {
    title: { type: 'string', examples: ['Tea', '0 3 * * *'] },
    word: { type: 'string', example: 'A tea, at 5: fine!' },
  };
  const [notes] = inferredResources(contractWith({ whole })) as [InferredResource];
  const { full, other } = notes.resource.values;
  expect(full({} as never)).toEqual({
    title: '0 3 * * *',
    word: expect.stringMatching(/^[a-z]{12}$/) as unknown,
  });
  expect(other('title', {} as never, {} as never)).toMatch(/^[a-z]{12}$/);
});

it('values are of one spelling: new words, sets of one, and no null if it can be omitted', () => {
  const [notes] = inferredResources(contractWith()) as [InferredResource];
  const { members, full } = notes.resource.values;
  // The others have several spellings, are shown by one side alone, or have one value.
  expect(members.toSorted()).toEqual(['set', 'stars', 'title', 'tree', 'word']);
  const { code, half, none, set, word } = full({} as never);
  expect([code, Number(half) <= 0.5, none, set]).toEqual([
    'A B',
    true,
    undefined,
    [expect.any(Number)],
  ]);
  expect(word).toMatch(/^[a-z]{5}$/);
});
