/** A service whose operations are reached in many ways, none of which its contract states. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = readFileSync(join(import.meta.dirname, 'survey.yaml'), 'utf8');

const NOTHING: Reply = [404, { error: 'nothing has this name' }];

const isText = (value: unknown): value is string => typeof value === 'string';

/** What a service does otherwise. */
interface Differences {
  /** The status of a new zone. */
  zoneStatus?: number;
  /** Whether a silence may have any matcher and end. */
  isCareless?: boolean;
  /** How long a job cannot be read after it was started. */
  jobDelayMs?: number;
}

function service(differences: Differences = {}): Handler {
  const { zoneStatus = 201, isCareless = false, jobDelayMs = 150 } = differences;
  const silences = new Set<string>();
  const zones = new Set<string>(['theirs']);
  const labels = new Set<string>(['theirs']);
  const jobs = new Map<string, number>();
  let count = 0;
  const named: Record<string, (name: string, call: Parameters<Handler>[0]) => Reply> = {
    silence: (name, { method }) => {
      if (!silences.has(name)) {
        return NOTHING;
      }
      if (method === 'DELETE') {
        silences.delete(name);
      }
      return [200, { status: 'active' }];
    },
    jobs: (name) => {
      if (Date.now() < (jobs.get(name) ?? Infinity)) {
        return NOTHING;
      }
      return [200, { name }];
    },
    labels: (name, { method, headers, json }) => {
      const isThere = labels.has(name);
      if (method === 'GET') {
        return isThere ? [200, {}, { etag: '"1"' }] : NOTHING;
      }
      const isLabel = isObject(json) && (json['color'] === undefined || isText(json['color']));
      if (method === 'PUT' && !(isLabel && name.length <= 40)) {
        return [400];
      }
      if (isThere && headers['if-match'] !== '"1"') {
        return [428];
      }
      if (method === 'DELETE' && !isThere) {
        return NOTHING;
      }
      labels[method === 'PUT' ? 'add' : 'delete'](name);
      return [204];
    },
  };
  const fixed: Record<string, (call: Parameters<Handler>[0]) => Reply> = {
    'POST /silences': ({ json }) => {
      const isDay = isText(json?.ends) && /^\d{4}-\d\d-\d\d$/.test(json.ends);
      const isRight = isText(json?.matcher) && /^\w+=\w+$/.test(json.matcher);
      if (!isCareless && !(isDay && isRight)) {
        return [400, { error: 'a matcher is name=value, and an end is a day' }];
      }
      count++;
      silences.add(`s-${count}`);
      return [200, { silenceID: `s-${count}` }];
    },
    'GET /servers': () => [200, ['localhost']],
    'GET /servers/localhost': () => [200, { id: 'localhost' }],
    'POST /servers/localhost/zones': ({ json }) => {
      if (!isText(json?.name) || !/^[a-z]{4,30}$/.test(json.name)) {
        return [400];
      }
      if (zones.has(json.name)) {
        return [409];
      }
      zones.add(json.name);
      return [zoneStatus, { name: json.name }];
    },
    'GET /servers/localhost/zones': () => [200, [...zones].map((name) => ({ name }))],
    'POST /jobs': () => {
      count++;
      jobs.set(`j-${count}`, Date.now() + jobDelayMs);
      return [202, undefined, { location: `/jobs/j-${count}` }];
    },
    'GET /projects': () => [200, [{ id: 'apollo' }]],
    'POST /tasks': ({ json }) => {
      const isNote = json?.note === undefined || (isText(json.note) && json.note.length <= 20);
      const isRight = json?.project === 'apollo' && isNote;
      if (isRight) {
        return [201, { id: 't' }];
      }
      return [422, { error: 'no such project' }];
    },
    'GET /secrets': ({ headers }) => (headers['x-key'] === 'sesame' ? [200, []] : [401]),
  };
  return (call) => {
    const { method, path } = call;
    const [, kind = '', name = '', below = '', zone = ''] = path.split('/').map(decodeURIComponent);
    if (kind === 'servers' && below === 'zones' && zone !== '') {
      if (name !== 'localhost' || !zones.has(zone)) {
        return NOTHING;
      }
      if (method === 'DELETE') {
        zones.delete(zone);
        return [204];
      }
      return [200, { name: zone }];
    }
    const handle = fixed[`${method} ${path}`];
    return handle?.(call) ?? (name === '' ? undefined : named[kind]?.(name, call)) ?? NOTHING;
  };
}

const KEY = ['--auth', 'key=sesame'];

test('operations are reached by names, lists, examples and new names', async () => {
  const { report, broken, requests } = await runOn(service(), CONTRACT, KEY);
  expect(broken).toEqual([]);
  const outcomes = new Map(report.survey?.map((one) => [one.operation, one.outcome]));
  const open = [...outcomes].filter(([, outcome]) => outcome !== 'reached');
  expect(open).toEqual(
    expect.arrayContaining([
      ['removeServers', 'left out'],
      ['stopAll', 'left out'],
      ['setConfig', 'left out'],
      ['removeServer', 'not reached'],
      ['restartServer', 'not reached'],
    ]),
  );
  expect(open).toHaveLength(5);
  const harm =
    /^(POST \/admin|PUT \/admin|POST .*localhost\/restart|(DELETE|PUT) .*(theirs|servers(\/localhost)?$))/;
  expect(requests.filter((request) => harm.test(request))).toEqual([]);
});

