import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { renderHtml } from './html.ts';
import { html, prose } from './html/markup.ts';
import { SCRIPT } from './html/script.ts';
import { STYLE } from './html/style.ts';
import { FAILURES } from './sample-failures.ts';
import { hostileReport, sampleReport, sampleResult } from './sample.ts';

interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** Tags as a browser sees them; the content of `style` and `script` is not markup up to its end tag. */
function tagsOf(page: string): Tag[] {
  const markup = page.replaceAll(/(<(style|script)>)[\s\S]*?(<\/\2>)/gu, '$1$3');
  return [...markup.matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*>/gu)].map(
    ([, name = '', rest = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...rest.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/gu)].map(([, key, value]) => [key, value ?? '']),
      ),
    }),
  );
}

function decode(text: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(#?\w+);/gu, (_, name: string) => characters[name] ?? '?');
}

/** What can be read. */
function textOf(page: string): string {
  return decode(page.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/gu, '').replaceAll(/<[^>]*>/gu, '')).replaceAll(
    /\s+/gu,
    ' ',
  );
}

const report = sampleReport();
const page = renderHtml(report);
const tags = tagsOf(page);
const text = textOf(page);

describe('first screen', () => {
  const [header = ''] = page.split('</header>');
  it.each([
    ['the verdict in words', 'Not conformant'],
    ['what it means', '4 of 173 checked requirements do not hold; 7 were not checked.'],
    ['why', report.reason],
    ['the service', 'http://127.0.0.1:4010'],
    ['the contract', 'HTTPS Edge and Event Source Configuration Service'],
    ['its version and short sum', '0.1.0 sha256 9f86d081884c'],
    ['the suite', 'edge-conformance 0.1.0'],
    ['the seed', '42, 100 cases per property'],
    ['when', '2026-03-04 10:20:30 UTC'],
    ['how long', '48.2 s, 12,345 requests'],
    ['what is left behind', '37 edges; perhaps 1 edge, since no response came'],
    ['counts', '3 failed 1 flaky 1 in error 5 skipped 1 disabled 169 passed'],
  ])('has %s', (_, part) => expect(textOf(header)).toContain(part));

  it('has a bar in which every status can be seen, and which ends where it should', () => {
    const rects = tags.filter(({ name }) => name === 'rect').map(({ attributes }) => attributes);
    expect(rects.map((rect) => rect['class'])).toEqual(['pass', 'disabled', 'skip', 'error', 'flaky', 'fail']);
    for (const rect of rects) expect(Number(rect['width'])).toBeGreaterThan(0.9);
    expect(Number(rects.at(-1)?.['x']) + Number(rects.at(-1)?.['width'])).toBeCloseTo(100, 1);
  });
});

describe('failures', () => {
  it.each(Object.entries(FAILURES))('%s has its evidence', (id, { message, expected, got, curl, replay }) => {
    const article =
      page
        .split('<article')
        .slice(1)
        .find((part) => part.includes(id)) ?? '';
    for (const part of [id, message.replaceAll('`', ''), expected, got, curl, replay]) {
      expect(textOf(article)).toContain(part.replaceAll(/\s+/gu, ' '));
    }
  });

  it('shows each request with its response', () => {
    expect(text).toContain('1. POST /event_subscriptions/sb_k2/sources → 400');
    expect(text).toContain('"code": "additionalProperties"');
    expect(text).toContain('→ no response');
    expect(text).toContain('The connection was closed before a response came.');
  });

  it('cuts bodies of a megabyte', () => {
    const failure = { ...FAILURES['createEdge.hostports.unique']!, got: 'x'.repeat(1_000_000) };
    const long = renderHtml(sampleReport({ requirements: [sampleResult('a.b', { status: 'fail', failure })] }));
    expect(long.length).toBeLessThan(100_000);
    expect(long).toContain('980,000 more characters');
  });

  it('shows the evidence of an error where there is any', () => {
    const failure = FAILURES['createEdge.hostports.unique']!;
    const requirements = [sampleResult('a.b', { status: 'error', reason: 'Refused.', failure })];
    const shown = renderHtml(sampleReport({ verdict: 'inconclusive', requirements }));
    expect(textOf(shown)).toContain('! in error: A hostport');
    expect(textOf(shown)).toContain(failure.message);
  });
});

describe('requirements', () => {
  it('are all there, by area, each with its status', () => {
    const rows = tags.filter(({ attributes }) => attributes['data-status']);
    expect(rows).toHaveLength(180);
    expect(rows.filter(({ attributes }) => attributes['data-status'] === 'fail')).toHaveLength(3);
    expect(tags.filter(({ attributes }) => attributes['class'] === 'area')).toHaveLength(7);
    for (const { id } of report.requirements) expect(text).toContain(id);
  });

  it('have a reason where they were not checked', () => {
    for (const { reason } of report.requirements) if (reason) expect(text.split(reason)).toHaveLength(3);
  });

  it('need not be there', () => {
    const nothing = renderHtml(sampleReport({ verdict: 'inconclusive', reason: 'No response.', requirements: [] }));
    expect(textOf(nothing)).toContain(
      'The suite could not reach a verdict on this service: nothing was checked. No response.',
    );
    expect(nothing).not.toContain('id="search"');
  });
});

