/** The rules of any operation: a request is checked for all errors before the operation runs. */
import type { Json } from '../../api/modules.ts';
import type { ServiceRequest } from '../service.ts';
import { check, type OwnKind, reportLoneSurrogates } from './check.ts';
import type { List, PageQuery, Pages } from './pages.ts';
import { ApiError, Errors } from './problem.ts';
import { acceptsJson, Query, readBody, type Target } from './request.ts';
import type { HttpResponse } from './response.ts';

/** The values of the path, by the names of its template. */
export type Params = Readonly<Record<string, string>>;

export interface OperationCall {
  /** Each value has the form of its parameter. */
  params: Params;
  /** The beginning of every `uri`. */
  base: string;
  /** The query as it was sent, with its question mark; empty if there is none. */
  search: string;
  page: PageQuery;
  /** Checked, with defaults in its objects. */
  body: Json;
}

export interface Operation {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  path: string;
  /** Not in the contract: it needs no token, and its response is not JSON. */
  isOpen?: boolean;
  /** Throws unless the resource exists. */
  find?(params: Params): void;
  /** For a list. */
  pages?: {
    of: Pages;
    list: (params: Params) => List;
  };
  body?: { required: boolean; kind: OwnKind };
  run(call: OperationCall): HttpResponse;
}

/**
 * When a request is checked for the resource that its path names, and for its credentials. By
 * default, credentials are checked first. All orders are right.
 */
export type Order = 'resource first' | 'resource last' | 'credentials last';

/** The parts of a request that are read before its operation is called. */
export interface Context {
  target: Target;
  params: Params;
  /** The beginning of every `uri`. */
  base: string;
  order: Order;
  /** Throws unless the credentials permit the operation. */
  permit: () => void;
}

export function handle(
  operation: Operation,
  request: ServiceRequest,
  context: Context,
): HttpResponse {
  const { params, base, order, permit } = context;
  if (order !== 'credentials last') {
    permit();
  }
  if (order !== 'resource last') {
    operation.find?.(params);
  }
  requireJsonAccepted(operation, request);
  const errors = new Errors();
  const page = readPage(operation, context, errors);
  const body = readAndCheckBody(operation, request, errors);
  errors.throwIfAny();
  if (order === 'resource last') {
    operation.find?.(params);
  }
  if (order === 'credentials last') {
    permit();
  }
  const [search = ''] = /\?[^#]*/.exec(request.target) ?? [];
  return operation.run({ params, base, search, page, body });
}

/** A deletion has a response without content, so there is nothing that Accept could exclude. */
function requireJsonAccepted({ method, isOpen }: Operation, { headers }: ServiceRequest): void {
  if (method !== 'DELETE' && !isOpen && !acceptsJson(headers['accept'])) {
    throw new ApiError(
      'not_acceptable',
      'Responses come as application/json, which Accept excludes.',
    );
  }
}

/** Reads the query, which has parameters only if the operation is a list. */
function readPage({ pages }: Operation, { target, params }: Context, errors: Errors): PageQuery {
  const list = pages?.list(params);
  const known = pages ? ['limit', 'cursor'] : [];
  if (list?.nameOf) {
    known.push('before_id');
  }
  const query = new Query(target.query, known, errors);
  if (pages && list) {
    return pages.of.read(query, errors, list);
  }
  return {};
}

/** The body with defaults in it. If a body may be omitted, it has no defaults. */
function readAndCheckBody({ body }: Operation, request: ServiceRequest, errors: Errors): Json {
  if (!body) {
    return {};
  }
  const sent = readBody(request);
  if (sent === undefined) {
    if (body.required) {
      errors.at('', 'required', 'This operation needs a body.');
    }
    return {};
  }
  reportLoneSurrogates(sent, errors);
  return (check(body.kind, sent, '', errors) ?? {}) as Json;
}
