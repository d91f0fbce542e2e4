/** Header fields that frameworks act on, in rows that are sent together. */

/** A host that no service has. */
export const OTHER_HOST = 'forwarded.example.com';

/** The beginning of no path. */
export const OTHER_PREFIX = '/forwarded-prefix';

/** The `Accept` of a browser. */
export const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** By name in lower case, in the order in which they are sent. */
export type Fields = Readonly<Record<string, string>>;

/**
 * No row has two fields of which one hides the other, such as a condition that counts only if
 * another one is absent.
 */
export const ROWS: readonly Fields[] = [
  {
    'if-match': '"conformance"',
    range: 'bytes=0-0',
    prefer: 'return=minimal',
    'idempotency-key': 'conformance',
    'accept-language': 'fr;q=0.5',
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
    'content-length': '0',
    accept: BROWSER,
    'x-http-method-override': 'DELETE',
    'x-original-url': '/x',
    'x-forwarded-host': OTHER_HOST,
    'x-forwarded-proto': 'https',
    'x-forwarded-ssl': 'on',
    'front-end-https': 'on',
    'x-url-scheme': 'https',
    origin: 'https://other.example.com',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
    'access-control-request-method': 'PUT',
    'accept-encoding': 'gzip;q=0, br;q=0',
  },
  {
    'if-none-match': '*',
    range: 'items=0-0',
    prefer: 'respond-async, wait=1',
    'x-idempotency-key': 'conformance',
    accept: 'application/json;version=2;indent=4, */*;q=0.1',
    'accept-charset': 'iso-8859-1',
    expect: '100-continue',
    'content-type': 'text/plain',
    'x-http-method-override': 'PUT',
    'x-rewrite-url': '/',
    'x-forwarded-prefix': OTHER_PREFIX,
    forwarded: `for=203.0.113.7;host=${OTHER_HOST}`,
    'x-method-override': 'DELETE',
    'accept-encoding': 'identity, *;q=0',
    // No server can switch to this protocol.
    connection: 'upgrade',
    upgrade: 'conformance/1',
  },
  {
    'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT',
    prefer: 'handling=lenient',
    cookie: 'session=x; lang=fr',
    accept: 'application/json; charset=utf-16, */*',
    'accept-encoding': 'gzip, deflate, br',
    'x-forwarded-port': '1',
    'api-version': '99',
    'accept-version': '99.0.0',
    'x-http-method-override': 'GET',
    'x-host': OTHER_HOST,
  },
  {
    'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
    'if-range': '"x"',
    range: 'bytes=1-',
    connection: 'close',
    'accept-encoding': 'gzip;q=0.5, identity',
    'accept-language': 'xx, *;q=0',
    'cache-control': 'no-cache',
    te: 'trailers',
    'x-forwarded-for': '203.0.113.7',
    'x-real-ip': '203.0.113.7',
    'x-http-method-override': 'HEAD',
    'x-http-method': 'PUT',
    'x-original-host': OTHER_HOST,
    'x-forwarded-server': OTHER_HOST,
    'save-data': 'on',
  },
  // Values that a parser, a proxy or a log may fail on.
  {
    'if-modified-since': 'not a date',
    range: 'bytes=9-1, x',
    prefer: '"',
    'accept-language': ';;q=x, -',
    'accept-encoding': 'gzip;q=x, ;',
    cookie: '=; a; b="c; $Version=x',
    'user-agent': '() { :;}; ${jndi:ldap://127.0.0.1:9/a} %s%n <script>',
    referer: 'not a URI {{7*7}} ../../',
    forwarded: 'for="_x;host',
    'x-forwarded-for': 'unknown, "[::1]:99999", 999.0.0.1',
    'x-forwarded-port': 'x',
    'x-forwarded-proto': 'gopher, "',
    via: '1.0 fred, ;',
    warning: '999 x "',
    'max-forwards': '-1',
    'cache-control': 'max-age=x, "',
    date: 'yesterday',
    from: "' OR '1'='1' --",
    traceparent: '00-zz-1',
    tracestate: '=,,"',
    baggage: '%zz=\xe9',
  },
  {
    'x-bytes': '\xe9\xff\x80',
    'x-quote': '"unfinished',
    'x-tab': 'a\tb',
    'x-long': 'a'.repeat(1_500),
    'x-template': '${7*7}{{7*7}}',
    'x-shell': '$(id)`id`;|&',
    'x-sql': "'; DROP TABLE edges; --",
    'x-path': '../../../etc/passwd',
    'x-format': '%s%n%d{0}',
    'x-html': '<script>alert(1)</script>',
    'x-lines': '%0d%0aX-Other: a',
    'x-json': '{"$ne": null}',
    x_with_underscores: 'a',
    'x.with.dots': 'a',
    "x-!#$%&'*+^`|~": 'a',
    '0': '1',
    'x-request-id': '${7*7}<b>"\xe9',
    'x-correlation-id': "'",
  },
];
