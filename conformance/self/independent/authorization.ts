import { Refusal } from './problem.ts';

/** RFC 6750: without credentials the challenge gives no error code. */
export function authorize(header: string | undefined, token: string | undefined): void {
  if (token === undefined) return;
  if (/^bearer +(.*)$/is.exec(header ?? '')?.[1] === token) return;
  const challenge = header === undefined ? '' : ', error="invalid_token"';
  throw new Refusal('unauthorized', 'These credentials do not open this service.', {
    headers: { 'www-authenticate': `Bearer realm="independent"${challenge}` },
  });
}
