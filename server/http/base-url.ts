/** The address that the URIs of an answer begin with (D34). */
import type { Request } from 'express';
import { Links } from '../domain/links.ts';
import { Refusal } from '../domain/refusal.ts';

/**
 * @param publicUrl absolute, without a slash at its end; when undefined, the host that each request was sent to.
 *   Headers of proxies are not believed: behind one, set the public URL.
 */
export function linksFor(publicUrl: string | undefined): (req: Request) => Links {
  if (publicUrl !== undefined) {
    const links = new Links(publicUrl);
    return () => links;
  }
  return (req) => new Links(`http://${checkedHost(req.headers.host)}`);
}

/** @throws Refusal when the Host header cannot be part of a URI */
function checkedHost(host = ''): string {
  if (!/^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?$/.test(host)) {
    throw new Refusal('malformed_request', 'The Host header is not a host with an optional port.');
  }
  return host;
}
