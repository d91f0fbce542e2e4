import { expect, it } from 'vitest';
import { URI } from './uri.ts';

it.each([
  'http://a',
  'https://login.example.com/',
  'HTTPS://A:8080/b/c;d=1?e=f&g=/?#h/?',
  'http://user:pass@a.example/%C3%A9',
  'http://[::1]:80/',
  'http://[2001:db8::192.0.2.1]',
  'http://[v1.a:b]',
  'http://a:/',
  'http:///a',
  'urn:oasis:names',
  'mailto:a@example.com',
  'a+b-c.1:/x',
  "http://a/!$&'()*+,;=:@~_.-",
])('%s is a URI', (text) => {
  expect(URI.fits(text)).toBe(true);
});

it.each([
  '',
  'a',
  '/a',
  '//a/b',
  'example.com',
  '://a',
  '1http://a',
  'ht_tp://a',
  ' http://a',
  'http://a ',
  'http://a\n',
  'http://a b',
  'http://a/é',
  'http://bücher',
  'http://a/%zz',
  'http://a/%4',
  'http://a/"b"',
  'http://a/<b>',
  'http://a/{b}',
  'http://a\\b',
  'http://a/b|c',
  'http://a#b#c',
  'http://a:b',
  'http://a@b@c',
  'http://[::1',
  'http://[::g]',
  'http://[fe80::1%25eth0]',
  'http://[::1]a',
  'http://a[b]',
])('%j is none', (text) => {
  expect(URI.fits(text)).toBe(false);
});
