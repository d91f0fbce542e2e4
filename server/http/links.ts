/** The base of URIs in responses (D34). */
import type { Request } from 'express';
import { ApiError } from '../domain/api-error.ts';
import { Links } from '../domain/links.ts';

export type LinksOf = (req: Request) => Links;

/**
 * Links begin with the public URL, or else with the host of the request: headers of proxies are not
 * trusted.
 */
export function linksFor(publicUrl: string | undefined): LinksOf {
  if (publicUrl !== undefined) {
    const links = new Links(publicUrl);
    return () => links;
  }
  return (req) => {
    const { host } = req.headers;
    if (host === undefined) {
      throw new ApiError('malformed_request', 'Send one Host header.');
    }
    // Mounted in another application, this one is reached below a path of it.
    return new Links(`http://${host}${req.baseUrl}`);
  };
}
