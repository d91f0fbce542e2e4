/** Services that keep the contract and differ from most where it leaves a choice: the suite must pass them all. */
import { createHash, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { escape } from '../independent/http.ts';
import { createIndependentService, type IndependentServiceOptions } from '../independent/index.ts';
import {
  type Handle,
  isObject,
  type Json,
  jsonOf,
  parentOf,
  problem,
  showing,
  withHeaders,
} from '../mutation/operator.ts';
import type { Service, ServiceRequest, ServiceResponse, Tokens } from '../service.ts';

/** What a service does otherwise: by options of the independent one, or in front of it. */
type Kind = IndependentServiceOptions | Handle;

/** In each group, one kind excludes the others. A kind stands in front of those of the groups before. */
const GROUPS: Record<string, Kind>[] = [
  {
    'ids 0, 1, 2, …': numbered(String),
    'ids of - and _': numbered((id) => id.toString(2).replaceAll('0', '-').replaceAll('1', '_')),
    'ids of 64 letters that differ in case': numbered((id) =>
      id.toString(2).padStart(64, '0').replaceAll('0', 'a').replaceAll('1', 'A'),
    ),
    'a public URL with a path': { publicUrl: 'https://edge-api.example.com/base/v0' },
  },
  {
    'pages of one item': { mostItems: () => 1 },
    'pages of up to 100 items': { mostItems: () => 100 },
    'pages without items that lead on': { emptyPages: true },
    'pages of any size': { mostItems: () => randomInt(1, 9) },
  },
  {
    'the rest of a request is checked before its resource': { order: 'resource last' },
    'credentials are checked last': { order: 'credentials last' },
  },
  {
    'its own webhook providers': async (next, request) => {
      const { provider } = Object(Object(jsonOf(request)).webhook_verification) as Json;
      const isOther =
        typeof provider === 'string' && /^(?!(github|sns)$)[a-z0-9_]{1,64}$/.test(provider);
      const errors = [
        {
          pointer: '/webhook_verification/provider',
          code: 'value',
          detail: 'It is not supported.',
        },
      ];
      if (!isOther || !request.target.includes('/routes')) {
        return next(request);
      }
      return refusal(400, request, {}, { code: 'invalid_request', errors });
    },
    'requests that may be refused are': async (next, request) => {
      const { 'content-type': type = '', accept } = request.headers;
      const hasMark = request.body.subarray(0, 3).toString('hex') === 'efbbbf';
      if (hasMark || type.includes(',')) {
        return refusal(400, request);
      }
      if (/;(?!\s*charset=)/i.test(type)) {
        return refusal(415, request);
      }
      return accept === '' ? refusal(406, request) : next(request);
    },
    'a server that refuses below the application': async (next, request) => {
      if (request.target.length > 8_000) {
        return { status: 414, headers: {}, body: '' };
      }
      // It closes the connection where it cannot.
      decodeURIComponent(request.target);
      const isKnown = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(request.method);
      return isKnown ? next(request) : { status: 501, headers: {}, body: '' };
    },
  },
  {
    'only the first error': reporting((errors) => errors.slice(0, 1)),
    'only the last error': reporting((errors) => errors.slice(-1)),
    'the other one of two right errors': reporting(otherwise),
    'a duplicate is reported at what holds it': reporting((errors) =>
      errors.map((error) => {
        if (error.code === 'duplicate') {
          return { ...error, pointer: parentOf(error.pointer!) };
        }
        return error;
      }),
    ),
  },
  {
    'members that the contract does not name': rewriting((name, value) => {
      if (isObject(value) && name !== 'add') {
        return { ...value, _self: null, items: [], Id: 1 };
      }
      return value;
    }),
    'times of another zone, in nanoseconds, by a slow clock': rewriting((name, value) => {
      if (name !== 'created_at') {
        return value;
      }
      const local = new Date(Date.parse(String(value)) + 5.5 * 3_600_000 - 45_000).toISOString();
      return local.replace(/\..*/, '.123456789+05:30');
    }),
    'JSON in escapes, exponents and white space': showing((response) => {
      const text = JSON.stringify(jsonOf(response), null, ' \r\n\t');
      // Words alone: with longer texts, a response could have more than 8 MiB.
      const body = text?.replaceAll(
        /"(\w{1,64})"|"(?:[^"\\]|\\.)*"|(?<=\s)-?\d+(?=[,\s])/g,
        (token, word?: string) => {
          if (word) {
            return `"${word.replaceAll(/./g, escape)}"`;
          }
          return token.startsWith('"') ? token : `${token}E+0`;
        },
      );
      if (body === undefined) {
        return response;
      }
      return { ...response, body: `\r\n ${body}` };
    }),
  },
  {
    'challenges of other schemes, too': fields(({ headers: { 'www-authenticate': bearer } }) => {
      if (bearer) {
        return { 'www-authenticate': `Basic realm="a, b", ${bearer}, Negotiate` };
      }
      return {};
    }),
    // Names that differ in case are written as several fields.
    'challenges in several fields': fields(({ headers: { 'www-authenticate': bearer } }) => {
      if (bearer) {
        return { 'WWW-AUTHENTICATE': 'Basic realm="a, b"', 'www-Authenticate': 'Negotiate' };
      }
      return {};
    }),
    'media types in capitals': fields(({ headers: { 'content-type': type } }) => ({
      'content-type': type?.toUpperCase().replace('=UTF-8', '="utf-8"'),
    })),
    'OPTIONS with 200': showing((response, { method }) => {
      if (method === 'OPTIONS') {
        return {
          ...withHeaders(response, { 'content-type': 'text/plain' }),
          status: 200,
          body: 'OK',
        };
      }
      return response;
    }),
    // As browsers need it; any other OPTIONS has `Allow`.
    'a preflight without Allow': fields((_, { headers }) => {
      if (headers['access-control-request-method']) {
        return { allow: undefined };
      }
      return {};
    }),
    // RFC 9110, 13.
    'ETag and conditions': showing((response, { method, headers }) => {
      if (method !== 'GET' || response.status !== 200) {
        return response;
      }
      const etag = `"${createHash('sha256').update(response.body).digest('hex')}"`;
      if (headers['if-match'] === '"conformance"') {
        return { status: 412, headers: { etag }, body: '' };
      }
      const isKnown = ['*', etag].includes(headers['if-none-match'] ?? '');
      if (isKnown) {
        return { status: 304, headers: { etag }, body: '' };
      }
      return withHeaders(response, { etag });
    }),
  },
  {
    'a connection for each request': fields(() => ({ connection: 'close' })),
    'Content-Length, and names of fields in odd case': showing(({ status, headers, body }) => {
      const length =
        status === 204 || body.length === 0
          ? {}
          : { 'content-length': String(Buffer.byteLength(body)) };
      const odd = Object.entries({ ...headers, ...length }).map(([name, value]) => [
        name.replace(/.$/, upper),
        value,
      ]);
      return { status, headers: Object.fromEntries(odd) as Record<string, string>, body };
    }),
    // RFC 9110, 8.4.1: in any case.
    'gzip where it is accepted': showing((response, { headers }) => {
      const isWanted = /\bgzip\b(?!; *q=0(\.0*)?(,|$))/i.test(headers['accept-encoding'] ?? '');
      if (!isWanted || response.body.length === 0) {
        return response;
      }
      return {
        ...withHeaders(response, { 'content-encoding': 'X-GZIP' }),
        body: gzipSync(response.body),
      };
    }),
  },
  {
    'responses in any order': async (next, request) => {
      await setTimeout(randomInt(5));
      return next(request);
    },
    '503 with Retry-After in 1 of 300 responses': sometimes((request) =>
      refusal(503, request, { 'retry-after': randomInt(2) ? '0' : new Date().toUTCString() }),
    ),
    '429 in 1 of 300 responses': sometimes(
      (request) => refusal(429, request, { 'retry-after': '0' }),
      0,
    ),
    'a connection that breaks in 1 of 300 requests': sometimes(() => {
      throw new Error('the connection is closed without a response');
    }),
  },
];

