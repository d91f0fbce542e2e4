/** The page says all that the contract says, in words, and where it comes from. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../clients/samples/index.ts';
import { linkDecisions, readDecisions } from './decisions.ts';
import { pageContent } from './document.ts';
import { GUIDES, readGuides } from './guides.ts';
import { isData, isObject, type Json, objectsIn } from './json.ts';

const root = join(import.meta.dirname, '..', '..');
const decisions = readDecisions(join(root, 'docs', 'decisions'));
const { document, samples, base } = pageContent(join(root, 'openapi.yaml'), decisions, readGuides(root));
const schemas = (document['components'] as { schemas: Record<string, Json> }).schemas;
const operations = Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    isObject(operation) && operation['operationId'] ? [{ path, method, operation }] : [],
  ),
);
const tags = document['tags'] as { name: string; 'x-displayName': string; description: string }[];
const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
const introduction = (document['info'] as { description: string }).description;

/** All objects that describe something. */
function objects(): [string, Json][] {
  return [...objectsIn(document)]
    .filter(([path]) => !isData(path))
    .map(([path, object]) => [`/${path.join('/')}`, object]);
}

describe('decision records', () => {
  it('are all there, each in the menu', () => {
    expect(decisions.length).toBe(
      readdirSync(join(root, 'docs', 'decisions')).filter((name) => name.startsWith('D')).length,
    );
    expect(groups.at(-1)!.name).toBe('About the contract');
    expect(groups.at(-1)!.tags.filter((name) => name.startsWith('decision-'))).toEqual(
      decisions.map(({ id }) => `decision-${id.toLowerCase()}`),
    );
    for (const { id, title } of decisions) {
      expect(tags.filter(({ name }) => name === `decision-${id.toLowerCase()}`)).toEqual([
        {
          name: `decision-${id.toLowerCase()}`,
          'x-displayName': `${id}: ${title.replaceAll('`', '')}`,
          'x-traitTag': true,
          description: expect.stringContaining('**Decision.**'),
        },
      ]);
    }
  });

  it('are shown on demand where they only say where a rule comes from', () => {
    expect(linkDecisions('so (RFC 1, D06)', new Set(['D06']))).toBe(
      'so (RFC 1<span class="origin">, [D06](#/decision-d06)</span>)',
    );
    expect(linkDecisions('so (D06, D07), and', new Set(['D06', 'D07']))).toBe(
      'so<span class="origin"> ([D06](#/decision-d06), [D07](#/decision-d07))</span>, and',
    );
  });

  it('are linked from wherever they are named', () => {
    const known = new Set(['D06', 'D07']);
    expect(linkDecisions('so _D07_ and D99', known)).toBe('so _[D07](#/decision-d07)_ and D99');
    expect(linkDecisions('`x-origin: D06`, [D06](#x), XD06, D061', known)).toBe(
      '`x-origin: D06`, [D06](#x), XD06, D061',
    );
    for (const [place, { description }] of objects()) {
      if (typeof description !== 'string') continue;
      const bare = description.replaceAll(/```[^]*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\)/g, '');
      expect(bare.match(/(?<![A-Za-z0-9])D\d\d(?!\d)/g) ?? [], place).toEqual([]);
    }
  });
});

describe('the introduction', () => {
  const pages = groups[0]!.tags.map((name) => tags.find((tag) => tag.name === name)!);
  const headings = pages.map((tag) => tag['x-displayName']);

  it('begins with a first request from the examples, its response and the links', () => {
    const opening = introduction;
    expect(opening).toContain(`Base URL: \`${base}\``);
    const [, curl] = /```bash\nAPI_TOKEN=your-token\n([^]*?)```/.exec(opening)!;
    expect(Object.values(samples).flatMap((one) => Object.values(one['curl']!))).toContain(curl);
    const [, response] = /The response is 201:\n\n```json\n([^]*?)\n```/.exec(opening)!;
    expect(JSON.parse(response!)).toMatchObject({ uri: expect.stringContaining(base) });
    for (const target of ['openapi.yaml', 'openapi.json', 'openapi-3.0.yaml', ...GUIDES.map(({ tag }) => `#/${tag}`)])
      expect(opening).toContain(`](${target})`);
  });

  it('has the sections of the contract under the words that people search for', () => {
    expect(headings).toEqual(
      expect.arrayContaining(['Authentication', 'Errors', 'Pagination', 'Limits', 'Updating safely', 'Versioning']),
    );
  });

  it('loses no section of the contract: levels and origins stand at the end', () => {
    const contract = readFileSync(join(root, 'openapi.yaml'), 'utf8');
    const sections = [...contract.slice(0, contract.indexOf('\nservers:')).matchAll(/^ {4}## (.+)$/gm)];
    const background = groups.at(-1)!.tags.filter((name) => name.startsWith('about-'));
    expect(background).toContain('about-levels');
    expect(headings.filter((title) => title !== 'Overview').length + background.length).toBe(sections.length);
    expect(headings).not.toContain('Levels');
  });

  it('has errors in two columns', () => {
    const { description } = pages.find(({ name }) => name === 'errors')!;
    const table = description.slice(description.indexOf('| error |')).split('\n\n')[0]!.trim().split('\n');
    expect(table.length).toBeGreaterThan(12);
    for (const row of table) expect(row.split(/(?<!\\)\|/)).toHaveLength(4);
    expect(table.join('\n')).toMatch(/^\| 404 `not_found` \| /m);
  });
});

describe('guides', () => {
  it.each(GUIDES)('$title is in the menu, and links to nothing that the page does not have', ({ tag }) => {
    expect(groups.find(({ name }) => name === 'Guides')!.tags).toContain(tag);
    const { description } = tags.find(({ name }) => name === tag)!;
    expect(description.length).toBeGreaterThan(500);
    const text = description.replaceAll(/```[^]*?```/g, '');
    for (const [, to] of text.matchAll(/\]\(([^)]*)\)/g)) expect(to).toMatch(/^https?:|^#\//);
    expect(text).not.toMatch(/^#{1,2} /m);
  });
});

describe('operations', () => {
  it.each(
    operations.map(({ operation, ...rest }) => [operation['operationId'] as string, { operation, ...rest }] as const),
  )('%s has a level and an origin on demand, and a sample in each language', (_, { path, method, operation }) => {
    expect(operation['description']).toMatch(
      /<span class="origin">Level: \w+\. Origin: .*(§\d|decision-d\d\d).*<\/span>/,
    );
    const shown = operation['x-codeSamples'] as { label: string; source: string }[];
    expect(shown.map(({ label }) => label)).toEqual(Object.keys(LANGUAGES));
    for (const { label, source } of shown)
      expect(Object.values(samples[`${method.toUpperCase()} ${path}`]![label]!)[0]).toBe(source);
  });

  it('has a sample for each example that the page offers', () => {
    for (const { path, method, operation } of operations) {
      const content = (operation['requestBody'] as { content: Record<string, { examples: Json }> } | undefined)
        ?.content;
      const offered = content === undefined ? [''] : Object.keys(Object.values(content)[0]!.examples);
      for (const byExample of Object.values(samples[`${method.toUpperCase()} ${path}`]!))
        expect(Object.keys(byExample)).toEqual(offered);
    }
  });
});

describe('schemas', () => {
  it('are each in the menu once', () => {
    const known = groups.find(({ name }) => name === 'Schemas')!.tags;
    for (const [name, schema] of Object.entries(schemas)) {
      expect(schema['x-tags'], name).toHaveLength(1);
      expect(known).toContain((schema['x-tags'] as string[])[0]);
    }
  });

  it('tell forms in words, bytes as bytes, and what goes together in the description', () => {
    for (const [place, object] of objects()) {
      expect(
        Object.keys(object).filter((name) => ['x-pattern-description', 'x-max-bytes', 'x-origin', 'if'].includes(name)),
        place,
      ).toEqual([]);
    }
    expect(schemas['Hostport']).not.toHaveProperty('pattern');
    expect(schemas['Hostport']!['description']).toMatch(/^Form: /m);
    expect(schemas['Description']!['description']).toContain('255 bytes of UTF-8');
    expect(schemas['Description']).not.toHaveProperty('maxLength');
  });

  it('show the fields of an object that may be null', () => {
    const { backend } = schemas['HTTPSEdgeRoute']!['properties'] as Record<string, Json>;
    expect(backend).toMatchObject({
      type: ['object', 'null'],
      title: 'EndpointBackend',
      properties: { enabled: expect.anything() },
    });
    expect(backend!['description']).not.toBe(schemas['EndpointBackend']!['description']);
  });
});
