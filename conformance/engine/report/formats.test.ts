/**
 * One run with every status, shown in each format, and the same run with hostile text wherever a
 * service can put some.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Har } from 'har-format';
import { load } from 'js-yaml';
import type { Log as SarifLog } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { Report, RequirementResult, Status } from '../run/result.ts';
import { renderHar } from './har.ts';
import { displayWidth } from './columns.ts';
import { renderHtml, STYLE } from './html.ts';
import { SCRIPT } from './html-script.ts';
import { renderJunit } from './junit.ts';
import { markup } from './markup.ts';
import { renderMarkdown } from './markdown.ts';
import { redacted, redactor } from './redact.ts';
import { renderSarif } from './sarif.ts';
import schema from '../../../generated/report/schema.json' with { type: 'json' };
import { renderSummary } from './terminal.ts';

import { STATUSES } from './words.ts';

const ESCAPE = String.fromCharCode(0x1b);

const SAMPLE = load(readFileSync(join(import.meta.dirname, 'sample.yaml'), 'utf8')) as {
  report: Report;
};
const REQUIREMENTS = SAMPLE.report.requirements;

function reportOf(requirements: RequirementResult[], more: Partial<Report> = {}): Report {
  const having = (status: Status) => requirements.filter((one) => one.status === status).length;
  const summary = Object.fromEntries(
    STATUSES.map((status) => [status, having(status)]),
  ) as Report['summary'];
  return { ...SAMPLE.report, summary, requirements, ...more };
}

const REPORT = reportOf(REQUIREMENTS);
const NOTHING = reportOf([], { verdict: 'inconclusive', reason: 'No response came.' });
const GREEN = reportOf(REQUIREMENTS.slice(-1), { verdict: 'conformant' });

/** The sample with `text` wherever a service or a user has an influence. */
function hostileReport(text: string): Report {
  const kept =
    /^(verdict|id|level|status|method|origin|file|pointer|title|name|version|sha256|started_at|expires)$/;
  const replaced = (key: string, value: unknown) =>
    typeof value === 'string' && !kept.test(key) ? text : value;
  const hostile = JSON.stringify(REPORT, replaced).replaceAll(
    '"content-type"',
    JSON.stringify(text),
  );
  return JSON.parse(hostile) as Report;
}

const decoded = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
/** The text of a page. */
const textOf = (page: string) =>
  decoded(page.replaceAll(/<(style|script)>[^]*?<\/\1>|<[^>]*>/g, ''));

/** Each format, and how a reader gets its text. */
const FORMATS: [string, (report: Report) => string, (output: string) => string][] = [
  ['text', (report) => renderSummary(report, { colour: false, width: 100 }), (output) => output],
  ['html', renderHtml, textOf],
  ['junit', renderJunit, decoded],
  [
    'markdown',
    renderMarkdown,
    (output) => output.replaceAll(/\\(?=[|:_*])/g, '').replaceAll('`', ''),
  ],
];

