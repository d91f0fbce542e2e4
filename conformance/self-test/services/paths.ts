/** Kinds that read paths in another way. */
import { pathOf } from '../messages.ts';
import type { Handle } from '../mutation/operator.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import type { Group } from './kind.ts';

/** An encoded control character, slash or backslash. */
const UNSAFE = /%(?:[01][0-9a-f]|7f|2f|5c)/i;

/** As Tomcat below Spring Boot: no handler sees the target. */
const likeTomcat: Handle = async (next, request) => {
  if (UNSAFE.test(request.target)) {
    return {
      status: 400,
      headers: { 'content-type': 'text/html;charset=utf-8', connection: 'close' },
      body: '<!doctype html><title>HTTP Status 400 – Bad Request</title>',
    };
  }
  return next(request);
};

/** It closes the connection in place of a response. */
const abrupt: Handle = async (next, request) => {
  if (UNSAFE.test(request.target) || pathOf(request).includes('//')) {
    throw new Error('the target is not safe');
  }
  return next(request);
};

const withPath = (request: ServiceRequest, path: string): ServiceRequest => ({
  ...request,
  target: path + request.target.slice(pathOf(request).length),
});

/** As Spring: what follows `;` in a segment means nothing. */
const withoutParameters: Handle = (next, request) =>
  next(withPath(request, pathOf(request).replaceAll(/;[^/]*/g, '')));

/** The beginning of the paths of edges, in any case. */
const EDGES = /^\/edges\/https(?=\/|$)/i;

/** A slash at the end, two slashes and dots mean nothing, and case does not count. */
const tolerant: Handle = (next, request) => {
  const { pathname } = new URL(pathOf(request).replaceAll(/\/{2,}/g, '/'), 'http://localhost');
  const path = pathname.replace(/(?<=.)\/$/, '');
  const known = path.replace(EDGES, '/edges/https');
  return next(withPath(request, known));
};

/** In characters: fewer than most servers take. */
const LONGEST_TARGET = 2_000;

const shortTargets: Handle = async (next, request): Promise<ServiceResponse> => {
  if (request.target.length > LONGEST_TARGET) {
    return { status: 414, headers: { 'content-type': 'text/plain' }, body: 'URI too long' };
  }
  return next(request);
};

export const PATHS: Group = {
  'unsafe targets are refused by the server below': likeTomcat,
  'unsafe targets close the connection': abrupt,
  'what follows ; in a segment is ignored': withoutParameters,
  'slashes and dots are tidied up': tolerant,
  'targets of more than 2,000 characters are too long': shortTargets,
};
