/** The page says in words all that the contract says, with its origins. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../clients/samples/index.ts';
import { pageContent } from './document.ts';
import { isObject, type Json, objectsIn, readDocument } from './json.ts';
import { llmsText } from './pages.ts';
import { completed } from './redoc.ts';
import { GUIDES, linkDecisions } from './texts.ts';
import { forConsole } from './try.ts';
import { wholeDocument } from './whole.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = pageContent(root);
const { document, samples } = page;
const { schemas } = document['components'] as { schemas: Record<string, Json> };
const tags = document['tags'] as { name: string; 'x-displayName': string; description: string }[];
const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
const tagsIn = (group: string) => groups.find(({ name }) => name === group)!.tags;
const operations = Object.entries(document['paths'] as Record<string, Json>).flatMap(
  ([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isObject(operation) && operation['operationId'])
      .map(([method, operation]) => ({
        key: `${method.toUpperCase()} ${path}`,
        operation: operation as Json,
      })),
);

it('decisions become links, on demand where they are origins, except in code and links', () => {
  const known = new Set(['decision-d06', 'decision-d07']);
  const d06 = '[D06](#/decision-d06)';
  const d07 = '[D07](#/decision-d07)';
  expect(linkDecisions('so (D06, D07), and (RFC 1, D06), _D07_ and D99', known)).toBe(
    `so<span class="origin"> (${d06}, ${d07})</span>, ` +
      `and (RFC 1<span class="origin">, ${d06}</span>), _${d07}_ and D99`,
  );
  const kept = '`D06`, [D06](#x), XD06, D061';
  expect(linkDecisions(kept, known)).toBe(kept);
});

describe('the page', () => {
  it('has every section of the contract, guide, decision record and schema in the menu', () => {
    const contract = readFileSync(join(root, 'openapi.yaml'), 'utf8');
    const sections = [
      ...contract
        .slice(0, contract.indexOf('\nservers:'))
        .matchAll(/^ {4}###? (?!For those)(.+)$/gm),
    ];
    const records = readdirSync(join(root, 'docs', 'decisions')).filter((name) =>
      /^D\d/.test(name),
    );
    const about = tagsIn('About the contract');
    const using = tagsIn('Using the API');
    expect(using).toEqual(
      expect.arrayContaining(['authentication', 'errors', 'pagination', 'retries']),
    );
    expect(using.length + about.filter((tag) => tag.startsWith('about-')).length).toBe(
      sections.length + 1,
    );
    const decisions = records.map((name) => `decision-${name.slice(0, 3).toLowerCase()}`);
    expect(about.filter((tag) => tag.startsWith('decision-'))).toEqual(decisions);
    expect(tagsIn('Guides')).toEqual(GUIDES.map(({ tag }) => tag));
    for (const schema of Object.values(schemas)) {
      expect(tagsIn('Schemas')).toContain((schema['x-tags'] as [string])[0]);
    }
    for (const tag of groups.flatMap((group) => group.tags)) {
      expect(tags.map(({ name }) => name)).toContain(tag);
    }
  });

  it('explains settings of the server by flag and by variable', () => {
    const text = tags.map(({ description }) => description).join('\n');
    for (const setting of ['--token-file', 'CORS_ORIGIN', 'DATABASE_URL', '--trust-proxy']) {
      expect(text).toContain(setting);
    }
  });

  it('has every guide for those who call the API, run a server or write one', () => {
    const index = readFileSync(join(root, 'docs', 'README.md'), 'utf8');
    const [, forReaders = ''] =
      /^\*\*You call the API\*\*([^]*)^\*\*You work on/m.exec(index) ?? [];
    const linked = [...forReaders.matchAll(/\]\(([\w-]+\.md)\)/g)].map(
      ([, name]) => `docs/${name}`,
    );
    expect(linked.length).toBeGreaterThan(7);
    expect(GUIDES.map(({ file }) => file)).toEqual(expect.arrayContaining(linked));
  });

  it('has only links that work, and no id of a decision without one', () => {
    const known = tags.map(({ name }) => name);
    for (const [path, { description }] of objectsIn(document)) {
      if (typeof description !== 'string') {
        continue;
      }
      const text = description.replaceAll(/```[^]*?```|`[^`\n]*`/g, '');
      for (const [, target] of text.matchAll(/\]\(([^)]*)\)/g)) {
        if (!/^https?:|^openapi|^try|^llms/.test(target!)) {
          expect(known, path.join('/')).toContain(target!.split('/')[1]);
        }
      }
      expect(text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, ''), path.join('/')).not.toMatch(
        /(?<![A-Za-z0-9])D\d\d(?!\d)/,
      );
    }
  });

  it.each(operations)('shows the level, the origin and samples of $key', ({ key, operation }) => {
    const origin = /<span class="origin">Level: \w+\. Origin: .*(§\d|decision-d\d\d).*<\/span>/;
    expect(operation['description']).toMatch(origin);
    const content = (
      operation['requestBody'] as { content: Record<string, { examples: Json }> } | undefined
    )?.content;
    const offered = content === undefined ? [''] : Object.keys(Object.values(content)[0]!.examples);
    const shown = operation['x-codeSamples'] as { label: string; source: string }[];
    expect(shown.map(({ label }) => label)).toEqual(Object.keys(LANGUAGES));
    for (const { label, source } of shown) {
      expect(Object.keys(samples[key]![label]!)).toEqual(offered);
      expect(Object.values(samples[key]![label]!)[0]).toBe(source);
    }
  });

  it('says forms in words, limits in bytes, and the fields of an object that may be null', () => {
    const raw = ['x-pattern-description', 'x-max-bytes', 'x-origin', 'if'];
    const found = [...objectsIn(document)].filter(([, object]) =>
      raw.some((keyword) => keyword in object),
    );
    expect(found.map(([path]) => path.join('/'))).toEqual([]);
    expect(schemas['Hostport']).not.toHaveProperty('pattern');
    expect(schemas['Hostport']!['description']).toMatch(/^Form: /m);
    expect(schemas['Description']!['description']).toContain('255 bytes of UTF-8');
    expect(schemas['Description']).not.toHaveProperty('maxLength');
    const { backend } = schemas['HTTPSEdgeRoute']!['properties'] as Record<string, Json>;
    const properties = { enabled: expect.anything() };
    expect(backend).toMatchObject({
      type: ['object', 'null'],
      title: 'EndpointBackend',
      properties,
    });
  });
});

describe('the pages as Markdown', () => {
  const { pages } = page;
  const files = pages.map(({ file }) => file);

  it('are one for each tag, operation and schema, and the beginning', () => {
    const count = 1 + tags.length + operations.length + Object.keys(schemas).length;
    expect(new Set(files).size).toBe(count);
  });

  it('link to one another and to files beside them, and show nothing that is hidden', () => {
    const beside = ['../openapi.yaml', '../openapi.json', '../llms.txt'];
    for (const { file, text } of pages) {
      const prose = text.replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, '');
      const links = [...prose.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target!);
      const local = links.filter((target) => !target.startsWith('http'));
      const broken = local.filter((link) => !files.includes(link) && !beside.includes(link));
      expect(broken, file).toEqual([]);
      expect(prose, file).not.toMatch(/<(?:span|button)|Try it/);
    }
  });

  it('have fences on lines of their own, each block with an end', () => {
    for (const { file, text } of pages) {
      const fences = text.split('\n').filter((line) => line.includes('```'));
      expect(fences.length % 2, file).toBe(0);
      for (const [index, fence] of fences.entries()) {
        expect(fence, file).toMatch(index % 2 === 0 ? /^```\w+$/ : /^```$/);
      }
    }
  });

  it('say the type, the limits and the description of each property', () => {
    const circuitBreaker = pages.find(({ title }) => title === 'EndpointCircuitBreaker')!;
    expect(circuitBreaker.text).toContain(
      '| `num_buckets` | [NumBuckets](NumBuckets.md): integer, at least 1, at most 128, ' +
        'default `10` | yes | The number of buckets',
    );
    const createRoute = pages.find(({ file }) => file === 'createRoute.md')!;
    expect(createRoute.text).toMatch(/^\| `oauth` \| \[EndpointOAuthMutate\].* or null \| no \|/m);
    expect(createRoute.text).toMatch(/^\| 201 \| \[HTTPSEdgeRoute\]/m);
    expect(createRoute.text).toContain('curl -X POST');
  });

  it('are all in llms.txt, once', () => {
    const list = llmsText(page.info, pages);
    expect(list).toMatch(/^# .+\n\n> .+\n/);
    const linked = [...list.matchAll(/\]\(pages\/([^)]+)\)/g)].map(([, file]) => file);
    expect(linked).toEqual(files);
  });

  it('have headings in the whole document that skip no level', () => {
    const html = wholeDocument(pages);
    const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    const skips = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
    expect(skips).toEqual([]);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
  });

  it('are all in the whole document, whose links stay in the page', () => {
    const html = wholeDocument(pages);
    expect(html.match(/<section>/g)).toHaveLength(pages.length);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).not.toMatch(/href="(?!#\/|https?:|openapi|llms)/);
  });
});

it('the console fills in no value that a first request cannot use', () => {
  const contract = readDocument(join(root, 'openapi.yaml'));
  const { parameters } = forConsole(contract)['components'] as { parameters: Record<string, Json> };
  const filledIn = Object.values(parameters).filter(
    ({ example, schema }) => example !== undefined || (schema as Json)['default'] !== undefined,
  );
  expect(filledIn.map(({ name }) => name)).toEqual(['subscription_id', 'type']);
  expect(parameters['Limit']!['description']).toMatch(/If empty: 100\.$/);
});

const bundle = [
  'let e=O?.find(e=>Dj(e)===ee);',
  'return e?e.source:1},[ee,O,n]),ae=2;',
  'f({"aria-label":`Example`,options:3});',
].join('');
const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const html = `<html><head></head>
<body><div id="redoc"><a href="/edges">x</a><img src="${logo}"></div>
<script type="module">${bundle}
hydrate(__redoc_definition, {})</script></body></html>`;
it.each([
  [/what a sample depends on is there 0 times/, html.replace('},[ee,O,n]),ae=', '')],
  [/the end of its head is there 2 times/, html.replace('<body>', '<body></head>\n')],
  [/no rendered part/, html.replace('id="redoc"', '')],
])('the file is refused if Redoc changed: %s', (message, text) => {
  expect(() => completed(text, page, root, '')).toThrow(message);
});
