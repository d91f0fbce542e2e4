/** What a run writes: each format, valid, and without secrets, whatever the service makes of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Service } from '../self/service.ts';
import { folderWith, ROOT, suite } from './suite.ts';
import { coreService, implementation, wrongDescription } from './services.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync(join(ROOT, 'conformance/engine/report/report.schema.json'), 'utf8')) as object,
);

function expectValid(json: string): void {
  validate(JSON.parse(json));
  expect(validate.errors).toBeNull();
}

const FILES = ['junit.xml', 'report.html', 'report.json', 'report.md'];

describe('--report', () => {
  it.each([
    ['a conformant service', coreService(), 0, 'conformant'],
    ['one that is not', wrongDescription, 1, 'nonconformant'],
  ] as const)('writes four files about %s, into a new folder', async (_, service, exit, verdict) => {
    await using served = await implementation(service);
    using folder = folderWith();
    const reports = folder.file('a/b');
    const { code } = await suite([served.url, '--only', 'edges.', '--runs', '1', '--report', reports]);
    expect(code).toBe(exit);
    expect(readdirSync(reports).toSorted()).toEqual(FILES);
    const json = readFileSync(join(reports, 'report.json'), 'utf8');
    expectValid(json);
    expect(JSON.parse(json)).toMatchObject({
      verdict,
      target: { url: served.url, level: 'core', origin: 'all', authenticated: false },
    });
    expect(readFileSync(join(reports, 'junit.xml'), 'utf8')).toMatch(/^<\?xml[^]*<testsuites [^]*<\/testsuites>\s*$/);
    expect(readFileSync(join(reports, 'report.md'), 'utf8')).toContain(served.url);
    expect(readFileSync(join(reports, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('is written, and red, where nothing could be checked', async () => {
    using folder = folderWith();
    const { code } = await suite(['http://127.0.0.1:9', '--level', 'core', '--report', folder.path]);
    expect(code).toBe(2);
    expectValid(readFileSync(folder.file('report.json'), 'utf8'));
    expect(readFileSync(folder.file('junit.xml'), 'utf8')).toMatch(/errors="[1-9]/);
  });
});

describe('--format', () => {
  it.each([
    ['json', /^\{\n {2}"verdict"/],
    ['junit', /^<\?xml/],
    ['markdown', /^#/],
    ['html', /^<!doctype html>/i],
  ])('%s is all that goes to stdout; what goes on is on stderr', async (format, beginning) => {
    await using served = await implementation(wrongDescription);
    using folder = folderWith();
    const { code, stdout, stderr } = await suite([
      served.url,
      '--only',
      'edges.location',
      '--only',
      'edges.read-your-write',
      '--runs',
      '2',
      '--seed',
      '1',
      '--format',
      format,
      '--report',
      folder.path,
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(beginning);
    expect(stderr).toMatch(/^pass +edges\.location/m);
    const file = { json: 'report.json', junit: 'junit.xml', markdown: 'report.md', html: 'report.html' }[format]!;
    expect(stdout).toBe(readFileSync(folder.file(file), 'utf8'));
  });
});

/** It repeats every header of the request, in every way that it can. */
const echo: Service = ({ headers, target: path }) => {
  const all = Object.values(headers);
  const forms = all.flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    value.replace(/^\w+ /, ''),
    value.split('=')[1] ?? '',
  ]);
  const basic = Buffer.from((headers['x-basic'] ?? '').slice(6), 'base64').toString();
  return Promise.resolve({
    status: path.includes('probe') ? 200 : 400,
    headers: {
      'content-type': 'application/json',
      'x-echo': forms.join('|').replaceAll(/[^\x21-\x7e]/g, ''),
      location: `/x?${encodeURIComponent(all.join('&'))}`,
    },
    body: JSON.stringify({ title: forms.join(' '), basic, nested: JSON.stringify(forms) }),
  });
};

describe('secrets', () => {
  const TOKEN = 'tok-5f"3\'c&9<d2>';
  const READ_ONLY_TOKEN = 'look-8a"1&e<6>';
  const KEY = 'key-71b0e4a6';
  const PASSWORD = 'pass word-9d1';
  const BASIC = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
  const COOKIE = 'session=cookie-8c41f2d7; theme=dark';

  it('appear nowhere, though a hostile service repeats them', async () => {
    await using served = await implementation(echo);
    using folder = folderWith();
    const args = [
      '--header',
      `X-Key: ${KEY}`,
      '--header',
      `X-Basic: ${BASIC}`,
      '--header',
      `Cookie: ${COOKIE}`,
      '--report',
      folder.path,
      '--only',
      'createEdge.body.json',
      '--only',
      'edges.uri',
      '--only',
      'createEdge.403',
      '--only',
      'getEdge.read-only-token',
      '--runs',
      '2',
    ];
    const outputs: string[] = [];
    for (const format of ['text', 'json']) {
      const { code, stdout, stderr } = await suite([served.url, ...args, '--format', format], {
        env: { CONFORMANCE_TOKEN: TOKEN, CONFORMANCE_READ_ONLY_TOKEN: READ_ONLY_TOKEN },
      });
      expect(code).toBe(1);
      outputs.push(stdout, stderr);
    }
    for (const token of [TOKEN, READ_ONLY_TOKEN])
      expect(served.requests.some(({ headers }) => headers['authorization'] === `Bearer ${token}`)).toBe(true);
    for (const file of FILES) outputs.push(readFileSync(folder.file(file), 'utf8'));
    const secrets = [
      TOKEN,
      TOKEN.slice(0, -1),
      READ_ONLY_TOKEN,
      encodeURIComponent(READ_ONLY_TOKEN),
      Buffer.from(`Bearer ${READ_ONLY_TOKEN}`).toString('base64'),
      KEY,
      PASSWORD,
      BASIC,
      BASIC.slice(6),
      COOKIE,
      'cookie-8c41f2d7',
      encodeURIComponent(TOKEN),
      Buffer.from(`Bearer ${TOKEN}`).toString('base64'),
    ];
    for (const [index, output] of outputs.entries()) {
      for (const secret of secrets) expect(output.includes(secret), `output ${index} has ${secret}`).toBe(false);
    }
    expect(outputs.join('\n')).toContain('[redacted]');
    expectValid(readFileSync(folder.file('report.json'), 'utf8'));
  });
});
