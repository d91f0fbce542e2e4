/** What the links of a contract say of a resource and what they leave open, and values that every service keeps. */
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../contract/load.ts';
import { shapeOf } from '../../contract/shape.ts';
import { linkedLaws } from './laws.ts';
import { type Linked, linkedResources } from './resource.ts';
import { isExact, tame, tameBody } from './values.ts';

const NOTE = `
        title: {type: string}
        due: {type: string, format: date-time}
        made_by: {type: string, readOnly: true}
        secret: {type: string, writeOnly: true}
        stars: {type: integer, default: 1}`;

/** A contract of notes. @param parts what differs */
function contractWith({ list = '', item = '', link = '$response.body#/id', status = '201' } = {}) {
  return parseContract(`
openapi: 3.1.0
info: {title: Notes, version: 1.0.0}
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: {content: {application/json: {schema: {type: object, required: [title], properties: {${NOTE.replaceAll(/\n\s+/g, ', ').slice(2)}}}}}}
      responses:
        '${status}':
          description: It is made.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
          links: {read: {operationId: readNote, parameters: {note: '${link}'}}}
${list}
  /notes/{note}:
    parameters: [{name: note, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readNote
      responses:
        '200': {description: A note., content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '404': {description: There is none.}
${item}
components:
  schemas:
    Note:
      type: object
      properties:
        id: {type: string}${NOTE}
`);
}

const list = (parameters: string) => `
    get:
      operationId: listNotes
      parameters: [${parameters}]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}}`;

const DELETE = `
    delete: {operationId: removeNote, responses: {'204': {description: It is gone.}}}`;

const PATCH = `
    patch:
      operationId: changeNote
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}}
      responses: {'204': {description: It is changed.}}`;

/** What is tried, by the end of its id; and why the rest is not. */
function lawsOf(contract: ReturnType<typeof contractWith>): { tried: string[]; skipped: Record<string, string> } {
  const all = linkedLaws(contract).map(
    ({ id, skip }) => [id.replace('addNote.items.', ''), skip?.({} as never)] as const,
  );
  return {
    tried: all.filter(([, reason]) => reason === undefined).map(([id]) => id),
    skipped: Object.fromEntries(all.filter(([, reason]) => reason !== undefined) as [string, string][]),
  };
}

describe('laws from links', () => {
  it('are those that the operations of the item allow', () => {
    const { tried, skipped } = lawsOf(contractWith());
    expect(tried).toEqual(['ids', 'echo', 'read-your-write', 'siblings', 'defaults', 'stable']);
    expect(skipped).toMatchObject({
      gone: 'the contract has no DELETE of /notes/{note}',
      listed: 'the contract has no GET of /notes',
      update: 'the contract has no PATCH or PUT of /notes/{note} with members of the item as JSON',
    });
  });

  it('are more with a list, a DELETE and a PATCH', () => {
    const { tried } = lawsOf(contractWith({ list: list(''), item: DELETE + PATCH }));
    expect(tried).toEqual(expect.arrayContaining(['listed', 'gone', 'gone-from-list', 'update', 'update.refused']));
    expect(tried).not.toContain('replaced');
  });

  it('say nothing of a list in pages, where others may be on the first', () => {
    const { skipped } = lawsOf(
      contractWith({ list: list('{name: X-Page-Size, in: header, schema: {type: integer}}') }),
    );
    expect(skipped['listed']).toBe('listNotes shows pages (X-Page-Size), and others may be on the first');
  });

  it('ask for what was sent only where it has one spelling and is shown', () => {
    const [notes] = linkedResources(contractWith()) as [Linked];
    const sent = { title: 'a', due: '2020-01-01T00:00:00Z', secret: 'b' };
    expect(notes.resource.shown(sent)).toEqual({ title: 'a', stars: 1 });
    expect(notes.resource.view!({ ...sent, id: 7, made_by: 'c', stars: null })).toEqual({ title: 'a', id: '7' });
  });

  it.each([
    ['leads by something else than a member of the response', { link: '$response.header.X-Id' }],
    ['leads by a constant', { link: 'one' }],
  ])('are skipped where a link %s', (_, parts) => {
    expect(lawsOf(contractWith(parts))).toEqual({
      tried: [],
      skipped: {
        'addNote.items': 'the link from addNote to readNote does not lead by one member of the response alone',
      },
    });
  });

  it('do not expect at once what is only accepted', () => {
    expect(lawsOf(contractWith({ status: '202' }))).toEqual({
      tried: [],
      skipped: { 'addNote.items': 'addNote may respond before the item is there (202)' },
    });
  });
});

const contract = parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths: {}
components:
  schemas:
    Text: {type: string, minLength: 3, maxLength: 5}
    Code: {type: string, pattern: '^[A-Z]{2}$'}
    Time: {type: object, properties: {at: {type: string, format: date-time}}}
    Own: {type: object, properties: {id: {type: string, readOnly: true}}}
    Tree: {type: object, properties: {name: {type: string}, inside: {$ref: '#/components/schemas/Tree'}}}
    Set: {type: array, uniqueItems: true, items: {type: integer}}
    Body:
      type: object
      required: [text]
      properties: {text: {$ref: '#/components/schemas/Text'}, none: {type: [string, 'null']}, half: {type: number, maximum: 0.5, minimum: 0.25}}
`);
const shape = (name: string) => shapeOf(contract, `/components/schemas/${name}`);

describe('values that stay as they are', () => {
  it('have no format with several spellings, and nothing that only one side has', () => {
    const exact = ['Text', 'Code', 'Time', 'Own', 'Tree', 'Set'].filter((name) => isExact(shape(name)));
    expect(exact).toEqual(['Text', 'Code', 'Tree', 'Set']);
  });

  it('are new words in place of free texts', () => {
    expect(tame(shape('Text'), ' É ')).toMatch(/^[a-z]{5}$/);
    expect(tame(shape('Code'), 'AB')).toBe('AB');
  });

  it('are sets of one', () => expect(tame(shape('Set'), [2, 1])).toEqual([2]));

  it('stay valid, and leave out null', () => {
    const tamed = tameBody(contract, '/components/schemas/Body', { text: 'x y z', none: null, half: 0.5 });
    expect(tamed).toEqual({ text: expect.stringMatching(/^[a-z]{5}$/), half: 0.5 });
  });
});
