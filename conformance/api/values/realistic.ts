/** Realistic values, values on the edge, and near misses of this API's components. */
import * as fc from 'fast-check';
import type { Realistic } from '../../engine/contract/hints.ts';
import { entityDescriptors, entityDescriptorsOfLength, SMALLEST } from './xml.ts';

/** Values of which none is more likely, and whose first three are the simplest. */
function listed(...values: string[]): Realistic {
  return { values: fc.constantFrom(...values), simplest: values.slice(0, 3), edges: {}, near: {} };
}

/** The same, of values without spaces in one text. */
function words(text: string): Realistic {
  return listed(...text.split(' '));
}

function weighted(
  ...choices: [weight: number, arbitrary: fc.Arbitrary<string>][]
): fc.Arbitrary<string> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Values under their own names: texts without white space in one text, and others. */
function named(text: string, ...others: string[]): Record<string, string> {
  return Object.fromEntries(
    [...text.split(' '), ...others].map((value) => [JSON.stringify(value), value]),
  );
}

/**
 * Near misses of a name: white space around it, a second line, a character that names do not have,
 * and those named.
 */
function nearMisses(of: string, text: string, ...others: string[]): Record<string, string> {
  const within = `${of.slice(0, 2)}\u0000${of.slice(2)}`;
  return {
    ...named(within, ` ${of}`, `${of} `, `${of}\n`, `${of}\n${of}`),
    ...named(text, ...others),
  };
}

/** All that is white space in Unicode, and some control characters. */
const WHITE_SPACE = Array.from(
  '\u0000\t\n\v\f\r\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007' +
    '\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

const label63 = 'a'.repeat(63);
const host253 = [label63, label63, label63, 'a'.repeat(61)].join('.');

const label = weighted(
  [3, words('a b c').values],
  [2, words('shop api x1 A Shop 0 xn--bcher-kva a-b a--b').values],
);
const hostname = fc
  .tuple(fc.boolean(), label, fc.array(label, { maxLength: 2 }))
  .map(([wildcard, first, rest]) => `${wildcard ? '*.' : ''}${[first, ...rest].join('.')}`);
const port = weighted(
  [3, words('1 443 8443').values],
  [1, fc.integer({ min: 1, max: 65535 }).map(String)],
);

const eventName = weighted(
  [1, words('a b c').values],
  [
    3,
    words('ip_policy_created ip_policy_deleted http_request_complete tcp_connection_closed x9_')
      .values,
  ],
);
const version = weighted(
  [5, words('0 1').values],
  [1, fc.integer({ min: 2, max: 1000 }).map(String)],
);

const textOf = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
const idText = textOf('abcdefghijklmnopqrstuvwxyz0123456789_-ABCXYZ', 64);
/** A list of 100 needs as many that differ. */
const headerText = textOf('abcdefghijklmnopqrstuvwxyz0123456789-_.XYZ', 16);

const SURROGATES = 0x800;

/**
 * Any character but surrogates, which UTF-8 cannot hold. A string of fast-check with such units
 * makes a table of all characters as soon as it is made.
 */
const CHARACTER = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + SURROGATES));

