/**
 * A report as a run against a service with errors gives it, for the tests of the writers: 180 requirements, every status.
 */
import type { Failure, Report, RequirementResult, Status } from '../run/result.ts';
import { BASE, FAILURES } from './sample-failures.ts';

/** Area, origin, pointer to its clause, line of that, and the rules there. */
const AREAS: [string, string, string, number, string[]][] = [
  [
    'createEdge',
    'source §4.1',
    '/paths/~1edges~1https/post',
    138,
    [
      'creates|Creates an edge and returns it whole.',
      'empty|`{}` creates an edge without hostports.',
      'hostports.unique|A hostport is never repeated within an edge.',
      'hostports.wildcard|The hostname of a hostport may begin with `*.`.',
      'metadata.bytes|`metadata` holds 4,096 bytes of UTF-8, counted after JSON decoding, and not one more.',
      'description.bytes|`description` holds 255 bytes of UTF-8, counted after JSON decoding, and not one more.',
    ],
  ],
  [
    'getEdge',
    'source §4.2',
    '/paths/~1edges~1https~1{id}/get',
    199,
    [
      'reads-what-was-written|What is read is what was written.',
      'unknown|An unknown id gets 404 and `not_found`.',
      'uri|`uri` is absolute and can be followed as it is.',
    ],
  ],
  [
    'createEventSource',
    'source §4.3',
    '/paths/~1event_subscriptions~1{subscription_id}~1sources/post',
    238,
    [
      'adds|Adds one event type to the subscription.',
      'twice|A type that is there already is refused with 409 and `already_exists`.',
      'refused-changes-nothing|A refused request has changed nothing.',
      'race|Of two writers that add the same type at the same time, exactly one succeeds.',
    ],
  ],
  [
    'listEventSources',
    'D16',
    '/paths/~1event_subscriptions~1{subscription_id}~1sources/get',
    318,
    [
      'complete|A list is complete and without repeats at every page size.',
      'order|Sources are listed by ascending `type`.',
      'stable|A source that is there all the while appears exactly once, also while others are added and removed.',
    ],
  ],
  [
    'updateEventSource',
    'D12',
    '/paths/~1event_subscriptions~1{subscription_id}~1sources~1{type}/patch',
    398,
    [
      'replaces|Replaces the event type in the path by `type` in the body, in one step.',
      'conflict|A new type that is another source already is refused with 409.',
    ],
  ],
  [
    'deleteEventSource',
    'source §4.7',
    '/paths/~1event_subscriptions~1{subscription_id}~1sources~1{type}/delete',
    457,
    [
      'gone|What is deleted is gone: it cannot be read and is not listed.',
      'unknown|Deleting what is not there gets 404.',
    ],
  ],
  [
    'protocol',
    'D29',
    '/components/responses/BadRequest',
    580,
    [
      'problem|Every refusal is a problem details object.',
      'head|`HEAD` works wherever `GET` does.',
      'allow|A 405 names the allowed methods in `Allow`.',
    ],
  ],
];
/** Each rule is there for so many members of the schema, as generated requirements are. */
const MEMBERS = ['', 'description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination', 'limit', 'cursor'];

const OUTCOMES: Record<string, [Status, string?]> = {
  'createEdge.hostports.unique': ['fail'],
  'createEventSource.refused-changes-nothing': ['fail'],
  'listEventSources.complete.limit': ['fail'],
  'createEventSource.race': ['flaky', 'the same case passed 3 times when it was tried again'],
  'createEdge.creates.tls_termination': [
    'skip',
    'The service did not advertise TLS 1.3, so the value cannot be observed.',
  ],
  'getEdge.uri.cursor': ['skip', 'Needs --base-url to be https.'],
  'protocol.problem': [
    'skip',
    'No token was given (--token), so a refusal for want of one cannot be told from others.',
  ],
  'protocol.problem.limit': ['skip', 'No token was given (--token).'],
  'protocol.head.limit': ['skip', 'The service returns 501 to HEAD through its proxy.'],
  'listEventSources.stable.cursor': ['disabled', 'Disabled by --disable: known to be slow on this target.'],
  'protocol.allow.metadata': ['error', 'connect ECONNRESET 127.0.0.1:4010 after 3 attempts'],
};

