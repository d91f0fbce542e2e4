/** JSON that is deep, wide, ambiguous or means no number, in bodies of up to 1 MiB. */
import type { Case, Kind } from '../case.ts';
import { EDGES, post, SOURCES } from '../requests.ts';
import type { AttackedServer } from '../server.ts';

const MIB = 1024 * 1024;
const MODULES = [
  'backend',
  'ip_restriction',
  'circuit_breaker',
  'compression',
  'request_headers',
  'response_headers',
  'webhook_verification',
  'oauth',
  'saml',
  'oidc',
  'websocket_tcp_converter',
  'user_agent_filter',
  'traffic_policy',
];
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const named = (cases: Record<string, string | Buffer>): Case[] =>
  Object.entries(cases).map(([name, send]) => ({ name, send }));
const nested = (levels: number, open: string, inner: string, close: string) =>
  `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
const wide = (bytes: number, one: (n: number) => string, [open, close]: string) => {
  let text = open!;
  for (let n = 0; text.length < bytes - 20; n++) text += `${n === 0 ? '' : ','}${one(n)}`;
  return text + close!;
};

export const nesting: Kind = {
  name: 'nesting',
  atOnce: 4,
  cases: named({
    '10,000 lists': post(nested(10_000, '[', '', ']')),
    '10,000 objects': post(nested(10_000, '{"a":', '1', '}')),
    '10,000 lists in a property': post(`{"hostports":${nested(10_000, '[', '', ']')}}`),
    '10,000 lists in metadata': post(`{"metadata":${nested(10_000, '[', '', ']')}}`),
    '10,000 objects in a module': post(`{"tls_termination":${nested(10_000, '{"enabled":', 'true', '}')}}`),
    'lists in 1 MiB': post(nested(MIB / 2, '[', '', ']')),
    'objects in 1 MiB': post(nested(Math.floor(MIB / 6) - 1, '{"a":', '1', '}')),
    'objects in 1 MiB, one name twice at the bottom': post(
      nested(Math.floor(MIB / 6) - 10, '{"a":', '{"b":1,"b":2}', '}'),
    ),
    'lists in 1 MiB without an end': post('['.repeat(MIB)),
    'objects in 1 MiB without an end': post('{"a":'.repeat(MIB / 5)),
    'lists beyond 1 MiB': post(nested(MIB, '[', '', ']')),
  }),
};

export const keys: Kind = {
  name: 'many keys',
  atOnce: 4,
  cases: named({
    'keys in 1 MiB': post(wide(MIB, (n) => `"${n.toString(36)}":1`, '{}')),
    'keys in a module': post(`{"tls_termination":${wide(MIB - 100, (n) => `"${n.toString(36)}":1`, '{}')}}`),
    'a million keys': post(wide(11_000_000, (n) => `"${n}":1`, '{}')),
    'one key 100,000 times': post(wide(MIB, () => '"a":1', '{}')),
    'keys of 1 MiB': post(`{"${'a'.repeat(MIB - 10)}":1}`),
    'hostports in 1 MiB': post(`{"hostports":${wide(MIB - 100, (n) => `"h${n}.example:1"`, '[]')}}`),
    'hostports alike in 1 MiB': post(`{"hostports":${wide(MIB - 100, () => '"a.example:1"', '[]')}}`),
    'objects in 1 MiB': post(`{"hostports":${wide(MIB - 100, () => '{}', '[]')}}`),
    'a text of escapes': post(`{"description":"${'\\u0061'.repeat(MIB / 6 - 10)}"}`),
    'a text of surrogates': post(`{"description":"${'\\ud800'.repeat(MIB / 6 - 10)}"}`),
    'a text of backslashes': post(
      `{"description":"${'\\\\'.repeat(MIB / 2 - 20)}","description":"${'\\"'.repeat(5)}"}`,
    ),
    'white space': post(`{"x":${' '.repeat(MIB - 10)}1}`),
    'colons in a text': post(`{"x":"${':'.repeat(MIB - 10)}"}`),
    'a hostname that nearly fits': post(`{"hostports":["${'a-'.repeat(MIB / 2 - 20)}"]}`),
    'hostnames that nearly fit': post(
      `{"hostports":${wide(MIB - 100, (n) => `"${'a'.repeat(61)}.${'a-'.repeat(90)}${n}"`, '[]')}}`,
    ),
  }),
};

