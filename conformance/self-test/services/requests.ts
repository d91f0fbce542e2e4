/** Kinds that refuse requests which a service may refuse. */
import { type Json, jsonOf } from '../messages.ts';
import type { Handle } from '../mutation/operator.ts';
import { type Group, refusal } from './kind.ts';

/** A well-formed name other than the two that are supported. */
const OTHER_PROVIDER = /^(?!(github|sns)$)[a-z0-9_]{1,64}$/;

const PROVIDER_ERROR = {
  pointer: '/webhook_verification/provider',
  code: 'value',
  detail: 'It is not supported.',
};

const ownProviders: Handle = async (next, request) => {
  const body = Object(jsonOf(request)) as Json;
  const { provider } = Object(body['webhook_verification']) as Json;
  const isOther = typeof provider === 'string' && OTHER_PROVIDER.test(provider);
  if (!isOther || !request.target.includes('/routes')) {
    return next(request);
  }
  const members = { code: 'invalid_request', errors: [PROVIDER_ERROR] };
  return refusal(400, request, { members });
};

/** UTF-8, in hexadecimal digits. */
const BYTE_ORDER_MARK = 'efbbbf';
/** A parameter of a media type other than its charset. */
const OTHER_PARAMETER = /;(?!\s*charset=)/i;

const strict: Handle = async (next, request) => {
  const { 'content-type': type = '', accept } = request.headers;
  const start = request.body.subarray(0, 3).toString('hex');
  if (start === BYTE_ORDER_MARK || type.includes(',')) {
    return refusal(400, request);
  }
  if (OTHER_PARAMETER.test(type)) {
    return refusal(415, request);
  }
  if (accept === '') {
    return refusal(406, request);
  }
  return next(request);
};

/** Content of a request whose method gives it no meaning (RFC 9110, 9.3.1). */
const withoutContentOfReads: Handle = async (next, request) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && request.body.length > 0) {
    return refusal(400, request);
  }
  return next(request);
};

const LONGEST_TARGET = 8_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const belowApplication: Handle = async (next, request) => {
  if (request.target.length > LONGEST_TARGET) {
    return { status: 414, headers: {}, body: '' };
  }
  // Throws if the target is malformed, which closes the connection.
  decodeURIComponent(request.target);
  if (METHODS.includes(request.method)) {
    return next(request);
  }
  return { status: 501, headers: {}, body: '' };
};

export const REQUESTS: Group = {
  'its own webhook providers': ownProviders,
  'requests that may be refused are': strict,
  'content of GET and HEAD is refused': withoutContentOfReads,
  'a server that refuses below the application': belowApplication,
};
