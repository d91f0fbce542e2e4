/**
 * Every format of JSON Schema 2020-12 (Validation, 7.3) and some of the registry of OpenAPI, on a
 * service that looks at the least that tells a value of the format, and on the strictest one.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

type Check = (text: string) => boolean;
type Checks = Readonly<Record<string, Check>>;

const any: Check = () => true;

const PLAIN: Checks = {
  'date-time': (text) => /^\d{4}-/.test(text),
  date: (text) => /^\d/.test(text),
  time: any,
  duration: any,
  email: (text) => text.includes('@'),
  'idn-email': any,
  hostname: (text) => !/[\s/]/.test(text) && text !== '',
  'idn-hostname': any,
  ipv4: (text) => /^[\d.]+$/.test(text) && text.split('.').length === 4,
  ipv6: (text) => text.includes(':'),
  uri: (text) => URL.canParse(text),
  'uri-reference': (text) => URL.canParse(text, 'http://example.com'),
  iri: any,
  'iri-reference': any,
  uuid: (text) => /^[\da-fA-F]{8}-?[\da-fA-F-]+$/.test(text),
  'uri-template': any,
  'json-pointer': any,
  'relative-json-pointer': any,
  regex: any,
  byte: any,
  base64url: any,
  'http-date': any,
  'media-range': any,
  'sf-token': any,
};

const HOST = String.raw`(?:[a-z](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|org|net|io)`;
const ADDRESS = new RegExp(`^[a-z][a-z0-9.+]*@${HOST}$`);
const HOSTNAME = new RegExp(`^${HOST}$`);
const isWebAddress: Check = (text) => /^https?:\/\/[\w.:-]+(?:\/[!-~]*)?$/.test(text);

/** As libraries check them that know special names, versions and canonical forms. */
const STRICT: Checks = {
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text),
  date: (text) => /^\d{4}-(?:0\d|1[0-2])-[0-3]\d$/.test(text),
  time: (text) => /^\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text),
  duration: (text) => /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?)?$/.test(text),
  email: (text) => ADDRESS.test(text),
  'idn-email': (text) => ADDRESS.test(text),
  hostname: (text) => HOSTNAME.test(text) || text === 'a',
  'idn-hostname': (text) => HOSTNAME.test(text) || text === 'a',
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes('.'),
  uri: isWebAddress,
  'uri-reference': (text) => isWebAddress(text) || /^\/[!-~]*$/.test(text),
  iri: isWebAddress,
  'iri-reference': (text) => isWebAddress(text) || /^\/[!-~]*$/.test(text),
  uuid: (text) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(text),
  'uri-template': (text) => /^[^\s{}]*\{[?]?\w+\}$/.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
  'relative-json-pointer': (text) => /^\d+(?:#|\/\w*)?$/.test(text),
  regex: (text) => text.length < 50 && new RegExp(text, 'u') instanceof RegExp,
  byte: (text) => Buffer.from(text, 'base64').toString('base64') === text,
  base64url: (text) => Buffer.from(text, 'base64url').toString('base64url') === text,
  'http-date': (text) => new Date(text).toUTCString() === text,
  'media-range': (text) => /^[*a-z]+\/[*a-z]+$/.test(text),
  'sf-token': (text) => /^[a-zA-Z*][!-~]*$/.test(text),
};

const NUMBERS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint32: [0, 4294967295],
};

const properties: Record<string, object> = {};
for (const format of Object.keys(PLAIN)) {
  properties[format] = { type: 'string', format };
}
for (const format of Object.keys(NUMBERS)) {
  properties[format] = { type: 'integer', format };
}

const CONTRACT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Formats', version: '1' },
  paths: {
    '/values': {
      post: {
        operationId: 'addValues',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties } } },
        },
        responses: { 201: { description: 'kept' }, 400: { description: 'refused' } },
      },
      get: {
        operationId: 'values',
        responses: {
          200: {
            description: 'some',
            content: { 'application/json': { schema: { type: 'object', properties } } },
          },
        },
      },
    },
  },
});

/** Values that their definitions allow, and that narrow checks refuse. */
const SHOWN = {
  email: '"Ada B"@[127.0.0.1]',
  hostname: 'localhost',
  uri: 'urn:isbn:0451450523',
  iri: 'http://é.example/ü',
  'date-time': '1998-12-31t23:59:60z',
  time: '12:30:00',
  duration: 'PT0.5S',
  uuid: '00000000-0000-0000-0000-000000000000',
  ipv6: '::ffff:127.0.0.1',
  regex: String.raw`\Aa\Z`,
};

function values(checks: Checks, shown: object = SHOWN): Handler {
  return ({ method, json }) => {
    if (method === 'GET') {
      return [200, shown];
    }
    if (!isObject(json)) {
      return [400];
    }
    const isRight = Object.entries(json).every(([name, value]) => {
      const check = checks[name];
      if (check) {
        return typeof value === 'string' && check(value);
      }
      const [least = -Infinity, most = Infinity] = NUMBERS[name] ?? [];
      const isWithin = Number(value) >= least && Number(value) <= most;
      return !Object.hasOwn(NUMBERS, name) || (Number.isInteger(value) && isWithin);
    });
    return [isRight ? 201 : 400];
  };
}

test.each([
  ['plain', PLAIN],
  ['strict', STRICT],
])('a service with %s checks has no failure', async (_, checks) => {
  const { code, broken } = await runOn(values(checks), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
});

test.each(['email', 'uuid', 'date', 'date-time', 'uri', 'ipv4', 'ipv6', 'hostname'])(
  'a service that takes any text for %s is not conformant',
  async (format) => {
    const id = `addValues.body.${format}.format`;
    const service = values({ ...PLAIN, [format]: any });
    const { code, broken } = await runOn(service, CONTRACT, ['--only', id]);
    expect([code, broken]).toEqual([1, [id]]);
  },
);

test.each([
  { email: 'nobody' },
  { 'date-time': '2026-02-30T00:00:00Z' },
  { time: '25:00:00' },
  { uri: '/a' },
])('a response with %o is not conformant', async (wrong) => {
  const { code, broken } = await runOn(values(PLAIN, wrong), CONTRACT, ['--only', 'values.200']);
  expect([code, broken]).toEqual([1, ['values.200']]);
});