const KINDS = Object.assign({}, ...GROUPS) as Record<string, Kind>;
const COUNT = Math.max(...GROUPS.map((group) => Object.keys(group).length));

/** Services that have one kind of each group, and together all kinds. */
export const COMBINED: string[] = Array.from({ length: COUNT }, (_, at) =>
  GROUPS.map((group) => Object.keys(group).at(at % Object.keys(group).length)).join(' + '),
);

/** By the names of their kinds: each alone, and those that are combined. */
export const SERVICES: Record<string, (tokens: Tokens) => Service> = {
  independent: createIndependentService,
  ...Object.fromEntries(
    [...Object.keys(KINDS), ...COMBINED].map((name) => [name, (tokens) => serviceOf(name, tokens)]),
  ),
};

function serviceOf(name: string, tokens: Tokens): Service {
  const kinds = name.split(' + ').map((one) => KINDS[one]!);
  const options = kinds.filter((kind) => typeof kind !== 'function');
  const inner = createIndependentService(
    Object.assign({}, tokens, ...options) as IndependentServiceOptions,
  );
  const handles = kinds.filter((kind) => typeof kind === 'function');
  return handles.reduce<Service>((next, handle) => (request) => handle(next, request), inner);
}

function numbered(idOf: (count: number) => string): Kind {
  let next = 0;
  return { newId: () => idOf(next++) };
}