const BY_COMPONENT: Record<string, Realistic> = {
  Hostport: {
    values: fc.tuple(hostname, port).map((parts) => parts.join(':')),
    simplest: ['a:1', 'b:1', 'c:1'],
    edges: named(
      `a.example:1 a.example:65535 a.example:10000 ${label63}:443 ${host253}:443 ` +
        `*.${host253}:65535 *.a.example:443 ` +
        '*.localhost:443 a:1 127.0.0.1:443 Shop.Example:443 _a_b.example:443 a_.example_:443 ' +
        '[2001:db8::1]:443 [2001:DB8::A]:1 [::ffff:192.0.2.1]:443 [::]:1 a--b.example:443 ' +
        '0.1:443 a:9 a:59999 a:60000 a:64999 a:65499 a:65529 a:65530',
    ),
    near: nearMisses(
      'a.example:443',
      // Ports.
      'a.example a.example: a.example:0 a.example:65536 a.example:70000 ' +
        'a.example:99999 a.example:100000 ' +
        'a.example:00443 a.example:-1 a.example:+443 a.example:https a.example:443:443 ' +
        'a.example:４４３ ' +
        '[::1]:0 [::1]:65536 [::1]:99999 [::1]:00443 [::1]: [::1] ' +
        '*.a.example:0 *.a.example:65536 127.0.0.1:0 127.0.0.1:65536 ' +
        // Hosts.
        ':443 https://a.example:443 a.example:443/ a.example.:443 .a.example:443 ' +
        'a..example:443 -a.example:443 ' +
        `a-.example:443 ${label63}a:443 *:443 *.:443 a.*.example:443 ` +
        'a*.example:443 *.*.example:443 bücher.example:443 ::1:443 [fe80::1%eth0]:443',
      'a example:443',
    ),
  },
  EventType: {
    values: fc.tuple(eventName, version).map((parts) => parts.join('.v')),
    simplest: ['a.v0', 'b.v0', 'c.v0'],
    edges: named(
      `a.v0 created.v0 created.v10 a0__9_.v1 ${'a'.repeat(125)}.v0 a.v12345678901234567890`,
    ),
    near: nearMisses(
      'ip_policy_created.v0',
      'CREATED.v0 Created.v0 created.V0 created created.v created.0 created.v01 created.v-1 ' +
        'created.v1.0 created.v0.v1 .v10 0_created.v0 _created.v0 ip-created.v0 ip.created.v0 ' +
        'ip_*.v0 créated.v0 created.v１',
      'ip created.v0',
    ),
  },
  ResourceId: {
    values: weighted(
      [3, words('a b c').values],
      [2, words('ca_partners sub_orders 0 _ - A-b_9 edghts_01ke3vw9xjbqpxz3q6t8m4n5rd').values],
      [1, idText],
    ),
    simplest: ['a', 'b', 'c'],
    edges: named(
      '_ - 0123456789 A azAZ09_- 007 1e3 0x1F 12345678901234567890123 true null NaN -0 ' +
        'constructor toString __proto__',
    ),
    near: nearMisses('ca_partners', "ca.a ca/a ca:a ca%20a ca+a * ca'a cä_a", 'ca a'),
  },
  Match: {
    ...words(
      "/ /a /b /api /api/ /a//b /a/../b /é /%C3%A9 /a;b=1,c /~:@!$&'()*+ /漢字/😀 " +
        'a shop.example.com *.example.com ' +
        'Shop.Example.COM a/ shop.example.com/api *.example.com/a/b 127.0.0.1/x',
    ),
    edges: named(
      `/ localhost a.example/b a.example/ *.a.example *.a.example/b ${label63} ` +
        '_a_b.example a_.example_ a_.b/c [2001:db8::1]/a [2001:DB8::A] [::ffff:192.0.2.1]/a ' +
        '/é漢😀 /% /a:b',
    ),
    near: nearMisses(
      '/a',
      '/a?b=c /a#b a.example:443 a.example:443/b https://a.example/b * */a ' +
        'a.*.example a..example a.example. ' +
        `.a.example -a.example ${label63}a bücher.example a.example?b ::1/a ` +
        '[::1]:443/a [::1]?b [::1]/a?b [::1]/a#b *.a.example/a?b *.a.example/a#b a.example/a#b',
      '/a\u007f',
      '[::1]/a b',
      '*.a.example/a b',
      // In each of the two places of a path.
      ...WHITE_SPACE.flatMap((space) => [`/a${space}b`, `a.example/a${space}b`]),
    ),
  },
  HeaderName: {
    values: weighted(
      [
        2,
        words(
          'a b X-Forwarded-Team x-debug Server SERVER-TIMING 1 _ __proto__ ' +
            "!#$%&'*+-.^_`|~ Constructor",
        ).values,
      ],
      [1, headerText],
    ),
    simplest: ['a', 'b', 'c'],
    edges: named("!#$%&'*+-.^_`|~ x 0 X-A"),
    near: nearMisses('X-A', 'X-A: X(A) X/A "X" X,A X=A X[0] X-É', 'X A', 'X-A: 1\r\nX-B'),
  },
  HeaderValue: {
    ...listed(
      '',
      'a',
      'b',
      'web',
      'a, b;c="d"',
      ' a ',
      '\t',
      'é',
      '漢 😀',
      '\u0001',
      '${x}',
      '%0d%0a',
    ),
    edges: named(String.raw`é漢😀 \r\n`, '', '\t', ' '),
    near: named('a\u0000b', 'a\r\nSet-Cookie: b=c', 'a\nb', 'a\rb', 'a\n', '\na', '\n'),
  },
  WebhookProvider: {
    ...words('sns github a slack stripe sns_ x_9 0'),
    edges: named('sns _ 0 sns2'),
    near: nearMisses('github', 'GITHUB GitHub SNS aws-sns aws.sns gíthub', 'git hub'),
  },
  GitHubTeam: {
    ...words('a/b a/c acme/web Acme/Web-Team 1/2 é/漢'),
    edges: named('a/b é/漢'),
    near: named(String.raw`acme acme/web/x /web acme/ / acme\web acme//web`),
  },
  IdpMetadata: {
    values: entityDescriptors,
    simplest: [SMALLEST],
    edges: {},
    near: {},
    ofLength: entityDescriptorsOfLength,
  },
  UserAgentExpression: {
    ...words(
      String.raw`a b c (?i)bot/[0-9]+ ^curl/ Mozilla/5\.0\s\(.*\) \bfoo\b ` +
        String.raw`[^a-z]{2,5}$ (?P<name>x)|y \pL é|漢 .* \Qa+b\E (?s:a.b) [[:alpha:]]{1,1000} x*?`,
    ),
    ofLength: (length) => ['a', 'é', '漢', '😀'].map((char) => char.repeat(length)),
  },
  TrafficPolicyValue: {
    values: fc.oneof(
      listed('', 'a', 'b', '{"on_http_request":[]}', 'é漢😀', ' a\r\n\t\u0000').values,
      fc.array(CHARACTER, { maxLength: 60 }).map((characters) => characters.join('')),
    ),
    simplest: ['', 'a', 'b'],
    edges: {},
    near: {},
    ofLength: (length) => ['a', 'é', '漢', '😀'].map((char) => char.repeat(length)),
  },
  OAuthScope: words('a openid read:user https://www.example.com/auth/x.readonly user.read é'),
  EmailAddress: listed(
    'a@b',
    'ada@example.com',
    'a.b+c@x.example',
    '"a b"@example.com',
    'ü@bücher.example',
    "o'h@a.b",
  ),
  EmailDomain: words('a example.com Example.COM bücher.example x--y.example'),
  GitHubOrganization: words('a acme Acme-Inc 1'),
  CookiePrefix: listed('', 'a', 'edge.', 'edge', 'session_', '__Host-'),
};

/** By the pointer of the component. */
export const REALISTIC: Readonly<Record<string, Realistic>> = Object.fromEntries(
  Object.entries(BY_COMPONENT).map(([name, realistic]) => [
    `/components/schemas/${name}`,
    realistic,
  ]),
);