/** Names of built-ins at each place of a body, as a property and as what is around it. */
export function names({ edge }: AttackedServer): Kind {
  const routes = `${edge.path}/routes`;
  const route = (more: string) => post(`{"match_type":"exact_path","match":"/x",${more}}`, routes);
  return {
    name: 'names of built-ins',
    cases: NAMES.flatMap((name) => [
      ...named({
        [`${name} in an edge`]: post(`{"${name}":{"a":1}}`),
        [`${name} null in an edge`]: post(`{"${name}":null}`),
        [`${name} in an escape`]: post(`{"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}":{}}`),
        [`${name} in a change`]: post(`{"${name}":{"description":"a"}}`, edge.path, 'PATCH'),
        [`${name} in mutual TLS`]: post(`{"mutual_tls":{"${name}":{"enabled":true}}}`),
        [`${name} in TLS termination`]: post(`{"tls_termination":{"${name}":{}}}`),
        [`${name} in a source`]: post(`{"type":"a.v0","${name}":{}}`, SOURCES),
        [`${name} as a type`]: post(`{"type":"${name}"}`, SOURCES),
        [`${name} as an edge`]: post('{}', `${EDGES}/${name}`, 'PATCH'),
        [`${name} as a route`]: post('{}', `${routes}/${name}`, 'PATCH'),
        [`${name} in a route`]: route(`"${name}":{}`),
        [`${name} as a provider`]: route(`"oauth":{"provider":{"${name}":{}}}`),
        [`${name} as two providers`]: route(`"oauth":{"provider":{"github":{},"${name}":{}}}`),
        [`${name} twice in a map`]: route(`"request_headers":{"add":{"${name}":"a","${name}":"b"}}`),
        [`${name} as an object in a map`]: route(`"request_headers":{"add":{"${name}":{"a":"b"}}}`),
        [`${name} as a list in a map`]: route(`"response_headers":{"add":{"${name}":["a"]}}`),
        [`${name} in two cases in a map`]: route(
          `"response_headers":{"add":{"${name}":"a","${name.toUpperCase()}":"b"}}`,
        ),
      }),
      ...MODULES.map((module) => ({
        name: `${name} in ${module}`,
        send: route(`"${module}":{"${name}":{"enabled":true}}`),
      })),
    ]),
  };
}

export function duplicates({ edge }: AttackedServer): Kind {
  const routes = `${edge.path}/routes`;
  return {
    name: 'names twice',
    cases: named({
      'the same value': post('{"description":"a","description":"a"}'),
      'two values': post('{"description":"a","description":"b"}'),
      'the second unknown by its type': post('{"description":"a","description":1}'),
      'an escape': post(String.raw`{"description":"a","descripti\u006fn":"b"}`),
      'with white space': post('{"description" \n:\t"a" , "description" :\r"b"}'),
      'in a module': post('{"tls_termination":{"enabled":true,"enabled":false}}'),
      'a module': post('{"tls_termination":{},"tls_termination":{"enabled":false}}'),
      'with a text that looks like names': post(
        '{"metadata":"{\\"a\\":1,\\"a\\":2}","description":"a","description":"b"}',
      ),
      'in a change': post('{"description":"a","description":"b"}', edge.path, 'PATCH'),
      'in a source': post('{"type":"a.v0","type":"b.v0"}', SOURCES),
      'two modules of authentication': post(
        '{"match_type":"exact_path","match":"/x","oidc":{"enabled":false,"enabled":true,"issuer":"https://a.example","client_id":"a"}}',
        routes,
      ),
      'a header': post(
        '{"match_type":"exact_path","match":"/x","request_headers":{"add":{"X-A":"a","X-A":"b"}}}',
        routes,
      ),
    }),
  };
}

const NUMBERS = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-0.0',
  '0x10',
  '010',
  '1.',
  '.5',
  '+1',
  '1e',
  '1E+',
  'NaN',
  'Infinity',
  '-Infinity',
  '9007199254740993',
  '4294967296',
  '1.5',
  '1e1000000000',
  `1${'0'.repeat(1000)}`,
  `${'9'.repeat(100_000)}`,
  `0.${'0'.repeat(100_000)}1`,
  `1e${'9'.repeat(10_000)}`,
  '٣',
  '1_000',
  '1,5',
  '"5"',
  'true',
  '-1',
  '--1',
  '1-1',
  '1n',
];

export function numbers({ edge }: AttackedServer): Kind {
  const routes = `${edge.path}/routes`;
  const breaker = (field: string, number: string) =>
    post(`{"match_type":"exact_path","match":"/x","circuit_breaker":{"${field}":${number}},"unknown":1}`, routes);
  return {
    name: 'numbers',
    cases: NUMBERS.flatMap((number) => {
      const short = number.slice(0, 20);
      return named({
        [`${short} as a text`]: post(`{"description":${number},"unknown":1}`),
        [`${short} as a count`]: breaker('num_buckets', number),
        [`${short} as seconds`]: breaker('tripped_duration', number),
        [`${short} as a share`]: breaker('error_threshold_percentage', number),
        [`${short} as a body`]: post(number),
        [`${short} as a limit`]: `GET ${EDGES}?limit=${encodeURIComponent(number).slice(0, 8000)}x HTTP/1.1\r\n${post('').toString().split('\r\n').slice(1, 3).join('\r\n')}\r\n\r\n`,
      });
    }),
  };
}
