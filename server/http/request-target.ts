/** Brings the request target into the form that everything behind this expects, or refuses it. Node's own check of Host is off: its answer is no problem. */
import type { RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';

export const readTarget: RequestHandler = (req, _res, next) => {
  // Node's parser knows the head of other versions, but what follows is none of theirs.
  if (req.httpVersionMajor !== 1) throw new Refusal('malformed_request', 'Send HTTP/1.1.');
  // RFC 9112, 3.2: exactly one, from HTTP/1.1 on. Node keeps the first of several.
  const hosts = countOf('host', req.rawHeaders);
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new Refusal('malformed_request', 'Send one Host header.');
  }
  // RFC 9112, 3.2.2: a server must accept the absolute form, which clients send to proxies.
  const origin = req.url.startsWith('/') ? undefined : /^https?:\/\/[^/?#]*/i.exec(req.url)?.[0];
  if (origin !== undefined) {
    const path = req.url.slice(origin.length);
    req.url = path.startsWith('/') ? path : `/${path}`;
    req.originalUrl = req.url;
  }
  if (!isDecodable(req.url)) {
    throw new Refusal('malformed_request', 'The path or the query is not valid percent-encoding.');
  }
  next();
};

/** @param headers names and values in turn, as Node gives them */
function countOf(name: string, headers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]!.length === name.length && headers[at]!.toLowerCase() === name) count++;
  return count;
}

function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}
