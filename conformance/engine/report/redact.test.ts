import { describe, expect, it } from 'vitest';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { testAnyEncoding } from './redact.suite.ts';
import { REDACTED, redactor, redactReport } from './redact.ts';
import { hostileReport, sampleReport } from './sample.ts';
import { renderFailure } from './failure-text.ts';
import { renderSummary } from './terminal.ts';

const SECRET = `p@ss "word"/+\\é'`;
const bytes = Buffer.from(SECRET, 'utf8');
const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('redactor', () => {
  const redact = redactor([SECRET]);

  it.each([
    ['as it is', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['percent-encoded in every byte, in lower case', everyByte],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['as a form value', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    [
      'in JSON in ASCII, with slashes escaped',
      JSON.stringify(SECRET).slice(1, -1).replace('é', '\\u00E9').replace('/', '\\/'),
    ],
    ['in a quoted word of the shell', SECRET.replaceAll("'", `'\\''`)],
    ['on an HTML page', SECRET.replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('/', '&#x2F;')],
    ['in base64', bytes.toString('base64')],
    ['in base64url', bytes.toString('base64url')],
    ['percent-encoded in base64', encodeURIComponent(bytes.toString('base64'))],
  ])('finds a secret %s', (_, text) => {
    expect(redact(text)).toBe(REDACTED);
    expect(redact(`before ${text} after ${text}`)).toBe(`before ${REDACTED} after ${REDACTED}`);
  });

  it.each(['u', 'us', 'user', 'user:'])('finds it in the base64 of basic authentication after `%s`', (user) => {
    const encoded = Buffer.from(`${user}${SECRET}${user}`).toString('base64');
    const redacted = redact(`Basic ${encoded}`);
    expect(redacted).toContain(REDACTED);
    expect(redacted.length).toBeLessThan('Basic '.length + REDACTED.length + 2 * user.length + 6);
  });

  testAnyEncoding(20);

  it('takes the longest of secrets that begin alike', () => {
    expect(redactor(['token', 'token-and-more'])('token-and-more token')).toBe(`${REDACTED} ${REDACTED}`);
  });

  it('leaves other text alone', () => {
    const text = 'password p@ss word "word" /+\\ é';
    expect(redact(text)).toBe(text);
    expect(redactor([])(text)).toBe(text);
    expect(redactor(['', '  '])(text)).toBe(text);
    expect(redactor(['a.c*'])('abcc')).toBe('abcc');
  });

  it('forgets the white space around a secret, which no header can carry', () => {
    expect(redactor(['secret-token\n'])('Bearer secret-token')).toBe(`Bearer ${REDACTED}`);
  });

  it.each(['ab', 'Bearer ab', 'x-key: ab', 'Authorization: Bearer ab', 'curl -H "X-Key: ab"'])(
    'finds a short secret where it is a whole header value: %s',
    (text) => expect(redactor(['ab'])(text)).toBe(text.replace(/ab(?="?$)/u, REDACTED)),
  );

  it('does not take every letter for a short secret', () => {
    const text = '{"about":"fab","n":ab}';
    expect(redactor(['ab', '1'])(text)).toBe(text);
  });

  it('comes to an end on a text made to stall it', () => {
    const secrets = ['\\'.repeat(12), `${'\\"'.repeat(8)}x`, '%%%%%%%%', 'a'.repeat(64), '++++////'];
    const texts = ['\\', '\\"', '%25', '%', 'a', '+', '/', '\\\\u005c', 'A'].map((text) => text.repeat(3_000));
    // Backtracking without bounds would outlast the limit of any test.
    for (const text of texts) expect(redactor(secrets.map((secret) => `${secret}!`))(`${text}.`)).toBe(`${text}.`);
  });
});

describe('redactReport', () => {
  it('keeps no string of the service that holds a secret', () => {
    const secret = 'edge-token-4711';
    const redacted = redactReport(hostileReport(`[${secret}]`), [secret]);
    const left = JSON.stringify({ ...redacted, contract: null, suite: null }, (key, value: unknown) =>
      ['id', 'origin', 'clause'].includes(key) ? null : value,
    );
    expect(left).not.toContain(secret);
    expect(left).toContain(REDACTED);
  });

  it('lets no secret, in no spelling, into any output', () => {
    const token = 'tok/en+4711"x';
    const encoded = Buffer.from(`me:${token}`).toString('base64');
    const spellings = [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1), encoded];
    const hostile = hostileReport(spellings.join(' '));
    const plain = sampleReport();
    const report = redactReport({ ...hostile, contract: plain.contract, suite: plain.suite }, [token]);
    report.requirements.forEach((result, i) => {
      Object.assign(result, {
        id: `area.${i}`,
        origin: 'D06',
        clause: { file: 'openapi.yaml', pointer: '/paths', line: 1 },
      });
    });
    const outputs = [
      renderJson(report),
      renderJunit(report),
      renderMarkdown(report),
      renderHtml(report),
      renderSummary(report, { colour: true, width: 100 }),
      ...report.requirements.map((result) => renderFailure(result, { colour: true, width: 500 })),
    ];
    // Without white space, since a terminal breaks lines; and short pieces, since a piece would give much away.
    const pieces = ['4711', 'en%2B', encoded.slice(6, 12), encoded.slice(12, 18)];
    for (const output of outputs) {
      for (const piece of pieces) expect(output.replaceAll(/\s/gu, '')).not.toContain(piece);
    }
  });

  it('leaves what others key on, and the report given', () => {
    const report = hostileReport('x');
    const before = structuredClone(report);
    expect(redactReport(report, ['pass', 'fail', 'core', 'nonconformant'])).toEqual(before);
    expect(report).toEqual(before);
  });
});