/** One in 300 responses is lost, at random places. @param done the share of those requests that are carried out */
function sometimes(respond: (request: ServiceRequest) => ServiceResponse, done = 0.5): Handle {
  // The same for each process: a run of a fixed seed must not pass or fail by chance.
  let state = 1;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return async (next, request) => {
    if (random() >= 1 / 300) {
      return next(request);
    }
    if (random() < done) {
      await next(request);
    }
    return respond(request);
  };
}

/** As the contract documents it. */
function refusal(
  status: number,
  { method }: ServiceRequest,
  headers: NodeJS.Dict<string> = {},
  more?: Json,
) {
  const { body, ...response } = withHeaders(problem(status, more), headers);
  return { ...response, body: method === 'HEAD' ? '' : body };
}

export const unavailable = (request: ServiceRequest) =>
  refusal(503, request, { 'retry-after': '0' });

const upper = (text: string) => text.toUpperCase();

function fields(
  fieldsOf: (response: ServiceResponse, request: ServiceRequest) => NodeJS.Dict<string>,
): Handle {
  return showing((response, request) => withHeaders(response, fieldsOf(response, request)));
}

/** @param change of each value in the JSON of a response, by the name of the member that has it */
function rewriting(
  change: (name: string, value: unknown, request: ServiceRequest) => unknown,
): Handle {
  return showing((response, request) => {
    const json: unknown = jsonOf(response);
    if (json === undefined) {
      return response;
    }
    return {
      ...response,
      body: JSON.stringify(json, (name, value) => change(name, value, request)),
    };
  });
}

type Reported = { code: string; pointer?: string; parameter?: string };

/** Other errors of a request than the independent service names. */
function reporting(report: (errors: Reported[], body: Json) => Reported[]): Handle {
  return rewriting((name, value, request) => {
    if (name === 'errors') {
      return report(value as Reported[], Object(jsonOf(request)) as Json);
    }
    return value;
  });
}

/** Of two rules that are broken at once, the one that the independent service does not name; the first of two names. */
function otherwise(errors: Reported[], body: Json): Reported[] {
  return errors.map((error) => {
    const { code, pointer = '', parameter } = error;
    if (parameter === 'cursor' && code === 'repeated') {
      return { ...error, code: 'format' };
    }
    const [, top = '', name] = /^\/(\w+)(?:\/add\/(.*))?$/.exec(pointer) ?? [];
    const value = Object(body[top]) as Json;
    if (code === 'duplicate' && name !== undefined) {
      const first = Object.keys(value['add'] as Json).find(
        (one) => one.toLowerCase() === name.toLowerCase(),
      );
      return { ...error, pointer: pointer.slice(0, -name.length) + (first ?? name) };
    }
    if (top !== 'saml' && top !== 'oidc') {
      return error;
    }
    const { enabled = true, provider } = Object(body['oauth']) as Json;
    if (code === 'type' && provider !== undefined && enabled === true) {
      return { ...error, code: 'not_allowed_here' };
    }
    const isMissing = code === 'not_allowed_here' && value['enabled'] === undefined;
    if (isMissing) {
      return { ...error, code: 'required', pointer: `${pointer}/enabled` };
    }
    return error;
  });
}
