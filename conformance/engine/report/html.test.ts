/** The HTML report: nothing runs that it does not contain, and everybody can read it. */
import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SCRIPT } from './html-script.ts';
import { renderHtml, STYLE } from './html.ts';
import { markup } from './markup.ts';
import { failing, hostileReport, REPORT, reportOf } from './sample.test.fixture.ts';

const SOURCES = /(<(style|script)>)[^]*?(<\/\2>)/g;
const START_TAG = /<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g;
const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/g;

interface Tag {
  name: string;
  attributes: Map<string, string>;
}

function withoutSources(page: string): string {
  return page.replaceAll(SOURCES, '$1$3');
}

function tagsOf(page: string): Tag[] {
  return [...withoutSources(page).matchAll(START_TAG)].map(([, name = '', rest = '']) => {
    const attributes = new Map<string, string>();
    for (const [, key = '', value = ''] of rest.matchAll(ATTRIBUTE)) {
      attributes.set(key, value);
    }
    return { name, attributes };
  });
}

const page = renderHtml(REPORT);
const tags = tagsOf(page);
const valuesOf = (name: string) => tags.flatMap(({ attributes }) => attributes.get(name) ?? []);

it('the policy forbids the network and allows nothing but the style and script of the page', () => {
  const [policy = ''] = /default-src 'none';[^"]*/.exec(page) ?? [];
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  for (const kind of ['style', 'script']) {
    const [, content = ''] = new RegExp(`<${kind}>([^]*?)</${kind}>`).exec(page) ?? [];
    const hash = createHash('sha256').update(content).digest('base64');
    expect(policy).toContain(`${kind}-src 'sha256-${hash}'`);
  }
  expect(page.indexOf(policy)).toBeLessThan(page.indexOf('<style>'));
  expect(`${STYLE}${SCRIPT}`).not.toMatch(/url\(|@import|fetch|XMLHttpRequest|innerHTML|eval/);
  expect(() => new Script(SCRIPT)).not.toThrow();
});

it('ids occur once, and what links, labels and scripts name is on the page', () => {
  const ids = valuesOf('id');
  expect(new Set(ids).size).toBe(ids.length);
  const used = ['aria-labelledby', 'for', 'data-copy'].flatMap(valuesOf);
  const called = [...SCRIPT.matchAll(/getElementById\('([^']+)'\)/g)].map(([, id = '']) => id);
  const linked = valuesOf('href').map((href) => href.slice(1));
  expect(ids).toEqual(expect.arrayContaining([...used, ...called, ...linked]));
});

it('findings come before what never succeeded and other warnings', () => {
  const [body = ''] = page.split('<body>').slice(1);
  expect(body.indexOf('in the order in which to fix them')).toBeGreaterThan(0);
  expect(body.indexOf('<h2>Warnings</h2>')).toBeGreaterThan(
    body.indexOf('in the order in which to fix them'),
  );
  expect(body.slice(0, body.indexOf('<main>'))).not.toContain('<dl>');
});

it('a finding has the request that shows it, with what is wrong', () => {
  const shown = renderHtml(reportOf([failing({ kind: 'law', got: '201, it is gone' })]));
  expect(shown).toContain('→ 201, it is gone</code>');
});

it('no level of headings is skipped', () => {
  let before = 0;
  for (const { name } of tags.filter((tag) => /^h\d$/.test(tag.name))) {
    const level = Number(name.slice(1));
    expect(level).toBeLessThanOrEqual(before + 1);
    before = level;
  }
  expect(before).toBeGreaterThan(0);
});

it('hostile text makes no tag', () => {
  const hostile = `</script></style><!--<img src=x onerror=alert(1)>"'\`&lt;`;
  const attacked = renderHtml(hostileReport(hostile));
  const names = new Set(tags.map(({ name }) => name));
  for (const { name, attributes } of tagsOf(attacked)) {
    expect(names).toContain(name);
    for (const attribute of attributes.keys()) {
      expect(attribute).not.toMatch(/^on|^src$|^style$/);
    }
  }
  // Every `<` begins a tag that was read above.
  const outside = withoutSources(attacked).replace('<!doctype html>', '');
  const endTags = outside.match(/<\/[a-z0-9]+>/g) ?? [];
  expect(outside.match(/</g)).toHaveLength(endTags.length + tagsOf(attacked).length);
});

it('an object with a `toString` does not pass for markup', () => {
  const forged = { toString: () => '<img>' } as unknown as string;
  const made = markup`<p>${forged}${['<b>', 1, null]}</p>`;
  expect(made.toString()).toBe('<p>&#60;img&#62;&#60;b&#62;1</p>');
});

describe.each([
  { scheme: 'light', index: 0 },
  { scheme: 'dark', index: 1 },
])('in the $scheme scheme', ({ index }) => {
  const blocks = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) => block);
  const colours = new Map<string, number>();
  for (const [, name = '', hex = ''] of (blocks[index] ?? '').matchAll(/--(\w+): #(\w+)/g)) {
    colours.set(name, luminance(hex));
  }
  const luminanceOf = (name: string) => colours.get(name) ?? Number.NaN;

  it.each(['text', 'soft', 'link', 'pass', 'fail', 'error', 'blocked', 'skip', 'disabled'])(
    '%s has enough contrast on every background',
    (ink) => {
      for (const background of ['ground', 'card', 'inset']) {
        const both = [luminanceOf(background), luminanceOf(ink)];
        const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
        expect(contrast, `${ink} on ${background}`).toBeGreaterThan(4.5);
      }
    },
  );
});

/** Relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [...Buffer.from(hex, 'hex')].map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
