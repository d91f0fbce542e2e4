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

function weighted(...choices: [weight: number, arbitrary: fc.Arbitrary<string>][]): fc.Arbitrary<string> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Near misses of every name: white space around it, a second line, a character that names do not have. */
function slips(text: string): Record<string, string> {
  return {
    'a leading space': ` ${text}`,
    'a trailing space': `${text} `,
    'a trailing newline': `${text}\n`,
    'a second line': `${text}\n${text}`,
    NUL: `${text.slice(0, 2)}\u0000${text.slice(2)}`,
  };
}

const label63 = 'a'.repeat(63);
const host253 = [label63, label63, label63, 'a'.repeat(61)].join('.');

const label = weighted([3, words('a b c').values], [2, words('shop api x1 A Shop 0 xn--bcher-kva a-b a--b').values]);
const hostname = fc
  .tuple(fc.boolean(), label, fc.array(label, { maxLength: 2 }))
  .map(([wildcard, first, rest]) => `${wildcard ? '*.' : ''}${[first, ...rest].join('.')}`);
const port = weighted([3, words('1 443 8443').values], [1, fc.integer({ min: 1, max: 65535 }).map(String)]);

const eventName = weighted(
  [1, words('a b c').values],
  [3, words('ip_policy_created ip_policy_deleted http_request_complete tcp_connection_closed x9_').values],
);
const version = weighted([5, words('0 1').values], [1, fc.integer({ min: 2, max: 1000 }).map(String)]);

const idText = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789_-ABCXYZ'),
  minLength: 1,
  maxLength: 64,
});
/** A list of 100 needs as many that differ. */
const headerText = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_.XYZ'),
  minLength: 1,
  maxLength: 16,
});