describe('access', () => {
  it('has headings that skip no level', () => {
    const levels = tags.filter(({ name }) => /^h\d$/u.test(name)).map(({ name }) => Number(name[1]));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, i) => expect(level).toBeLessThanOrEqual((levels[i - 1] ?? 0) + 1));
  });

  it('has column headers, a language, a live region and labels', () => {
    const headers = tags.filter(({ name }) => name === 'th');
    expect(headers.length).toBeGreaterThan(0);
    for (const { attributes } of headers) expect(attributes['scope']).toBe('col');
    expect(page).toContain('<html lang="en">');
    expect(page).toMatch(/<p id="found"[^>]* aria-live="polite">/u);
    expect(page).toContain('<label for="search">');
  });

  it('links and labels what is on the page, once', () => {
    const ids = tags.flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of tags) {
      for (const name of ['aria-labelledby', 'for', 'data-copy']) {
        if (attributes[name] !== undefined) expect(ids).toContain(attributes[name]);
      }
      if (attributes['href'] !== undefined) expect(ids).toContain(attributes['href'].replace(/^#/u, ''));
    }
    for (const [, id] of SCRIPT.matchAll(/getElementById\('([^']+)'\)/gu)) expect(ids).toContain(id);
  });

  it('hides what needs JavaScript until there is some', () => {
    expect(page).toContain('<div id="filter" hidden>');
    const copy = tags.filter(({ attributes }) => 'data-copy' in attributes);
    expect(copy).toHaveLength(8);
    for (const { attributes } of copy) expect(attributes).toHaveProperty('hidden');
  });

  it.each([
    ['light', 0],
    ['dark', 1],
    ['print', 2],
  ])('has enough contrast: %s', (_, scheme) => {
    const blocks = [...STYLE.matchAll(/:root \{([^}]*)\}/gu)].map(([, block = '']) => block);
    const colours = Object.fromEntries(
      [...(blocks[scheme] ?? '').matchAll(/--(\w+): #(\w+)/gu)].map(([, name, colour]) => [
        name,
        luminance(colour ?? ''),
      ]),
    );
    for (const ground of ['ground', 'card', 'inset']) {
      for (const ink of ['text', 'soft', 'link', 'pass', 'fail', 'error', 'skip', 'disabled']) {
        const [light, dark] = [colours[ground], colours[ink]].sort((a = 0, b = 0) => b - a);
        expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05), `${ink} on ${ground}`).toBeGreaterThan(4.5);
      }
    }
  });
});

/** Relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [r = 0, g = 0, b = 0] = (long.match(/../gu) ?? []).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('policy', () => {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/u.exec(page)?.[1] ?? '';

  it('forbids the network, and allows this style and this script alone', () => {
    expect(policy).toMatch(/^default-src 'none'; /u);
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/u);
    for (const kind of ['style', 'script']) {
      const [, content = ''] = new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`, 'u').exec(page) ?? [];
      expect(policy).toContain(`${kind}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`);
    }
  });

  it('stands before anything that it is to hold for', () => {
    expect(page.indexOf(policy)).toBeLessThan(page.indexOf('<style>'));
  });

  it('is not even needed: nothing is loaded, and no style or handler stands in an attribute', () => {
    for (const { attributes } of tags) {
      expect(Object.keys(attributes)).not.toContain('src');
      expect(Object.keys(attributes).filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
    }
    expect(STYLE).not.toMatch(/url\(|@import/u);
    expect(SCRIPT).not.toMatch(/fetch|XMLHttpRequest|innerHTML|eval|<\//u);
  });

  it('allows a script that a browser can read', () => {
    expect(() => new Script(SCRIPT)).not.toThrow();
  });
});

describe('untrusted content', () => {
  const hostile = `</script></style><!--<img src=x onerror=alert(1)>"'\`&lt;\u0000\u001b\u202e\ud800`;
  const attacked = renderHtml(hostileReport(hostile));

  it('makes no tag and no attribute in any field', () => {
    const names = new Set(tags.map(({ name }) => name));
    for (const { name, attributes } of tagsOf(attacked)) {
      expect(names).toContain(name);
      for (const attribute of Object.keys(attributes)) expect(attribute).not.toMatch(/^on|^src$/u);
    }
    expect(attacked.match(/<\/script>/gu)).toHaveLength(1);
    expect(attacked.match(/<\/style>/gu)).toHaveLength(1);
    expect(attacked).not.toContain('<!--');
    expect(attacked).not.toMatch(/<img/iu);
    // Every `<` begins a tag that was read above.
    const outside = attacked.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/gu, '').replace('<!doctype html>', '');
    const ends = outside.match(/<\/[a-z0-9]+>/gu) ?? [];
    expect(outside.match(/</gu)).toHaveLength(ends.length + tagsOf(outside).length);
  });

  it('is still there to be read', () => {
    const shown = `</script></style><!--<img src=x onerror=alert(1)>"'\`&lt;\\u0000\\u001b\\u202e\\ud800`;
    expect(textOf(attacked).split(shown).length).toBeGreaterThan(20);
    expect(attacked).not.toMatch(/[\u202e\ud800]|\p{Cc}(?<![\n\t])/u);
  });

  it('cannot pass for markup', () => {
    const forged = { toString: () => '<img>', html: '<img>' } as unknown as string;
    expect(html`<p title="${'"'}">${forged}${['<b>', 1, null]}</p>`.toString()).toBe(
      '<p title="&quot;">&lt;img&gt;&lt;b&gt;1</p>',
    );
    expect(prose('`<b>` is --bold <i>').toString()).toBe(
      '<code>&lt;b&gt;</code> is <span class="option">--bold</span> &lt;i&gt;',
    );
  });
});
