/** Findings of a run: what a user sees of a service that is wrong, accepts of it, and copies. */
import { describe, expect, it } from 'vitest';
import type { Finding, Report } from '../engine/run/result.ts';
import type { Service } from '../self-test/service.ts';
import { contractWith, type Document, jsonContent } from './testing/contracts.ts';
import { folderWith } from './testing/folder.ts';
import { segmentsOf } from './testing/requests.ts';
import { implementation, rawServer, respondWith, resultsBy } from './testing/services.ts';
import { reportOf, suite } from './testing/suite.ts';

const ITEM = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, size: { type: 'integer' } },
};

/** `POST /a` makes the items of GET and DELETE of `/a/{id}`; `GET /b` reads. */
const CONTRACT: Document = (() => {
  const contract = contractWith({ type: 'string', maxLength: 10 });
  contract.components = { schemas: { Item: ITEM } };
  const item = jsonContent({ $ref: '#/components/schemas/Item' });
  const { post } = contract.paths['/a'];
  post.responses = { 201: { description: 'it', ...item }, 400: { description: 'no' } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const found = { 200: { description: 'it', ...item }, 404: { description: 'no' } };
  contract.paths['/a/{id}'] = {
    parameters: [id],
    get: { operationId: 'read', responses: found },
    delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
  };
  contract.paths['/b'] = { get: { operationId: 'other', responses: found } };
  return contract;
})();

interface Errors {
  add?: number;
  remove?: number;
  /** The statuses and bodies of responses. */
  item?: unknown;
}

function serviceWith({ add = 201, remove = 204, item = { id: 1, name: 'a' } }: Errors): Service {
  return async (request) => {
    const [kind, id] = segmentsOf(request);
    if (kind === 'b') {
      return respondWith(200, item);
    }
    if (id === undefined) {
      return respondWith(add, item);
    }
    if (request.method === 'DELETE') {
      return respondWith(remove);
    }
    return respondWith(200, item);
  };
}

const idsOf = ({ findings }: Report) => findings.map(({ id }) => id);
const findingIn = ({ findings }: Report, id: string): Finding | undefined =>
  findings.find((one) => one.id === id);

describe('a server error', () => {
  it('is a finding of the operation that responds, whichever requirement meets it', async () => {
    const { report } = await resultsBy(serviceWith({ add: 500 }), CONTRACT);
    const [first] = report.findings;
    expect(first).toMatchObject({ id: 'server-error:add:500', operations: ['add'] });
    const blocked = report.requirements.filter((one) => one.blocked_by === 'add');
    expect(first?.blocks).toBe(blocked.length);
    expect(blocked.length).toBeGreaterThan(5);
    expect(report.reason).toMatch(/^\d+ findings?: add: responds 500/);
  });

  it('counts even if no requirement fails because of it, such as in a clean-up', async () => {
    const line = '--only add.201 --runs 1';
    const { report, broken, code } = await resultsBy(serviceWith({ remove: 500 }), CONTRACT, line);
    expect([broken, code, report.verdict]).toEqual([[], 1, 'nonconformant']);
    const finding = findingIn(report, 'server-error:remove:500');
    expect(finding).toMatchObject({ requirements: [], title: 'remove: responds 500' });
    expect(finding?.failure?.curl).toContain('-X DELETE "$BASE"/a/1');
  });
});

it('the same behaviour of several operations is one finding, with all that is wrong', async () => {
  const { report } = await resultsBy(serviceWith({ item: { size: 'a' } }), CONTRACT);
  const finding = findingIn(report, 'response:*:Item/required/id');
  expect(finding?.operations).toEqual(expect.arrayContaining(['add', 'other']));
  const example = report.requirements.find(({ id }) => id === finding?.example);
  const messages = example?.failure?.violations?.map(({ message }) => message) ?? [];
  expect(messages.join()).toMatch(/'id'.*'name'.*\/size/);
  expect(example?.failure?.message).toContain('(and 2 more in this response)');
});

describe('a cause', () => {
  const runWith = async (accept: object[]) => {
    using folder = folderWith({ 'conformance.json': JSON.stringify({ accept }) });
    const config = `--config ${folder.file('conformance.json')} --only other.`;
    return await resultsBy(serviceWith({ item: { id: 1 } }), CONTRACT, config);
  };
  const accept = (cause: string, expires = '2999-12-31') => ({
    cause,
    reason: 'a ticket',
    expires,
  });

  it('that is accepted stays in the report, and not in the verdict', async () => {
    const { report } = await runWith([]);
    const [id = ''] = idsOf(report);
    expect([report.verdict, id.split(':').slice(0, 2)]).toEqual([
      'nonconformant',
      ['response', 'other'],
    ]);
    const accepted = await runWith([accept(id)]);
    expect(accepted.report.verdict).toBe('conformant');
    expect(findingIn(accepted.report, id)?.accepted).toMatchObject({ reason: 'a ticket' });
    const any = await runWith([accept(id.replace(':other:', ':*:'))]);
    expect(any.code).toBe(0);
  });

  it('that is accepted no longer counts again', async () => {
    const [id = ''] = idsOf((await runWith([])).report);
    const { report } = await runWith([accept(id, '2020-01-31')]);
    expect(report.reason).toContain('(accepted, but expired on 2020-01-31)');
  });

  it('that is accepted and does not occur is named', async () => {
    const { report } = await runWith([accept('law:other:x')]);
    expect(report.warnings[0]).toMatch(/^The accepted cause law:other:x did not occur/);
  });

  it.each([
    [{ accept: {} }, /accept must be a list/],
    [{ accept: [{ reason: 'a', expires: '2999-12-31' }] }, /accept, entry 1 has no cause/],
    [{ accept: [accept('other.200')] }, /entry 1: "other\.200" is not the id of a cause/],
    [{ accept: [accept('law:a:b'), accept('law:a:b')] }, /accept repeats law:a:b/],
    [{ accept: [{ ...accept('law:a:b'), until: 1 }] }, /has an unknown property until/],
  ])('is refused in one line: %j', async (config, message) => {
    using folder = folderWith({ f: JSON.stringify(config) });
    const { code, stderr } = await suite(`http://127.0.0.1:1 --config ${folder.file('f')}`);
    expect(stderr).toMatch(message);
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.anything()]]);
  });
});

