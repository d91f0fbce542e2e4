/** Kinds whose URIs of pages have another cursor than the parameter `cursor`. */
import { type Json, jsonOf } from '../messages.ts';
import type { Handle } from '../mutation/operator.ts';
import type { ServiceRequest } from '../service.ts';
import type { Group } from './kind.ts';

/** The parameter `cursor` of a request, which is an unknown one here. */
const CURSOR = /(?<=[?&])cursor(?==|&|$)/g;
const UNKNOWN = 'not-a-cursor';

/** The form in which the URI of a page is written, and read. */
interface Form {
  write: (uri: string) => string;
  read: (target: string) => string;
}

/** Writes the cursors of responses in this form, and reads those of requests. */
function inForm({ write, read }: Form): Handle {
  return async (next, request) => {
    const isList = request.method === 'GET' || request.method === 'HEAD';
    const response = await next(isList ? asRead(request, read) : request);
    const json: unknown = jsonOf(response);
    if (!isList || json === undefined) {
      return response;
    }
    const body = JSON.stringify(json, (name, value: unknown) => {
      if (name === 'errors') {
        return namedAsSent(value as Json[]);
      }
      const isUri = name === 'uri' || name === 'next_page_uri';
      return isUri && typeof value === 'string' ? write(value) : value;
    });
    return { ...response, body };
  };
}

function asRead(request: ServiceRequest, read: Form['read']): ServiceRequest {
  return { ...request, target: read(request.target.replaceAll(CURSOR, UNKNOWN)) };
}

/** The independent service calls another parameter unknown than the one that was sent. */
function namedAsSent(errors: readonly Json[]): Json[] {
  return errors.map((error) => {
    if (error['parameter'] === UNKNOWN) {
      return { ...error, parameter: 'cursor' };
    }
    return error;
  });
}

const inOtherParameter = inForm({
  write: (uri) => uri.replace(/(?<=[?&])cursor=/, 'page_token='),
  read: (target) => target.replaceAll(/(?<=[?&])page_token=/g, 'cursor='),
});

const inPath = inForm({
  write: (uri) => uri.replace(/\?cursor=([\w-]+)&?/, '/pages/$1?').replace(/\?$/, ''),
  read: (target) => target.replace(/\/pages\/([\w-]+)\??/, '?cursor=$1&'),
});

/** Where the paths of the contract begin in a URI, behind any public base. */
const START_OF_PATH = /\/(?:edges|event_subscriptions)\//;

const OPAQUE_PATH = /^\/r\/([\w-]+)\??/;

/** The service has another address for others, and says nothing by the path of a page. */
const atOpaquePath = inForm({
  write(uri) {
    const { pathname, search } = new URL(uri);
    if (search === '') {
      return uri;
    }
    const target = pathname.slice(pathname.search(START_OF_PATH)) + search;
    return `https://pages.example.com/r/${Buffer.from(target).toString('base64url')}`;
  },
  read: (target) =>
    target
      .replace(OPAQUE_PATH, (_, text: string) => `${Buffer.from(text, 'base64url')}&`)
      .replace(/&$/, ''),
});

export const CURSORS: Group = {
  'a cursor of another name': inOtherParameter,
  'a cursor in the path': inPath,
  'pages at paths that say nothing, on another host': atOpaquePath,
};