const BY_COMPONENT: Record<string, Realistic> = {
  Hostport: {
    values: fc.tuple(hostname, port).map((parts) => parts.join(':')),
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
      ...slips('a.example:443'),
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
      'two ports': 'a.example:443:443',
      'a letter beyond ASCII': 'bücher.example:443',
      'digits beyond ASCII': 'a.example:４４３',
      'an IPv6 address without brackets': '::1:443',
      'an IPv6 address with a zone': '[fe80::1%eth0]:443',
    },
  },
  EventType: {
    values: fc.tuple(eventName, version).map((parts) => parts.join('.v')),
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
      ...slips('ip_policy_created.v0'),
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
      'a wildcard': 'ip_policy_*.v0',
      'a letter beyond ASCII': 'ip_policy_créated.v0',
      'a digit beyond ASCII': 'ip_policy_created.v１',
    },
  },
  ResourceId: {
    values: weighted(
      [3, words('a b c').values],
      [2, words('ca_partners sub_orders 0 _ - A-b_9 edghts_01ke3vw9xjbqpxz3q6t8m4n5rd').values],
      [1, idText],
    ),
    simplest: ['a', 'b', 'c'],
    edges: { 'an underscore': '_', 'a hyphen': '-', digits: '0123456789', 'upper case': 'A' },
    near: {
      ...slips('ca_partners'),
      'a space': 'ca partners',
      'a dot': 'ca.partners',
      'a slash': 'ca/partners',
      'a colon': 'ca:partners',
      'a percent sign': 'ca%20partners',
      'a plus': 'ca+partners',
      'an asterisk': '*',
      'a quote': "ca'partners",
      'a letter beyond ASCII': 'cä_partners',
    },
  },
  Match: {
    ...words(
      "/ /a /b /api /api/ /a//b /a/../b /é /%C3%A9 /a;b=1,c /~:@!$&'()*+ /漢字/😀 a shop.example.com *.example.com " +
        'Shop.Example.COM a/ shop.example.com/api *.example.com/a/b 127.0.0.1/x',
    ),
    edges: {
      'the root': '/',
      'a host of one label': 'localhost',
      'a host with a path': 'a.example/b',
      'a host with the root': 'a.example/',
      'a wildcard': '*.a.example',
      'a wildcard with a path': '*.a.example/b',
      'a label of 63 characters': label63,
      'an underscore': '_a_b.example',
      'an IPv6 address': '[2001:db8::1]/a',
      'a path beyond ASCII': '/é漢😀',
      'a percent sign': '/%',
      'a colon within a path': '/a:b',
    },
    near: {
      ...slips('/a'),
      'a query': '/a?b=c',
      'a fragment': '/a#b',
      'a space': '/a b',
      'a tab': '/a\tb',
      DEL: '/a\u007f',
      'a port': 'a.example:443',
      'a port before a path': 'a.example:443/b',
      'a scheme': 'https://a.example/b',
      'a wildcard alone': '*',
      'a wildcard before a path': '*/a',
      'a wildcard within': 'a.*.example',
      'an empty label': 'a..example',
      'a trailing dot': 'a.example.',
      'a leading dot': '.a.example',
      'a leading hyphen': '-a.example',
      'a label of 64 characters': `${label63}a`,
      'a host beyond ASCII': 'bücher.example',
      'a host with a query': 'a.example?b',
      'an IPv6 address without brackets': '::1/a',
      'a no-break space': '/a\u00a0b',
      'an ideographic space': '/a\u3000b',
      'a line separator': '/a\u2028b',
    },
  },
  HeaderName: {
    values: weighted(
      [2, words("a b X-Forwarded-Team x-debug Server SERVER-TIMING 1 _ __proto__ !#$%&'*+-.^_`|~ Constructor").values],
      [1, headerText],
    ),
    simplest: ['a', 'b', 'c'],
    edges: { 'every special character': "!#$%&'*+-.^_`|~", 'one character': 'x', digits: '0', 'upper case': 'X-A' },
    near: {
      ...slips('X-A'),
      'a space': 'X A',
      'a colon': 'X-A:',
      'a second header': 'X-A: 1\r\nX-B',
      'a parenthesis': 'X(A)',
      'a slash': 'X/A',
      'a quote': '"X"',
      'a comma': 'X,A',
      'an equals sign': 'X=A',
      'a bracket': 'X[0]',
      'a letter beyond ASCII': 'X-É',
    },
  },
  HeaderValue: {
    ...listed('', 'a', 'b', 'web', 'a, b;c="d"', ' a ', '\t', 'é', '漢 😀', '\u0001', '${x}', '%0d%0a'),
    edges: {
      empty: '',
      'a tab': '\t',
      'a space': ' ',
      'beyond ASCII': 'é漢😀',
      'an escaped newline': String.raw`\r\n`,
    },
    near: {
      'a second header': 'a\r\nSet-Cookie: b=c',
      'a newline': 'a\nb',
      'a carriage return': 'a\rb',
      NUL: 'a\u0000b',
      'a trailing newline': 'a\n',
      'a leading newline': '\na',
      'a newline alone': '\n',
    },
  },
  WebhookProvider: {
    ...words('sns github a slack stripe sns_ x_9 0'),
    edges: { sns: 'sns', 'an underscore': '_', digits: '0', 'sns and more': 'sns2' },
    near: {
      ...slips('github'),
      'upper case': 'GITHUB',
      'one upper-case letter': 'GitHub',
      'SNS in upper case': 'SNS',
      'a space': 'git hub',
      'a hyphen': 'aws-sns',
      'a dot': 'aws.sns',
      'a letter beyond ASCII': 'gíthub',
    },
  },
  GitHubTeam: {
    ...words('a/b a/c acme/web Acme/Web-Team 1/2 é/漢'),
    edges: { 'one character each': 'a/b', 'beyond ASCII': 'é/漢' },
    near: {
      'no slash': 'acme',
      'two slashes': 'acme/web/x',
      'no organization': '/web',
      'no team': 'acme/',
      'a slash alone': '/',
      'a backslash': String.raw`acme\web`,
      'an empty part': 'acme//web',
    },
  },
  IdpMetadata: {
    ...{ values: entityDescriptors, simplest: [SMALLEST], edges: {}, near: {} },
    ofLength: entityDescriptorsOfLength,
  },
  UserAgentExpression: {
    ...words(
      String.raw`a b c (?i)bot/[0-9]+ ^curl/ Mozilla/5\.0\s\(.*\) \bfoo\b [^a-z]{2,5}$ (?P<name>x)|y \pL é|漢 .*`,
    ),
    ofLength: (length) => ['a', 'é', '漢', '😀'].map((char) => char.repeat(length)),
  },
  OAuthScope: words('a openid read:user https://www.example.com/auth/x.readonly user.read é'),
  EmailAddress: listed('a@b', 'ada@example.com', 'a.b+c@x.example', '"a b"@example.com', 'ü@bücher.example', "o'h@a.b"),
  EmailDomain: words('a example.com Example.COM bücher.example x--y.example'),
  GitHubOrganization: words('a acme Acme-Inc 1'),
  CookiePrefix: listed('', 'a', 'edge.', 'edge', 'session_', '__Host-'),
};

/** By the pointer of the component. */
export const REALISTIC: Readonly<Record<string, Realistic>> = Object.fromEntries(
  Object.entries(BY_COMPONENT).map(([name, realistic]) => [`/components/schemas/${name}`, realistic]),
);
