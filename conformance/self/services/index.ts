/** Services that keep the contract and differ from most where it leaves a choice: the suite must pass them all. */
import { createIndependentService } from '../independent/index.ts';
import { type Json, jsonOf, problem, withHeaders } from '../mutation/operator.ts';
import type { Service, ServiceRequest, ServiceResponse, Tokens } from '../service.ts';

export const SERVICES: Record<string, (tokens: Tokens) => Service> = {
  independent: createIndependentService,
  '503 with Retry-After in 1 of 300 responses': sometimes(unavailable),
  'a connection that breaks in 1 of 300 requests': sometimes(() => {
    throw new Error('the connection is closed without a response');
  }),
  'ids 0, 1, 2, …': (tokens) => {
    let next = 0;
    return createIndependentService({ ...tokens, newId: () => String(next++) });
  },
  'pages of up to 100 items': (tokens) => createIndependentService({ ...tokens, mostItems: 100 }),
  'an empty first page that leads on': (tokens) => createIndependentService({ ...tokens, firstIsEmpty: true }),
  'OPTIONS with 200': changing(optionsWith200),
  'the rest of a request is checked before its resource': (tokens) =>
    createIndependentService({ ...tokens, order: 'resource last' }),
  'only the first error': reporting((errors) => errors.slice(0, 1)),
  'only the last error': reporting((errors) => errors.slice(-1)),
  'the other one of two right errors': reporting(otherwise),
  'challenges of other schemes, too': changing(withOtherChallenges),
};

/** The independent service with other responses. */
function changing(change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse) {
  return (tokens: Tokens): Service => {
    const inner = createIndependentService(tokens);
    return async (request) => change(await inner(request), request);
  };
}

/** One in so many responses is lost, at random places: a request that is sent again must not meet the same gap. */
const ONE_IN = 300;

/** The request may have been done or not. */
function sometimes(respond: (method: string) => ServiceResponse) {
  return (tokens: Tokens): Service => {
    const inner = createIndependentService(tokens);
    // The same for each service: a run of a fixed seed must not pass or fail by chance.
    let state = 1;
    const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    return async (request) => {
      if (next() >= 1 / ONE_IN) return inner(request);
      if (next() < 0.5) await inner(request);
      return respond(request.method);
    };
  };
}

/** As the contract documents it. */
export function unavailable(method: string): ServiceResponse {
  const { body, ...response } = withHeaders(problem(503), { 'retry-after': '0' });
  return { ...response, body: method === 'HEAD' ? '' : body };
}

/** The contract asks for `Allow` and leaves the status open. */
function optionsWith200(response: ServiceResponse, { method }: ServiceRequest): ServiceResponse {
  if (method !== 'OPTIONS') return response;
  return { ...withHeaders(response, { 'content-type': 'text/plain' }), status: 200, body: 'OK' };
}

type Reported = { code: string; pointer?: string; parameter?: string };

/** Other errors of a request than the independent service names. */
function reporting(report: (errors: Reported[], body: Json) => Reported[]) {
  return changing((response, request) => {
    if (response.status !== 400 || request.method === 'HEAD') return response;
    const { errors, ...others } = jsonOf(response) as { errors?: Reported[] };
    if (errors === undefined) return response;
    const reported = report(errors, Object(jsonOf(request)) as Json);
    return { ...response, body: JSON.stringify({ ...others, errors: reported }) };
  });
}

/** Of two rules that are broken at once, the one that the independent service does not name; the first of two names. */
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
function withOtherChallenges(response: ServiceResponse): ServiceResponse {
  const bearer = response.headers['www-authenticate'];
  const all = { 'www-authenticate': `Basic realm="a, b", ${bearer}, Negotiate` };
  return bearer === undefined ? response : withHeaders(response, all);
}