it('--kind leaves other kinds out of the findings, the verdict and the requirements', async () => {
  const service = serviceWith({ item: { id: 1 } });
  const { report, code } = await resultsBy(service, CONTRACT, '--kind server-error --min-tried 0');
  expect([code, report.findings]).toEqual([0, []]);
  const other = report.requirements.find(({ id }) => id === 'other.200');
  expect(other).toMatchObject({ status: 'disabled', reason: expect.stringContaining('response') });
  const { stderr } = await suite('http://127.0.0.1:1 --kind crash');
  expect(stderr).toMatch(/--kind must be one of stopped, server-error, .*, not "crash"/);
});

describe('--max-time', () => {
  it('ends a run, which removes what it made, and says what was not tried', async () => {
    const made = new Set<string>();
    let last = 0;
    const slow: Service = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const [, id] = segmentsOf(request);
      if (request.method === 'POST') {
        made.add(String(++last));
        return respondWith(201, { id: last, name: 'a' });
      }
      if (request.method === 'DELETE') {
        made.delete(id ?? '');
        return respondWith(204);
      }
      return respondWith(200, { id: Number(id ?? 1), name: 'a' });
    };
    const line = '--max-time 1.2 --runs 1000 --only add.201 --only read.200 --concurrency 1';
    const { report, code } = await resultsBy(slow, CONTRACT, line);
    expect([code, report.verdict]).toEqual([2, 'incomplete']);
    expect(report.reason).toBe('--max-time 1.2 ended the run');
    expect(report.warnings[0]).toMatch(/of 2 requirements were not tried, since --max-time 1\.2/);
    expect(report.requirements.map(({ status }) => status)).toContain('disabled');
    expect([...made]).toEqual([]);
  });

  it('is not used up by looking whether the service is there', async () => {
    const read = (id: string) => ({
      get: {
        operationId: id,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'It.' } },
      },
    });
    const names = Array.from({ length: 20 }, (_, index) => `read${index}`);
    const paths = Object.fromEntries(names.map((name) => [`/${name}/{id}`, read(name)]));
    await using served = await implementation(async () => respondWith(200));
    using folder = folderWith({ 'a.json': JSON.stringify({ ...CONTRACT, paths }) });
    await suite(`${served.url} --contract ${folder.file('a.json')} --only read0.200`);
    const probes = served.requests.filter(({ target }) => target.endsWith('/conformance-probe'));
    expect(probes.map(({ target }) => target)).toEqual(['/read0/conformance-probe']);
  });

  it('leaves what was found in the verdict', async () => {
    const line = '--max-time 1.5 --runs 10000 --only other. --only add.';
    const wrong = serviceWith({ item: { id: 1 } });
    const { code } = await resultsBy(wrong, CONTRACT, line);
    expect(code).toBe(1);
  });

  it('must be a number', async () => {
    const { stderr } = await suite('http://127.0.0.1:1 --max-time soon');
    expect(stderr).toMatch(/--max-time must be a number from 0\.1 to 1000000, not "soon"/);
  });
});

