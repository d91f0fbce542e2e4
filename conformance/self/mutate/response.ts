/** Reads and rewrites responses. */
import type { ServiceRequest, ServiceResponse } from '../service.ts';

export function jsonOf({ body }: ServiceResponse): any {
  const text = body.toString();
  return text === '' ? undefined : JSON.parse(text);
}

/** The same respond with another value in it; undefined stands for no body. */
export function showing(response: ServiceResponse, value: unknown): ServiceResponse {
  return { ...response, body: value === undefined ? '' : JSON.stringify(value) };
}

export function answering(response: ServiceResponse, headers: Record<string, string>): ServiceResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

export function withoutHeader(response: ServiceResponse, name: string): ServiceResponse {
  const { [name]: _, ...headers } = response.headers;
  return { ...response, headers };
}

export function succeeded({ status }: ServiceResponse): boolean {
  return status >= 200 && status < 300;
}

export function isProblem({ headers }: ServiceResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('application/problem+json');
}

export function json(status: number, value: unknown): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** The response to a deletion. */
export const NO_CONTENT: ServiceResponse = { status: 204, headers: {}, body: '' };

export function html(status: number, text: string): ServiceResponse {
  return { status, headers: { 'content-type': 'text/html' }, body: `<html><body><h1>${text}</h1></body></html>` };
}

/** A problem that is right in itself. */
export function problem(status: number, code: string, more: object = {}): ServiceResponse {
  const value = {
    type: 'about:blank',
    title: code.replaceAll('_', ' '),
    status,
    detail: 'It was refused.',
    code,
    request_id: 'mutant',
    ...more,
  };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(value) };
}

/** A refusal of something in the body. */
export function invalid(pointer: string, code: string): ServiceResponse {
  return problem(400, 'invalid_request', { errors: [{ pointer, code, detail: 'It breaks a rule.' }] });
}

/** A refusal of a parameter. */
export function invalidParameter(parameter: string, code: string): ServiceResponse {
  return problem(400, 'invalid_request', { errors: [{ parameter, code, detail: 'It breaks a rule.' }] });
}

export function baseOf({ headers }: ServiceRequest): string {
  return `http://${headers['host'] ?? 'localhost'}`;
}
