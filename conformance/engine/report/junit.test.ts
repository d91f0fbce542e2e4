import { describe, expect, it } from 'vitest';
import { renderJunit } from './junit.ts';
import { FAILURES } from './sample-failures.ts';
import { hostileReport, sampleReport, sampleResult } from './sample.ts';

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Strict for what the writer uses: elements, attributes, text, and the characters that XML 1.0 allows. */
function parseXml(xml: string): Element {
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/u, '');
  for (const [token, tag] of body.matchAll(/<([^<>]*)>|[^<>]+/gu)) {
    const parent = stack.at(-1) as Element;
    if (tag === undefined) parent.text += decode(token);
    else if (tag.startsWith('/')) expect(stack.pop()?.name).toBe(tag.slice(1));
    else {
      const match = /^(\w+)((?: \w+="[^"]*")*)(\/?)$/u.exec(tag);
      if (!match) throw new Error(`not a tag: ${tag}`);
      const pairs = [...(match[2] ?? '').matchAll(/ (\w+)="([^"]*)"/gu)];
      const attributes = Object.fromEntries(pairs.map(([, name, value]) => [name, decode(value ?? '')]));
      const element = { name: match[1] ?? '', attributes, children: [], text: '' };
      parent.children.push(element);
      if (match[3] === '') stack.push(element);
    }
  }
  expect(stack).toEqual([root]);
  expect(root.children).toHaveLength(1);
  return root.children[0] as Element;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)/u);
  return text.replace(/&(\w+);/gu, (_, name: string) => ENTITIES[name] ?? '');
}

function all(element: Element, name: string): Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => all(child, name))];
}

describe('renderJunit', () => {
  const root = parseXml(renderJunit(sampleReport()));

  it('has a suite per area and a case per requirement, with the counts of each', () => {
    expect(root.children.map(({ attributes }) => attributes['name'])).toEqual([
      'createEdge',
      'getEdge',
      'createEventSource',
      'listEventSources',
      'updateEventSource',
      'deleteEventSource',
      'protocol',
    ]);
    expect(root.attributes).toMatchObject({ tests: '180', failures: '4', errors: '1', skipped: '6', time: '48.210' });
    for (const suite of root.children) {
      expect(all(suite, 'testcase')).toHaveLength(Number(suite.attributes['tests']));
      expect(all(suite, 'failure')).toHaveLength(Number(suite.attributes['failures']));
      expect(all(suite, 'error')).toHaveLength(Number(suite.attributes['errors']));
      expect(all(suite, 'skipped')).toHaveLength(Number(suite.attributes['skipped']));
      expect(suite.attributes['timestamp']).toBe('2026-03-04T10:20:30');
    }
  });

  it('says all in the text of a failure, since not every reader shows its message', () => {
    const [failure] = all(root, 'failure');
    const evidence = FAILURES['createEdge.hostports.unique'];
    expect(failure?.attributes['message']).toBe(evidence?.message);
    for (const part of [evidence?.message, evidence?.curl, evidence?.replay, 'openapi.yaml:138']) {
      expect(failure?.text).toContain(part);
    }
  });

  it('gives the reason of what was skipped, disabled or in error', () => {
    expect(all(root, 'skipped').map(({ attributes }) => attributes['message'])).toContain(
      'Needs --base-url to be https.',
    );
    expect(
      all(root, 'skipped').filter(({ attributes }) => attributes['message']?.startsWith('disabled: ')),
    ).toHaveLength(1);
    expect(all(root, 'error')[0]?.attributes['message']).toBe('connect ECONNRESET 127.0.0.1:4010 after 3 attempts');
  });

  it('is red when nothing could be checked', () => {
    const reason = 'http://127.0.0.1:4010 does not answer.';
    const empty = parseXml(renderJunit(sampleReport({ verdict: 'inconclusive', reason, requirements: [] })));
    expect(empty.attributes).toMatchObject({ tests: '1', errors: '1' });
    expect(all(empty, 'error')[0]?.text).toContain(reason);
  });

  it('has no case of its own when the requirements say it', () => {
    const green = parseXml(renderJunit(sampleReport({ verdict: 'conformant', requirements: [sampleResult('a.b')] })));
    expect(green.attributes).toMatchObject({ tests: '1', errors: '0', failures: '0' });
  });

  it('carries any text of the service', () => {
    const hostile = `]]></failure></script>"'&amp;<img onerror=x>\u0000\u001b[31m\r\n\ud800\uffff`;
    const parsed = parseXml(renderJunit(hostileReport(hostile)));
    expect(all(parsed, 'testcase')).toHaveLength(6);
    const unjudged = parseXml(renderJunit({ ...hostileReport(hostile), verdict: 'inconclusive' }));
    expect(all(unjudged, 'error').at(-1)?.text).toContain('\\u0000');
    expect(all(parsed, 'failure')[0]?.text).toContain(
      `]]></failure></script>"'&amp;<img onerror=x>\\u0000\\u001b[31m\\u000d`,
    );
    expect(all(parsed, 'failure')[0]?.attributes['message']).toContain('\\ud800\\uffff');
  });
});
