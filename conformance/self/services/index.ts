/**
 * Services that keep the contract and differ from most where it leaves a choice, each by its name. The suite must pass
 * them all.
 */
import { createIndependentService } from '../independent/index.ts';
import { type Json, jsonOf, problem, withHeaders } from '../mutation/messages.ts';
import type { Service, ServiceResponse, Tokens } from '../service.ts';

export const SERVICES: Record<string, (tokens: Tokens) => Service> = {
  independent: createIndependentService,
  '503 with Retry-After in 1 of 300 responses': (tokens) => sometimes(unavailable, createIndependentService(tokens)),
  'a connection that breaks in 1 of 300 requests': (tokens) => sometimes(cutOff, createIndependentService(tokens)),
  'ids 0, 1, 2, …': (tokens) => {
    let next = 0;
    return createIndependentService({ ...tokens, newId: () => String(next++) });
  },
  'pages of up to 100 items': (tokens) => createIndependentService({ ...tokens, mostItems: 100 }),
  'an empty first page that leads on': (tokens) => createIndependentService({ ...tokens, firstIsEmpty: true }),
  'OPTIONS with 200': (tokens) => optionsWith200(createIndependentService(tokens)),
  'the rest of a request is checked before its resource': (tokens) =>
    createIndependentService({ ...tokens, order: 'resource last' }),
  'only the first error': (tokens) => reporting((errors) => errors.slice(0, 1), createIndependentService(tokens)),
  'only the last error': (tokens) => reporting((errors) => errors.slice(-1), createIndependentService(tokens)),
  'the other one of two right errors': (tokens) => reporting(otherwise, createIndependentService(tokens)),
  'challenges of other schemes, too': (tokens) => withOtherChallenges(createIndependentService(tokens)),
};

/** One in so many responses is lost, at random places: a request that is sent again must not meet the same gap. */
const ONE_IN = 300;

/** The same for each service: a run of a fixed seed must not pass or fail by chance. */
function numbers(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** The request may have been done or not. */
function sometimes(respond: (method: string) => ServiceResponse, inner: Service): Service {
  const next = numbers();
  return async (request) => {
    if (next() >= 1 / ONE_IN) return inner(request);
    if (next() < 0.5) await inner(request);
    return respond(request.method);
  };
}

const cutOff = (): never => {
  throw new Error('the connection is closed without a response');
};

/** As the contract documents it. */
export function unavailable(method: string): ServiceResponse {
  const { body, ...response } = withHeaders(problem(503), { 'retry-after': '0' });
  return { ...response, body: method === 'HEAD' ? '' : body };
}

/** The contract asks for `Allow` and leaves the status open. */
function optionsWith200(inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    if (request.method !== 'OPTIONS') return response;
    return { ...withHeaders(response, { 'content-type': 'text/plain' }), status: 200, body: 'OK' };
  };
}

type Reported = { code: string; pointer?: string; parameter?: string };
type Report = (errors: Reported[], body: Json) => Reported[];

/** Other errors of a request than the inner service names. */
function reporting(report: Report, inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    if (response.status !== 400 || request.method === 'HEAD') return response;
    const { errors, ...others } = jsonOf(response) as { errors?: Reported[] };
    if (errors === undefined) return response;
    const reported = report(errors, Object(jsonOf(request)) as Json);
    return { ...response, body: JSON.stringify({ ...others, errors: reported }) };
  };
}

/**
 * Where two rules are broken at once, the one that the independent service does not name; and the first of two names.
 */
function otherwise(errors: Reported[], body: Json): Reported[] {
  return errors.map((error) => {
    const { code, pointer = '', parameter } = error;
    if (parameter === 'cursor' && code === 'repeated') return { ...error, code: 'format' };
    const [, top = '', name] = /^\/(\w+)(?:\/add\/(.*))?$/.exec(pointer) ?? [];
    const value = Object(body[top]) as Json;
    if (code === 'duplicate' && name !== undefined) {
      const first = Object.keys(value['add'] as Json).find((one) => one.toLowerCase() === name.toLowerCase());
      return { ...error, pointer: pointer.slice(0, -name.length) + (first ?? name) };
    }
    if (top !== 'saml' && top !== 'oidc') return error;
    const { enabled = true, provider } = Object(body['oauth']) as Json;
    if (code === 'type' && provider !== undefined && enabled === true) return { ...error, code: 'not_allowed_here' };
    const isMissing = code === 'not_allowed_here' && value['enabled'] === undefined;
    return isMissing ? { ...error, code: 'required', pointer: `${pointer}/enabled` } : error;
  });
}

/** RFC 9110, 11.6.1. */
function withOtherChallenges(inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    const bearer = response.headers['www-authenticate'];
    const all = { 'www-authenticate': `Basic realm="a, b", ${bearer}, Negotiate` };
    return bearer === undefined ? response : withHeaders(response, all);
  };
}
