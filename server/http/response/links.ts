/** The address that the URIs of a response begin with (D34). */
import type { Request } from 'express';
import { Links } from '../../domain/links.ts';
import { ApiError } from '../../domain/api-error.ts';

/**
 * @param publicUrl absolute, without a slash at its end; when undefined, the host that each request was sent to.
 *   Headers of proxies are not believed: behind one, set the public URL.
 */
export function linksFor(publicUrl: string | undefined): (req: Request) => Links {
  if (publicUrl !== undefined) {
    const links = new Links(publicUrl);
    return () => links;
  }
  return (req) => {
    const { host } = req.headers;
    if (host === undefined) throw new ApiError('malformed_request', 'Send one Host header.');
    // Mounted in another application, it is reached below a path of that.
    return new Links(`http://${host}${req.baseUrl}`);
  };
}
