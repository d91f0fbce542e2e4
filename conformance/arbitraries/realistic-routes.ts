/** Realistic values for what routes are made of; see `realistic.ts`. */
import * as fc from 'fast-check';
import type { Realistic } from './realistic.ts';
import { entityDescriptors, entityDescriptorsOfLength, SMALLEST } from './xml.ts';

const label63 = 'a'.repeat(63);

/** Values of which none is more likely, and whose first three are the simplest. */
function listed(...values: string[]): Pick<Realistic, 'values' | 'simplest'> {
  return { values: fc.constantFrom(...values), simplest: values.slice(0, 3) };
}

export const REALISTIC_ROUTES: [string, Realistic][] = [
  [
    'Match',
    {
      ...listed(
        '/',
        '/a',
        '/b',
        '/api',
        '/api/',
        '/a//b',
        '/a/../b',
        '/é',
        '/%C3%A9',
        '/a;b=1,c',
        "/~:@!$&'()*+",
        '/漢字/😀',
        'a',
        'shop.example.com',
        '*.example.com',
        'Shop.Example.COM',
        'a/',
        'shop.example.com/api',
        '*.example.com/a/b',
        '127.0.0.1/x',
      ),
      edges: {
        'the root': '/',
        'a host of one label': 'localhost',
        'a host with a path': 'a.example/b',
        'a host with the root': 'a.example/',
        'a wildcard': '*.a.example',
        'a wildcard with a path': '*.a.example/b',
        'a label of 63 characters': label63,
        'a path beyond ASCII': '/é漢😀',
        'a percent sign': '/%',
        'a colon within a path': '/a:b',
      },
      near: {
        'a query': '/a?b=c',
        'a fragment': '/a#b',
        'a space': '/a b',
        'a leading space': ' /a',
        'a trailing space': '/a ',
        'a trailing newline': '/a\n',
        'a second line': '/a\n/b',
        'a tab': '/a\tb',
        NUL: '/a\u0000',
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
        'an underscore': 'a_b.example',
        'a label of 64 characters': `${label63}a`,
        'a host beyond ASCII': 'bücher.example',
        'a host with a query': 'a.example?b',
        'an IPv6 address': '[::1]/a',
      },
    },
  ],
  [
    'HeaderName',
    {
      values: fc.oneof(
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            'a',
            'b',
            'X-Forwarded-Team',
            'x-debug',
            'Server',
            'SERVER-TIMING',
            '1',
            '_',
            '__proto__',
            "!#$%&'*+-.^_`|~",
            'Constructor',
          ),
        },
        // A list of 100 needs as many that differ.
        {
          weight: 1,
          arbitrary: fc.string({
            unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_.XYZ'),
            minLength: 1,
            maxLength: 16,
          }),
        },
      ),
      simplest: ['a', 'b', 'c'],
      edges: { 'every special character': "!#$%&'*+-.^_`|~", 'one character': 'x', digits: '0', 'upper case': 'X-A' },
      near: {
        'a space': 'X A',
        'a trailing space': 'X-A ',
        'a leading space': ' X-A',
        'a colon': 'X-A:',
        'a trailing newline': 'X-A\n',
        'a second header': 'X-A: 1\r\nX-B',
        'a parenthesis': 'X(A)',
        'a slash': 'X/A',
        'a quote': '"X"',
        'a comma': 'X,A',
        'an equals sign': 'X=A',
        'a bracket': 'X[0]',
        'a letter beyond ASCII': 'X-É',
        NUL: 'X\u0000A',
      },
    },
  ],
  [
    'HeaderValue',
    {
      ...listed('', 'a', 'b', 'web', 'a, b;c="d"', ' a ', '\t', 'é', '漢 😀', '\u0001', '${x}', '%0d%0a'),
      edges: {
        empty: '',
        'a tab': '\t',
        'a space': ' ',
        'beyond ASCII': 'é漢😀',
        'an escape of a newline': String.raw`\r\n`,
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
  ],
  [
    'WebhookProvider',
    {
      ...listed('sns', 'github', 'a', 'slack', 'stripe', 'sns_', 'x_9', '0'),
      edges: { sns: 'sns', 'an underscore': '_', digits: '0', 'sns and more': 'sns2' },
      near: {
        'upper case': 'GITHUB',
        'one upper-case letter': 'GitHub',
        'SNS in upper case': 'SNS',
        'a space': 'git hub',
        'a trailing space': 'github ',
        'a hyphen': 'aws-sns',
        'a dot': 'aws.sns',
        'a trailing newline': 'github\n',
        'a letter beyond ASCII': 'gíthub',
      },
    },
  ],
  [
    'GitHubTeam',
    {
      ...listed('a/b', 'a/c', 'acme/web', 'Acme/Web-Team', '1/2', 'é/漢'),
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
  ],
  [
    'IdpMetadata',
    { values: entityDescriptors, simplest: [SMALLEST], edges: {}, near: {}, ofLength: entityDescriptorsOfLength },
  ],
  [
    'UserAgentExpression',
    {
      ...listed(
        'a',
        'b',
        'c',
        '(?i)bot/[0-9]+',
        '^curl/',
        'Mozilla/5\\.0 \\(.*\\)',
        '\\bfoo\\b',
        '[^a-z]{2,5}$',
        '(?P<name>x)|y',
        '\\pL',
        'é|漢',
        '.*',
      ),
      edges: {},
      near: {},
      ofLength: (length) => ['a', 'é', '漢', '😀'].map((char) => char.repeat(length)),
    },
  ],
  [
    'OAuthScope',
    {
      ...listed('a', 'openid', 'read:user', 'https://www.example.com/auth/x.readonly', 'user.read', 'é'),
      edges: {},
      near: {},
    },
  ],
  [
    'EmailAddress',
    {
      ...listed(
        'a@b',
        'ada@example.com',
        'a.b+c@x.example',
        '"a b"@example.com',
        'ü@bücher.example',
        "o'hara@example.com",
      ),
      edges: {},
      near: {},
    },
  ],
  [
    'EmailDomain',
    { ...listed('a', 'example.com', 'Example.COM', 'bücher.example', 'x--y.example'), edges: {}, near: {} },
  ],
  ['GitHubOrganization', { ...listed('a', 'acme', 'Acme-Inc', '1'), edges: {}, near: {} }],
  ['CookiePrefix', { ...listed('', 'a', 'edge.', 'edge', 'session_', '__Host-'), edges: {}, near: {} }],
];
