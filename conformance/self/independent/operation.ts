/**
 * An operation states its rules; `handle` applies them in one order for all. A resource that the path names is looked
 * for before anything else of the request is checked, or after it: the contract leaves the order open.
 */
import type { Json } from '../../api/modules.ts';
import type { ServiceRequest } from '../service.ts';
import { check, type OwnKind, refuseLoneSurrogates } from './check.ts';
import { acceptsJson, Query, readBody, type Target } from './http.ts';
import type { PageQuery, Pages } from './pages.ts';
import { BODY, Errors, type HttpResponse, Refusal } from './problem.ts';

export type Params = Readonly<Record<string, string>>;

export interface Call {
  /** As the path template names them; each has its form already. */
  params: Params;
  /** The beginning of every `uri`. */
  base: string;
  /** The query as it was sent, with its question mark; empty where there is none. */
  search: string;
  page: PageQuery;
  /** Checked, with defaults in its objects. */
  body: Json;
}

export interface Operation {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  path: string;
  /** Beside the contract: needs no token, and responds with something other than JSON. */
  open?: boolean;
  /** Throws unless the resource is there. */
  find?(params: Params): void;
  /** A list: `owner` tells lists apart that share one `Pages`; with `nameOf`, a page can begin behind an id. */
  pages?: { of: Pages; owner: (params: Params) => string; nameOf?: (id: string) => string | undefined };
  body?: { required: boolean; kind: OwnKind };
  run(call: Call): HttpResponse;
}

const NO_PAGE: PageQuery = { limit: undefined, behind: undefined };

/** The part that is checked first: the resource that the path names, or the rest of the request. */
export type Order = 'resource first' | 'resource last';

export function handle(
  { method, open, find, pages, body, run }: Operation,
  request: ServiceRequest,
  { query: pairs }: Target,
  { params, base, order }: { params: Params; base: string; order: Order },
): HttpResponse {
  if (order === 'resource first') find?.(params);
  // A deletion responds without content, so there is nothing that Accept could exclude.
  if (method !== 'DELETE' && !open && !acceptsJson(request.headers['accept']))
    throw new Refusal('not_acceptable', 'Responses come as application/json, which Accept excludes.');
  const errors = new Errors();
  const known = [...(pages ? ['limit', 'cursor'] : []), ...(pages?.nameOf ? ['before_id'] : [])];
  const query = new Query(pairs, known, errors);
  const page = pages?.of.read(query, errors, pages.owner(params), pages.nameOf) ?? NO_PAGE;
  const sent = body && readBody(request);
  if (body?.required && sent === undefined) errors.at(BODY, 'required', 'This operation needs a body.');
  refuseLoneSurrogates(sent, errors);
  const checked =
    body && (sent !== undefined || !body.required)
      ? check(body.kind, sent === undefined ? {} : sent, BODY, errors)
      : {};
  errors.throwIfAny();
  if (order === 'resource last') find?.(params);
  const search = /\?[^#]*/.exec(request.target)?.[0] ?? '';
  return run({ params, base, search, page, body: (checked ?? {}) as Json });
}
