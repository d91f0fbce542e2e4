/**
 * The formats for people show the same of one run, also if hostile text stands wherever a service
 * can put some.
 */
import { describe, expect, it } from 'vitest';
import type { Report } from '../run/result.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import {
  failing,
  GREEN,
  hostileReport,
  NOTHING,
  REPORT,
  reportOf,
  REQUIREMENTS,
} from './sample.test.fixture.ts';
import { renderSummary } from './terminal.ts';

interface Format {
  name: string;
  render: (report: Report) => string;
  /** The text as a reader gets it. */
  read: (output: string) => string;
}

const CHARACTER_REFERENCE = /&#(\d+);/g;
const TAG_OR_SOURCE = /<(style|script)>[^]*?<\/\1>|<[^>]*>/g;

function decoded(text: string): string {
  return text.replaceAll(CHARACTER_REFERENCE, (_, code: string) => {
    return String.fromCharCode(Number(code));
  });
}

const FORMATS: Format[] = [
  {
    name: 'text',
    render: (report) => renderSummary(report, { colour: false, width: 100 }),
    read: (output) => output,
  },
  {
    name: 'html',
    render: renderHtml,
    read: (output) => decoded(output.replaceAll(TAG_OR_SOURCE, '')),
  },
  { name: 'junit', render: renderJunit, read: decoded },
  {
    name: 'markdown',
    render: renderMarkdown,
    read: (output) => output.replaceAll(/\\(?=[|:_*])/g, '').replaceAll('`', ''),
  },
];

describe.each(FORMATS)('$name', ({ render, read }) => {
  const text = read(render(REPORT));

  it.each([
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
  ])('shows the verdict, and of which run it is: %s', (words) => {
    expect(text).toContain(words);
  });

  it('shows the failure with the fewest steps in full, and names others of its cause', () => {
    for (const { failure, id } of REQUIREMENTS) {
      if (failure === undefined) {
        continue;
      }
      expect(text).toContain(id);
      const { message, expected, got, curl, replay } = failure;
      const parts = [message, expected, got, curl, replay];
      const missing = parts.filter((part) => !text.includes(part));
      if (id === 'createEdge.unique') {
        expect(missing).toContain(curl);
      } else {
        expect(missing, id).toEqual([]);
      }
    }
    expect(text).toMatch(/1 other of the same cause|The same cause as createEdge\.short/);
  });

  it.each(['needs --token', 'for a test', 'A proxy refused.', 'passed 3 times'])(
    'has the reason why a requirement has not passed: %s',
    (reason) => {
      expect(text).toContain(reason);
    },
  );

  it('shows until when a failure is excused', () => {
    expect(text).toContain('known failure until 2999-12-31: a ticket');
  });

  it('shows why nothing was checked', () => {
    expect(read(render(NOTHING))).toMatch(/0 requirements checked[^]*No response came\./);
  });

  it('has no failure if all is well', () => {
    const green = read(render(GREEN));
    expect(green).not.toMatch(/Expected|expected|<failure|<error/);
    expect(green).toMatch(/Conformant|conformant/);
  });

  it('shows no control character, mark of direction or lone surrogate', () => {
    const shown = render(hostileReport('a\u001b]0;owned\u0007\u009b2J\r\u202e\u0000\ud800\uffff'));
    expect(shown).not.toMatch(/[^\P{C}\n\t]/u);
    const escaped = 'a\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u202e\\u0000\\ud800\\uffff';
    expect(read(shown)).toContain(escaped);
  });

  it('cuts a body of a megabyte, with a note', () => {
    const shown = render(reportOf([failing({ got: 'x'.repeat(1_000_000) })]));
    expect(shown.length).toBeLessThan(100_000);
    expect(shown).toMatch(/9\d\d,000 more characters: see report\.json/);
  });
});
