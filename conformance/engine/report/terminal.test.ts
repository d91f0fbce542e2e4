import { describe, expect, it } from 'vitest';
import { displayWidth, wrap } from './columns.ts';
import type { RequirementResult } from '../run/result.ts';
import { FAILURES } from './sample-failures.ts';
import { hostileReport, sampleReport, sampleResult } from './sample.ts';
import { renderFailure } from './failure-text.ts';
import { renderSummary } from './terminal.ts';

const failures = sampleReport().requirements.filter(({ status }) => status === 'fail');
const [first, second, third] = failures as [RequirementResult, RequirementResult, RequirementResult];

describe('renderFailure', () => {
  const text = renderFailure(first, { colour: false, width: 100 });

  it('says what was promised, where, and by whom', () => {
    for (const part of [first.id, first.sentence, 'openapi.yaml:138', first.clause.pointer, 'core, source §4.1']) {
      expect(text).toContain(part);
    }
  });

  it('puts expected beside got', () => {
    expect(text).toMatch(/expected +│ got\n/u);
    expect(text).toMatch(/400 with code `invalid_request`, and an entry +│ 201\n/u);
  });

  it('puts expected above got where there is no room', () => {
    const narrow = renderFailure(first, { colour: false, width: 60 });
    expect(narrow).toMatch(/ {2}expected\n {4}400 with code/u);
    expect(narrow).not.toContain('│');
  });

  it('stays within the width, but for what is copied', () => {
    for (const width of [20, 60, 72, 100]) {
      const shown = renderFailure(third, { colour: false, width });
      const [evidence = ''] = shown.split('show it with curl');
      expect(Math.max(...evidence.split('\n').map(displayWidth))).toBeLessThanOrEqual(width);
    }
  });

  it('has the script and the command as they are, ready to be copied', () => {
    const evidence = FAILURES[second.id];
    const shown = renderFailure(second, { colour: true, width: 40 });
    expect(shown).toContain(`\n${evidence?.curl}\n`);
    expect(shown).toContain(`\n${evidence?.replay}\n`);
  });

  it('shows the last exchange whole and the steps before it in a line each', () => {
    const shown = renderFailure(third, { colour: false, width: 100 });
    expect(shown.match(/→ 201/gu)).toHaveLength(2);
    expect(shown).toContain('none: The connection was closed before a response came.');
  });

  it('gives the reason of an error', () => {
    const result = sampleResult('a.b', { status: 'error', reason: 'Refused by a proxy.' });
    expect(renderFailure(result, { colour: false, width: 80 })).toContain('Refused by a proxy.');
  });

  it('cuts long bodies', () => {
    const failure = { ...FAILURES['createEdge.hostports.unique']!, got: 'x'.repeat(1_000_000) };
    const shown = renderFailure({ ...first, failure }, { colour: false, width: 80 });
    expect(shown.length).toBeLessThan(20_000);
    expect(shown).toContain('998,000');
  });
});

describe('renderSummary', () => {
  const text = renderSummary(sampleReport(), { colour: false, width: 100 });

  it('gives counts, verdict, reason and what to do', () => {
    expect(text).toContain('180 requirements: 3 failed, 1 flaky, 1 in error, 5 skipped, 1 disabled, 169 passed');
    expect(text).toContain('Not conformant. 4 of 173 checked requirements do not hold; 7 were not checked.');
    expect(text).toContain(sampleReport().reason);
    expect(text).toMatch(/^Exit code 1: /mu);
    expect(text).toContain('seed 42');
    expect(text).toContain('Left behind: 37 edges; perhaps 1 edge, since no response came.');
    expect(text).toContain('Sent again: 2 after 503, 3 after a lost connection; 1 case tried again from the start.');
    expect(text).toContain('Warning: The service is not stable: ');
  });

  it.each([
    ['conformant', 0],
    ['nonconformant', 1],
    ['inconclusive', 2],
  ] as const)('says the exit code of %s', (verdict, code) => {
    expect(renderSummary(sampleReport({ verdict }), { colour: false, width: 100 })).toContain(`Exit code ${code}: `);
  });

  it('does not call nothing a success', () => {
    const nothing = sampleReport({ verdict: 'inconclusive', reason: 'No response.', requirements: [] });
    expect(renderSummary(nothing, { colour: false, width: 100 })).toContain(
      'Inconclusive. The suite could not reach a verdict on this service: nothing was checked.\nNo response.',
    );
  });
});

describe('escape sequences', () => {
  const hostile = hostileReport('\u001b]0;owned\u0007\u009b2J\r\u202e\u0000\ud800');
  const outputs = [
    ...hostile.requirements.map((result) => renderFailure(result, { colour: false, width: 100 })),
    renderSummary(hostile, { colour: false, width: 100 }),
  ];

  it('of the service never reach the terminal', () => {
    for (const output of outputs) expect(output).not.toMatch(/[^\P{C}\n]/u);
  });

  it('are our own colours and nothing else, and there are none without colour', () => {
    const coloured = hostile.requirements.map((result) => renderFailure(result, { colour: true, width: 100 }));
    coloured.push(renderSummary(hostile, { colour: true, width: 100 }));
    coloured.forEach((output, i) => {
      expect(output).toContain('\u001b[');
      expect(
        output
          .split('\u001b')
          .map((part, at) => (at === 0 ? part : part.replace(/^\[\d{1,2}m/u, '')))
          .join(''),
      ).toBe(outputs[i]);
    });
  });
});

describe('wrap', () => {
  it('breaks at spaces, or within a word that is too long', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a abcdefghij', 4)).toEqual(['a', 'abcd', 'efgh', 'ij']);
  });
  it('keeps lines and indentation', () => expect(wrap('a\n\n  b c', 4)).toEqual(['a', '', '  b', '  c']));
  it('knows wide and combining characters', () => {
    expect(wrap('東京東京', 4)).toEqual(['東京', '東京']);
    expect(displayWidth('e\u0301')).toBe(1);
  });
});
