/** `handle` applies the rules of any operation, with its resource first or last: both are right. And lists in pages. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Json } from '../../api/modules.ts';
import type { ServiceRequest } from '../service.ts';
import { check, isId, type OwnKind, refuseLoneSurrogates } from './bodies.ts';
import {
  acceptsJson,
  Errors,
  type HttpResponse,
  Query,
  readBody,
  Refusal,
  type Target,
} from './http.ts';

const SIGNATURE_BYTES = 9;

/** Follows the name in a cursor, behind an empty page. */
const NEXT = '|';

interface PageQuery {
  limit?: number | undefined;
  /** Undefined: the first page. */
  behind?: string | undefined;
}

export interface PageOptions {
  /** The most items of the next page; default 7. */
  mostItems?: () => number;
  /** A page without items leads to each page, and follows the last one. */
  emptyPages?: boolean;
}

/** Pages of a sorted set of names. A page begins behind a name, so adding and removing others moves nothing. */
export class Pages {
  /** Signs the cursors of this service, so that others are recognised. */
  readonly #key = randomBytes(16);
  readonly #options: PageOptions;

  constructor(options: PageOptions = {}) {
    this.#options = options;
  }

  #encode(owner: string, name: string): string {
    const signature = createHmac('sha256', this.#key)
      .update(`${owner}/${name}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
    return Buffer.concat([signature, Buffer.from(name)]).toString('base64url');
  }

  /** @param nameOf the name of the item with an id, where a page can begin behind one */
  read(
    query: Query,
    errors: Errors,
    owner: string,
    nameOf?: (id: string) => string | undefined,
  ): PageQuery {
    const limit = query.integer('limit', 1, 100);
    const cursor = query.text('cursor', 512);
    const id = query.text('before_id', 64);
    if (id !== undefined) {
      const name = nameOf?.(id);
      if (!isId(id)) {
        errors.parameter('before_id', 'format', 'No id has this form.');
      } else if (cursor !== undefined) {
        errors.parameter('before_id', 'not_allowed_here', 'The cursor says where to begin.');
      } else if (name === undefined) {
        errors.parameter('before_id', 'value', 'Nothing here bears this id.');
      }
      return { limit, behind: name };
    }
    if (cursor === undefined) {
      return { limit, behind: undefined };
    }
    const behind = Buffer.from(cursor, 'base64url').subarray(SIGNATURE_BYTES).toString();
    if (this.#encode(owner, behind) !== cursor) {
      errors.parameter('cursor', 'format', 'No page of this list has given this cursor.');
    }
    return { limit, behind };
  }

  /** The names on the page, and the URI of the next one, which keeps the limit. @param list the URI of the list */
  cut(names: Iterable<string>, owner: string, list: string, { behind, limit }: PageQuery) {
    // `limit` is the largest number of items on a page, so fewer are always right.
    const { mostItems = () => 7, emptyPages = false } = this.#options;
    const kept = limit === undefined ? '' : `&limit=${limit}`;
    const nextBehind = (name: string) => `${list}?cursor=${this.#encode(owner, name)}${kept}`;
    const [start = '', isNext] = (behind ?? '').split(NEXT);
    if (emptyPages && isNext === undefined) {
      return { names: [], next: nextBehind(start + NEXT) };
    }
    // Names are ASCII, which the default order sorts as the contract asks.
    const rest = Array.from(names).filter((name) => name > start);
    const most = mostItems();
    const page = rest.sort().slice(0, Math.min(limit ?? most, most));
    const last = page.at(-1);
    const isLast = !emptyPages && page.length === rest.length;
    return { names: page, next: last === undefined || isLast ? null : nextBehind(last) };
  }
}

export type Params = Readonly<Record<string, string>>;

export interface OperationCall {
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
  pages?: {
    of: Pages;
    owner: (params: Params) => string;
    nameOf?: (id: string) => string | undefined;
  };
  body?: { required: boolean; kind: OwnKind };
  run(call: OperationCall): HttpResponse;
}

/** Where a request is checked for the resource that its path names; and for its credentials, by default at first. */
export type Order = 'resource first' | 'resource last' | 'credentials last';

export function handle(
  { method, open, find, pages, body, run }: Operation,
  request: ServiceRequest,
  { query: pairs }: Target,
  {
    params,
    base,
    order,
    permit,
  }: { params: Params; base: string; order: Order; permit: () => void },
): HttpResponse {
  if (order !== 'credentials last') {
    permit();
  }
  if (order !== 'resource last') {
    find?.(params);
  }
  // A deletion responds without content, so there is nothing that Accept could exclude.
  if (method !== 'DELETE' && !open && !acceptsJson(request.headers['accept'])) {
    throw new Refusal(
      'not_acceptable',
      'Responses come as application/json, which Accept excludes.',
    );
  }
  const errors = new Errors();
  const known = [...(pages ? ['limit', 'cursor'] : []), ...(pages?.nameOf ? ['before_id'] : [])];
  const query = new Query(pairs, known, errors);
  const page = pages?.of.read(query, errors, pages.owner(params), pages.nameOf) ?? {};
  const sent = body && readBody(request);
  if (body?.required && sent === undefined) {
    errors.at('', 'required', 'This operation needs a body.');
  }
  refuseLoneSurrogates(sent, errors);
  // Where a body may be missing, it has no defaults.
  const checked = body && sent !== undefined ? check(body.kind, sent, '', errors) : {};
  errors.throwIfAny();
  if (order === 'resource last') {
    find?.(params);
  }
  if (order === 'credentials last') {
    permit();
  }
  return run({
    params,
    base,
    search: /\?[^#]*/.exec(request.target)?.[0] ?? '',
    page,
    body: (checked ?? {}) as Json,
  });
}
