/** The request target (RFC 9112, 3.2), taken apart before it is decoded, so that an encoded slash parts nothing. */
import { Refusal } from './problem.ts';

export interface Implementation {
  /** Only in the absolute form, as sent to a proxy. */
  host?: string;
  segments: string[];
  query: [name: string, value: string][];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('malformed_request', 'The request target has a percent sign that encodes nothing in UTF-8.');
  }
}

export function parseTarget(target: string): Implementation {
  const [, host, local = ''] = /^(?:https?:\/\/([^/?]*))?(.*)$/is.exec(target) ?? [];
  const mark = local.indexOf('?');
  if (host === undefined && !local.startsWith('/')) {
    throw new Refusal('malformed_request', 'The request target is no path.');
  }
  const path = mark < 0 ? local : local.slice(0, mark);
  const pairs = mark < 0 ? [] : local.slice(mark + 1).split('&');
  return {
    ...(host !== undefined && { host }),
    segments: path.split('/').slice(1).map(decode),
    query: pairs
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decode(name), decode(value.join('='))];
      }),
  };
}