describe.each(FORMATS)('%s', (format, render, read) => {
  const text = read(render(REPORT));

  it('says the verdict, why, and of which run', () => {
    for (const words of [
      'Not conformant',
      '5 requirements checked, 4 broken (1 known and excused), 3 not checked.',
      REPORT.target.url,
      'level extended, all origins, with a token',
      'Edge Service 0.1.0, sha256 9f86d081884c',
      'edge-conformance 0.2.0, seed 42, 100 cases per property',
      '48.2 s, 12,345 requests',
      '2 after 503, 3 after a lost connection, 1 case tried again from the start',
      '37 edges, perhaps 1 edge, since no response came',
      'The service is not stable.',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('shows one failure of each cause in full, that with the fewest steps, and names the others', () => {
    for (const { failure: evidence, id } of REQUIREMENTS.filter((one) => one.failure)) {
      const { message, expected, got, curl, replay } = evidence!;
      expect(text).toContain(id);
      const parts = [message, expected, got, curl, replay].filter((part) => text.includes(part));
      expect(parts.length === 5 || (id === 'createEdge.unique' && !parts.includes(curl)), id).toBe(
        true,
      );
    }
    expect(text).toMatch(/1 other of the same cause|The same cause as createEdge\.short/);
  });

  it('has the reason of what was not checked, is flaky or excused', () => {
    for (const reason of ['needs --token', 'for a test', 'A proxy refused.', 'passed 3 times']) {
      if (format !== 'text' || !/^(needs|for)/.test(reason)) {
        expect(text).toContain(reason);
      }
    }
    expect(text).toContain('known failure until 2999-12-31: a ticket');
  });

  it('is not green where nothing was checked, and has no failures where all is well', () => {
    expect(read(render(NOTHING))).toMatch(/0 requirements checked[^]*No response came\./);
    const green = read(render(GREEN));
    expect(green).not.toMatch(/Expected|expected|<failure|<error/);
    expect(green).toMatch(/Conformant|conformant/);
  });

  it('shows no control character, mark of direction or lone surrogate', () => {
    const shown = render(hostileReport('a\u001b]0;owned\u0007\u009b2J\r\u202e\u0000\ud800\uffff'));
    expect(shown).not.toMatch(/[^\P{C}\n\t]/u);
    expect(read(shown)).toContain(
      'a\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u202e\\u0000\\ud800\\uffff',
    );
  });

  it('cuts a body of a megabyte and says so', () => {
    const { failure, ...rest } = REQUIREMENTS[1]!;
    const shown = render(
      reportOf([{ ...rest, failure: { ...failure!, got: 'x'.repeat(1_000_000) } }]),
    );
    expect(shown.length).toBeLessThan(100_000);
    expect(shown).toMatch(/9\d\d,000 more characters: see report\.json/);
  });
});

describe('the terminal', () => {
  const show = (report: Report, colour: boolean, width = 100) =>
    renderSummary(report, { colour, width });

  it('begins with a line for each area and each cause, the largest first and flaky ones last', () => {
    expect(show(REPORT, false).split('\n').slice(0, 9)).toEqual([
      'area        passed  broken  others  most often',
      'createEdge       0       4       0  Expected 400, got 201 (2)',
      'getEdge          1       0       3',
      '',
      'broken  cause',
      '     2  Expected 400, got 201',
      '     1  Not | found',
      '     1  Flaky: Not | found',
      '',
    ]);
  });

  it.each([20, 60, 100])('breaks evidence, but nothing that is copied, at %i columns', (width) => {
    const [evidence = ''] = show(reportOf([REQUIREMENTS[1]!]), false, width).split(
      'show it with curl',
    );
    expect(
      Math.max(...evidence.slice(evidence.indexOf('✗')).split('\n').map(displayWidth)),
    ).toBeLessThanOrEqual(width);
    expect(show(REPORT, true, width)).toContain(`\n${REQUIREMENTS[1]!.failure!.curl}\n`);
  });

  it('has its own colours and no other escape sequence', () => {
    const hostile = hostileReport('\u001b[31m');
    const coloured = show(hostile, true);
    expect(coloured).toContain('\u001b[');
    expect(coloured.replaceAll(new RegExp(`${ESCAPE}\\[\\d{1,2}m`, 'g'), '')).toBe(
      show(hostile, false),
    );
  });
});

describe('HTML', () => {
  const page = renderHtml(REPORT);
  const bare = (text: string) => text.replaceAll(/(<(style|script)>)[^]*?(<\/\2>)/g, '$1$3');
  const tagsOf = (text: string) =>
    [...bare(text).matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)].map(
      ([, name, rest = '']) => ({
        name: name!,
        attributes: new Map(
          [...rest.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, key, value]) => [
            key!,
            value ?? '',
          ]),
        ),
      }),
    );
  const tags = tagsOf(page);
  const valuesOf = (name: string) => tags.flatMap(({ attributes }) => attributes.get(name) ?? []);

  it('forbids the network and allows its own style and script alone', () => {
    const [policy = ''] = /default-src 'none';[^"]*/.exec(page) ?? [];
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    for (const kind of ['style', 'script']) {
      const [, content = ''] = new RegExp(`<${kind}>([^]*?)</${kind}>`).exec(page) ?? [];
      expect(policy).toContain(
        `${kind}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`,
      );
    }
    expect(page.indexOf(policy)).toBeLessThan(page.indexOf('<style>'));
    expect(`${STYLE}${SCRIPT}`).not.toMatch(/url\(|@import|fetch|XMLHttpRequest|innerHTML|eval/);
    expect(() => new Script(SCRIPT)).not.toThrow();
  });

  it('links and labels what is on the page, once, and skips no level of headings', () => {
    const ids = valuesOf('id');
    expect(new Set(ids).size).toBe(ids.length);
    const used = ['aria-labelledby', 'for', 'data-copy'].flatMap(valuesOf);
    const called = [...SCRIPT.matchAll(/getElementById\('([^']+)'\)/g)].map(([, id]) => id!);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...used,
        ...called,
        ...valuesOf('href').map((href) => href.slice(1)),
      ]),
    );
    const levels = tags.filter(({ name }) => /^h\d$/.test(name)).map(({ name }) => Number(name[1]));
    levels.forEach((level, i) => expect(level).toBeLessThanOrEqual((levels[i - 1] ?? 0) + 1));
  });

  it('makes no tag of hostile text', () => {
    const attacked = renderHtml(
      hostileReport(`</script></style><!--<img src=x onerror=alert(1)>"'\`&lt;`),
    );
    const names = new Set(tags.map(({ name }) => name));
    for (const { name, attributes } of tagsOf(attacked)) {
      expect(names).toContain(name);
      for (const attribute of attributes.keys()) {
        expect(attribute).not.toMatch(/^on|^src$|^style$/);
      }
    }
    // Every `<` begins a tag that was read above.
    const outside = bare(attacked).replace('<!doctype html>', '');
    expect(outside.match(/</g)).toHaveLength(
      (outside.match(/<\/[a-z0-9]+>/g) ?? []).length + tagsOf(attacked).length,
    );
    const forged = { toString: () => '<img>' } as unknown as string;
    expect(String(markup`<p>${forged}${['<b>', 1, null]}</p>`)).toBe(
      '<p>&#60;img&#62;&#60;b&#62;1</p>',
    );
  });

  it.each([0, 1])('has enough contrast in scheme %i', (scheme) => {
    const block = [...STYLE.matchAll(/:root \{([^}]*)\}/g)][scheme]![1]!;
    const named = [...block.matchAll(/--(\w+): #(\w+)/g)];
    const colours = Object.fromEntries(named.map(([, name, hex]) => [name, luminance(hex!)]));
    for (const ground of ['ground', 'card', 'inset']) {
      for (const ink of ['text', 'soft', 'link', 'pass', 'fail', 'error', 'skip', 'disabled']) {
        const [dark, light] = [colours[ground]!, colours[ink]!].toSorted((a, b) => a - b);
        expect((light! + 0.05) / (dark! + 0.05), `${ink} on ${ground}`).toBeGreaterThan(4.5);
      }
    }
  });
});

/** Relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const parts = [...Buffer.from(hex, 'hex')].map((byte) => byte / 255);
  const [r, g, b] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

it.each([
  ['the sample', REPORT, { tests: '8', failures: '4', errors: '1', skipped: '2' }],
  ['a run without requirements, which is red', NOTHING, { tests: '1', failures: '0', errors: '1' }],
  ['a conformant run', GREEN, { tests: '1', failures: '0', errors: '0' }],
  [
    'hostile text',
    hostileReport(`]]></failure>"'&amp;<img onerror=x>\r\n\uffff`),
    { tests: '8', failures: '4' },
  ],
])('JUnit counts in each suite what is in it: %s', (_, report, counts) => {
  const elements: SaxesTagPlain[] = [];
  const parser = new SaxesParser({});
  parser.on('opentag', (tag) => elements.push(tag));
  // It throws where the text is not XML.
  parser.write(renderJunit(report)).close();
  expect(elements.shift()!.attributes).toMatchObject(counts);
  const suites = elements.filter(({ name }) => name === 'testsuite');
  const elementOf = { tests: 'testcase', failures: 'failure', errors: 'error', skipped: 'skipped' };
  for (const [counter, element] of Object.entries(elementOf)) {
    const sum = suites.reduce((all, { attributes }) => all + Number(attributes[counter]), 0);
    const found = elements.filter(({ name }) => name === element);
    expect(found, counter).toHaveLength(sum);
  }
});

it('SARIF has a result for what is broken or in error, at its line, and suppresses known failures alone', () => {
  const [run] = (JSON.parse(renderSarif(REPORT)) as SarifLog).runs;
  expect(run!.results!.map(({ level }) => level)).toEqual([
    'error',
    'error',
    'error',
    'error',
    'warning',
  ]);
  const ids = REQUIREMENTS.slice(0, 5).map(({ id }) => id);
  expect(run!.results!.map(({ ruleIndex }) => run!.tool.driver.rules![ruleIndex!]!.id)).toEqual(
    ids,
  );
  const { artifactLocation, region } = run!.results![1]!.locations![0]!.physicalLocation!;
  expect([artifactLocation!.uri, region!.startLine]).toEqual(['openapi.yaml', 138]);
  expect(run!.results![1]!.message.text).toMatch(
    /^The rule .*\n\nThe short message\.\nexpected 400 of short\ngot 201/,
  );
  const suppressed = run!.results!.filter(({ suppressions }) => suppressions!.length > 0);
  expect(suppressed.map(({ ruleId }) => ruleId)).toEqual(['createEdge.known']);
});

it('HAR has the exchanges of each failure, also those without a response', () => {
  const { entries } = (JSON.parse(renderHar(REPORT)) as Har).log;
  const rows = entries.map((one) => [
    one.pageref,
    one.request.method,
    one.response.status,
    one.response.statusText,
  ]);
  expect(rows.slice(0, 3)).toEqual([
    ['createEdge.unique', 'POST', 201, 'Created'],
    ['createEdge.unique', 'GET', 0, 'The connection was closed.'],
    ['createEdge.short', 'POST', 201, 'Created'],
  ]);
  expect(entries[0]!.request.postData).toEqual({ mimeType: 'application/json', text: '{}' });
  expect(entries[1]!.request).not.toHaveProperty('postData');
});

describe('Markdown', () => {
  /** The text outside of fences, as a reader of CommonMark divides it. */
  const outsideFences = (text: string) => text.replaceAll(/^(`{3,})\w*\n[^]*?^\1$/gm, '');

  it('shows no markup of the service', () => {
    const hostile =
      '</b><img onerror=x>![x](http://evil.example) **b** @admin #1\n\n# heading\n| a |\n````\n```';
    const spans = /(?<!\\)(`+)[^\n]+?(?<!`)\1(?!`)/g;
    const prose = outsideFences(renderMarkdown(hostileReport(hostile))).replaceAll(spans, '');
    expect(prose).not.toMatch(/<|(?<!\\|^- |^## )(?:!|\[|@|\*\*b)|http:|^# heading/m);
    expect(prose).toContain('&#60;/b&#62;&#60;img onerror=x&#62;\\!\\[x\\](http\\://evil.example)');
  });

  it('stays below the limit of GitHub whatever there is', () => {
    const long = '<€😀`\u0000'.repeat(3_000);
    const hostile = hostileReport(long);
    const failing = Array.from({ length: 2_000 }, (_, i) => ({
      ...hostile.requirements[0]!,
      failure: { ...hostile.requirements[0]!.failure!, cause: `${i % 200} ${long}` },
    }));
    const others = Array.from({ length: 5_000 }, () => hostile.requirements[5]!);
    const markdown = renderMarkdown({ ...hostile, requirements: [...failing, ...others] });
    expect(Buffer.byteLength(markdown)).toBeLessThan(900_000);
    expect(markdown.match(/… and [\d,]+ more: see report\.json/g)!.length).toBeGreaterThanOrEqual(
      2,
    );
    expect(outsideFences(markdown)).not.toMatch(/^```/m);
  });
});

/** It is closed, and the sample has every member of the types: one without the other fails. */
describe('report.schema.json', () => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  const errorsOf = (report: unknown) => {
    if (validate(JSON.parse(JSON.stringify(report)))) {
      return [];
    }
    return validate.errors;
  };

  it.each([
    ['every status', REPORT],
    ['no requirements', NOTHING],
    ['a conformant service', GREEN],
    [
      'secrets that are statuses',
      redacted(REPORT, redactor(['pass', 'POST', 'core', '42', '201'])),
    ],
  ])('accepts a report of %s', (_, report) => expect(errorsOf(report)).toEqual([]));

  const broken: [string, (report: any) => unknown][] = [
    ['an unknown property', (report) => (report.requirements[0].extra = 1)],
    ['a verdict without a reason', (report) => delete report.reason],
    ['a failure without evidence', (report) => delete report.requirements[0].failure],
    ['a pass with evidence', (report) => (report.requirements[0].status = 'pass')],
    ['an invalid pointer', (report) => (report.requirements[0].clause.pointer = '#/paths')],
    [
      'neither response nor error',
      (report) => (report.requirements[1].failure.exchanges[0].response = null),
    ],
  ];
  it.each(broken)('refuses %s', (_, breakIt) => {
    const report = structuredClone(REPORT);
    breakIt(report);
    expect(errorsOf(report)).not.toEqual([]);
  });
});
