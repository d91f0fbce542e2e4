/** The evidence in the sample report: a wrong response, a change that should not be, and no response at all. */
import type { Exchange, Failure } from '../run/result.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
export const BASE = 'http://127.0.0.1:4010';
const CURSOR = 'eyJhZnRlciI6ImEudjAifQ'.repeat(8);

export const FAILURES: Record<string, Failure> = {
  'createEdge.hostports.unique': {
    message: 'The hostports repeat. Expected 400, got 201.',
    cause: 'Expected 400, got 201 (uniqueItems)',
    expected: '400 with code `invalid_request`, and an entry of `errors` whose pointer is /hostports/1',
    got: '201\n{"id":"edghts_2Nn9uyhQ","hostports":["a.example:443","a.example:443"]}',
    exchanges: [
      {
        request: {
          method: 'POST',
          url: `${BASE}/edges/https`,
          headers: { ...JSON_HEADERS, authorization: 'Bearer [redacted]' },
          body: '{"hostports":["a.example:443","a.example:443"]}',
        },
        response: {
          status: 201,
          headers: { ...JSON_HEADERS, location: `${BASE}/edges/https/edghts_2Nn9uyhQ` },
          body:
            `{"id":"edghts_2Nn9uyhQ","uri":"${BASE}/edges/https/edghts_2Nn9uyhQ","description":"","metadata":"",` +
            '"hostports":["a.example:443","a.example:443"],"mutual_tls":null,"tls_termination":null,"routes":[]}',
        },
      },
    ],
    curl: `curl -sS -i -X POST ${BASE}/edges/https \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-binary '{"hostports":["a.example:443","a.example:443"]}'`,
    replay: `npx edge-conformance --base-url ${BASE} --only createEdge.hostports.unique --seed 42 --path 3:0:1`,
  },
  'createEventSource.refused-changes-nothing': {
    message: 'The refused request added the source all the same.',
    cause: 'The refused request added the source all the same',
    expected: 'no source `ip_policy_created.v0`, since the request that would add it got 400',
    got: '1 source: ip_policy_created.v0',
    exchanges: [
      exchange(
        'POST',
        '/event_subscriptions/sb_k2/sources',
        '{"type":"ip_policy_created.v0","colour":"red"}',
        400,
        '{"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_request",' +
          '"errors":[{"code":"additionalProperties","pointer":"/colour"}]}',
      ),
      exchange(
        'GET',
        '/event_subscriptions/sb_k2/sources?limit=100',
        null,
        200,
        '{"sources":[{"type":"ip_policy_created.v0",' +
          `"uri":"${BASE}/event_subscriptions/sb_k2/sources/ip_policy_created.v0"}],"uri":null}`,
      ),
    ],
    curl: `set -eu
base=${BASE}
curl -sS -o /dev/null -X POST "$base/event_subscriptions/sb_k2/sources" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  --data-binary '{"type":"ip_policy_created.v0","colour":"red"}'
curl -sS "$base/event_subscriptions/sb_k2/sources?limit=100" -H "Authorization: Bearer $TOKEN"`,
    replay: `npx edge-conformance --base-url ${BASE} --only createEventSource.refused-changes-nothing --seed 42`,
  },
  'createEventSource.race': {
    message: 'Two writers added the same type. Expected 409, got 201.',
    cause: 'Expected 409, got 201 (post)',
    expected: '409',
    got: '201, {"type":"a.v0"}',
    exchanges: [exchange('POST', '/event_subscriptions/sb_k4/sources', '{"type":"a.v0"}', 201, '{"type":"a.v0"}')],
    curl: `curl -sS -i -X POST ${BASE}/event_subscriptions/sb_k4/sources --data-binary '{"type":"a.v0"}'`,
    replay: `npx edge-conformance ${BASE} --replay createEventSource.race@0.42.0`,
  },
  'listEventSources.complete.limit': {
    message: 'No response came: the connection was closed without a response.',
    cause: 'No response: the connection was closed without a response',
    expected: '200 with the sources after `b.v0`',
    got: 'no response',
    exchanges: [
      exchange('POST', '/event_subscriptions/sb_k3/sources', '{"type":"a.v0"}', 201, '{"type":"a.v0"}'),
      exchange('POST', '/event_subscriptions/sb_k3/sources', '{"type":"b.v0"}', 201, '{"type":"b.v0"}'),
      exchange(
        'GET',
        '/event_subscriptions/sb_k3/sources?limit=1',
        null,
        200,
        `{"sources":[{"type":"a.v0"}],"uri":"${BASE}/event_subscriptions/sb_k3/sources?limit=1&cursor=${CURSOR}"}`,
      ),
      {
        request: {
          method: 'GET',
          url: `${BASE}/event_subscriptions/sb_k3/sources?limit=1&cursor=${CURSOR}`,
          headers: {},
          body: null,
        },
        response: null,
        error: 'The connection was closed before a response came.',
      },
    ],
    curl: `curl -sS -i '${BASE}/event_subscriptions/sb_k3/sources?limit=1&cursor=${CURSOR}'`,
    replay: `npx edge-conformance --base-url ${BASE} --only listEventSources.complete.limit --seed 42 --path 11:2:0:0`,
  },
};

function exchange(method: string, path: string, body: string | null, status: number, response: string): Exchange {
  return {
    request: { method, url: BASE + path, headers: body === null ? {} : JSON_HEADERS, body },
    response: { status, headers: JSON_HEADERS, body: response },
  };
}