export function sampleResult(id: string, overrides: Partial<RequirementResult> = {}): RequirementResult {
  return {
    id,
    level: 'core',
    origin: 'D06',
    clause: { file: 'openapi.yaml', pointer: '/components/schemas/Hostport', line: 770 },
    sentence: 'A hostport is never repeated within an edge.',
    status: 'pass',
    cases: 100,
    duration_ms: 212,
    ...overrides,
  };
}

function sampleRequirements(): RequirementResult[] {
  const results: RequirementResult[] = [];
  for (const [area, origin, pointer, line, promises] of AREAS) {
    for (const promise of promises) {
      const [suffix = '', sentence = ''] = promise.split('|');
      MEMBERS.forEach((member, i) => {
        const id = [area, suffix, member].filter((part) => part !== '').join('.');
        const [status, reason] = OUTCOMES[id] ?? ['pass'];
        const failure = FAILURES[id];
        results.push({
          ...sampleResult(id, { status, origin, clause: { file: 'openapi.yaml', pointer, line: line + i } }),
          level: member === 'cursor' ? 'extended' : 'core',
          sentence: member === '' ? sentence : `${sentence.slice(0, -1)}, with \`${member}\`.`,
          cases: status === 'pass' || status === 'fail' || status === 'flaky' ? 100 : 0,
          ...(reason === undefined ? {} : { reason }),
          ...(failure === undefined ? {} : { failure }),
        });
      });
    }
  }
  return results.slice(0, 180);
}

export function sampleReport(overrides: Partial<Report> = {}): Report {
  const requirements = overrides.requirements ?? sampleRequirements();
  const having = (status: Status) => requirements.filter((result) => result.status === status).length;
  return {
    verdict: 'nonconformant',
    reason:
      '4 broken: createEdge.hostports.unique, createEventSource.refused-changes-nothing, listEventSources.complete.limit and 1 more',
    target: { url: BASE, level: 'extended', origin: 'all', authenticated: true },
    seed: 42,
    runs: 100,
    contract: {
      title: 'HTTPS Edge and Event Source Configuration Service',
      version: '0.1.0',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    suite: { name: 'edge-conformance', version: '0.1.0' },
    started_at: '2026-03-04T10:20:30.456Z',
    duration_ms: 48_210,
    requests: 12_345,
    retries: { rate_limited: 0, unavailable: 2, connection_lost: 3, cases: 1 },
    warnings: [
      'The service is not stable: 2 responses were 503 with Retry-After and 3 connections ended before their response.',
    ],
    left_behind: { edges: 37, sources: 0 },
    may_have_been_made: { edges: 1 },
    summary: {
      pass: having('pass'),
      fail: having('fail'),
      flaky: having('flaky'),
      skip: having('skip'),
      disabled: having('disabled'),
      error: having('error'),
    },
    requirements,
    ...overrides,
  };
}

/** The same report with every string that a target can influence replaced by `text`. */
export function hostileReport(text: string): Report {
  const headers = { [text]: text };
  const failure: Failure = {
    message: text,
    cause: text,
    expected: text,
    got: text,
    exchanges: [
      { request: { method: 'GET', url: text, headers, body: text }, response: { status: 200, headers, body: text } },
      { request: { method: 'PUT', url: text, headers, body: null }, response: null, error: text },
    ],
    curl: text,
    replay: text,
  };
  const fields = { origin: text, clause: { file: text, pointer: text, line: 1 }, sentence: text, reason: text };
  const id = (status: Status) => `${text}.${status}`;
  const report = sampleReport({
    reason: text,
    requirements: [
      sampleResult(id('fail'), { ...fields, status: 'fail', failure }),
      sampleResult(id('flaky'), { ...fields, status: 'flaky', failure }),
      sampleResult(id('error'), { ...fields, status: 'error', failure }),
      sampleResult(id('skip'), { ...fields, status: 'skip' }),
      sampleResult(id('disabled'), { ...fields, status: 'disabled' }),
      sampleResult(id('pass'), { ...fields }),
    ],
  });
  return {
    ...report,
    target: { ...report.target, url: text },
    contract: { title: text, version: text, sha256: text },
    suite: { name: text, version: text },
  };
}