test('an operation that is left out is tried if the user allows it', async () => {
  const { requests, report } = await runOn(service(), CONTRACT, [...KEY, '--allow', 'stop*']);
  expect(requests).toContain('POST /admin/shutdown');
  expect(report.requirements.find(({ id }) => id === 'setConfig.204')).toMatchObject({
    status: 'disabled',
    reason: 'left out: it may reconfigure the service; --allow setConfig tries it',
  });
});

test('a resource that the user names is a parent, and is never changed', async () => {
  const data = '{parameters: {label: theirs, server: localhost}}';
  const { requests } = await runOn(service(), CONTRACT, [...KEY, '--data', data]);
  expect(requests).toContain('GET /labels/theirs');
  expect(requests.filter((one) => /^(PUT|DELETE|PATCH) .*theirs/.test(one))).toEqual([]);
});

test('a create that succeeds with another status fails once, and hides nothing else', async () => {
  const { broken, report } = await runOn(service({ zoneStatus: 200 }), CONTRACT, KEY);
  expect(broken).toEqual(['addZone.201']);
  expect(report.survey?.find((one) => one.operation === 'zone')?.outcome).toBe('reached');
});

test('a value that breaks a rule is sent beside a body that was accepted', async () => {
  const options = [...KEY, '--only', 'addSilence'];
  const right = await runOn(service(), CONTRACT, options);
  expect(right.broken).toEqual([]);
  expect(right.passed).toContain('addSilence.body.matcher.type');
  const careless = await runOn(service({ isCareless: true }), CONTRACT, options);
  expect(careless.broken).toContain('addSilence.body.matcher.type');
});

test('an operation that never succeeded is shown with a request and the response', async () => {
  const handler: Handler = (call, response) => {
    if (call.path === '/silences') {
      return [400, { error: 'no matcher' }];
    }
    return service()(call, response);
  };
  const { report } = await runOn(handler, CONTRACT, [...KEY, '--only', 'addSilence']);
  const [never] = report.never_succeeded;
  expect(never?.operation).toBe('addSilence');
  expect(never?.refusal?.request).toMatch(/^POST \/silences \{.*"matcher"/);
  expect(never?.refusal?.response).toMatch(/^400 .*no matcher/);
});

test('a refusal is blocked, and no pass, if no base was accepted', async () => {
  const handler: Handler = (call, response) => {
    if (call.path === '/silences') {
      return [400, { error: 'no' }];
    }
    return service()(call, response);
  };
  const { report, passed } = await runOn(handler, CONTRACT, [...KEY, '--only', 'addSilence']);
  const passedOfBody = passed.filter((id) => id.startsWith('addSilence.body'));
  // It asks only whether the service goes on, which a refusal shows.
  expect(passedOfBody).toEqual(['addSilence.body.unusual']);
  expect(report.requirements.find(({ id }) => id === 'addSilence.body.matcher.type')).toMatchObject(
    {
      status: 'blocked',
      blocked_by: 'addSilence',
    },
  );
});

/**
 * A service that keeps each request with its body. Its jobs are there at once: otherwise the number
 * of reads would depend on the machine.
 */
function recording(): { handler: Handler; calls: string[] } {
  const handle = service({ jobDelayMs: 0 });
  const calls: string[] = [];
  const handler: Handler = (call, response) => {
    calls.push(`${call.method} ${call.path} ${JSON.stringify(call.json)}`);
    return handle(call, response);
  };
  return { handler, calls };
}

test('two surveys with one seed send the same to two new services', async () => {
  const options = [...KEY, '--survey'];
  const one = recording();
  const other = recording();
  const another = recording();
  const first = await runOn(one.handler, CONTRACT, options);
  const second = await runOn(other.handler, CONTRACT, options);
  expect(other.calls).toEqual(one.calls);
  expect(second.report.survey).toEqual(first.report.survey);
  await runOn(another.handler, CONTRACT, [...options, '--seed', '2']);
  expect(another.calls).not.toEqual(one.calls);
});

test('a second survey with the same seed is not hindered by items of the first one', async () => {
  const handle = service();
  // Zones that are made stay.
  const handler: Handler = (call, response) =>
    call.method === 'DELETE' ? [405] : handle(call, response);
  const options = [...KEY, '--survey', '--only', 'addZone'];
  for (let run = 0; run < 5; run++) {
    const { report } = await runOn(handler, CONTRACT, options);
    const zone = report.survey?.find(({ operation }) => operation === 'addZone');
    expect(zone?.outcome).toBe('reached');
    // The names of the seed, others of the seed, and random ones.
    expect(zone?.tried.length).toBeLessThanOrEqual(3);
  }
});
