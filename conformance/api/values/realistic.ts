/** Realistic values, values on the edge, and near misses of this API's components. */
import * as fc from 'fast-check';
import type { Realistic } from '../../engine/contract/hints.ts';
import { REALISTIC_ROUTES } from './realistic-routes.ts';

const label = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 2, arbitrary: fc.constantFrom('shop', 'api', 'x1', 'A', 'Shop', '0', 'xn--bcher-kva', 'a-b', 'a--b') },
);
const hostname = fc
  .tuple(fc.boolean(), label, fc.array(label, { maxLength: 2 }))
  .map(([wildcard, first, rest]) => `${wildcard ? '*.' : ''}${[first, ...rest].join('.')}`);
const port = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(1, 443, 8443) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 65535 }) },
);
const label63 = 'a'.repeat(63);
const host253 = [label63, label63, label63, 'a'.repeat(61)].join('.');

const word = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'ip_policy_created',
      'ip_policy_deleted',
      'http_request_complete',
      'tcp_connection_closed',
      'x9_',
    ),
  },
);
const version = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(0, 1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 1000 }) },
);

const idChars = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789_-ABCXYZ');

const BY_COMPONENT: [string, Realistic][] = [
  [
    'Hostport',
    {
      values: fc.tuple(hostname, port).map(([host, number]) => `${host}:${number}`),
      simplest: ['a:1', 'b:1', 'c:1'],
      edges: {
        'port 1': 'a.example:1',
        'port 65535': 'a.example:65535',
        'a port of five digits': 'a.example:10000',
        'a label of 63 characters': `${label63}:443`,
        'a host of 253 characters': `${host253}:443`,
        'a wildcard before a host of 253 characters': `*.${host253}:65535`,
        'a wildcard': '*.a.example:443',
        'a wildcard before one label': '*.localhost:443',
        'one character': 'a:1',
        'an IPv4 address': '127.0.0.1:443',
        'upper case': 'Shop.Example:443',
        'an underscore': '_a_b.example:443',
        'an IPv6 address': '[2001:db8::1]:443',
        'hyphens within a label': 'a--b.example:443',
        'a label of digits': '0.1:443',
      },
      near: {
        'no port': 'a.example',
        'an empty port': 'a.example:',
        'port 0': 'a.example:0',
        'port 65536': 'a.example:65536',
        'port 70000': 'a.example:70000',
        'port 99999': 'a.example:99999',
        'a port of six digits': 'a.example:100000',
        'a leading zero': 'a.example:00443',
        'a negative port': 'a.example:-1',
        'a signed port': 'a.example:+443',
        'a named port': 'a.example:https',
        'no host': ':443',
        'a space': 'a example:443',
        'a leading space': ' a.example:443',
        'a trailing space': 'a.example:443 ',
        'a scheme': 'https://a.example:443',
        'a path': 'a.example:443/',
        'a trailing dot': 'a.example.:443',
        'a leading dot': '.a.example:443',
        'an empty label': 'a..example:443',
        'a leading hyphen': '-a.example:443',
        'a trailing hyphen': 'a-.example:443',
        'a label of 64 characters': `${label63}a:443`,
        'a wildcard alone': '*:443',
        'a wildcard with nothing behind it': '*.:443',
        'a wildcard within': 'a.*.example:443',
        'a wildcard within a label': 'a*.example:443',
        'two wildcards': '*.*.example:443',
        'a trailing newline': 'a.example:443\n',
        'a second line': 'a.example:443\nb.example:443',
        'two ports': 'a.example:443:443',
        'a letter beyond ASCII': 'bücher.example:443',
        'digits beyond ASCII': 'a.example:４４３',
        'an IPv6 address without brackets': '::1:443',
        'an IPv6 address with a zone': '[fe80::1%eth0]:443',
        NUL: 'a.example\u0000:443',
      },
    },
  ],
  [
    'EventType',
    {
      values: fc.tuple(word, version).map(([name, number]) => `${name}.v${number}`),
      simplest: ['a.v0', 'b.v0', 'c.v0'],
      edges: {
        'version 0': 'ip_policy_created.v0',
        'version 10': 'ip_policy_created.v10',
        'one letter': 'a.v0',
        'digits and underscores': 'a0__9_.v1',
        '128 characters': `${'a'.repeat(125)}.v0`,
        'a version of many digits': 'a.v12345678901234567890',
      },
      near: {
        'upper case': 'IP_POLICY_CREATED.v0',
        'one upper-case letter': 'ip_policy_Created.v0',
        'an upper-case v': 'ip_policy_created.V0',
        'no version': 'ip_policy_created',
        'an empty version': 'ip_policy_created.v',
        'a version without v': 'ip_policy_created.0',
        'version 01': 'ip_policy_created.v01',
        'version -1': 'ip_policy_created.v-1',
        'version 1.0': 'ip_policy_created.v1.0',
        'two versions': 'ip_policy_created.v0.v1',
        'no name': '.v10',
        'a leading digit': '0_policy_created.v0',
        'a leading underscore': '_policy_created.v0',
        'a hyphen': 'ip-policy-created.v0',
        'two names': 'ip.policy_created.v0',
        'a space': 'ip_policy created.v0',
        'a trailing space': 'ip_policy_created.v0 ',
        'a trailing newline': 'ip_policy_created.v0\n',
        'a leading space': ' ip_policy_created.v0',
        NUL: 'ip_policy_created.v0\u0000',
        'a wildcard': 'ip_policy_*.v0',
        'a letter beyond ASCII': 'ip_policy_créated.v0',
        'a digit beyond ASCII': 'ip_policy_created.v１',
      },
    },
  ],
  [
    'ResourceId',
    {
      values: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c') },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            'ca_partners',
            'sub_orders',
            '0',
            '_',
            '-',
            'A-b_9',
            'edghts_01ke3vw9xjbqpxz3q6t8m4n5rd',
          ),
        },
        { weight: 1, arbitrary: fc.string({ unit: idChars, minLength: 1, maxLength: 64 }) },
      ),
      simplest: ['a', 'b', 'c'],
      edges: { 'an underscore': '_', 'a hyphen': '-', digits: '0123456789', 'upper case': 'A' },
      near: {
        'a space': 'ca partners',
        'a trailing space': 'ca_partners ',
        'a dot': 'ca.partners',
        'a slash': 'ca/partners',
        'a colon': 'ca:partners',
        'a percent sign': 'ca%20partners',
        'a plus': 'ca+partners',
        'an asterisk': '*',
        'a quote': "ca'partners",
        'a trailing newline': 'ca_partners\n',
        'a letter beyond ASCII': 'cä_partners',
        NUL: 'ca\u0000partners',
      },
    },
  ],
  ...REALISTIC_ROUTES,
];

/** By the pointer of the component. */
export const REALISTIC: Readonly<Record<string, Realistic>> = Object.fromEntries(
  BY_COMPONENT.map(([name, realistic]) => [`/components/schemas/${name}`, realistic]),
);
