/** Kinds that read the content of requests, and fields about content, in another way. */
import type { ServiceRequest } from '../service.ts';
import { withHeaders } from '../messages.ts';
import type { Handle } from '../mutation/operator.ts';
import { acceptsJson } from '../independent/request.ts';
import { type Group, refusal } from './kind.ts';

/** The other name of UTF-8 that Java knows. */
const OTHER_NAME = /\bcharset="?utf8"?/i;

const otherNameOfUtf8: Handle = (next, request) => {
  const type = request.headers['content-type'];
  return next(withHeaders(request, { 'content-type': type?.replace(OTHER_NAME, 'charset=utf-8') }));
};

const IS_JSON = /^application\/json\s*(;|$)/i;

/** Whether the request has a media type that is not JSON. */
function hasOtherType({ headers }: ServiceRequest): boolean {
  const type = headers['content-type'];
  return type !== undefined && !IS_JSON.test(type);
}

/** A framework that chooses a handler by the field, before it looks for a body. */
const typeBeforeBody: Handle = async (next, request) => {
  const isBody = request.method === 'POST' || request.method === 'PATCH';
  const response = await next(request);
  // The independent service looks for the resource and the credentials first.
  if (isBody && request.body.length === 0 && response.status === 200 && hasOtherType(request)) {
    return refusal(415, request);
  }
  return response;
};

const strictDeletion: Handle = async (next, request) => {
  if (request.method !== 'DELETE') {
    return next(request);
  }
  if (!acceptsJson(request.headers['accept'])) {
    return refusal(406, request);
  }
  if (hasOtherType(request)) {
    return refusal(415, request);
  }
  return next(request);
};

/** An `Accept` that accepts nothing at all. */
const NOTHING_ELSE = /(?:^|,)\s*\*\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/;

/** RFC 9110, 10.1.1 and 12.5: such fields have a meaning for every request. */
const fieldsOfHttp: Handle = async (next, request) => {
  const {
    expect,
    'accept-language': language = '',
    'accept-charset': charset = '',
  } = request.headers;
  if (expect !== undefined) {
    return { status: 417, headers: {}, body: '' };
  }
  const isUnknownCharset = charset !== '' && !/utf-8|\*/i.test(charset);
  if (NOTHING_ELSE.test(language) || isUnknownCharset) {
    return refusal(406, request);
  }
  return next(request);
};

export const CONTENTS: Group = {
  'charset=utf8 is UTF-8': otherNameOfUtf8,
  'a type without a body is refused': typeBeforeBody,
  'DELETE looks at Accept and Content-Type': strictDeletion,
  'fields of RFC 9110 are acted on': fieldsOfHttp,
};
