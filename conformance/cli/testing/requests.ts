/** Parts of a request that a service of a test looks at. */
import { cookiesOf } from '../../engine/http/call.ts';
import { parse } from '../../engine/http/response.ts';
import type { ServiceRequest } from '../../self-test/service.ts';

/** Its cookies, each as `NAME=VALUE`. */
export function cookiesIn({ headers }: ServiceRequest): string[] {
  return cookiesOf(headers['cookie']);
}

export function queryOf({ target }: ServiceRequest): URLSearchParams {
  return urlOf(target).searchParams;
}

/** The path without the first slash, in parts. */
export function segmentsOf({ target }: Pick<ServiceRequest, 'target'>): string[] {
  return urlOf(target).pathname.slice(1).split('/');
}

function urlOf(target: string): URL {
  return new URL(target, 'http://service.example');
}

/** A JSON object. */
export type Json = Record<string, unknown>;

/** The JSON of a request or response; undefined if its body is not JSON. */
export function jsonIn({ body }: { body: Buffer | string }): unknown {
  return parse(body.toString());
}