describe('--explain', () => {
  it('prints a finding of a report, by its id or that of a requirement', async () => {
    using folder = folderWith({ 'a.json': JSON.stringify(CONTRACT) });
    await using served = await implementation(serviceWith({ add: 500 }));
    const out = folder.file('out');
    const run = `${served.url} --contract ${folder.file('a.json')} --only add.201 --report ${out}`;
    const { stdout } = await suite(run);
    expect(stdout).toContain(`Report: ${out}/report.html`);
    const { requests } = served;
    const sent = requests.length;
    const explained = await suite(`--explain server-error:add:500 --report ${out}`);
    expect(explained.code).toBe(0);
    expect(explained.stdout).toMatch(/^## add: responds 500\n/);
    for (const heading of ['What the contract says', 'Request', 'Response', 'Show it with curl']) {
      expect(explained.stdout).toContain(`### ${heading}\n`);
    }
    const byRequirement = await suite(`--explain add.201 --report ${out}`);
    expect(byRequirement.stdout).toBe(explained.stdout);
    const unknown = await suite(`--explain law:a:b --report ${out}`);
    expect(unknown.stderr).toMatch(/is not a finding of .*: such as server-error:add:500$/m);
    expect(requests.length).toBe(sent);
  });

  it('needs the folder of a report', async () => {
    const without = await suite('--explain law:a:b');
    expect(without.stderr).toMatch(/--explain needs --report DIR/);
    using folder = folderWith({ 'report.json': '{}' });
    const wrong = await suite(`--explain law:a:b --report ${folder.path}`);
    expect(wrong.stderr).toMatch(/report\.json cannot be read: it is not a report with findings/);
  });
});

it('a service that fails everywhere, with a page, is one with server errors', async () => {
  const page = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Oops</h1>' };
  const { code, report } = await resultsBy(async () => page, CONTRACT, '--seed 1');
  const kinds = new Set(report.findings.map(({ kind }) => kind));
  expect([code, [...kinds]]).toEqual([1, ['server-error']]);
  expect(idsOf(report)).toContain('server-error:add:500');
});

it('what fails at malformed credentials everywhere is one finding, with that request', async () => {
  const contract = structuredClone(CONTRACT);
  contract.components ??= {};
  contract.components.securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'x-key' } };
  contract.security = [{ key: [] }];
  const right = serviceWith({});
  const service: Service = async (request) => {
    const { 'x-key': key = '' } = request.headers;
    return /^[a-z]+$/.test(key) ? right(request) : respondWith(key === '' ? 401 : 500);
  };
  const line = '--only *.credentials.malformed --header x-key:sesame';
  const { report } = await resultsBy(service, contract, line);
  expect(idsOf(report)).toEqual(['server-error:*:500-for-malformed-credentials']);
  const [finding] = report.findings;
  const example = report.requirements.find(({ id }) => id === finding?.example);
  expect(example?.failure?.exchanges.at(-1)?.response?.status).toBe(500);
});

it('a service that stops is a finding with the requests that were under way', async () => {
  const dying = await rawServer((socket) => {
    socket.on('data', (data) => {
      const text = String(data);
      if (text.includes('"aaaaaaaaaa"')) {
        void dying[Symbol.asyncDispose]();
        return;
      }
      const body = '{"id":1,"name":"a"}';
      const status = text.startsWith('POST') ? 201 : 200;
      const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\n`;
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    });
  });
  using folder = folderWith({ 'a.json': JSON.stringify(CONTRACT) });
  const line = '--only add.body.a.maxLength --concurrency 1 --runs 40 --seed 1';
  const contract = `--contract ${folder.file('a.json')} ${line}`;
  const { code, report } = await reportOf(`${dying.url} ${contract}`);
  expect([code, report.verdict]).toEqual([1, 'nonconformant']);
  const finding = findingIn(report, 'stopped:add:service-stops');
  expect(finding?.failure?.exchanges.at(-1)?.request.body).toContain('"aaaaaaaaaa"');
  expect(report.warnings.join()).toContain('It stopped while add.body.a.maxLength was tried');
});
