import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import type { RequirementResult } from '../run/result.ts';
import { FAILURES } from './sample-failures.ts';
import { hostileReport, sampleReport, sampleResult } from './sample.ts';

/** The lines outside of fences, as a reader of CommonMark divides them. */
function outsideFences(markdown: string): string {
  const lines: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const marks = /^`{3,}/u.exec(line)?.[0] ?? '';
    if (fence === '' && marks !== '') fence = marks;
    else if (fence !== '') fence = marks.length >= fence.length && line === marks ? '' : fence;
    else lines.push(line);
  }
  expect(fence).toBe('');
  return lines.join('\n');
}

function failing(number: number, failure: object): RequirementResult[] {
  const evidence = { ...FAILURES['createEdge.hostports.unique']!, ...failure };
  return Array.from({ length: number }, (_, i) => sampleResult(`a.${i}`, { status: 'fail', failure: evidence }));
}

describe('renderMarkdown', () => {
  const text = renderMarkdown(sampleReport());

  it('begins with the verdict, then counts', () => {
    expect(text).toMatch(
      /^# Not conformant\n\n\*\*4 of 173 checked requirements do not hold; 7 were not checked\.\*\*\n/u,
    );
    expect(text).toContain(
      '| failed | flaky | in error | skipped | disabled | passed |\n|---:|---:|---:|---:|---:|---:|\n| 3 | 1 | 1 | 5 | 1 | 169 |',
    );
  });

  it('has for each failure the rule and its place, what came, and how to see it', () => {
    for (const result of sampleReport().requirements.filter(({ failure }) => failure)) {
      const [, section = ''] = text.split(`\`${result.id}\`, `);
      const { expected, got, curl, replay } = result.failure!;
      const place = `\`openapi.yaml:${result.clause.line}\` \`${result.clause.pointer}\``;
      for (const part of [result.origin, place, expected, got, `\`\`\`sh\n${curl}\n\`\`\``, replay]) {
        expect(section).toContain(part);
      }
    }
  });

  it('lists what was not checked with its reason, errors first', () => {
    const [, section = ''] = text.split('## Not checked\n\n');
    expect(section.trim().split('\n')).toHaveLength(7);
    expect(section).toMatch(/^- \*\*in error\*\*: .*ECONNRESET/u);
    expect(section).toContain('Needs --base-url to be https.');
  });

  it('leaves out the parts that would be empty', () => {
    const green = renderMarkdown(sampleReport({ verdict: 'conformant', requirements: [sampleResult('a.b')] }));
    expect(green).not.toContain('##');
    expect(green).toContain('The one checked requirement holds.');
  });

  it('makes a fence longer than the backticks inside', () => {
    const got = '```\n````\n# not a heading\n<img onerror>';
    const markdown = renderMarkdown(sampleReport({ requirements: failing(1, { got }) }));
    expect(markdown).toContain(`\`\`\`\`\`\n${got}\n\`\`\`\`\``);
    expect(outsideFences(markdown)).not.toContain('not a heading');
  });

  it('cuts long evidence and says so', () => {
    const markdown = renderMarkdown(sampleReport({ requirements: failing(1, { got: 'x'.repeat(50_000) }) }));
    expect(markdown).toContain('[… 46,000 more characters: see report.json]\n```');
    expect(markdown.length).toBeLessThan(10_000);
  });

  it('stays below 900 KB whatever there is', () => {
    const long = '<€😀`\u0000'.repeat(3_000);
    const requirements = failing(2_000, { message: long, expected: long, got: long, curl: long, replay: long });
    const others = Array.from({ length: 5_000 }, (_, i) =>
      sampleResult(`b.${i}`, { status: 'skip', sentence: long, reason: long }),
    );
    const report = hostileReport(long);
    const markdown = renderMarkdown({ ...report, requirements: [...report.requirements, ...requirements, ...others] });
    expect(Buffer.byteLength(markdown)).toBeLessThan(900_000);
    expect(markdown.match(/… and [\d,]+ more: see report\.json/gu)).toHaveLength(2);
    outsideFences(markdown);
  });

  it('shows no markup of the service', () => {
    const hostile = '</script><img onerror=x>![x](http://evil.example) **b** @admin #1\n\n# heading\n| a |\u202e\u001b';
    const markdown = outsideFences(renderMarkdown(hostileReport(hostile)));
    const prose = markdown.replaceAll(/(?<!\\)`[^`\n]+`/gu, '');
    expect(prose).not.toMatch(/<|(?<!\\)(?:!|\[|@|\*\*b)|http:|^# heading/mu);
    expect(prose).toContain('&lt;/script&gt;&lt;img onerror=x&gt;\\!\\[x\\](http\\://evil.example)');
    expect(markdown).not.toMatch(/[\u202e\u009b]/u);
  });
});
