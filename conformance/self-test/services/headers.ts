/** Kinds that write other header fields. */
import { withHeaders } from '../messages.ts';
import { changingResponse } from '../mutation/operator.ts';
import { changingHeaders, type Group } from './kind.ts';

const moreChallenges = changingHeaders(({ headers }): NodeJS.Dict<string> => {
  const { 'www-authenticate': bearer } = headers;
  if (bearer) {
    return { 'www-authenticate': `Basic realm="a, b", ${bearer}, Negotiate` };
  }
  return {};
});

/** Names that differ in case are written as several fields. */
const challengesInFields = changingHeaders(({ headers }): NodeJS.Dict<string> => {
  if (headers['www-authenticate']) {
    return { 'WWW-AUTHENTICATE': 'Basic realm="a, b"', 'www-Authenticate': 'Negotiate' };
  }
  return {};
});

const typesInCapitals = changingHeaders(({ headers }) => {
  const capitals = headers['content-type']?.toUpperCase();
  return { 'content-type': capitals?.replace('=UTF-8', '="utf-8"') };
});

const optionsWithContent = changingResponse((response, { method }) => {
  if (method !== 'OPTIONS') {
    return response;
  }
  const typed = withHeaders(response, { 'content-type': 'text/plain' });
  return { ...typed, status: 200, body: 'OK' };
});

/** As browsers need it. Any other OPTIONS has `Allow`. */
const preflightWithoutAllow = changingHeaders((_, { headers }): NodeJS.Dict<string> => {
  if (headers['access-control-request-method']) {
    return { allow: undefined };
  }
  return {};
});

/** `HEAD` and `OPTIONS` work everywhere and need not be named. */
const shortAllow = changingHeaders(({ headers }) => {
  const methods = headers['allow']?.split(',').map((one) => one.trim());
  const named = methods?.filter((one) => one !== 'HEAD' && one !== 'OPTIONS');
  return { allow: named?.join(' ,\t') };
});

export const HEADERS: Group = {
  'challenges of other schemes, too': moreChallenges,
  'challenges in several fields': challengesInFields,
  'media types in capitals': typesInCapitals,
  'OPTIONS with 200': optionsWithContent,
  'a preflight without Allow': preflightWithoutAllow,
  'Allow without HEAD and OPTIONS': shortAllow,
};
